import type { ClusterConfig } from '../cluster-config';
import type { Finding, Path } from '../findings';
import type { KubeObject } from '../meta';

/** Who asks. */
export interface Requester {
  /** One of the platform's own components: it may change what users may not. */
  readonly trusted: boolean;
  /** As the API server knows it, where that is known. */
  readonly username?: string;
  /** May this user do that? Without an answer, as on a command line, nobody is refused. */
  may?(access: Access): boolean;
}

/** `authorization.k8s.io/v1` ResourceAttributes: what somebody would do. */
export interface Access {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** An object that the cluster holds besides the one that is judged; undefined when it does not. `kind` as in the object. */
export type Find = (kind: string, namespace: string | undefined, name: string) => KubeObject | undefined;

/** What of a kind is enough for a decision. Who answers may give more, so the decision still looks at each. */
export interface Enough {
  readonly most?: number;
  readonly labelSelector?: string;
}

/** The objects of a kind that the cluster holds; in every namespace when none is given. */
export type FindAll = (kind: string, namespace: string | undefined, enough?: Enough) => readonly KubeObject[];

/** All that a decision about an object may depend on besides the object. */
export interface AdmissionContext {
  readonly config: ClusterConfig;
  readonly by: Requester;
  readonly find: Find;
  readonly list: FindAll;
  /** Five letters that end a name which the webhook makes up. Default: `xxxxx`. */
  readonly suffix?: string;
  /** Path of the object's spec, where it is a template of another object. Default: `spec`. */
  readonly specAt?: Path;
}

/** What the webhooks do with objects of one kind. Pure functions; a missing one has nothing to say. */
export interface KindAdmission<T extends KubeObject = KubeObject> {
  /** The object as it is stored at creation: every default filled in. Never changes what it is given. Idempotent. */
  mutate?(object: T, context: AdmissionContext): T;
  /** Every mistake of an object that is to be created. */
  create(object: T, context: AdmissionContext): Finding[];
  /** Every mistake of an object that is to take the place of `old`. Default: anything goes. */
  update?(object: T, old: T, context: AdmissionContext): Finding[];
  /** What of an object's metadata must stay: asked alone when the rest is too large to be judged. Part of `update`. */
  identity?(object: T, old: T, context: AdmissionContext): Finding[];
  /** Why the object must stay. Default: it may go. */
  delete?(object: T, context: AdmissionContext): Finding[];
  /** What is accepted, but should be written otherwise: deprecated fields, and what will not do what it seems to. */
  warnings?(object: T, context: AdmissionContext, old?: T): string[];
}
