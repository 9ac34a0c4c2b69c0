import type { ApiObjectMetadata } from 'cdk8s';

/** What may have a namespace: our constructs, those of any cdk8s-plus, ApiObjects. */
interface Placed {
  readonly metadata?: { readonly namespace?: string };
}

/** Namespace of an object, where its manifest says one. */
export function namespaceOf(object: object): string | undefined {
  return (object as Placed).metadata?.namespace;
}

/** Metadata of an object that can only be in the namespace of another one: there, unless it says otherwise. */
export function beside(target: object, metadata: ApiObjectMetadata | undefined): ApiObjectMetadata | undefined {
  const namespace = namespaceOf(target);
  return namespace === undefined || metadata?.namespace !== undefined ? metadata : { ...metadata, namespace };
}
