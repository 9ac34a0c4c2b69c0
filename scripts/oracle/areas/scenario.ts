import type { Answer } from '../kinds/send';

/** One request of an area. Requests run in order, on both servers. */
export interface Step {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The request is repeated, for at most ten seconds, until its answer has this property. */
  readonly until?: (answer: Answer) => boolean;
  /** Whether the answer is not compared: the request prepares others. */
  readonly silent?: boolean;
}

export const MERGE = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const APPLY = 'application/apply-patch+yaml';

/** Namespace of the scenarios: one for each run, because the deletion of a namespace takes time. */
export const NAMESPACE = `areas-${process.pid}`;

type Json = Record<string, unknown>;

const PLURALS: Readonly<Record<string, string>> = { NetworkPolicy: 'networkpolicies', Ingress: 'ingresses' };
const CLUSTER = new Set([
  'Namespace',
  'Node',
  'PersistentVolume',
  'ClusterRole',
  'ClusterRoleBinding',
  'StorageClass',
  'PriorityClass',
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'APIService',
  'CustomResourceDefinition',
  'CertificateSigningRequest',
  'TokenReview',
  'SubjectAccessReview',
  'SelfSubjectAccessReview',
  'SelfSubjectRulesReview',
  'SelfSubjectReview',
]);

/** Path of the collection of a kind. */
export function collection(apiVersion: string, kind: string, namespace = NAMESPACE): string {
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const lower = kind.toLowerCase();
  const plural =
    PLURALS[kind] ?? (/(?:y|s|x)$/.test(lower) ? lower.replace(/y$/, 'ie').replace(/([sx])$/, '$1e') : lower) + 's';
  return CLUSTER.has(kind) ? `${base}/${plural}` : `${base}/namespaces/${namespace}/${plural}`;
}

export type Object = Json & { apiVersion: string; kind: string; metadata?: { name?: string; namespace?: string } };

/** Step that creates an object. */
export function create(name: string, object: Object, extra: Partial<Step> & { query?: string } = {}): Step {
  const { query = '', ...step } = extra;
  return {
    name,
    method: 'POST',
    path: `${collection(object.apiVersion, object.kind, object.metadata?.namespace)}${query && `?${query}`}`,
    body: object,
    ...step,
  };
}

/** Path of an object. */
export const pathOf = ({ apiVersion, kind, metadata }: Object): string =>
  `${collection(apiVersion, kind, metadata?.namespace)}/${metadata?.name}`;

export const get = (name: string, path: string, extra: Partial<Step> = {}): Step => ({
  name,
  method: 'GET',
  path,
  ...extra,
});

export const remove = (name: string, path: string, extra: Partial<Step> = {}): Step => ({
  name,
  method: 'DELETE',
  path,
  ...extra,
});

export const patch = (name: string, path: string, body: unknown, extra: Partial<Step> = {}): Step => ({
  name,
  method: 'PATCH',
  path,
  body,
  type: MERGE,
  ...extra,
});

/** A Pod with one container. */
export function pod(name: string, spec: Json = {}, container: Json = {}, metadata: Json = {}): Object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { containers: [{ name: 'c', image: 'registry.example/app:1', ...container }], ...spec },
  };
}

export const configMap = (name: string, metadata: Json = {}, data: Json = { a: 'b' }): Object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

/** Headers of another user. */
export const as = (user: string, ...groups: string[]): Partial<Step> => ({
  headers: { 'impersonate-user': user, ...(groups.length ? { 'impersonate-group': groups } : {}) },
});
