/** Keeps a connection to libvirtd: it may die and come back (the supervisor restarts it) while QEMU runs on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../log';
import { LibvirtClient } from './client';
import type { LibvirtEvent } from './connection';

export interface SessionHandlers {
  onEvent(event: LibvirtEvent): void;
  /** After each (re)connection: whatever was missed must be looked at. */
  onConnect(): void;
  onDisconnect(): void;
}

const RETRY_MS = { first: 10, most: 500 };

export class LibvirtSession {
  private current: LibvirtClient | undefined;
  private waiting: ((client: LibvirtClient) => void)[] = [];
  private ended = false;

  constructor(
    private readonly socket: string,
    private readonly handlers: SessionHandlers,
  ) {}

  /** Connects, and again whenever the connection is lost. */
  start(): void {
    void this.connect();
  }

  close(): void {
    this.ended = true;
    this.current?.close();
  }

  get connected(): boolean {
    return this.current !== undefined;
  }

  /** The client, once there is one. */
  client(): Promise<LibvirtClient> {
    if (this.current) return Promise.resolve(this.current);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private async connect(): Promise<void> {
    let delay = RETRY_MS.first;
    while (!this.ended) {
      try {
        const client = await LibvirtClient.open(this.socket, {
          onEvent: (event) => this.handlers.onEvent(event),
          onClose: () => this.lost(),
        });
        this.current = client;
        this.waiting.splice(0).forEach((resolve) => resolve(client));
        this.handlers.onConnect();
        return;
      } catch {
        await sleep(delay);
        delay = Math.min(delay * 1.5, RETRY_MS.most);
      }
    }
  }

  private lost(): void {
    if (!this.current || this.ended) return;
    this.current = undefined;
    log('warn', 'lost libvirtd; the guest is not affected');
    this.handlers.onDisconnect();
    void this.connect();
  }
}
