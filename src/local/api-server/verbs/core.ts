import { Admission, Attributes, Operation } from '../admission/admission';
import { Kind } from '../registry/kind';
import { KindRegistry } from '../registry/registry';
import { FieldValidation } from '../registry/options';
import { Key, Store } from '../store/store';
import { AnyObject, UserInfo } from '../types';

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
}

/** User and options of a request. */
export interface Caller {
  readonly user: UserInfo;
  /** Owner of the fields that this call writes. */
  readonly manager: string;
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** Adds a `Warning` header to the answer. */
  warn(message: string): void;
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

/** Reads an object in the version of `kind`. */
export function read(core: Core, kind: Kind, namespace: string, name: string): AnyObject | undefined {
  const stored = core.store.get(keyOf(kind, namespace, name));
  return stored && kind.fromStorage(stored);
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
  };
}

/** Options in admission requests. */
export function optionsObject(kind: string, caller: Caller): Record<string, unknown> {
  return {
    kind,
    apiVersion: 'meta.k8s.io/v1',
    ...(caller.dryRun ? { dryRun: ['All'] } : {}),
    fieldManager: caller.manager,
    fieldValidation: caller.fieldValidation,
  };
}
