import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { KubeList, KubeObject, Status } from '../../api/meta';
import { ApiError, isGone } from './api-error';
import type { KubeConfig } from './config';
import { APPLY_PATCH, Transport } from './transport';
import type { RequestOptions, TransportOptions } from './transport';
import { readBody, readLines } from './bodies';
import type { RateLimit } from './rate-limiter';
import { BrokenStream } from './watch-failure';
import { apiVersionOf, pathOf } from './resources';
import type { ObjectRef, Resource } from './resources';

/** Selects objects of a collection; without a namespace, in all namespaces. */
export interface Selectors {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListOptions<T extends KubeObject = KubeObject> extends Selectors {
  readonly resourceVersion?: string;
  /** Objects per page (default 500, 0: one page); all pages are fetched. */
  readonly pageSize?: number;
  /** Number of objects after which no further page is fetched. Default: all. */
  readonly most?: number;
  /** Called for each object of a page before the next page is requested; its result replaces the object. */
  readonly transform?: (object: T) => T;
  readonly signal?: AbortSignal;
}

export interface WatchOptions extends Selectors {
  /** Version to continue from; without it, the watch starts now with an ADDED event for each existing object. */
  readonly resourceVersion?: string;
  /** Time for which the server keeps the stream open. Default: 300 s. */
  readonly timeoutSeconds?: number;
  readonly headers?: Record<string, string>;
  /** Called when the server has accepted the watch. */
  readonly onOpen?: () => void;
}

export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  /** Bookmark. Only `metadata.resourceVersion` is set: all events up to it have been sent. */
  | { readonly type: 'BOOKMARK'; readonly object: KubeObject };

export type PatchKind = 'merge' | 'json' | 'strategic' | 'apply';

export interface WriteOptions {
  readonly fieldManager?: string;
  readonly dryRun?: boolean;
}
export interface PatchOptions extends WriteOptions {
  /** Server-side apply: whether to take over fields of other managers. */
  readonly force?: boolean;
}

export interface DeleteOptions {
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}

const PATCH_TYPE: Record<PatchKind, string> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: APPLY_PATCH,
};

/** A typed Kubernetes client: one method per verb, `ApiError` for requests that the server rejects. */
export class KubeClient {
  public constructor(
    public readonly config: KubeConfig,
    private readonly options: TransportOptions,
    private readonly transport = new Transport(config, options),
    private readonly signal?: AbortSignal,
  ) {}

  /** A client of the same server and user, whose requests never wait for a connection or a token of this one. */
  public separate(options: Partial<TransportOptions> = {}): KubeClient {
    return new KubeClient(this.config, { ...this.options, rateLimit: undefined, ...options });
  }

  /** Returns a client with the same connections and rate limit, whose requests `signal` aborts. */
  public until(signal: AbortSignal | undefined): KubeClient {
    return new KubeClient(this.config, this.options, this.transport, signal);
  }

  /** Limits requests from now on; undefined for no limit. Watches are never limited. */
  public limitRate(limit: RateLimit | undefined): void {
    this.transport.limitRate(limit);
  }

  public get<T extends KubeObject = KubeObject>(resource: Resource, ref: ObjectRef): Promise<T> {
    return this.json<T>('GET', pathOf(resource, ref));
  }

  /** Like `get`, but undefined if the object does not exist. */
  public async find<T extends KubeObject = KubeObject>(resource: Resource, ref: ObjectRef): Promise<T | undefined> {
    try {
      return await this.get<T>(resource, ref);
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  /** Lists all objects; several pages are one list. */
  public async list<T extends KubeObject = KubeObject>(
    resource: Resource,
    options: ListOptions<T> = {},
  ): Promise<KubeList<T>> {
    const { pageSize = 500, most = Infinity, resourceVersion, transform, signal } = options;
    const limit = Math.min(pageSize || Infinity, most);
    const items: T[] = [];
    for (let next: string | undefined; ;) {
      let page: KubeList<T>;
      try {
        page = await this.json<KubeList<T>>('GET', pathOf(resource, { namespace: options.namespace }), undefined, {
          query: {
            ...selectors(options),
            limit: Number.isFinite(limit) ? limit : undefined,
            continue: next,
            resourceVersion: next ? '' : resourceVersion,
          },
          signal,
        });
      } catch (error) {
        // the snapshot of the first pages has expired; a new list is consistent again
        if (next && isGone(error)) return this.list<T>(resource, { ...options, pageSize: 0 });
        throw error;
      }
      for (const item of page.items ?? []) {
        // items of a list have no kind
        item.apiVersion ??= apiVersionOf(resource);
        item.kind ??= resource.kind;
        items.push(transform ? transform(item) : item);
      }
      const { continue: token } = page.metadata ?? {};
      if (!token || items.length >= most) return { ...page, items };
      if (token === next)
        throw new Error(`list ${resource.plural}: the API server gives the same page again and again`);
      next = token;
    }
  }

  /** Throws `ApiError` 504 if the server has not reached `version`: its store was reset to an earlier state. */
  public async requireVersion(resource: Resource, from: Selectors, version: string): Promise<void> {
    await this.json('GET', pathOf(resource, { namespace: from.namespace }), undefined, {
      query: {
        ...selectors(from),
        limit: 1,
        resourceVersion: version,
        resourceVersionMatch: version ? 'NotOlderThan' : undefined,
      },
    });
  }

  public create<T extends KubeObject>(resource: Resource, object: T, options: WriteOptions = {}): Promise<T> {
    return this.json<T>('POST', pathOf(resource, { namespace: object.metadata.namespace }), object, {
      query: writeQuery(options),
    });
  }

  /** Replaces a whole object; its resourceVersion, when set, must be the current one. */
  public replace<T extends KubeObject>(resource: Resource, object: T, options: WriteOptions = {}): Promise<T> {
    return this.json<T>('PUT', pathOf(resource, refOf(object)), object, { query: writeQuery(options) });
  }

  public replaceStatus<T extends KubeObject>(resource: Resource, object: T, options: WriteOptions = {}): Promise<T> {
    return this.json<T>('PUT', pathOf(resource, { ...refOf(object), subresource: 'status' }), object, {
      query: writeQuery(options),
    });
  }

  public patch<T extends KubeObject = KubeObject>(
    resource: Resource,
    ref: ObjectRef,
    body: unknown,
    kind: PatchKind,
    options: PatchOptions = {},
  ): Promise<T> {
    return this.json<T>('PATCH', pathOf(resource, ref), body, {
      contentType: PATCH_TYPE[kind],
      query: { ...writeQuery(options), force: options.force },
    });
  }

  /** Returns the object while it still exists (finalizers, grace period), else its last state or a Status. */
  public delete(resource: Resource, ref: ObjectRef, options: DeleteOptions = {}): Promise<KubeObject | Status> {
    const { dryRun, ...body } = options;
    return this.json('DELETE', pathOf(resource, ref), {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      ...body,
      ...(dryRun ? { dryRun: ['All'] } : {}),
    });
  }

  /** One watch stream: resolves when the server ends it or `signal` is aborted, throws `ApiError` (410: relist). */
  public async watch<T extends KubeObject = KubeObject>(
    resource: Resource,
    options: WatchOptions,
    handler: (event: WatchEvent<T>) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const timeoutSeconds = options.timeoutSeconds ?? 300;
    const what = `watch ${resource.plural}`;
    const response = await this.transport.open('GET', pathOf(resource, { namespace: options.namespace }), undefined, {
      query: {
        ...selectors(options),
        watch: true,
        allowWatchBookmarks: true,
        resourceVersion: options.resourceVersion,
        timeoutSeconds,
      },
      headers: options.headers,
      signal,
      // a server that stops sending without closing: abort some time after it should have ended the stream
      timeoutMs: (timeoutSeconds + 30) * 1000,
      streaming: true,
    });
    if (response.statusCode !== 200) throw ApiError.of(response.statusCode ?? 0, await readBody(response), what);
    options.onOpen?.();
    await readLines(response, (line) => handler(eventOf<T>(line, what)), signal);
  }

  /** Sends any request; returns parsed JSON, or text if the server sends text. */
  public async request<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<T> {
    const signals = [this.signal, options.signal].filter((signal) => signal !== undefined);
    const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    const { response, text } = await this.transport.exchange(method, path, body, { ...options, signal });
    const code = response.statusCode ?? 0;
    if (code < 200 || code > 299) throw ApiError.of(code, text, `${method} ${path}`);
    const isJson = response.headers['content-type']?.includes('json');
    return (isJson && text ? JSON.parse(text) : text) as T;
  }

  /** Sends a request whose response is streamed (logs); the caller checks `statusCode`. */
  public stream(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<IncomingMessage> {
    return this.transport.open(method, path, body, { ...options, streaming: true });
  }

  /** Opens a websocket; `path` may have a query. Throws `ApiError` if the server rejects the upgrade. */
  public websocket(path: string, protocols: string[], signal?: AbortSignal): Promise<WebSocket> {
    return this.transport.websocket(path, protocols, signal);
  }

  /** Closes idle connections; the client stays usable. */
  public close(): void {
    this.transport.close();
  }

  private json<T>(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<T> {
    return this.request<T>(method, path, body, options);
  }
}

/** @throws ApiError for the ERROR event @throws BrokenStream for data that is not an event */
function eventOf<T>(line: string, what: string): WatchEvent<T> {
  let event: { type?: string; object?: KubeObject } | null;
  try {
    event = JSON.parse(line) as typeof event;
  } catch (error) {
    throw new BrokenStream(`${what}: a line is not JSON: ${(error as Error).message}`, { cause: error });
  }
  if (event?.type === 'ERROR') throw ApiError.ofStatus((event.object ?? {}) as unknown as Status, what);
  if (!EVENT_TYPES.includes(event?.type ?? '') || typeof event?.object?.metadata !== 'object') {
    throw new BrokenStream(`${what}: not an event: ${line.slice(0, 200)}`);
  }
  return event as WatchEvent<T>;
}

const EVENT_TYPES = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'];

const selectors = (from: Selectors) => ({ labelSelector: from.labelSelector, fieldSelector: from.fieldSelector });

const writeQuery = (from: WriteOptions) => ({
  fieldManager: from.fieldManager,
  dryRun: from.dryRun ? 'All' : undefined,
});

const refOf = (object: KubeObject): ObjectRef => ({
  namespace: object.metadata.namespace,
  name: object.metadata.name ?? '',
});
