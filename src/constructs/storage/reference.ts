import { type ApiObjectMetadata, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { INamedObject } from '../resource';
import { mistakeInCode } from '../validation';

/** Namespace of an object, when it is a construct of any library and has one. */
export function namespaceOf(object: INamedObject | undefined): string | undefined {
  const { metadata } = (object ?? {}) as { readonly metadata?: { readonly namespace?: unknown } };
  return typeof metadata?.namespace === 'string' ? metadata.namespace : undefined;
}

/** Namespace that an object of this construct gets. */
export function namespaceHere(construct: Construct, metadata: ApiObjectMetadata | undefined): string | undefined {
  return metadata?.namespace ?? Chart.of(construct).namespace;
}

/** Kinds that have a claim of their name. */
export const CLAIMS: readonly string[] = ['PersistentVolumeClaim', 'DataVolume'];

/**
 * Name of an object that a manifest refers to by its name alone, where a construct of another kind would not show.
 *
 * @param call - who takes the object, as errors name it
 * @throws when the object has another kind than these
 */
export function nameOf(call: string, object: INamedObject, kinds: readonly string[], remedy: string): string {
  const { kind } = object as { readonly kind?: unknown };
  if (typeof kind === 'string' && !kinds.includes(kind)) {
    mistakeInCode(call, '', `"${object.name}" is a ${kind}, not a ${kinds.join(' or ')}`, remedy, 'object-kind');
  }
  return object.name;
}

/** Name of a Secret. */
export const secretOf = (call: string, secret: INamedObject): string =>
  nameOf(call, secret, ['Secret'], 'use a Secret, or { name } of one that exists');

/** Name of a ConfigMap. */
export const configMapOf = (call: string, configMap: INamedObject): string =>
  nameOf(call, configMap, ['ConfigMap'], 'use a ConfigMap, or { name } of one that exists');

/** Name of a ServiceAccount. */
export const serviceAccountOf = (call: string, account: INamedObject): string =>
  nameOf(call, account, ['ServiceAccount'], 'use a ServiceAccount, or { name } of one that exists');
