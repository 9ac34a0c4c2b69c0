import { isIP } from 'node:net';
import { errors } from '../errors';
import { RequestInfo } from '../http/request-info';
import { Peer } from '../network/https-client';
import { kubeletPeer } from '../network/kubelet';
import { AnyObject, KeyPair } from '../types';
import { Store } from '../store/store';

/** Server behind a proxy subresource, and how its requests and responses are rewritten. */
export interface ProxyTarget {
  readonly peer: Peer;
  /** Path for the server, encoded; empty for the bare subresource. */
  readonly path: string;
  /** Path of the subresource, in front of the server's paths. */
  readonly prefix: string;
}

/** Name of a proxied object: `name`, `name:port` or `scheme:name:port`. */
export interface ProxyName {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

export function parseProxyName(text: string): ProxyName | undefined {
  const parts = text.split(':');
  const [scheme, name, port] =
    parts.length === 1 ? ['', text, ''] : parts.length === 2 ? ['', ...parts] : (parts as [string, string, string]);
  return parts.length <= 3 && name && ['', 'http', 'https'].includes(scheme) ? { scheme, name, port } : undefined;
}

/** Characters of a path that Go leaves as they are. */
const PLAIN = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;
const ALWAYS_ENCODED = /[!'()*]/g;

/** A decoded path in percent-encoding, with Go's choice of characters. */
export function encodePath(path: string): string {
  return path
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment)
        .replace(PLAIN, (code) => decodeURIComponent(code))
        .replace(ALWAYS_ENCODED, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/');
}

/** The path behind a proxy subresource, which keeps its last slash. */
export function proxiedPath({ path, rest }: Pick<RequestInfo, 'path' | 'rest'>): string {
  const end = path.endsWith('/') ? '/' : '';
  return rest.length ? encodePath(`/${rest.join('/')}`) + end : end;
}

/** Whether the API server may connect to a Pod's address: the address identifies one other machine. */
export function isAllowedAddress(address: string): boolean {
  if (isIP(address) === 4) return !/^(0|127|169\.254|22[4-9]|23\d)\.|^255\.255\.255\.255$/.test(address);
  return isIP(address) === 6 && !/^(::1?$|fe[89ab]|ff|::ffff:)/i.test(address);
}

/**
 * A `Location` header of the server: its own absolute paths are moved below the subresource, so that the client
 * follows them through the proxy.
 */
export function movedLocation(location: string, prefix: string, peer: Peer, requestHost: string): string {
  const [, scheme = '', host = '', path = ''] = /^([a-z][a-z\d+.-]*:)?(?:\/\/([^/?#]*))?(.*)$/is.exec(location)!;
  if (!path.startsWith('/') || (host && host !== hostOf(peer) && host !== requestHost)) return location;
  const origin = host && host === requestHost ? `${scheme}//${host}` : '';
  return path.startsWith(prefix) ? origin + path : origin + prefix + path;
}

export const hostOf = ({ host, port }: Peer): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);

/** Finds the server behind `pods/proxy`, `services/proxy` and `nodes/proxy`. */
export class ProxyTargets {
  public constructor(
    private readonly store: Store,
    private readonly client: KeyPair,
    private readonly ca: string,
  ) {}

  /** @throws StatusError as Kubernetes words it */
  public find(info: RequestInfo): ProxyTarget {
    const path = proxiedPath(info);
    const whole = encodePath(info.path);
    return { peer: this.peerOf(info), path, prefix: path ? whole.slice(0, whole.length - path.length) : whole };
  }

  private peerOf({ resource, namespace, name: id }: RequestInfo): Peer {
    if (resource === 'nodes') {
      this.get('nodes', '', id);
      return kubeletPeer(this.store, id, this.client, this.ca);
    }
    const what = resource.slice(0, -1);
    const wanted = parseProxyName(id);
    if (!wanted) throw errors.badRequest(`invalid ${what} request ${JSON.stringify(id)}`);
    const address = what === 'pod' ? this.podAddress(namespace, wanted) : this.endpoint(namespace, wanted, id);
    // Servers of Pods have certificates that no authority of this cluster signed.
    return { ...address, ...(wanted.scheme === 'https' ? { insecure: true } : { plain: true }) };
  }

  private podAddress(namespace: string, { scheme, name, port }: ProxyName): { host: string; port: number } {
    const { spec, status } = this.get('pods', namespace, name);
    const containers: { ports?: { containerPort: number }[] }[] = spec?.containers ?? [];
    const first = containers.find(({ ports }) => ports?.length)?.ports?.[0].containerPort;
    const host: string = status?.podIPs?.[0]?.ip ?? status?.podIP ?? '';
    if (!isAllowedAddress(host)) throw errors.badRequest('address not allowed');
    const wanted = port || String(first ?? (scheme === 'https' ? 443 : 80));
    if (!/^\d+$/.test(wanted)) throw unreachable(`dial tcp: lookup tcp/${wanted}: unknown port`);
    if (Number(wanted) > 65_535) throw unreachable(`dial tcp: address ${wanted}: invalid port`);
    return { host, port: Number(wanted) };
  }

  /** One address of a Service that belongs to a Pod of its namespace. */
  private endpoint(namespace: string, { name, port }: ProxyName, id: string): { host: string; port: number } {
    let portName = port;
    if (/^[-+]?\d+$/.test(port)) {
      const ports: { port: number; name?: string }[] = this.get('services', namespace, name).spec?.ports ?? [];
      const found = ports.find((item) => item.port === Number(port));
      if (!found) throw errors.unavailable(`no service port ${Number(port)} found for service ${JSON.stringify(name)}`);
      portName = found.name ?? '';
    }
    const endpoints = this.store.get({ resource: '/endpoints', namespace, name });
    if (!endpoints) throw errors.notFound({ group: '', resource: 'services' }, name);
    const subsets: Subset[] = endpoints.subsets ?? [];
    if (!subsets.length) throw errors.unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
    for (const { addresses = [], ports = [] } of shuffled(subsets)) {
      const at = ports.find((item) => (item.name ?? '') === portName);
      const address = at && shuffled(addresses).find((item) => this.isPod(namespace, item));
      if (address) return { host: address.ip, port: at.port };
    }
    throw errors.unavailable(`no endpoints available for service ${JSON.stringify(id)}`);
  }

  /** Whether an endpoint is the address of the Pod that it names. Other addresses could be any machine. */
  private isPod(namespace: string, { ip, targetRef }: Address): boolean {
    if (!targetRef?.name || targetRef.namespace !== namespace) return false;
    const pod = this.store.get({ resource: '/pods', namespace, name: targetRef.name });
    const ips: { ip: string }[] = pod?.status?.podIPs ?? [];
    return ips.some((item) => item.ip === ip);
  }

  private get(plural: string, namespace: string, name: string): AnyObject {
    const object = this.store.get({ resource: `/${plural}`, namespace, name });
    if (!object) throw errors.notFound({ group: '', resource: plural }, name);
    return object;
  }
}

interface Address {
  readonly ip: string;
  readonly targetRef?: { readonly name?: string; readonly namespace?: string };
}

interface Subset {
  readonly addresses?: readonly Address[];
  readonly ports?: readonly { readonly name?: string; readonly port: number }[];
}

/** The items from a random one on, so that requests are spread. */
function shuffled<T>(items: readonly T[]): T[] {
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}

export const unreachable = (why: string) => errors.unavailable(`error trying to reach service: ${why}`);
