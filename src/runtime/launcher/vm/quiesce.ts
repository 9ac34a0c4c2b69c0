/**
 * Freezes the file systems of the guest through its agent for a limited time. The time is kept here, beside the guest, so that
 * a controller that dies in the middle of a snapshot leaves no frozen guest.
 */
import type { DomainRef, LibvirtClient } from '../libvirt/client';
import { LibvirtError } from '../libvirt/errors';
import { log } from '../log';
import { Refusal } from './refusal';

/** Delay after a thaw that failed. */
const RETRY_MS = 2_000;

/** Who freezes the guest: a client of the subresource `freeze`, such as a snapshot, or a backup of this launcher. */
export type Holder = 'client' | 'backup';

/** Times up to which the holders need a frozen guest. */
export type Holds = Readonly<Partial<Record<Holder, number>>>;

export interface QuiesceOptions {
  /** Finds the running guest. */
  readonly domain: () => Promise<{ client: LibvirtClient; dom: DomainRef }>;
  /** Stores who has frozen the guest; undefined: it is not frozen. Survives a restart of the launcher. */
  readonly save: (holds: Holds | undefined) => void;
  readonly now?: () => number;
}

export class Quiesce {
  private timer: NodeJS.Timeout | undefined;
  private holds: Holds = {};
  private readonly now: () => number;

  constructor(private readonly options: QuiesceOptions) {
    this.now = options.now ?? Date.now;
  }

  /** Continues the limits of a previous launcher process. */
  resume(holds: Holds = {}): void {
    this.holds = holds;
    this.armLimit();
  }

  /** Idempotent: a guest that is frozen already stays frozen, and the holder gets a new limit. */
  async freeze(holder: Holder, limitMs: number): Promise<void> {
    const { client, dom } = await this.options.domain();
    const { holds } = this;
    // before the request: it may succeed although its answer is lost
    this.keep({ ...holds, [holder]: this.now() + limitMs });
    try {
      await client.freeze(dom);
    } catch (error) {
      // an agent refuses to freeze what it has frozen
      const status = await client.agent(dom, 'guest-fsfreeze-status').catch(() => undefined);
      if (status === 'frozen') return;
      if (hasNoAgent(error)) this.keep(holds);
      else await this.release(holder).catch(() => undefined);
      throw error;
    }
  }

  /** Ends the freeze of one holder. The guest is thawed when no other holder needs it frozen. */
  async release(holder: Holder): Promise<void> {
    const { [holder]: _, ...rest } = this.holds;
    const others: Holds = rest;
    if (Object.values(others).some((thawAt) => thawAt > this.now())) this.keep(others);
    else await this.thaw();
  }

  /** Thaws the guest, regardless of who has frozen it. Idempotent. If the agent does not answer, it is asked again until it does. */
  async thaw(): Promise<void> {
    const { holds } = this;
    // a freeze that began meanwhile has its own limit
    const isCurrent = (): boolean => this.holds === holds;
    try {
      const { client, dom } = await this.options.domain();
      if (!isCurrent()) return;
      await client.thaw(dom);
    } catch (error) {
      const hasEnded = error instanceof Refusal && error.reason === 'NoDomain';
      if (isCurrent() && !hasEnded && !isEmpty(holds)) this.arm(this.now() + RETRY_MS);
      throw error;
    }
    if (isCurrent()) this.keep({});
  }

  /** The guest has ended, or the launcher ends. */
  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private keep(holds: Holds): void {
    this.holds = holds;
    this.options.save(isEmpty(holds) ? undefined : holds);
    this.armLimit();
  }

  private armLimit(): void {
    if (isEmpty(this.holds)) this.close();
    else this.arm(Math.max(...Object.values(this.holds)));
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

const isEmpty = (holds: Holds): boolean => Object.keys(holds).length === 0;

/** Whether libvirt could not ask an agent, so that nothing was frozen. */
const hasNoAgent = (error: unknown): boolean =>
  error instanceof LibvirtError && /guest agent is not (configured|connected)/i.test(error.detail);
