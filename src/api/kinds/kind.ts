import type { ClusterConfig } from '../cluster-config';
import type { Finding, Path } from '../findings';
import type { KubeObject } from '../meta';

/** User who sent the request. */
export interface Requester {
  /** Whether it is a component of the platform, which may change more than users. */
  readonly trusted: boolean;
  /** User name in the API server, where it is known. */
  readonly username?: string;
  /** Returns whether this user has a permission; undefined where that is unknown, as on a command line: nothing is rejected then. */
  may?(access: Access): boolean;
}

/** `authorization.k8s.io/v1` ResourceAttributes: action to authorize. */
export interface Access {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Returns another object of the cluster; undefined when it does not exist. `kind` as in the object. */
export type Find = (kind: string, namespace: string | undefined, name: string) => KubeObject | undefined;

/** Filter and limit of a list. The list may contain more objects, so callers must check each of them. */
export interface Enough {
  readonly most?: number;
  readonly labelSelector?: string;
}

/** Returns the objects of a kind in the cluster; of all namespaces when none is given. */
export type FindAll = (kind: string, namespace: string | undefined, enough?: Enough) => readonly KubeObject[];

/** Input of a decision about an object, besides the object. */
export interface AdmissionContext {
  readonly config: ClusterConfig;
  readonly by: Requester;
  readonly find: Find;
  readonly list: FindAll;
  /** Five letters that end a name which the webhook generates. Default: `xxxxx`. */
  readonly suffix?: string;
  /** Path of the object's spec, where it is a template of another object. Default: `spec`. */
  readonly specAt?: Path;
}

/** Webhook rules of one kind. Pure functions; each is optional. */
export interface KindAdmission<T extends KubeObject = KubeObject> {
  /** Returns a copy of the object with all defaults, as it is stored at creation. Idempotent. */
  mutate?(object: T, context: AdmissionContext): T;
  /** Returns every mistake of an object at creation. */
  create(object: T, context: AdmissionContext): Finding[];
  /** Returns every mistake of an object that replaces `old`. Default: none. */
  update?(object: T, old: T, context: AdmissionContext): Finding[];
  /** Returns forbidden changes of metadata. Part of `update`; called alone when the object is too large for the other rules. */
  identity?(object: T, old: T, context: AdmissionContext): Finding[];
  /** Returns reasons why the object must not be deleted. Default: none. */
  delete?(object: T, context: AdmissionContext): Finding[];
  /** Returns warnings of an accepted object: deprecated fields and likely mistakes. */
  warnings?(object: T, context: AdmissionContext, old?: T): string[];
}
