import type { ApiObject } from 'cdk8s';

/** Removes the namespace that cdk8s gives each object of a chart with one: the kind is cluster-scoped. */
export function clusterScoped(apiObject: ApiObject): void {
  Object.defineProperty(apiObject.metadata, 'namespace', { value: undefined });
}
