import type { ApiObject } from 'cdk8s';

/** An object of the cluster has no namespace, though cdk8s gives each object that of its chart. */
export function clusterScoped<T extends ApiObject>(apiObject: T): T {
  Object.defineProperty(apiObject.metadata, 'namespace', { value: undefined });
  return apiObject;
}
