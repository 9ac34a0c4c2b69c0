/**
 * Keeps a connection to libvirtd, which may exit and come back (the supervisor restarts it) while QEMU keeps running. A
 * libvirtd that runs but hangs is detected by pings, and by calls that it accepted and does not answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../log';
import { LibvirtClient } from './client';
import type { LibvirtEvent, Unanswered } from './connection';
import { LibvirtConnectionError } from './errors';
import { assessSilence, oldestOf, stuckOf } from './silence';

export interface SessionHandlers {
  onEvent(event: LibvirtEvent): void;
  /** Called after each (re)connection, and when libvirtd answers again: events may have been missed. */
  onConnect(): void;
  onDisconnect(): void;
  /** Called when libvirtd has not answered at all, or not this call, for some time; repeated while that lasts. */
  onSilence(silentMs: number, call?: string): void;
  isStarting(): boolean;
  /** Whether a stop of the guest was requested. */
  isStopping(): boolean;
  /** Kills libvirtd; the supervisor starts another one. */
  restartLibvirtd(): void;
}

const RETRY_MS = { first: 10, most: 500 };
/** Deadline for opening a session, so that a hung libvirtd is left for its successor. */
const OPEN_DEADLINE_MS = 10_000;
/** Deadline of `client`, shorter than that of its callers' callers. */
const CLIENT_DEADLINE_MS = 10_000;
const PING_EVERY_MS = 10_000;
const PONG_WITHIN_MS = 5_000;

export class LibvirtSession {
  private current: LibvirtClient | undefined;
  private readonly waiting = new Set<(client: LibvirtClient) => void>();
  private ended = false;
  private lastAnswerAt: number;
  private startedAt: number;
  private silent = false;
  private unanswered = 0;
  /** The call on which the last check found libvirtd stuck. */
  private stuck: Unanswered | undefined;

  constructor(
    private readonly socket: string,
    private readonly handlers: SessionHandlers,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.lastAnswerAt = this.startedAt = now();
  }

  /** Connects, and connects again whenever the connection is lost. */
  start(): void {
    void this.connect();
    void this.watch();
  }

  close(): void {
    this.ended = true;
    this.current?.close();
  }

  /** Returns the client once there is one; fails if that takes too long. */
  client(deadlineMs = CLIENT_DEADLINE_MS): Promise<LibvirtClient> {
    if (this.current) return Promise.resolve(this.current);
    return new Promise((resolve, reject) => {
      const settle = (client: LibvirtClient): void => {
        clearTimeout(timer);
        resolve(client);
      };
      const timer = setTimeout(() => {
        this.waiting.delete(settle);
        reject(new LibvirtConnectionError(`libvirt at ${this.socket}: no connection within ${deadlineMs} ms`));
      }, deadlineMs);
      this.waiting.add(settle);
    });
  }

  /** Whether libvirtd does not answer some or all calls, so the known state of the guest may be outdated. */
  get isUnresponsive(): boolean {
    return this.silent;
  }

  /** Pings libvirtd, and acts if it was silent for too long. */
  async check(pongWithinMs = PONG_WITHIN_MS): Promise<void> {
    const answers = await this.current?.connection.ping(pongWithinMs);
    if (this.ended) return;
    const now = this.now();
    if (answers) this.lastAnswerAt = now;
    this.unanswered = answers ? 0 : this.unanswered + 1;
    // after the pong, so that everything answered before it has been read
    const calls = (answers && this.current?.connection.unanswered) || [];
    const stuck = stuckOf(calls, now, this.handlers.isStopping());
    const isStuckAgain = stuck !== undefined && stuck === this.stuck;
    this.stuck = stuck;
    const oldest = stuck ?? oldestOf(calls);
    const stuckMs = oldest ? now - oldest.sentAt : 0;
    const silentMs = now - this.lastAnswerAt;
    const response = assessSilence({
      silentMs,
      unanswered: this.unanswered,
      stuckMs,
      isStuckAgain,
      sinceStartMs: now - this.startedAt,
      isStarting: this.handlers.isStarting(),
    });
    if (response === 'wait') {
      if (answers) this.recovered();
      return;
    }
    this.silent = true;
    const [waitedMs, call] = answers ? [stuckMs, oldest?.name] : [silentMs];
    if (response === 'restart') {
      const facts = { silentMs: Math.round(waitedMs), call };
      log('error', 'libvirtd does not answer; it is restarted, the guest runs on', facts);
      this.startedAt = now;
      this.handlers.restartLibvirtd();
      this.current?.close();
    }
    this.handlers.onSilence(waitedMs, call);
  }

  private async watch(): Promise<void> {
    while (!this.ended) {
      await sleep(PING_EVERY_MS, undefined, { ref: false });
      await this.check();
    }
  }

  private recovered(): void {
    if (!this.silent) return;
    this.silent = false;
    this.handlers.onConnect();
  }

  private async connect(): Promise<void> {
    let delay = RETRY_MS.first;
    while (!this.ended) {
      try {
        const client = await LibvirtClient.open(this.socket, {
          openDeadlineMs: OPEN_DEADLINE_MS,
          now: this.now,
          onEvent: (event) => this.handlers.onEvent(event),
          onClose: () => this.lost(),
        });
        if (this.ended) return client.close();
        this.current = client;
        this.silent = false;
        this.lastAnswerAt = this.now();
        this.unanswered = 0;
        for (const settle of [...this.waiting]) settle(client);
        this.waiting.clear();
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
