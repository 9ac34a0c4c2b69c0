import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../../api/meta';
import { Informer, resources, type KubeClient } from '../../../runtime/kube';
import { deepEqual } from '../../api-server/json/values';
import type { Pod } from '../../core-v1';
import { run } from '../../../runtime/host/command';
import type { Log } from '../../log';
import type { PodNetwork } from '../pod-network';
import { type NetworkPolicy, networkPolicies, type PolicyPod } from './networking-v1';
import { policyTable } from './policy-table';

export interface PoliciesOptions {
  /** As `system:kube-proxy`, user agent `kube-proxy/…`. */
  readonly client: KubeClient;
  readonly network: PodNetwork;
  readonly nodeName: string;
  readonly log?: Log;
}

export interface Policies {
  /**
   * Resolves when the rules for a Pod of this node are loaded, which may be before its link exists.
   * @throws Error if they cannot be loaded
   */
  enforce(pod: Pod): Promise<void>;
  /** Ends the rules of a Pod, after its last process. */
  release(podUid: string): void;
  close(): Promise<void>;
}

/** A Pod in the cache of an informer. */
interface CachedPod extends KubeObject {
  readonly policy: PolicyPod;
}

/** Objects that selectors match; followed only while policies exist. */
interface Peers {
  readonly pods: Informer<CachedPod>;
  readonly namespaces: Informer<KubeObject>;
}

/** Changes within this time are loaded together. */
const GATHER_MS = 20;
const RETRY_MS = 2_000;
/** Time after which the start of a Pod fails, to be tried again, if its rules are not loaded. */
const ENFORCE_WITHIN_MS = 10_000;

/** Enforces network policies on the Pods of a node. */
export async function startPolicies(options: PoliciesOptions): Promise<Policies> {
  const policies = new NodePolicies(options);
  await policies.start();
  return policies;
}

class NodePolicies implements Policies {
  private readonly policies: Informer<NetworkPolicy>;
  private readonly log: Log;
  /** Pods whose processes may run, also after their objects were deleted. */
  private readonly running = new Map<string, PolicyPod>();
  private peers?: Peers;
  private loaded?: string;
  private timer?: NodeJS.Timeout;
  private current: Promise<unknown> = Promise.resolve();
  private next?: Promise<void>;
  private closed = false;

  public constructor(private readonly options: PoliciesOptions) {
    this.log = options.log ?? (() => undefined);
    const change = (): void => this.changed();
    this.policies = new Informer<NetworkPolicy>(options.client, networkPolicies, { onError: this.onError('policies') });
    this.policies.onChange({ add: change, update: change, delete: change });
  }

  /** Replaces the rules that an earlier engine left. Until then, those are in force. */
  public async start(): Promise<void> {
    await this.policies.start();
    await this.load().catch((error: unknown) => this.failed(error));
  }

  public async enforce(pod: Pod): Promise<void> {
    if (pod.spec.hostNetwork) return;
    this.running.set(pod.metadata.uid ?? '', policyPod(pod));
    if (!this.policies.list().length) return;
    const waiting = new AbortController();
    const late = sleep(ENFORCE_WITHIN_MS, undefined, waiting).then(() => {
      throw new Error(
        `network: the policies were not loaded within ${ENFORCE_WITHIN_MS / 1000} s; see the engine's log`,
      );
    });
    try {
      await Promise.race([this.load(), late]);
    } finally {
      late.catch(() => undefined);
      waiting.abort();
    }
  }

  public release(podUid: string): void {
    if (this.running.delete(podUid) && this.policies.list().length) this.changed();
  }

  /** Keeps the rules, because Pods continue to run without the engine. */
  public async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await Promise.all([this.policies.stop(), this.stopPeers()]);
    await this.current;
  }

  private changed(delayMs = GATHER_MS): void {
    if (this.timer || this.closed) return;
    this.timer = setTimeout(() => void this.load().catch((error: unknown) => this.failed(error)), delayMs);
  }

  private failed(error: unknown): void {
    this.log('error', 'Rules of network policies could not be loaded; retrying', { error: String(error) });
    this.changed(RETRY_MS);
  }

  /** Loads what is known now; callers that come while another load runs share the next one. */
  private load(): Promise<void> {
    this.next ??= this.current.then(() => {
      this.next = undefined;
      clearTimeout(this.timer);
      this.timer = undefined;
      return this.loadOnce();
    });
    this.current = this.next.catch(() => undefined);
    return this.next;
  }

  private async loadOnce(): Promise<void> {
    if (this.closed) return;
    const policies = this.policies.list();
    const peers = await this.peersFor(policies.length > 0);
    if (this.closed) return;
    const { network, nodeName } = this.options;
    const pods = peers?.pods.list().map(({ policy }) => policy) ?? [];
    const known = new Set(pods.map(({ uid }) => uid));
    const text = policyTable({
      id: network.id,
      policies,
      pods,
      namespaces: new Map(
        peers?.namespaces.list().map(({ metadata: { name = '', labels = {} } }) => [name, labels]) ?? [],
      ),
      dns: Object.values(network.gateway),
      local: [
        ...pods.filter((pod) => pod.nodeName === nodeName),
        ...[...this.running.values()].filter(({ uid }) => !known.has(uid)),
      ],
    });
    if (text === this.loaded) return;
    await run('nft', ['-f', '-'], { input: text });
    this.loaded = text;
  }

  /** Follows Pods and namespaces while policies exist. */
  private async peersFor(needed: boolean): Promise<Peers | undefined> {
    if (!needed) await this.stopPeers();
    else this.peers ??= this.newPeers();
    const { peers } = this;
    if (peers) await Promise.all([peers.pods.start(), peers.namespaces.start()]);
    return peers;
  }

  private newPeers(): Peers {
    const { client } = this.options;
    const change = (): void => this.changed();
    const pods = new Informer<CachedPod>(client, resources.pods, {
      transform: (object) => cachedPod(object as unknown as Pod),
      onError: this.onError('Pods'),
    }).onChange({
      add: change,
      update: (after, before) => {
        if (!deepEqual(after.policy, before.policy)) change();
      },
      delete: change,
    });
    const namespaces = new Informer<KubeObject>(client, resources.namespaces, {
      transform: ({ apiVersion, kind, metadata: { name, uid, resourceVersion, labels } }) => ({
        apiVersion,
        kind,
        metadata: { name, uid, resourceVersion, labels },
      }),
      onError: this.onError('namespaces'),
    }).onChange({ add: change, update: change, delete: change });
    return { pods, namespaces };
  }

  private async stopPeers(): Promise<void> {
    const { peers } = this;
    this.peers = undefined;
    await Promise.all([peers?.pods.stop(), peers?.namespaces.stop()]);
  }

  private onError(what: string): (error: unknown) => void {
    return (error) =>
      this.log('warn', `watching ${what} for network policies failed; retrying`, { error: String(error) });
  }
}

const cachedPod = (pod: Pod): CachedPod => {
  const { name, namespace, uid, resourceVersion } = pod.metadata;
  const { apiVersion, kind } = pod;
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, policy: policyPod(pod) };
};

/** Reduces a Pod to what policies need. */
export function policyPod({ metadata, spec, status }: Pod): PolicyPod {
  const ended = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return {
    uid: metadata.uid ?? '',
    namespace: metadata.namespace ?? '',
    labels: metadata.labels ?? {},
    nodeName: spec.nodeName,
    hostNetwork: spec.hostNetwork ?? false,
    addresses: ended ? [] : (status?.podIPs ?? []).map(({ ip }) => ip),
    ports: [...(spec.initContainers ?? []), ...spec.containers].flatMap(({ ports = [] }) =>
      ports.flatMap(({ name, protocol = 'TCP', containerPort }) =>
        name ? [{ name, protocol, port: containerPort }] : [],
      ),
    ),
  };
}
