import type { ApiObjectMetadata } from 'cdk8s';
import type { INamedObject } from '../resource';
import { namespaceOf } from '../storage/reference';

/** Metadata of an object that can only be in the namespace of another one: there, unless it says otherwise. */
export function beside(target: INamedObject, metadata: ApiObjectMetadata | undefined): ApiObjectMetadata | undefined {
  const namespace = namespaceOf(target);
  return namespace === undefined || metadata?.namespace !== undefined ? metadata : { ...metadata, namespace };
}
