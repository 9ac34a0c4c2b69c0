import { createWriteStream, WriteStream } from 'node:fs';

/** One line of the audit log. */
export interface AuditRecord {
  readonly ts: string;
  readonly user: string;
  readonly userAgent: string;
  readonly verb: string;
  readonly resource: string;
  readonly subresource: string;
  readonly ns: string;
  readonly name: string;
  readonly code: number;
  readonly ms: number;
  /** Facts that admission webhooks reported about the request. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Delay before writing is retried after a full disk. */
const REOPEN_MS = 1_000;

/**
 * Appends one JSON line per request. Never delays a request or ends the process: lines may be lost when the
 * process ends or the disk is full.
 */
export class AuditLog {
  private stream: WriteStream | undefined;
  private failedAt = 0;

  public constructor(private readonly file: string | undefined) {
    this.open();
  }

  public write(record: AuditRecord): void {
    if (!this.stream && Date.now() - this.failedAt >= REOPEN_MS) this.open();
    this.stream?.write(`${JSON.stringify(record)}\n`);
  }

  public close(): Promise<void> {
    const { stream } = this;
    if (!stream) return Promise.resolve();
    return new Promise((resolve) => stream.once('close', resolve).end());
  }

  private open(): void {
    if (!this.file) return;
    const stream = createWriteStream(this.file, { flags: 'a', mode: 0o600 });
    stream.on('error', () => {
      this.failedAt = Date.now();
      this.stream = undefined;
    });
    this.stream = stream;
  }
}
