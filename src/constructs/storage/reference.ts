import { type ApiObjectMetadata, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { INamedObject } from '../resource';
import { mistakeInCode } from '../validation';

/** Returns the namespace of an object that is a construct of any library; undefined if it has none. */
export function namespaceOf(object: INamedObject | undefined): string | undefined {
  const { metadata } = (object ?? {}) as { readonly metadata?: { readonly namespace?: unknown } };
  return typeof metadata?.namespace === 'string' ? metadata.namespace : undefined;
}

/** Returns the namespace that an object of this construct will have. */
export function namespaceHere(construct: Construct, metadata: ApiObjectMetadata | undefined): string | undefined {
  return metadata?.namespace ?? Chart.of(construct).namespace;
}

/** Kinds of objects that have a claim of the same name. */
export const CLAIMS: readonly string[] = ['PersistentVolumeClaim', 'DataVolume'];

/**
 * Returns the name of an object, for manifests that refer to it by name only. The kind is checked here, because the
 * manifest would not show a construct of the wrong kind.
 *
 * @param call - factory or property that accepts the object, for error messages
 * @throws if the object has none of these kinds
 */
export function nameOf(call: string, object: INamedObject, kinds: readonly string[], remedy: string): string {
  const { kind } = object as { readonly kind?: unknown };
  if (typeof kind === 'string' && !kinds.includes(kind)) {
    mistakeInCode(call, '', `"${object.name}" is a ${kind}, not a ${kinds.join(' or ')}`, remedy, 'object-kind');
  }
  return object.name;
}

/** Returns the name of a Secret. */
export const secretOf = (call: string, secret: INamedObject): string =>
  nameOf(call, secret, ['Secret'], 'use a Secret, or { name } of one that exists');

/** Returns the name of a ConfigMap. */
export const configMapOf = (call: string, configMap: INamedObject): string =>
  nameOf(call, configMap, ['ConfigMap'], 'use a ConfigMap, or { name } of one that exists');

/** Returns the name of a ServiceAccount. */
export const serviceAccountOf = (call: string, account: INamedObject): string =>
  nameOf(call, account, ['ServiceAccount'], 'use a ServiceAccount, or { name } of one that exists');
