import type { ApiObjectMetadata } from 'cdk8s';
import type { INamedObject } from '../resource';
import { namespaceOf } from '../storage/reference';

/** Returns metadata for an object that must be in the target's namespace: adds that namespace, unless one is given. */
export function beside(target: INamedObject, metadata: ApiObjectMetadata | undefined): ApiObjectMetadata | undefined {
  const namespace = namespaceOf(target);
  return namespace === undefined || metadata?.namespace !== undefined ? metadata : { ...metadata, namespace };
}
