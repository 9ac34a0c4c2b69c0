import type { Sample } from './samples';

/** One request of the comparison. Requests of a kind run in order, on both sides. */
export interface KindRequest {
  readonly name: string;
  /** Area of the report: `create`, `patch`, `validation` … */
  readonly area: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Json = Record<string, unknown>;

const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const PARTIAL = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

export const NAMESPACE = 'compared';

/** Requests about one kind: its life, and every field of its sample with wrong values. */
export function requestsOf(sample: Sample): KindRequest[] {
  return [...life(sample), ...wrongValues(sample)];
}

/** Requests about an object with many fields: wrong values in each of them, when it is created and when it changes. */
export function fieldRequestsOf(sample: Sample): KindRequest[] {
  return [...wrongValues(sample), ...changes(sample)];
}

function named(sample: Sample, name?: string): { object: Json; name: string } {
  const text = JSON.stringify(sample.object).replaceAll('NAMESPACE', NAMESPACE);
  const object = JSON.parse(text) as Json & { metadata: { name: string } };
  if (name !== undefined) object.metadata.name = name;
  return { object, name: object.metadata.name };
}

function life(sample: Sample): KindRequest[] {
  const { base, plural, namespaced, change, status } = sample;
  const list = namespaced ? `${base}/namespaces/${NAMESPACE}/${plural}` : `${base}/${plural}`;
  const { object, name } = named(sample);
  const one = `${list}/${name}`;
  const meta = (fields: Json): Json => ({ ...object, metadata: { ...(object.metadata as Json), ...fields } });
  const identity = { apiVersion: object.apiVersion, kind: object.kind, metadata: { name } };
  const { kind } = object as { kind: string };
  const request = (
    area: string,
    title: string,
    method: string,
    path: string,
    body?: unknown,
    type?: string,
    headers?: KindRequest['headers'],
  ): KindRequest => ({ area, name: `${kind}: ${title}`, method, path, body, type, headers });
  const accept = (value: string): KindRequest['headers'] => ({ accept: value });
  return [
    request('create', 'dry run', 'POST', `${list}?dryRun=All`, object),
    request('create', 'without a name', 'POST', list, meta({ name: undefined })),
    request(
      'create',
      'generated name, dry run',
      'POST',
      `${list}?dryRun=All`,
      meta({ name: undefined, generateName: 'g-' }),
    ),
    request('create', 'invalid name', 'POST', list, meta({ name: 'Not Valid_' })),
    request('create', 'long name', 'POST', list, meta({ name: 'a'.repeat(300) })),
    request('create', 'other namespace', 'POST', list, meta({ namespace: 'another' })),
    request('create', 'other kind', 'POST', list, { ...object, kind: 'Other' }),
    request('create', 'other version', 'POST', list, { ...object, apiVersion: 'other/v9' }),
    request('create', 'without kind', 'POST', list, { ...object, kind: undefined, apiVersion: undefined }),
    request('create', 'resourceVersion', 'POST', list, meta({ resourceVersion: '5' })),
    request('create', 'invalid label', 'POST', list, meta({ labels: { 'a b': 'c d' } })),
    request('create', 'invalid annotation', 'POST', list, meta({ annotations: { 'a b': 'c' } })),
    request('create', 'invalid finalizer', 'POST', list, meta({ finalizers: ['nope'] })),
    request('create', 'invalid owner', 'POST', list, meta({ ownerReferences: [{ kind: 'Pod' }] })),
    request('create', 'unknown field, strict', 'POST', `${list}?fieldValidation=Strict&dryRun=All`, {
      ...object,
      nope: 1,
    }),
    request(
      'create',
      'unknown metadata, strict',
      'POST',
      `${list}?fieldValidation=Strict&dryRun=All`,
      meta({ nope: 1 }),
    ),
    request('create', 'unknown field, warning', 'POST', `${list}?fieldValidation=Warn&dryRun=All`, {
      ...object,
      nope: 1,
    }),
    request('create', 'not an object', 'POST', list, [1]),
    request('create', 'media type', 'POST', list, object, 'text/plain'),
    request('create', 'bad dryRun', 'POST', `${list}?dryRun=Some`, object),
    request('create', 'object', 'POST', `${list}?fieldManager=one`, object),
    request('create', 'again', 'POST', list, object),
    request('read', 'get', 'GET', one),
    request('read', 'get missing', 'GET', `${list}/missing`),
    request('read', 'table', 'GET', one, undefined, undefined, accept(TABLE)),
    request('read', 'partial', 'GET', one, undefined, undefined, accept(PARTIAL)),
    request('read', 'not acceptable', 'GET', one, undefined, undefined, accept('text/html')),
    request('list', 'by name', 'GET', `${list}?fieldSelector=metadata.name%3D${name}`),
    request(
      'list',
      'table',
      'GET',
      `${list}?fieldSelector=metadata.name%3D${name}`,
      undefined,
      undefined,
      accept(TABLE),
    ),
    request(
      'list',
      'partial',
      'GET',
      `${list}?fieldSelector=metadata.name%3D${name}`,
      undefined,
      undefined,
      accept(PARTIAL),
    ),
    request('list', 'unknown field selector', 'GET', `${list}?fieldSelector=spec.nope%3Dx`),
    request('list', 'bad field selector', 'GET', `${list}?fieldSelector=a`),
    request('list', 'bad label selector', 'GET', `${list}?labelSelector=a%20in%20(`),
    request('list', 'no match', 'GET', `${list}?labelSelector=not%3Dthere`),
    request('list', 'bad limit', 'GET', `${list}?limit=x`),
    request('list', 'bad continue', 'GET', `${list}?limit=1&continue=x`),
    request('list', 'bad match', 'GET', `${list}?resourceVersionMatch=Exact`),
    request('list', 'future version', 'GET', `${list}?resourceVersion=x`),
    request('watch', 'bad version', 'GET', `${list}?watch=true&resourceVersion=x`),
    request('watch', 'bad match', 'GET', `${list}?watch=true&resourceVersionMatch=Exact&timeoutSeconds=1`),
    request('update', 'unchanged', 'PUT', `${one}?fieldManager=one`, object),
    request('update', 'stale', 'PUT', one, meta({ resourceVersion: '1' })),
    request('update', 'other name', 'PUT', one, meta({ name: 'other' })),
    request('update', 'other uid', 'PUT', one, meta({ uid: 'b3a3b2d0-0000-4000-8000-000000000000' })),
    request('update', 'missing', 'PUT', `${list}/missing`, meta({ name: 'missing' })),
    request('update', 'dry run', 'PUT', `${one}?dryRun=All`, meta({ labels: { dry: 'run' } })),
    request('patch', 'merge metadata', 'PATCH', `${one}?fieldManager=two`, { metadata: { labels: { a: 'b' } } }, MERGE),
    request('patch', 'merge change', 'PATCH', `${one}?fieldManager=two`, change, MERGE),
    request('patch', 'strategic', 'PATCH', `${one}?fieldManager=two`, { metadata: { labels: { s: 'm' } } }, STRATEGIC),
    request(
      'patch',
      'json',
      'PATCH',
      one,
      [{ op: 'add', path: '/metadata/annotations', value: { j: 'p' } }],
      JSON_PATCH,
    ),
    request('patch', 'json test fails', 'PATCH', one, [{ op: 'test', path: '/metadata/name', value: 'x' }], JSON_PATCH),
    request('patch', 'json bad path', 'PATCH', one, [{ op: 'remove', path: '/nope/nope' }], JSON_PATCH),
    request('patch', 'json bad operation', 'PATCH', one, [{ op: 'nope', path: '/a' }], JSON_PATCH),
    request('patch', 'merge of name', 'PATCH', one, { metadata: { name: 'x' } }, MERGE),
    request('patch', 'merge of kind', 'PATCH', one, { kind: 'X' }, MERGE),
    request('patch', 'not an object', 'PATCH', one, [], MERGE),
    request('patch', 'media type', 'PATCH', one, {}, 'application/json'),
    request('patch', 'missing', 'PATCH', `${list}/missing`, {}, MERGE),
    request('patch', 'unknown field, strict', 'PATCH', `${one}?fieldValidation=Strict`, { nope: 1 }, MERGE),
    request('apply', 'without manager', 'PATCH', one, identity, APPLY),
    request(
      'apply',
      'own label',
      'PATCH',
      `${one}?fieldManager=applier`,
      { ...identity, metadata: { name, labels: { z: '1' } } },
      APPLY,
    ),
    request(
      'apply',
      'conflict',
      'PATCH',
      `${one}?fieldManager=applier`,
      { ...identity, metadata: { name, labels: { a: 'x' } } },
      APPLY,
    ),
    request(
      'apply',
      'force',
      'PATCH',
      `${one}?fieldManager=applier&force=true`,
      { ...identity, metadata: { name, labels: { a: 'x' } } },
      APPLY,
    ),
    request('apply', 'whole object', 'PATCH', `${one}?fieldManager=third&force=true`, object, APPLY),
    request('apply', 'unknown field', 'PATCH', `${one}?fieldManager=applier`, { ...identity, nope: 1 }, APPLY),
    request(
      'apply',
      'new object, dry run',
      'PATCH',
      `${list}/applied?fieldManager=applier&dryRun=All`,
      named(sample, 'applied').object,
      APPLY,
    ),
    request('subresource', 'status', 'GET', `${one}/status`),
    ...(status
      ? [request('subresource', 'merge status', 'PATCH', `${one}/status?fieldManager=kubelet`, status, MERGE)]
      : []),
    request('subresource', 'spec through status', 'PATCH', `${one}/status?fieldManager=x`, change, MERGE),
    request('subresource', 'scale', 'GET', `${one}/scale`),
    request('subresource', 'patch scale', 'PATCH', `${one}/scale`, { spec: { replicas: 2 } }, MERGE),
    request('subresource', 'unknown', 'GET', `${one}/nope`),
    request('verbs', 'post to object', 'POST', one, object),
    request('verbs', 'put to collection', 'PUT', list, object),
    request('verbs', 'patch of collection', 'PATCH', list, {}, MERGE),
    request('delete', 'other uid', 'DELETE', one, { preconditions: { uid: 'x' } }),
    request('delete', 'other version', 'DELETE', one, { preconditions: { resourceVersion: '1' } }),
    request('delete', 'bad policy', 'DELETE', `${one}?propagationPolicy=Nope`),
    request('delete', 'both policies', 'DELETE', one, { propagationPolicy: 'Orphan', orphanDependents: true }),
    request('delete', 'dry run', 'DELETE', `${one}?dryRun=All`),
    request('delete', 'object', 'DELETE', `${one}?gracePeriodSeconds=0`),
    request('delete', 'get deleted', 'GET', one),
    request('delete', 'again', 'DELETE', one),
    request('delete', 'empty collection', 'DELETE', `${list}?labelSelector=not%3Dthere`),
  ];
}

/** Values that replace each field, one at a time. */
const WRONG: readonly unknown[] = [undefined, null, '', 'Wrong Value!', -1, true, [], {}];

function wrongValues(sample: Sample): KindRequest[] {
  const { base, plural, namespaced } = sample;
  const list = namespaced ? `${base}/namespaces/${NAMESPACE}/${plural}` : `${base}/${plural}`;
  const requests: KindRequest[] = [];
  const { object } = named(sample);
  for (const path of pathsIn(object)) {
    if (path[0] === 'metadata' || path[0] === 'apiVersion' || path[0] === 'kind') continue;
    for (const value of WRONG) {
      const changed = structuredClone(object);
      replaceAt(changed, path, value);
      const shown = value === undefined ? 'absent' : JSON.stringify(value);
      requests.push({
        area: 'validation',
        name: `${String(object.kind)}: ${path.join('.')} = ${shown}`,
        method: 'POST',
        path: `${list}?dryRun=All&fieldValidation=Strict`,
        body: changed,
      });
    }
  }
  return requests;
}

/** Patches that change each field of a stored object, one at a time. */
function changes(sample: Sample): KindRequest[] {
  const { base, plural, namespaced } = sample;
  const list = namespaced ? `${base}/namespaces/${NAMESPACE}/${plural}` : `${base}/${plural}`;
  const { object, name } = named(sample);
  const kind = `${String(object.kind)} ${name}`;
  const about = { area: 'change' };
  const patches = pathsIn(object)
    .filter(([first]) => !['metadata', 'apiVersion', 'kind'].includes(String(first)))
    .flatMap((path) =>
      CHANGED.map((value) => ({
        ...about,
        name: `${kind}: ${path.join('.')} = ${value === undefined ? 'absent' : JSON.stringify(value)}`,
        method: 'PATCH',
        path: `${list}/${name}?dryRun=All`,
        body: [{ op: value === undefined ? 'remove' : 'replace', path: pointer(path), value }],
        type: JSON_PATCH,
      })),
    );
  return [
    { ...about, name: `${kind}: create`, method: 'POST', path: list, body: object },
    ...patches,
    // Nothing protects the object of the next run.
    {
      ...about,
      name: `${kind}: finalizers`,
      method: 'PATCH',
      path: `${list}/${name}`,
      body: NO_FINALIZERS,
      type: MERGE,
    },
    { ...about, name: `${kind}: delete`, method: 'DELETE', path: `${list}/${name}?gracePeriodSeconds=0` },
  ];
}

/** Values of a change: one removes the field, one is wrong in most fields, one is valid in many. */
const CHANGED: readonly unknown[] = [undefined, '', 'other', 7];

const NO_FINALIZERS = { metadata: { finalizers: null } };

const pointer = (path: Path): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  const inner = entries.flatMap(([key, item]) => pathsIn(item, [...path, key]));
  return path.length ? [path, ...inner] : inner;
}

function replaceAt(object: Json, path: Path, value: unknown): void {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any JSON
  let at: any = object;
  for (const key of path.slice(0, -1)) at = at[key];
  const last = path[path.length - 1]!;
  if (value !== undefined) at[last] = value;
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
}
