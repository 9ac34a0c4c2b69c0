import { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { UserInfo } from '../types';
import { RequestInfo } from './request-info';
import { MAX_WARNINGS, warningHeaders } from './warnings';

/** Characters of the annotations of one request in the audit log. */
const MAX_ANNOTATIONS = 16_384;

/** Request during its processing. */
export class Context {
  private readonly warnings = new Set<string>();
  private readonly noted = new Map<string, string>();
  private notedCharacters = 0;

  public constructor(
    public readonly request: IncomingMessage,
    public readonly response: ServerResponse,
    public readonly info: RequestInfo,
    public readonly user: UserInfo,
  ) {}

  public get userAgent(): string {
    return this.request.headers['user-agent'] ?? '';
  }

  /** Default owner of the fields that this request writes: the first word of the user agent. */
  public get defaultManager(): string {
    return this.userAgent
      .split('/')[0]
      .replace(/[\x00-\x1f\x7f]/g, '')
      .slice(0, 128);
  }

  /** Annotations for the audit log; undefined if there are none. */
  public get annotations(): Record<string, string> | undefined {
    return this.noted.size ? Object.fromEntries(this.noted) : undefined;
  }

  /** Adds an annotation to the audit log. The first value of a key is kept, and a limited total size. */
  public annotate(key: string, value: string): void {
    const size = key.length + value.length;
    if (this.noted.has(key) || this.notedCharacters + size > MAX_ANNOTATIONS) return;
    this.notedCharacters += size;
    this.noted.set(key, value);
  }

  public warn(message: string): void {
    if (this.response.headersSent || this.warnings.has(message) || this.warnings.size >= MAX_WARNINGS) return;
    this.warnings.add(message);
    const headers = warningHeaders([...this.warnings]);
    if (headers.length) this.response.setHeader('Warning', headers);
  }
}

/** A request to switch protocols. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly info: RequestInfo;
  readonly user: UserInfo;
}
