import { kinds } from '../../api/kinds/registry';
import { isDnsLabel, isDnsSubdomain } from '../../api/names';
import { TOKEN_REQUESTS, UPLOAD_GROUP, UPLOAD_VERSIONS } from './uploads/routes';

/** Versions of the group, preferred first. */
export const SUBRESOURCE_VERSIONS = ['v1', 'v1alpha3'] as const;
export const SUBRESOURCE_GROUP = 'subresources.kubevirt.io';

const VM = kinds.VirtualMachine.plural;
const VMI = kinds.VirtualMachineInstance.plural;

export type Owner = typeof VM | typeof VMI | 'expand-vm-spec';

/**
 * One served subresource. `name` is the name that roles grant: it is matched whole, or `vnc` would grant `vnc/screenshot`.
 * The entry without a name is an action of a namespace.
 */
export interface Subresource {
  readonly owner: Owner;
  readonly name: string;
  readonly method: 'GET' | 'PUT';
  /** Path parameters after the name, in order; optional ones end in `?`. */
  readonly params?: readonly string[];
  /** Whether it is a websocket. */
  readonly stream?: boolean;
}

/** Expands the instance type of a VM that is in the request and not stored. */
const EXPAND_GIVEN: Subresource = { owner: 'expand-vm-spec', name: '', method: 'PUT' };
const PORT = ['port', 'protocol?'];

/** Everything under `/apis/subresources.kubevirt.io/{version}/namespaces/{namespace}/{owner}/{name}/`. */
export const SUBRESOURCES: readonly Subresource[] = [
  { owner: VM, name: 'start', method: 'PUT' },
  { owner: VM, name: 'stop', method: 'PUT' },
  { owner: VM, name: 'restart', method: 'PUT' },
  { owner: VM, name: 'expand-spec', method: 'GET' },
  { owner: VM, name: 'evacuate/cancel', method: 'PUT' },
  { owner: VM, name: 'addvolume', method: 'PUT' },
  { owner: VM, name: 'removevolume', method: 'PUT' },
  { owner: VM, name: 'memorydump', method: 'PUT' },
  { owner: VM, name: 'removememorydump', method: 'PUT' },
  EXPAND_GIVEN,
  { owner: VM, name: 'portforward', method: 'GET', params: PORT, stream: true },
  { owner: VMI, name: 'pause', method: 'PUT' },
  { owner: VMI, name: 'unpause', method: 'PUT' },
  { owner: VMI, name: 'freeze', method: 'PUT' },
  { owner: VMI, name: 'unfreeze', method: 'PUT' },
  { owner: VMI, name: 'backup', method: 'PUT' },
  { owner: VMI, name: 'softreboot', method: 'PUT' },
  { owner: VMI, name: 'reset', method: 'PUT' },
  { owner: VMI, name: 'evacuate/cancel', method: 'PUT' },
  { owner: VMI, name: 'addvolume', method: 'PUT' },
  { owner: VMI, name: 'removevolume', method: 'PUT' },
  { owner: VMI, name: 'guestosinfo', method: 'GET' },
  { owner: VMI, name: 'userlist', method: 'GET' },
  { owner: VMI, name: 'filesystemlist', method: 'GET' },
  { owner: VMI, name: 'console', method: 'GET', stream: true },
  { owner: VMI, name: 'vnc', method: 'GET', stream: true },
  { owner: VMI, name: 'portforward', method: 'GET', params: PORT, stream: true },
];

const OBJECTS = 'read the objects that the VM names one by one; `virt8s graph` draws those of manifests';
const NO_ATTESTATION = 'guests with spec.domain.launchSecurity cannot be attested here; run such a guest on KubeVirt';
const PROFILE = 'profile the process of the component on its node';

/**
 * Subresources of KubeVirt's API that are answered with 501 and an alternative, so that a client can see that the name is
 * correct and this server does not implement it.
 */
const UNIMPLEMENTED: Record<Exclude<Owner, 'expand-vm-spec'> | '', Readonly<Record<string, string>>> = {
  [VM]: {
    migrate: 'a running guest stays on its node; restart the VM, which schedules it again',
    objectgraph: OBJECTS,
  },
  [VMI]: {
    usbredir: 'give the guest a device of its node by spec.domain.devices.hostDevices',
    vsock: 'reach the guest by its network: portforward or a Service',
    'vnc/screenshot': 'open vnc and take the screenshot in the viewer',
    objectgraph: OBJECTS,
    'sev/fetchcertchain': NO_ATTESTATION,
    'sev/querylaunchmeasurement': NO_ATTESTATION,
    'sev/setupsession': NO_ATTESTATION,
    'sev/injectlaunchsecret': NO_ATTESTATION,
    'redefine-checkpoint': 'checkpoints end with their guest; the next backup of the tracker is a full one',
  },
  '': {
    guestfs: 'stop the VM and run libguestfs-tools in a Pod that mounts its claim',
    'start-cluster-profiler': PROFILE,
    'stop-cluster-profiler': PROFILE,
    'dump-cluster-profiler': PROFILE,
  },
};

function unserved(owner: keyof typeof UNIMPLEMENTED, name: string): Route | undefined {
  if (!Object.hasOwn(UNIMPLEMENTED[owner], name)) return undefined;
  return { to: 'unserved', what: owner ? `${owner}/${name}` : name, remedy: UNIMPLEMENTED[owner][name] };
}

export type Route =
  | { readonly to: 'group' | 'groups' | 'upload-group' | 'health' | 'ready' | 'openapi-v2' | 'openapi-v3' }
  | { readonly to: 'resources' | 'upload-resources' | 'version'; readonly version: string }
  | { readonly to: 'upload-token'; readonly version: string; readonly namespace: string }
  | {
      readonly to: 'subresource';
      readonly version: string;
      readonly namespace: string;
      readonly name: string;
      readonly subresource: Subresource;
      readonly params: Readonly<Record<string, string>>;
    }
  | { readonly to: 'unserved'; readonly what: string; readonly remedy: string }
  | { readonly to: 'wrong-method'; readonly allowed: string }
  | { readonly to: 'nothing' };

/** Subresources that are only read. */
const DOCUMENTS = new Set([
  ...['group', 'groups', 'upload-group', 'health', 'ready', 'openapi-v2', 'openapi-v3'],
  ...['resources', 'upload-resources', 'version'],
]);

/** Finds the route of a request. Pure; the path is the raw one, without query. */
export function route(method: string, path: string): Route {
  const to = routePath(method, path);
  return DOCUMENTS.has(to.to) && method !== 'GET' && method !== 'HEAD' ? { to: 'wrong-method', allowed: 'GET' } : to;
}

function routePath(method: string, path: string): Route {
  const [empty, ...parts] = path.split('/');
  if (parts.length > 1 && parts.at(-1) === '') parts.pop();
  // a missing part could mean a different resource to the API server, which has authorized the request
  if (empty !== '' || parts.includes('')) return { to: 'nothing' };
  let decoded: string[];
  try {
    decoded = parts.map(decodeURIComponent);
  } catch {
    return { to: 'nothing' };
  }
  // with an escaped slash, one part could pose as two
  if (decoded.some((part) => part.includes('/') || part === '.' || part === '..')) return { to: 'nothing' };
  const [first, group, version, ...rest] = decoded;
  if (decoded.length === 1 && first === 'healthz') return { to: 'health' };
  if (decoded.length === 1 && first === 'readyz') return { to: 'ready' };
  if (first === 'openapi' && decoded.length === 2 && (group === 'v2' || group === 'v3'))
    return { to: `openapi-${group}` };
  if (first !== 'apis') return { to: 'nothing' };
  if (group === undefined) return { to: 'groups' };
  if (group === UPLOAD_GROUP) return routeUploads(method, version, rest);
  if (group !== SUBRESOURCE_GROUP) return { to: 'nothing' };
  if (version === undefined) return { to: 'group' };
  if (!(SUBRESOURCE_VERSIONS as readonly string[]).includes(version)) return { to: 'nothing' };
  return routeVersion(method, version, rest);
}

function routeUploads(method: string, version: string | undefined, rest: string[]): Route {
  if (version === undefined) return { to: 'upload-group' };
  if (!UPLOAD_VERSIONS.includes(version)) return { to: 'nothing' };
  if (rest.length === 0) return { to: 'upload-resources', version };
  const [literal, namespace, resource] = rest;
  if (rest.length !== 3 || literal !== 'namespaces' || !isDnsLabel(namespace) || resource !== TOKEN_REQUESTS)
    return { to: 'nothing' };
  return method === 'POST' ? { to: 'upload-token', version, namespace } : { to: 'wrong-method', allowed: 'POST' };
}

function routeVersion(method: string, version: string, rest: string[]): Route {
  if (rest.length === 0) return { to: 'resources', version };
  if (rest.length === 1) {
    if (rest[0] === 'version') return { to: 'version', version };
    if (rest[0] === 'healthz') return { to: 'health' };
    return unserved('', rest[0]) ?? { to: 'nothing' };
  }
  const [literal, namespace, owner, name, ...sub] = rest;
  if (literal !== 'namespaces' || !isDnsLabel(namespace)) return { to: 'nothing' };
  if (owner === EXPAND_GIVEN.owner && name === undefined) {
    if (method !== EXPAND_GIVEN.method) return { to: 'wrong-method', allowed: EXPAND_GIVEN.method };
    return { to: 'subresource', version, namespace, name: '', subresource: EXPAND_GIVEN, params: {} };
  }
  if ((owner !== VM && owner !== VMI) || name === undefined || sub.length === 0) return { to: 'nothing' };
  // object names have this form, and a name is repeated in errors
  if (!isDnsSubdomain(name)) return { to: 'nothing' };
  const path = sub.join('/');
  const unimplemented = unserved(owner, path);
  if (unimplemented) return unimplemented;
  const found = SUBRESOURCES.find((entry) => entry.owner === owner && `${path}/`.startsWith(`${entry.name}/`));
  const params = found && paramsOf(found, sub.slice(found.name.split('/').length));
  if (!found || !params) return { to: 'nothing' };
  if (found.method !== method) return { to: 'wrong-method', allowed: found.method };
  return { to: 'subresource', version, namespace, name, subresource: found, params };
}

function paramsOf(found: Subresource, values: string[]): Record<string, string> | undefined {
  const names = found.params ?? [];
  const required = names.filter((name) => !name.endsWith('?')).length;
  if (values.length < required || values.length > names.length) return undefined;
  return Object.fromEntries(values.map((value, i) => [names[i].replace('?', ''), value]));
}
