import { Node, OpenApiResource, Spec } from './types';

const CONTENT = ['application/json', 'application/yaml'];
const PATCHES = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

/** Query parameters by action; kubectl reads the features of the server from them. */
const QUERY: Readonly<Record<string, readonly string[]>> = {
  get: ['pretty'],
  list: ['pretty', 'fieldSelector', 'labelSelector', 'limit', 'continue', 'resourceVersion', 'watch', 'timeoutSeconds'],
  post: ['pretty', 'dryRun', 'fieldManager', 'fieldValidation'],
  put: ['pretty', 'dryRun', 'fieldManager', 'fieldValidation'],
  patch: ['pretty', 'dryRun', 'fieldManager', 'fieldValidation', 'force'],
  delete: ['pretty', 'dryRun', 'gracePeriodSeconds', 'propagationPolicy'],
  deletecollection: ['pretty', 'dryRun', 'fieldSelector', 'labelSelector', 'gracePeriodSeconds', 'propagationPolicy'],
};

const TYPES: Readonly<Record<string, string>> = {
  limit: 'integer',
  timeoutSeconds: 'integer',
  gracePeriodSeconds: 'integer',
  watch: 'boolean',
  force: 'boolean',
};

/** The paths of a resource, with the kind that each operation is about. */
export function pathsOf(resource: OpenApiResource, ref: Node, spec: Spec): Record<string, Node> {
  const { group, version, kind, plural, namespaced, subresources = [], crdSchema } = resource;
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const list = namespaced ? `${base}/namespaces/{namespace}/${plural}` : `${base}/${plural}`;
  const scope = (suffix: string): string => (namespaced && suffix !== ALL ? 'Namespaced' : '');
  const operation = (action: string, verb: string, suffix = ''): Node =>
    makeOperation({
      action,
      id: `${verb}${groupId(group)}${capital(version)}${collection(action)}${scope(suffix)}${kind}${suffix}`,
      gvk: { group, version, kind },
      ref,
      spec,
      custom: crdSchema !== undefined,
    });
  const item = (suffix: string): Node => ({
    get: operation('get', 'read', suffix),
    put: operation('put', 'replace', suffix),
    patch: operation('patch', 'patch', suffix),
    parameters: parameters(namespaced, true, spec),
  });
  return {
    ...(namespaced
      ? {
          [`${base}/${plural}`]: {
            get: operation('list', 'list', ALL),
            parameters: parameters(false, false, spec),
          },
        }
      : {}),
    [list]: {
      get: operation('list', 'list'),
      post: operation('post', 'create'),
      delete: operation('deletecollection', 'delete'),
      parameters: parameters(namespaced, false, spec),
    },
    [`${list}/{name}`]: { ...item(''), delete: operation('delete', 'delete') },
    ...Object.fromEntries(
      subresources.filter((name) => name === 'status').map((name) => [`${list}/{name}/${name}`, item(capital(name))]),
    ),
  };
}

const ALL = 'ForAllNamespaces';

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const collection = (action: string): string => (action === 'deletecollection' ? 'Collection' : '');

const groupId = (group: string): string =>
  (group === '' ? 'core' : group.replace(/\.k8s\.io$/, '')).replace(/(^|[.-])(\w)/g, (_, _s, c: string) =>
    c.toUpperCase(),
  );

interface OperationOptions {
  action: string;
  id: string;
  gvk: Node;
  ref: Node;
  spec: Spec;
  custom: boolean;
}

function makeOperation({ action, id, gvk, ref, spec, custom }: OperationOptions): Node {
  // custom resources have no strategic merge
  const consumes = action === 'patch' ? (custom ? PATCHES.slice(0, 3) : PATCHES) : CONTENT;
  const body = ['post', 'put', 'patch'].includes(action);
  const schema = action === 'patch' ? { type: 'object' } : ref;
  const query = (QUERY[action] ?? []).map((name) => queryParameter(name, spec));
  const common = { operationId: id, 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': gvk };
  if (spec === 'v2')
    return {
      ...common,
      consumes,
      produces: CONTENT,
      parameters: [...(body ? [{ name: 'body', in: 'body', required: true, schema }] : []), ...query],
      responses: { '200': { description: 'OK', schema: ref } },
    };
  const content = (types: readonly string[], value: Node): Node =>
    Object.fromEntries(types.map((type) => [type, { schema: value }]));
  return {
    ...common,
    parameters: query,
    ...(body ? { requestBody: { required: true, content: content(consumes, schema) } } : {}),
    responses: { '200': { description: 'OK', content: content(CONTENT, ref) } },
  };
}

const queryParameter = (name: string, spec: Spec): Node => {
  const type = TYPES[name] ?? 'string';
  return {
    name,
    in: 'query',
    ...(spec === 'v2' ? { type, uniqueItems: true } : { schema: { type, uniqueItems: true } }),
  };
};

const parameters = (namespaced: boolean, named: boolean, spec: Spec): Node[] =>
  [...(named ? ['name'] : []), ...(namespaced ? ['namespace'] : [])].map((name) => ({
    name,
    in: 'path',
    required: true,
    ...(spec === 'v2' ? { type: 'string' } : { schema: { type: 'string' } }),
  }));
