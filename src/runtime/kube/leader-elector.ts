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
   * Identity of the holder: the name of host or Pod. A process that finds the lease under its own name is the holder's
   * successor (it was killed and restarted) and waits only until it is certain that nobody renews it, not the whole lease.
   */
  readonly identity: string;
  /** Time after which a silent leader has lost the lease. Default: 15 s. */
  readonly leaseMs?: number;
  /** Time after which a leader that cannot renew stops. Default: 10 s. */
  readonly renewDeadlineMs?: number;
  /** Interval between two attempts. Default: 2 s. */
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

/** Elects one of several processes as the leader, by a Lease. Other clocks are not trusted: only changes of the Lease count. */
export class LeaderElector {
  /** Uses connections of its own: workers whose requests hang must not cost a healthy leader its lease. */
  private readonly client: KubeClient;
  private seen?: { version?: string; at: number };
  private held?: Lease;
  private renewal?: Promise<boolean>;

  public constructor(
    client: KubeClient,
    private readonly options: LeaderElectorOptions,
  ) {
    // a request that hangs is aborted while there is time for another one on another connection
    const ms = (options.renewDeadlineMs ?? RENEW_DEADLINE_MS) / 2;
    this.client = client.separate({ timeoutMs: ms, deadlineMs: ms });
  }

  /**
   * Waits for leadership, then calls `lead`, whose signal is aborted when leadership is lost or `signal` is aborted. Resolves
   * after `lead` has ended, and releases the Lease. Throws if leadership was lost: the process should exit then.
   */
  public async run(lead: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      if (await this.acquire(signal)) await this.runTerm(lead, signal);
    } finally {
      this.client.close();
    }
  }

  /** Tries until this process holds the Lease; returns false if `signal` was aborted first. */
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
      // another process may lead already, so work in progress is not waited for
      leading.catch(() => undefined);
      throw new Error(`lost the lease ${this.options.namespace}/${this.options.name}: ${lost}`);
    }
    try {
      await leading;
    } finally {
      await this.release();
    }
  }

  /** Renews the Lease until the end; returns why leadership was lost, or undefined if it was released. */
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
        // someone deleted the Lease; the process that creates it again leads
        this.held = undefined;
        return this.tryAcquireOrRenew();
      }
      if (isConflict(error) || isAlreadyExists(error)) {
        // another process wrote the Lease, so it must be read again
        this.held = this.held && (await this.stillOurs().catch(() => this.held));
      } else {
        this.options.onError?.(error);
      }
      return false;
    }
  }

  private async stillOurs(): Promise<Lease | undefined> {
    const lease = await this.client.find<Lease>(resources.leases, this.options);
    // two processes of one host have the same name; the time at which they began to lead distinguishes them
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

  /** Whether nobody renewed it for its duration (for two renewals if the holder was this host), by our own clock. */
  private hasExpired(lease: Lease, ours: boolean): boolean {
    const { retryMs = 2000 } = this.options;
    const version = lease.metadata.resourceVersion;
    if (this.seen?.version !== version) this.seen = { version, at: performance.now() };
    const duration = ours ? 2 * retryMs : (lease.spec?.leaseDurationSeconds ?? 15) * 1000;
    return performance.now() - (this.seen?.at ?? 0) >= duration;
  }

  /** Lets the next process lead immediately. */
  private async release(): Promise<void> {
    // a renewal in progress would overwrite the release, and the next process would wait for the whole lease
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
