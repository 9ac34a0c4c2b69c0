import { Informer, resources } from '../../runtime/kube';
import type { KubeClient } from '../../runtime/kube';
import type { EndpointSlice, Pod, Service } from '../core-v1';
import { run } from '../../runtime/host/command';
import type { Log } from '../log';
import { DnsServer } from './dns-server';
import { zoneOf } from './dns-zone';
import type { Zone } from './dns-zone';
import type { PodNetwork } from './pod-network';
import { serviceTable } from './service-table';
import type { HostPort } from './service-table';
import { serviceVariables } from './service-variables';

export interface ServicesOptions {
  /** As `system:kube-proxy`, user agent `kube-proxy/…`. */
  readonly client: KubeClient;
  readonly network: PodNetwork;
  /** @default cluster.local */
  readonly clusterDomain?: string;
  /** DNS servers for external names. Default: the host's resolvers. */
  readonly upstreams?: () => readonly string[];
  readonly log?: Log;
}

export interface Services {
  /** Environment variables with the addresses of Services. */
  variables(pod: Pod): ReadonlyMap<string, string>;
  /** Sets the host ports of a Pod. */
  setHostPorts(podUid: string, ports: readonly HostPort[]): void;
  /** Resolves when the rules of all changes so far are loaded. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Changes within this time are loaded together. */
const GATHER_MS = 20;
const RETRY_MS = 2_000;

/** Makes Services reachable: addresses and ports by nftables, names by DNS on the gateway. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const services = new LocalServices(options);
  await services.start();
  return services;
}

class LocalServices implements Services {
  private readonly services: Informer<Service>;
  private readonly slices: Informer<EndpointSlice>;
  private readonly dns: DnsServer;
  private readonly log: Log;
  private readonly domain: string;
  private readonly hostPorts = new Map<string, readonly HostPort[]>();
  private zone?: Zone;
  private loaded = '';
  private timer?: NodeJS.Timeout;
  private loading: Promise<void> = Promise.resolve();
  private closed = false;

  public constructor(private readonly options: ServicesOptions) {
    const { client, network } = options;
    this.log = options.log ?? (() => undefined);
    this.domain = options.clusterDomain ?? 'cluster.local';
    const onError = (error: unknown): void =>
      this.log('warn', 'watching Services failed; retrying', { error: String(error) });
    this.services = new Informer<Service>(client, resources.services, { onError });
    this.slices = new Informer<EndpointSlice>(client, resources.endpointSlices, { onError });
    const { ipv4, ipv6 } = network.gateway;
    this.dns = new DnsServer({
      addresses: [ipv4, ...(ipv6 ? [ipv6] : [])],
      domain: this.domain,
      zone: () => this.currentZone(),
      upstreams: options.upstreams,
      log: (message) => this.log('warn', message),
    });
  }

  public async start(): Promise<void> {
    const change = (): void => this.changed();
    const handlers = { add: change, update: change, delete: change };
    (this.services as Informer<Service>).onChange(handlers);
    (this.slices as Informer<EndpointSlice>).onChange(handlers);
    // rules without a Service (outgoing traffic of Pods) must exist before the first Pod
    await this.load();
    await Promise.all([this.services.start(), this.slices.start(), this.dns.start()]);
    await this.load();
  }

  public variables(pod: Pod): ReadonlyMap<string, string> {
    return serviceVariables(pod, this.services.list());
  }

  public setHostPorts(podUid: string, ports: readonly HostPort[]): void {
    if (ports.length) this.hostPorts.set(podUid, ports);
    else if (!this.hostPorts.delete(podUid)) return;
    this.changed();
  }

  public async settled(): Promise<void> {
    if (this.timer) await this.load();
    await this.loading;
  }

  /** Keeps the rules, because Pods continue to run without the engine. */
  public async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await Promise.all([this.services.stop(), this.slices.stop(), this.dns.close()]);
    await this.loading;
  }

  private currentZone(): Zone {
    this.zone ??= zoneOf(this.domain, this.services.list(), this.slices.list());
    return this.zone;
  }

  private changed(): void {
    this.zone = undefined;
    if (this.timer || this.closed) return;
    this.timer = setTimeout(() => void this.load(), GATHER_MS);
  }

  private load(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.loading = this.loading.then(() => this.loadOnce());
    return this.loading;
  }

  private async loadOnce(): Promise<void> {
    const { id, subnets, cluster } = this.options.network;
    const text = serviceTable({
      id,
      subnets,
      cluster,
      services: sorted(this.services.list()),
      slices: this.slices.list(),
      hostPorts: [...this.hostPorts.values()].flat(),
    });
    if (text === this.loaded) return;
    try {
      await run('nft', ['-f', '-'], { input: text });
      this.loaded = text;
    } catch (error) {
      this.log('error', 'Service rules could not be loaded; retrying', { error: String(error) });
      if (!this.closed) this.timer = setTimeout(() => void this.load(), RETRY_MS);
    }
  }
}

const sorted = (services: readonly Service[]): Service[] =>
  [...services].sort((a, b) => {
    const key = ({ metadata }: Service): string => `${metadata.namespace}/${metadata.name}`;
    return key(a) < key(b) ? -1 : 1;
  });
