/** The state of the guest as virt-handler gets it: the last one that was read, and why it may be outdated. */
import type { DomainState } from '../../protocol';

/** State before the first one is read. */
const UNREAD: DomainState = { status: 'NoState', reason: 'Unknown' };

export class PublishedState {
  private state = UNREAD;
  /** Reason why the state may be outdated; published with the next state. */
  trouble: DomainState['trouble'];

  /** `onChange` is called with each state that differs from the last one. */
  constructor(private readonly onChange: (state: DomainState) => void) {}

  get current(): DomainState {
    return this.state;
  }

  get isUnread(): boolean {
    return this.state === UNREAD;
  }

  /** Publishes a state that was read, if it has changed. */
  publish(state: DomainState): void {
    const { changedAt, ...old } = this.state;
    const { changedAt: _, trouble: __, ...rest } = state;
    const next = this.trouble ? { ...rest, trouble: this.trouble } : rest;
    if (JSON.stringify(old) === JSON.stringify(next)) return;
    const same = old.status === next.status && changedAt !== undefined;
    this.state = { ...next, changedAt: same ? changedAt : new Date().toISOString() };
    this.onChange(this.state);
  }
}
