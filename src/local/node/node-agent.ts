import { isAlreadyExists, isConflict, isNotFound, resources } from '../../runtime/kube';
import type { KubeClient } from '../../runtime/kube';
import type { KubeObject } from '../../api/meta';
import type { Node, Resources } from '../core-v1';
import type { Log } from '../log';
import { gatherFacts, nodeLabels, nodeStatus } from './node-status';

export interface NodeAgentOptions {
  readonly client: KubeClient;
  readonly name: string;
  readonly stateDir: string;
  readonly addresses: readonly string[];
  readonly kubeletPort: () => number;
  readonly extended: () => { capacity: Resources; allocatable: Resources };
  readonly labels?: Record<string, string>;
  readonly log: Log;
  /** Called when the disk is nearly full, to free unneeded files. */
  readonly onDiskPressure: () => void;
}

const LEASE_SECONDS = 40;
const RENEW_MS = 10_000;
const CHECK_MS = 60_000;
/** Interval for writing an unchanged status, as in the kubelet. */
const REPORT_MS = 300_000;

/** Maintains the Node object and its lease. */
export class NodeAgent {
  private node?: Node;
  private writtenAt = 0;
  private written = '';
  private renewedAt = 0;
  private readonly timers: NodeJS.Timeout[] = [];
  private working: Promise<void> = Promise.resolve();
  private closed = false;
  private current: Resources = {};
  private memory = 0;

  public constructor(private readonly options: NodeAgentOptions) {}

  public async start(): Promise<void> {
    await this.register();
    await this.report();
    await this.renewLease();
    this.timers.push(
      setInterval(() => this.queue(() => this.renewLease()), RENEW_MS).unref(),
      setInterval(() => this.queue(() => this.report()), CHECK_MS).unref(),
    );
  }

  public async close(): Promise<void> {
    this.closed = true;
    this.timers.forEach(clearInterval);
    await this.working;
  }

  public get allocatable(): Resources {
    return this.current;
  }

  public get memoryCapacity(): number {
    return this.memory;
  }

  /** Reports changed extended resources. */
  public refresh(): void {
    this.queue(() => this.report());
  }

  private queue(work: () => Promise<void>): void {
    this.working = this.working
      .then(() => (this.closed ? undefined : work()))
      .catch((error: unknown) => {
        if (isNotFound(error)) this.node = undefined;
        this.options.log('warn', 'the Node object could not be written; retrying', { error: String(error) });
      });
  }

  /** Creates the Node, or adopts it with its labels, annotations and taints. */
  private async register(): Promise<void> {
    const { client, name } = this.options;
    const labels = { ...nodeLabels(name), ...this.options.labels };
    try {
      this.node = await client.create<Node>(resources.nodes, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels },
        spec: {},
      });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      this.node = await client.patch<Node>(resources.nodes, { name }, { metadata: { labels } }, 'merge');
    }
    this.written = '';
  }

  private async report(): Promise<void> {
    if (!this.node) await this.register();
    const { client, name, addresses, kubeletPort, extended, stateDir } = this.options;
    const facts = {
      name,
      addresses,
      kubeletPort: kubeletPort(),
      extended: extended(),
      labels: {},
      ...(await gatherFacts(stateDir)),
    };
    const now = new Date().toISOString().replace(/\.\d+/, '');
    const status = nodeStatus(facts, this.node?.status, now);
    this.current = status.allocatable ?? {};
    this.memory = facts.memory;
    const conditions = status.conditions ?? [];
    if (conditions.some(({ type, status: on }) => type === 'DiskPressure' && on === 'True')) {
      this.options.onDiskPressure();
    }
    const print = JSON.stringify({
      ...status,
      conditions: conditions.map(({ type, status: value, reason }) => [type, value, reason]),
    });
    if (print === this.written && Date.now() - this.writtenAt < REPORT_MS) return;
    // resources of removed plugins must be set to null to be deleted
    const gone = Object.keys(this.node?.status?.capacity ?? {}).filter((key) => !(key in (status.capacity ?? {})));
    const removed = Object.fromEntries(gone.map((key) => [key, null]));
    const body = {
      ...status,
      // replace the list: merged by type, one InternalIP would overwrite the other
      addresses: [...(status.addresses ?? []), { $patch: 'replace' }],
      capacity: { ...status.capacity, ...removed },
      allocatable: { ...status.allocatable, ...removed },
    };
    this.node = await client.patch<Node>(
      resources.nodes,
      { name, subresource: 'status' },
      { status: body },
      'strategic',
    );
    this.written = print;
    this.writtenAt = Date.now();
  }

  private async renewLease(): Promise<void> {
    const { client, name } = this.options;
    const ref = { namespace: 'kube-node-lease', name };
    const renewTime = new Date().toISOString().replace('Z', '000Z');
    const spec = { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime };
    try {
      await client.patch(resources.leases, ref, { spec }, 'merge');
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const owner = { apiVersion: 'v1', kind: 'Node', name, uid: this.node?.metadata.uid ?? '' };
      await client
        .create(resources.leases, {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { ...ref, ownerReferences: [owner] },
          spec,
        } as KubeObject)
        .catch((failure: unknown) => {
          if (!isAlreadyExists(failure) && !isConflict(failure)) throw failure;
        });
    }
    // after a long silence, which this request may have lasted, the node may count as not ready: report its status again
    const wasSilent = this.renewedAt > 0 && Date.now() - this.renewedAt > LEASE_SECONDS * 1000;
    this.renewedAt = Date.now();
    if (!wasSilent) return;
    this.written = '';
    await this.report();
  }
}
