import { gvOf, Kind } from '../../registry/kind';
import { KindRegistry } from '../../registry/registry';
import { matchLabelSelector } from '../../registry/label-selector';
import { Store } from '../../store/store';
import { AnyObject } from '../../types';
import { ParamRef, Policy } from './types';

/** Kind of a policy's parameters. @throws Error if the server does not have it */
export function paramKindOf({ spec }: Policy, kinds: KindRegistry): Kind | undefined {
  const wanted = spec.paramKind;
  if (!wanted) return undefined;
  const found = kinds.all().find((kind) => gvOf(kind) === wanted.apiVersion && kind.kind === wanted.kind);
  if (found) return found;
  throw new Error(
    `failed to find resource referenced by paramKind: '${wanted.apiVersion.includes('/') ? '' : '/'}${wanted.apiVersion}, Kind=${wanted.kind}'`,
  );
}

/**
 * Parameter objects of a binding; null is the value of `params` without one. An empty list: nothing is validated.
 * @throws Error if the binding does not fit, or requires a parameter that is missing
 */
export function paramsOf(
  kind: Kind | undefined,
  reference: ParamRef | undefined,
  namespace: string,
  store: Store,
): (AnyObject | null)[] {
  if (!kind || !reference) return [null];
  if (reference.namespace && !kind.namespaced)
    throw new Error('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  const within = kind.namespaced ? reference.namespace || namespace : '';
  if (kind.namespaced && !within)
    throw new Error('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  const found = find(kind, reference, within, store).map((object) => ({
    ...kind.fromStorage(object),
    apiVersion: gvOf(kind),
    kind: kind.kind,
  }));
  if (found.length === 0 && reference.parameterNotFoundAction !== 'Allow')
    throw new Error('no params found for policy binding with `Deny` parameterNotFoundAction');
  return found;
}

function find(kind: Kind, { name, selector }: ParamRef, namespace: string, store: Store): AnyObject[] {
  if (name) {
    const object = store.get({ resource: kind.storage, namespace, name });
    return object ? [object] : [];
  }
  const matches = matchLabelSelector(selector);
  return [...store.list({ resource: kind.storage, ...(namespace ? { namespace } : {}) })].filter(({ metadata }) =>
    matches(metadata.labels),
  );
}
