import { as, create, get, NAMESPACE, type Object, patch, pathOf, remove, type Step } from './scenario';

type Json = Record<string, unknown>;

const service = (name: string, ports: Json[] = [{ port: 443 }], fields: Json = {}): Object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports, ...fields },
});

function apiService(group: string, name: string, fields: Json = {}): Object {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `v1.${group}.areas.example` },
    spec: {
      group: `${group}.areas.example`,
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: NAMESPACE, name },
      ...fields,
    },
  };
}

/** An APIService whose server cannot be reached. */
function unavailable(group: string, object: Object): Step[] {
  const base = `/apis/${group}.areas.example`;
  const items = `${base}/v1/namespaces/${NAMESPACE}/items`;
  return [
    create(`${group}: APIService`, object),
    get(`${group}: condition`, pathOf(object), {
      until: ({ body }) => !!(body as { status?: { conditions?: Json[] } }).status?.conditions?.length,
    }),
    get(`${group}: group`, base),
    get(`${group}: resources`, `${base}/v1`),
    get(`${group}: list`, items),
    get(`${group}: get`, `${items}/x`),
    { name: `${group}: create`, method: 'POST', path: items, body: { kind: 'Item' } },
    remove(`${group}: delete`, `${items}/x`),
    get(`${group}: without a role`, items, as('nobody')),
    get(`${group}: other version`, `${base}/v2/items`),
    get(`${group}: table`, pathOf(object), { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } }),
    patch(`${group}: status`, `${pathOf(object)}/status`, { status: { conditions: [] } }),
    remove(`${group}: remove`, pathOf(object)),
  ];
}

export function aggregation(): Step[] {
  const rejected = (name: string, spec: Json): Step =>
    create(`rejected ${name}`, apiService('x', 's', spec), { query: 'dryRun=All' });
  return [
    create('service without endpoints', service('empty')),
    create('service with another port', service('port', [{ port: 80 }])),
    create('external service', service('external', [], { type: 'ExternalName', externalName: 'example.invalid' })),
    ...unavailable('missing', apiService('missing', 'missing')),
    ...unavailable('empty', apiService('empty', 'empty')),
    ...unavailable('port', apiService('port', 'port')),
    ...unavailable('local', apiService('local', 's', { service: null, insecureSkipTLSVerify: undefined })),
    rejected('certificate and insecure', { caBundle: 'YQ==' }),
    rejected('port', { service: { namespace: NAMESPACE, name: 's', port: 70_000 } }),
    rejected('empty service', { service: {} }),
    rejected('priorities', { groupPriorityMinimum: 20_001, versionPriority: 1001 }),
    rejected('negative priorities', { groupPriorityMinimum: -1, versionPriority: -1 }),
  ];
}
