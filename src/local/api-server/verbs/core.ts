import { Admission, Attributes, Operation } from '../admission/admission';
import { Kind } from '../registry/kind';
import { KindRegistry } from '../registry/registry';
import { FieldValidation } from '../registry/options';
import { Key, Store } from '../store/store';
import { AnyObject, UserInfo } from '../types';
import { oneFromStored } from './convert';

/** Dependencies of all verbs. */
export interface Core {
  readonly store: Store;
  readonly kinds: KindRegistry;
  readonly admission: Admission;
}

/** Object or collection of a request. */
export interface Target {
  readonly kind: Kind;
  /** Empty: cluster-scoped, or all namespaces. */
  readonly namespace: string;
  /** Empty on collections. */
  readonly name: string;
  readonly subresource: string;
  /** Form in which admission sees the object of a subresource with a kind of its own. */
  readonly admitted?: AdmittedForm;
}

/** Form of an object in admission (a Scale). */
export interface AdmittedForm {
  readonly subresource: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  of(object: AnyObject): AnyObject;
  /** Writes what plugins changed in the form back to the object. */
  apply(form: AnyObject, object: AnyObject): AnyObject;
}

/** User and options of a request. */
export interface Caller {
  readonly user: UserInfo;
  /** Owner of the fields that this call writes. */
  readonly manager: string;
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** Options as the client gave them, for admission. */
  readonly given?: { readonly fieldManager?: string; readonly fieldValidation?: string };
  /** Adds a `Warning` header to the answer. */
  warn(message: string): void;
  /** Adds an annotation to the request's line in the audit log. */
  annotate?(key: string, value: string): void;
}

/** Caller for the server's own controllers. */
export function internalCaller(name: string): Caller {
  return {
    user: {
      username: `system:serviceaccount:kube-system:${name}`,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
    },
    manager: 'kube-controller-manager',
    dryRun: false,
    fieldValidation: 'Ignore',
    warn: () => {},
  };
}

export function keyOf(kind: Kind, namespace: string, name: string): Key {
  return { resource: kind.storage, namespace: kind.namespaced ? namespace : '', name };
}

/** Reads an object in the version of `kind`. @throws StatusError if a webhook does not convert it */
export async function readConverted(
  core: Core,
  kind: Kind,
  namespace: string,
  name: string,
): Promise<AnyObject | undefined> {
  const stored = core.store.get(keyOf(kind, namespace, name));
  return stored && oneFromStored(kind, stored);
}

/** Reads an object of a kind whose versions differ only in their name, or for its metadata only. */
export function read(core: Core, kind: Kind, namespace: string, name: string): AnyObject | undefined {
  const stored = core.store.get(keyOf(kind, namespace, name));
  return stored && kind.fromStorage(stored);
}

/**
 * Writes to the store together with other requests of this turn of the event loop. Resolves when the write is durable;
 * the error of a rejected write is thrown then, too, because it may depend on a write that is not durable yet.
 */
export async function commit<T>(core: Core, write: () => T): Promise<T> {
  try {
    return core.store.stage(write);
  } finally {
    await core.store.committed();
  }
}

/** Admission attributes of this request. */
export function attributes(
  operation: Operation,
  target: Target,
  caller: Caller,
  object: AnyObject | undefined,
  oldObject: AnyObject | undefined,
  options: Record<string, unknown>,
): Attributes {
  return {
    operation,
    kind: target.kind,
    subresource: target.subresource,
    namespace: target.namespace,
    name: target.name || object?.metadata.name || '',
    object,
    oldObject,
    options,
    dryRun: caller.dryRun,
    user: caller.user,
    warn: caller.warn,
    annotate: caller.annotate,
  };
}

/** Options in admission requests. */
export function optionsObject(kind: string, caller: Caller): Record<string, unknown> {
  return {
    kind,
    apiVersion: 'meta.k8s.io/v1',
    ...(caller.dryRun ? { dryRun: ['All'] } : {}),
    ...(caller.given?.fieldManager ? { fieldManager: caller.given.fieldManager } : {}),
    ...(caller.given?.fieldValidation ? { fieldValidation: caller.given.fieldValidation } : {}),
  };
}
