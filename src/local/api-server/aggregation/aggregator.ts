import { errorText } from '../../../api/error-text';
import { errors } from '../errors';
import { AggregatedGroupVersion, ApiResource } from '../discovery/discovery';
import { Document, documentOf, RemoteDocument } from '../discovery/openapi';
import { Context, Upgrade } from '../http/context';
import { Route } from '../http/dispatcher';
import { sendText } from '../http/responder';
import { clone } from '../json/values';
import { apiService, LOCAL } from '../kinds/extensions';
import { call, Peer } from '../network/https-client';
import {
  forward,
  forwardedHeaders,
  ProxyTimeout,
  ProxyTimeouts,
  proxyTimeouts,
  targetOf,
  tunnel,
} from '../network/proxy';
import { resolveService, ServiceError } from '../network/service-resolver';
import { StaleError, Store } from '../store/store';
import { AnyObject, KeyPair, timestamp, UserInfo } from '../types';
import { internalCaller } from '../verbs/core';
import { manage } from '../verbs/update';

const RESOURCE = 'apiregistration.k8s.io/apiservices';
/** Retry intervals for a server behind an APIService that does not respond. */
const RETRY_MS = [250, 500, 1000, 2000, 5000, 10_000, 30_000];

const WRITER = { ...internalCaller('apiservice-controller'), manager: 'kube-apiserver' };

interface Remote {
  readonly name: string;
  spec: {
    group: string;
    version: string;
    groupPriorityMinimum: number;
    versionPriority: number;
    service?: { namespace: string; name: string; port?: number };
    caBundle?: string;
    insecureSkipTLSVerify?: boolean;
  };
  available: boolean;
  resources: ApiResource[];
  /** Its OpenAPI v3 document, if it has one. */
  openApi?: Document;
  attempt: number;
  timer?: NodeJS.Timeout;
}

/** Forwards requests for the group-versions of APIServices to the servers behind their Services. */
export class Aggregator implements Route {
  private readonly remotes = new Map<string, Remote>();
  private readonly stops: (() => void)[] = [];
  private closed = false;

  public constructor(
    private readonly store: Store,
    private readonly client: KeyPair,
    private readonly timeouts: ProxyTimeouts = proxyTimeouts,
  ) {}

  public start(): void {
    for (const service of this.store.list({ resource: RESOURCE })) this.adopt(service);
    this.stops.push(
      this.store.subscribe(RESOURCE, ({ key, object }) => (object ? this.adopt(object) : this.drop(key.name))),
      // Its Service and EndpointSlices show when a server starts or stops.
      this.store.subscribe('discovery.k8s.io/endpointslices', ({ key }) => this.recheckIn(key.namespace)),
      this.store.subscribe('/services', ({ key }) => this.recheckIn(key.namespace)),
    );
  }

  public close(): void {
    this.closed = true;
    this.stops.forEach((stop) => stop());
    for (const remote of this.remotes.values()) clearTimeout(remote.timer);
  }

  /** Remote group-versions, for discovery. */
  public groupVersions(): AggregatedGroupVersion[] {
    return [...this.remotes.values()]
      .filter(({ spec }) => spec.service)
      .map(({ spec, available, resources }) => ({
        group: spec.group,
        version: spec.version,
        groupPriorityMinimum: spec.groupPriorityMinimum,
        versionPriority: spec.versionPriority,
        available,
        resources,
      }));
  }

  /** OpenAPI v3 documents of remote group-versions. */
  public openApi(): RemoteDocument[] {
    return [...this.remotes.values()].flatMap(({ spec: { group, version }, available, openApi }) =>
      available && openApi ? [{ group, version, document: openApi }] : [],
    );
  }

  public async serve(context: Context): Promise<boolean> {
    const { info, request, response, user } = context;
    const remote = this.remoteOf(info.path, info.group, info.version);
    if (!remote || (!info.isResource && request.method === 'GET' && remote.available && isDiscovery(info.path)))
      return false;
    const peer = this.availablePeer(remote);
    if (!peer) {
      sendText(response, 503, 'service unavailable\n');
      return true;
    }
    try {
      const headers = forwardedHeaders(request.headers, { ...identity(user), host: request.headers.host });
      await forward(request, response, peer, targetOf(info), headers, this.timeouts);
    } catch (error) {
      if (error instanceof ProxyTimeout) {
        throw errors.timeout('request did not complete within the allotted timeout');
      }
      void this.check(remote);
      sendText(response, 503, `error trying to reach service: ${errorText(error)}\n`);
    }
    return true;
  }

  public async upgrade({ info, request, socket, head, user }: Upgrade): Promise<boolean> {
    const remote = this.remoteOf(info.path, info.group, info.version);
    if (!remote) return false;
    const peer = this.availablePeer(remote);
    if (!peer) throw errors.unavailable('service unavailable');
    try {
      const headers = forwardedHeaders(request.headers, { ...websocketHeaders(request.headers), ...identity(user) });
      await tunnel(request, socket, head, peer, targetOf(info), headers, this.timeouts);
    } catch (error) {
      void this.check(remote);
      throw errors.unavailable(`error trying to reach service: ${errorText(error)}`);
    }
    return true;
  }

  private remoteOf(path: string, group: string, version: string): Remote | undefined {
    if (!path.startsWith('/apis/') || !version) return undefined;
    const remote = this.remotes.get(`${version}.${group}`);
    return remote?.spec.service ? remote : undefined;
  }

  /** The server behind an APIService that is available, as its condition shows. */
  private availablePeer(remote: Remote): Peer | undefined {
    if (!remote.available) return undefined;
    try {
      return this.peerOf(remote);
    } catch (error) {
      this.fail(remote, error);
      return undefined;
    }
  }

  private peerOf({ spec }: Remote): Peer {
    const { namespace, name, port } = spec.service!;
    const addresses = resolveService(this.store, { namespace, name, port });
    const address = addresses[Math.floor(Math.random() * addresses.length)];
    const ca = spec.caBundle ? Buffer.from(spec.caBundle, 'base64').toString('utf8') : undefined;
    const serverName = `${name}.${namespace}.svc`;
    return { ...address, serverName, ca, insecure: spec.insecureSkipTLSVerify, ...this.client };
  }

  private adopt(service: AnyObject): void {
    const name = service.metadata.name!;
    const before = this.remotes.get(name);
    const spec = service.spec as Remote['spec'];
    // This event may be our own status update.
    if (before && JSON.stringify(before.spec) === JSON.stringify(spec)) return;
    clearTimeout(before?.timer);
    const conditions: { type: string; status: string }[] = service.status?.conditions ?? [];
    // after a restart, requests need not wait for the first check
    const available = conditions.some(({ type, status }) => type === 'Available' && status === 'True');
    const remote: Remote = { name, spec, available, resources: before?.resources ?? [], attempt: 0 };
    this.remotes.set(name, remote);
    if (spec.service) void this.check(remote);
    else this.report(remote, 'True', LOCAL.reason, LOCAL.message);
  }

  private drop(name: string): void {
    clearTimeout(this.remotes.get(name)?.timer);
    this.remotes.delete(name);
  }

  private recheckIn(namespace: string): void {
    for (const remote of this.remotes.values()) {
      if (remote.spec.service?.namespace !== namespace) continue;
      remote.attempt = 0;
      void this.check(remote);
    }
  }

  private async check(remote: Remote): Promise<void> {
    clearTimeout(remote.timer);
    const { group, version } = remote.spec;
    let url = '';
    try {
      const headers = identity({
        username: 'system:kube-aggregator',
        groups: ['system:masters', 'system:authenticated'],
      });
      const peer = this.peerOf(remote);
      url = `https://${peer.host.includes(':') ? `[${peer.host}]` : peer.host}:${peer.port}/apis/${group}/${version}`;
      const answer = await call(peer, 'GET', `/apis/${group}/${version}`, { headers, timeoutMs: 5000 });
      if (answer.code < 200 || answer.code > 299) throw new Error(`bad status from ${url}: ${answer.code}`);
      const list = JSON.parse(answer.body) as { resources?: ApiResource[] };
      if (!this.isCurrent(remote)) return;
      remote.resources = list.resources ?? [];
      remote.available = true;
      remote.attempt = 0;
      this.report(remote, 'True', 'Passed', 'all checks passed');
      // not before: a server that does not answer this would be unavailable for so long
      remote.openApi = await readOpenApi(peer, group, version);
    } catch (error) {
      if (error instanceof ServiceError) this.fail(remote, error);
      else this.fail(remote, new Error(`failing or missing response from ${url}: ${errorText(error)}`));
    }
  }

  private isCurrent(remote: Remote): boolean {
    return !this.closed && this.remotes.get(remote.name) === remote;
  }

  private fail(remote: Remote, error: unknown): void {
    if (!this.isCurrent(remote)) return;
    remote.available = false;
    const reason = error instanceof ServiceError ? error.reason : 'FailedDiscoveryCheck';
    this.report(remote, 'False', reason, errorText(error));
    clearTimeout(remote.timer);
    const delay = RETRY_MS[Math.min(remote.attempt++, RETRY_MS.length - 1)];
    remote.timer = setTimeout(() => void this.check(remote), delay).unref();
  }

  /** Writes the Available condition if it has changed. */
  private report(remote: Remote, status: string, reason: string, message: string): void {
    const key = { resource: RESOURCE, namespace: '', name: remote.name };
    const current = this.store.get(key);
    if (!current) return;
    const conditions: { type: string; status: string; reason: string; message: string; lastTransitionTime: string }[] =
      current.status?.conditions ?? [];
    const old = conditions.find((condition) => condition.type === 'Available');
    if (old?.status === status && old.reason === reason && old.message === message) return;
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : timestamp();
    const next = clone(current);
    next.status = {
      ...next.status,
      conditions: [
        ...conditions.filter((condition) => condition.type !== 'Available'),
        { type: 'Available', status, lastTransitionTime, reason, message },
      ],
    };
    try {
      const managed = manage(apiService, 'status', current, next, WRITER);
      this.store.update(key, managed, current.metadata.resourceVersion!);
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
    }
  }
}

const isDiscovery = (path: string) => path.split('/').filter(Boolean).length <= 3;

/** Node writes headers in Latin-1: each byte of the UTF-8 text is one of its characters. */
const headerText = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

/** The OpenAPI document of a group-version. A server works without one, so this never fails. */
async function readOpenApi(peer: Peer, group: string, version: string): Promise<Document | undefined> {
  const headers = identity({ username: 'system:aggregator', groups: ['system:masters'] });
  try {
    const answer = await call(peer, 'GET', `/openapi/v3/apis/${group}/${version}`, { headers, timeoutMs: 5000 });
    if (answer.code !== 200) return undefined;
    JSON.parse(answer.body);
    return documentOf(Buffer.from(answer.body));
  } catch {
    return undefined;
  }
}

/** Headers with the user's identity, which the server trusts from the holder of the front-proxy certificate. */
function identity(user: UserInfo): Record<string, string | string[]> {
  const extra = Object.entries(user.extra ?? {}).map(([key, values]): [string, string[]] => [
    `X-Remote-Extra-${encodeURIComponent(key)}`,
    values.map(headerText),
  ]);
  return {
    'X-Remote-User': headerText(user.username),
    ...(user.uid ? { 'X-Remote-Uid': headerText(user.uid) } : {}),
    'X-Remote-Group': user.groups.map(headerText),
    ...Object.fromEntries(extra),
  };
}

function websocketHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string | string[]] => entry[1] !== undefined && entry[0].startsWith('sec-websocket-'),
    ),
  );
}
