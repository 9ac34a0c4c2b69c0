import { JsonSchema } from '../schema';

/** One served resource, as the OpenAPI documents describe it. */
export interface OpenApiResource {
  group: string;
  version: string;
  kind: string;
  plural: string;
  namespaced: boolean;
  /** `status`, `scale` ... */
  subresources?: readonly string[];
  /** For custom resources: the version's `openAPIV3Schema`. Built-in kinds are known by group, version and kind. */
  crdSchema?: JsonSchema;
}

export interface GroupVersion {
  group: string;
  version: string;
}

/** A node of a document. */
export type Node = Record<string, unknown>;

/** Which of the two specifications a document follows. */
export type Spec = 'v2' | 'v3';
