import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../api/meta';
import { isAlreadyExists, isConflict, isNotFound } from './api-error';
import type { KubeClient } from './client';
import { resources } from './resources';

export interface LeaderElectorOptions {
  readonly namespace: string;
  /** Name of the Lease. */
  readonly name: string;
  /**
   * Who holds it: the name of host or Pod. A process that finds the lease under its own name is its successor (it was
   * killed and started again) and need not wait for the whole lease, only until it is sure that nobody renews it.
   */
  readonly identity: string;
  /** A leader that was silent for this time has lost. Default: 15 s. */
  readonly leaseMs?: number;
  /** A leader that could not renew for this time stops by itself. Default: 10 s. */
  readonly renewDeadlineMs?: number;
  /** Between two tries. Default: 2 s. */
  readonly retryMs?: number;
  readonly onError?: (error: unknown) => void;
}

const RENEW_DEADLINE_MS = 10_000;

interface Lease extends KubeObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

/** One of several processes leads, by a Lease. Clocks of others are not trusted: only the change of a Lease counts. */
export class LeaderElector {
  /** With connections of its own: workers whose requests hang must not cost a healthy leader its lease. */
  private readonly client: KubeClient;
  private seen?: { version?: string; at: number };
  private held?: Lease;
  private renewal?: Promise<boolean>;

  public constructor(
    client: KubeClient,
    private readonly options: LeaderElectorOptions,
  ) {
    // a request that hangs is given up while there is time for another, on another connection
    const ms = (options.renewDeadlineMs ?? RENEW_DEADLINE_MS) / 2;
    this.client = client.separate({ timeoutMs: ms, deadlineMs: ms });
  }

  /**
   * Waits for leadership, then calls `lead`, whose signal fires when leadership is lost or `signal` fires. Ends after
   * `lead` has ended; gives the Lease back. Throws when leadership was lost: the process should end then.
   */
  public async run(lead: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      if (await this.acquire(signal)) await this.runTerm(lead, signal);
    } finally {
      this.client.close();
    }
  }

  /** Tries until this process holds the Lease; answers false when `signal` fired first. */
  private async acquire(signal: AbortSignal): Promise<boolean> {
    const { retryMs = 2000 } = this.options;
    while (!(await this.tryAcquireOrRenew())) {
      await pause(retryMs, signal);
      if (signal.aborted) return false;
    }
    return true;
  }

  private async runTerm(lead: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const term = new AbortController();
    const leading = lead(term.signal).finally(() => term.abort());
    const lost = await this.renew(signal, term.signal);
    term.abort();
    if (lost) {
      // another may lead already: what is still in work here is not waited for
      leading.catch(() => undefined);
      throw new Error(`lost the lease ${this.options.namespace}/${this.options.name}: ${lost}`);
    }
    try {
      await leading;
    } finally {
      await this.release();
    }
  }

  /** Renews the Lease until the end; answers why leadership was lost, `undefined` when it was given up. */
  private async renew(signal: AbortSignal, ended: AbortSignal): Promise<string | undefined> {
    const { retryMs = 2000, renewDeadlineMs = RENEW_DEADLINE_MS } = this.options;
    const stop = AbortSignal.any([signal, ended]);
    let renewedAt = performance.now();
    for (;;) {
      await pause(retryMs, stop);
      if (stop.aborted) return undefined;
      const left = renewDeadlineMs - (performance.now() - renewedAt);
      // a request that hangs must not outlive the lease
      this.renewal = this.tryAcquireOrRenew();
      const isRenewed = await Promise.race([this.renewal, pause(Math.max(left, 0), stop).then(() => false)]);
      if (stop.aborted) return undefined;
      if (isRenewed) renewedAt = performance.now();
      else if (this.held === undefined) return 'another process holds it';
      else if (performance.now() - renewedAt >= renewDeadlineMs) return `no renewal for ${renewDeadlineMs / 1000} s`;
    }
  }

  private async tryAcquireOrRenew(): Promise<boolean> {
    try {
      return await this.acquireOrRenew();
    } catch (error) {
      if (isNotFound(error) && this.held) {
        // someone deleted the Lease; whoever makes it anew leads
        this.held = undefined;
        return this.tryAcquireOrRenew();
      }
      if (isConflict(error) || isAlreadyExists(error)) {
        // someone else wrote: what is held must be read again
        this.held = this.held && (await this.stillOurs().catch(() => this.held));
      } else {
        this.options.onError?.(error);
      }
      return false;
    }
  }

  private async stillOurs(): Promise<Lease | undefined> {
    const lease = await this.client.find<Lease>(resources.leases, this.options);
    // two processes of one host have one name; when they began to lead tells them apart
    const { holderIdentity, acquireTime } = lease?.spec ?? {};
    return holderIdentity === this.options.identity && acquireTime === this.held?.spec?.acquireTime ? lease : undefined;
  }

  private async acquireOrRenew(): Promise<boolean> {
    const { identity, namespace, name, leaseMs = 15_000 } = this.options;
    const current = this.held ?? (await this.client.find<Lease>(resources.leases, { namespace, name }));
    const now = new Date().toISOString().replace('Z', '000Z');
    const ours = current?.spec?.holderIdentity === identity;
    const spec = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseMs / 1000),
      acquireTime: this.held?.spec?.acquireTime ?? now,
      renewTime: now,
      leaseTransitions: (current?.spec?.leaseTransitions ?? 0) + (ours || !current ? 0 : 1),
    };
    if (!current) {
      this.held = await this.client.create<Lease>(resources.leases, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name, namespace },
        spec,
      });
      return true;
    }
    if (!this.held && current.spec?.holderIdentity && !this.hasExpired(current, ours)) return false;
    this.held = await this.client.replace<Lease>(resources.leases, { ...current, spec });
    return true;
  }

  /** Nobody renewed it for its duration (for two renewals, when the holder was this host), by our own clock. */
  private hasExpired(lease: Lease, ours: boolean): boolean {
    const { retryMs = 2000 } = this.options;
    const version = lease.metadata.resourceVersion;
    if (this.seen?.version !== version) this.seen = { version, at: performance.now() };
    const duration = ours ? 2 * retryMs : (lease.spec?.leaseDurationSeconds ?? 15) * 1000;
    return performance.now() - (this.seen?.at ?? 0) >= duration;
  }

  /** Lets the next process lead at once. */
  private async release(): Promise<void> {
    // a renewal on its way would overtake this write, and the next process would wait for the whole lease
    await this.renewal;
    const held = this.held;
    this.held = undefined;
    if (!held) return;
    const spec = { ...held.spec, holderIdentity: '', leaseDurationSeconds: 1 };
    await this.client
      .replace<Lease>(resources.leases, { ...held, spec })
      .catch((error: unknown) => this.options.onError?.(error));
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);
