/**
 * Freezes the file systems of the guest through its agent for a limited time. The time is kept here, beside the guest, so that
 * a controller that dies in the middle of a snapshot leaves no frozen guest.
 */
import type { DomainRef, LibvirtClient } from '../libvirt/client';
import { log } from '../log';

/** Delay after a thaw that failed. */
const RETRY_MS = 2_000;

export interface QuiesceOptions {
  /** Finds the running guest. */
  readonly domain: () => Promise<{ client: LibvirtClient; dom: DomainRef }>;
  /** Stores when the guest is thawed; undefined: it is not frozen. Survives a restart of the launcher. */
  readonly save: (thawAt: number | undefined) => void;
  readonly now?: () => number;
}

export class Quiesce {
  private timer: NodeJS.Timeout | undefined;
  private readonly now: () => number;

  constructor(private readonly options: QuiesceOptions) {
    this.now = options.now ?? Date.now;
  }

  /** Continues the limit of a previous launcher process. */
  resume(thawAt: number | undefined): void {
    if (thawAt !== undefined) this.arm(thawAt);
  }

  /** Idempotent: a guest that is frozen already stays frozen, with the new limit. */
  async freeze(limitMs: number): Promise<void> {
    const { client, dom } = await this.options.domain();
    const thawAt = this.now() + limitMs;
    // before the request: it may succeed although its answer is lost
    this.options.save(thawAt);
    this.arm(thawAt);
    try {
      await client.freeze(dom);
    } catch (error) {
      // an agent refuses to freeze what it has frozen
      const status = await client.agent(dom, 'guest-fsfreeze-status').catch(() => undefined);
      if (status === 'frozen') return;
      await this.thaw().catch(() => undefined);
      throw error;
    }
  }

  /** Idempotent. If the agent does not answer, it is asked again until it does. */
  async thaw(): Promise<void> {
    const { client, dom } = await this.options.domain();
    try {
      await client.thaw(dom);
    } catch (error) {
      this.arm(this.now() + RETRY_MS);
      throw error;
    }
    this.forget();
  }

  /** The guest has ended, or the launcher ends. */
  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private forget(): void {
    this.close();
    this.options.save(undefined);
  }

  private arm(thawAt: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      log('warn', 'the time for which the guest may be frozen is over; it is thawed');
      this.thaw().catch((error: unknown) => log('warn', 'the guest could not be thawed', { error: String(error) }));
    }, thawAt - this.now());
    this.timer.unref();
  }
}
