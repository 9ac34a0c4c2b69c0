/** kubevirt.notify.v1.Notify: sends virt-handler each change, and the current state after each reconnection. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DomainState } from '../../protocol';
import { NotifyDefinition } from '../../protocol/generated/notify';
import { GrpcClient } from '../../protocol/http2/grpc';
import { reportOf } from './report';

const RETRY_MS = { first: 50, most: 2_000 };
const CALL_TIMEOUT_MS = 5_000;

/** Only the newest state matters: an unsent one is replaced, not queued. */
export class Notifier {
  private readonly client: GrpcClient;
  private latest: DomainState | undefined;
  private unsent = false;
  private sending = false;
  private closed = false;
  private idle: (() => void)[] = [];

  constructor(socket: string) {
    this.client = new GrpcClient(socket, { onDisconnect: () => this.resend() });
  }

  /** Sends this state as soon as the handler listens. */
  publish(state: DomainState): void {
    this.latest = state;
    this.unsent = true;
    void this.pump();
  }

  /** Resolves when the newest state was acknowledged, or after `timeoutMs`. */
  async flush(timeoutMs: number): Promise<void> {
    if (!this.unsent) return;
    const stop = new AbortController();
    const timeout = sleep(timeoutMs, undefined, { signal: stop.signal }).catch(() => {});
    await Promise.race([new Promise<void>((resolve) => this.idle.push(resolve)), timeout]);
    stop.abort();
  }

  close(): void {
    this.closed = true;
    this.client.close();
  }

  /** Sends the state again: a handler that has restarted does not have it. */
  private resend(): void {
    if (!this.latest || this.closed) return;
    this.unsent = true;
    void this.pump();
  }

  private async pump(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    let delay = RETRY_MS.first;
    while (this.unsent && !this.closed) {
      this.unsent = false;
      const domainJSON = Buffer.from(reportOf(this.latest!));
      try {
        const request = { domainJSON, eventType: 'MODIFIED' };
        await this.client.service(NotifyDefinition).handleDomainEvent(request, { timeoutMs: CALL_TIMEOUT_MS });
        delay = RETRY_MS.first;
      } catch {
        this.unsent = true;
        await sleep(delay);
        delay = Math.min(delay * 2, RETRY_MS.most);
      }
    }
    this.sending = false;
    this.idle.splice(0).forEach((resolve) => resolve());
  }
}
