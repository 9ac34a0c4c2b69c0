import { IncomingMessage, ServerResponse } from 'node:http';
import { errors, StatusError } from '../errors';
import { UserInfo } from '../types';
import { Connections } from './connections';
import { RequestInfo } from './request-info';
import { Flow, Turns } from './turns';

export interface FlowLimits {
  /** Requests in flight that read or write. Components of the cluster have as many again for themselves. */
  readonly readOnly: number;
  readonly mutating: number;
  /** Bytes of request bodies in flight, in total and of one user. */
  readonly bodyBytes: number;
  readonly bodyBytesPerUser: number;
  /** Time to receive a body. */
  readonly bodyMs: number;
  /** Bytes of responses that clients have not yet read, in total and of one user. */
  readonly unread: number;
  readonly unreadPerUser: number;
  /** Time to read a response. */
  readonly unreadMs: number;
  /** Watches, in total and of one user. */
  readonly watches: number;
  readonly watchesPerUser: number;
  /** Bytes of events that the watches of one user have not yet read. */
  readonly watchBytesPerUser: number;
}

const MIB = 1024 * 1024;

/** The numbers of requests are those of Kubernetes' `--max-requests-inflight`. */
export const flowLimits: FlowLimits = {
  readOnly: 400,
  mutating: 200,
  bodyBytes: 64 * MIB,
  bodyBytesPerUser: 24 * MIB,
  bodyMs: 30_000,
  unread: 192 * MIB,
  unreadPerUser: 96 * MIB,
  unreadMs: 60_000,
  watches: 1_500,
  watchesPerUser: 500,
  watchBytesPerUser: 32 * MIB,
};

/** Bodies over this size wait for a user's smaller requests. */
const LARGE_BODY = 128 * 1024;
const RETRY_AFTER_SECONDS = 1;

const LONG_RUNNING = ['attach', 'exec', 'log', 'portforward', 'proxy'];
const READING = ['get', 'list', 'head', 'options'];

const isExempt = (info: RequestInfo) =>
  info.verb === 'watch' ||
  LONG_RUNNING.includes(info.subresource) ||
  (!info.isResource && /^\/(healthz|livez|readyz)(\/|$)/.test(info.path));

const COMPONENT = /^system:(?!anonymous$|serviceaccount:)|^system:serviceaccount:(kube-system|kubevirt):/;

/** Whether the user is the cluster's administrator or one of its programs, which other users must not delay. */
export function isComponent({ username, groups }: UserInfo): boolean {
  return groups.includes('system:masters') || COMPONENT.test(username);
}

/** Too many requests, in Kubernetes' words. */
export const tooMany = (): StatusError =>
  errors.tooManyRequests('Too many requests, please try again later.', undefined, RETRY_AFTER_SECONDS);

class Counter {
  private readonly users = new Map<string, number>();
  private total = 0;

  /** Adds `n` for a user within both limits; returns false, and adds nothing, beyond one. */
  public add(user: string, n: number, limit: number, perUser: number): boolean {
    const own = this.users.get(user) ?? 0;
    if (this.total + n > limit || own + n > perUser) return false;
    this.users.set(user, own + n);
    this.total += n;
    return true;
  }

  public remove(user: string, n: number): void {
    const own = (this.users.get(user) ?? 0) - n;
    if (own > 0) this.users.set(user, own);
    else this.users.delete(user);
    this.total -= n;
  }

  public get size(): number {
    return this.total;
  }
}

/** Open watch, as far as its limits are concerned. */
export interface WatchStream {
  /** Bytes that its client has not yet read. */
  readonly backlog: number;
  close(): void;
}

const permits = new WeakMap<IncomingMessage, Permit>();

/** Limits of one request, from its authorization to its response. */
export class Permit {
  private bytes = 0;
  private ended = false;
  private readonly leave: (() => void)[] = [];

  public constructor(
    private readonly control: FlowControl,
    private readonly flow: Flow,
    request: IncomingMessage,
  ) {
    permits.set(request, this);
  }

  /** The permit of a request; every reader of bodies uses it. */
  public static of(request: IncomingMessage): Permit | undefined {
    return permits.get(request);
  }

  public get bodyMs(): number {
    return this.control.limits.bodyMs;
  }

  /** Counts bytes of the body until the end of the request. @throws StatusError 429 */
  public receive(bytes: number): void {
    const { bodyBytes, bodyBytesPerUser } = this.control.limits;
    if (!this.control.bodies.add(this.flow.name, bytes, bodyBytes, bodyBytesPerUser)) throw this.control.reject();
    this.bytes += bytes;
  }

  /** Resolves when the request may use the event loop. */
  public turn(): Promise<void> | undefined {
    return this.control.turns.take(this.flow, this.bytes > LARGE_BODY);
  }

  /** Adds a watch until the end of the request. @throws StatusError 429 */
  public watch(stream: WatchStream): void {
    this.leave.push(this.control.addWatch(this.flow.name, stream));
  }

  /** Closes the slowest watch of the user if its watches together hold too many bytes. */
  public limitBacklog(): void {
    this.control.limitBacklog(this.flow.name);
  }

  public onEnd(leave: () => void): void {
    this.leave.push(leave);
  }

  /** Ends the request when the client has read the response; closes its connection if that takes too long. */
  public endAfter(response: ServerResponse): void {
    const bytes = response.writableLength;
    if (response.writableFinished || response.destroyed) return this.end();
    const { unread, unreadPerUser, unreadMs } = this.control.limits;
    const timer = setTimeout(() => response.destroy(), unreadMs).unref();
    response.once('close', () => {
      clearTimeout(timer);
      this.end();
    });
    if (this.control.unread.add(this.flow.name, bytes, unread, unreadPerUser)) {
      this.onEnd(() => this.control.unread.remove(this.flow.name, bytes));
    } else response.destroy();
  }

  public end(): void {
    if (this.ended) return;
    this.ended = true;
    this.control.bodies.remove(this.flow.name, this.bytes);
    for (const leave of this.leave.splice(0)) leave();
  }
}

/** Limits of requests in flight, their bodies and watches, and their order (see Turns). */
export class FlowControl {
  public readonly turns = new Turns();
  public readonly bodies = new Counter();
  public readonly unread = new Counter();
  /** Requests that were rejected with 429. */
  public rejected = 0;
  private readonly requests = new Map<string, Counter>();
  private readonly watches = new Map<string, Set<WatchStream>>();
  private watchCount = 0;

  public constructor(
    public readonly connections: Connections,
    public readonly limits: FlowLimits = flowLimits,
  ) {}

  /** Admits a request of an authenticated user. @throws StatusError 429 */
  public enter(request: IncomingMessage, user: UserInfo, info: RequestInfo): Permit {
    const flow: Flow = { name: user.username, component: isComponent(user) };
    if (!this.connections.begin(request.socket, user.username)) throw this.reject();
    const permit = new Permit(this, flow, request);
    permit.onEnd(() => this.connections.end(request.socket));
    if (isExempt(info)) return permit;
    const kind = READING.includes(info.verb) ? 'readOnly' : 'mutating';
    const limit = this.limits[kind];
    const counter = this.counter(`${kind} ${flow.component}`);
    // A user other than a component may use half of the places, so that another user finds one.
    if (!counter.add(flow.name, 1, limit, flow.component ? limit : Math.ceil(limit / 2))) {
      permit.end();
      throw this.reject();
    }
    permit.onEnd(() => counter.remove(flow.name, 1));
    return permit;
  }

  public reject(): StatusError {
    this.rejected++;
    return tooMany();
  }

  /** Number of open watches. */
  public get watching(): number {
    return this.watchCount;
  }

  public addWatch(user: string, stream: WatchStream): () => void {
    const all = this.watches.get(user) ?? new Set();
    if (all.size >= this.limits.watchesPerUser || this.watchCount >= this.limits.watches) throw this.reject();
    this.watches.set(user, all.add(stream));
    this.watchCount++;
    return () => {
      all.delete(stream);
      this.watchCount--;
      if (!all.size && this.watches.get(user) === all) this.watches.delete(user);
    };
  }

  public limitBacklog(user: string): void {
    const all = [...(this.watches.get(user) ?? [])].sort((a, b) => b.backlog - a.backlog);
    const total = all.reduce((sum, { backlog }) => sum + backlog, 0);
    if (total > this.limits.watchBytesPerUser) all[0].close();
  }

  private counter(name: string): Counter {
    let counter = this.requests.get(name);
    if (!counter) this.requests.set(name, (counter = new Counter()));
    return counter;
  }
}
