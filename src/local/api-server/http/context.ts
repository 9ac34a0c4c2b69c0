import { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { UserInfo } from '../types';
import { RequestInfo } from './request-info';
import { warningHeader } from './responder';

/** Request during its processing. */
export class Context {
  private readonly warnings = new Set<string>();

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

  public warn(message: string): void {
    if (this.response.headersSent || this.warnings.has(message)) return;
    this.warnings.add(message);
    this.response.appendHeader('Warning', warningHeader(message));
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
