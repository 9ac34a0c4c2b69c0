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
}

/** Appends one JSON line per request. Never delays a request: lines may be lost with the process, state never is. */
export class AuditLog {
  private readonly stream: WriteStream | undefined;

  public constructor(file: string | undefined) {
    this.stream = file ? createWriteStream(file, { flags: 'a', mode: 0o600 }) : undefined;
  }

  public write(record: AuditRecord): void {
    this.stream?.write(`${JSON.stringify(record)}\n`);
  }

  public close(): Promise<void> {
    return new Promise((resolve) => (this.stream ? this.stream.end(() => resolve()) : resolve()));
  }
}
