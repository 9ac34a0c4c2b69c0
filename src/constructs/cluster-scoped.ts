import type { ApiObject } from 'cdk8s';

/** Removes the namespace that a cdk8s chart gives to each of its objects: the object's kind is cluster-scoped. */
export function clusterScoped(apiObject: ApiObject): void {
  Object.defineProperty(apiObject.metadata, 'namespace', { value: undefined });
}
