import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ProgramMetrics } from './program-metrics';

/** Response of a path: HTTP code and text. */
export type Answer = [code: number, text: string];

/** Prometheus gives up a scrape after ten seconds, unless it is configured otherwise. */
const SCRAPE_MS = 10_000;
/** Scrapes that wait for the one in progress: several servers may scrape at the same time. */
const MAX_WAITING = 4;
const MAX_CONNECTIONS = 64;
const REQUEST_MS = 10_000;
/** Longer than the usual interval of scrapes, so that a scrape needs no new connection. */
const KEEP_ALIVE_MS = 75_000;
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Serves `/metrics` and the given paths over HTTP. Any client of the Pod network may connect, so connections, waiting scrapes
 * and their durations have limits, and metrics contain no secrets.
 */
export function metricsServer(metrics: ProgramMetrics, paths: Readonly<Record<string, () => Answer>> = {}): Server {
  const scrapes = new Turns(MAX_WAITING);
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      const path = (request.url ?? '').split('?', 1)[0];
      const answer = Object.hasOwn(paths, path) ? paths[path] : undefined;
      if (path === '/metrics') void scrape(metrics, scrapes, response);
      else if (answer) send(response, ...answer());
      else send(response, 404, `not found: ${[...Object.keys(paths), '/metrics'].join(', ')}`);
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

async function scrape(metrics: ProgramMetrics, scrapes: Turns, response: ServerResponse): Promise<void> {
  const done = scrapes.take();
  if (!done) return send(response, 503, 'too many scrapes at the same time');
  const release = await done;
  try {
    if (response.destroyed) return;
    response.writeHead(200, { 'Content-Type': CONTENT_TYPE });
    await pipeline(Readable.from(metrics.text()), response, { signal: AbortSignal.timeout(SCRAPE_MS) });
  } catch {
    // the client left, or reads too slowly
    response.destroy();
  } finally {
    release();
  }
}

function send(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
}

/** One turn at a time, with a limit on those that wait. */
export class Turns {
  private last: Promise<void> = Promise.resolve();
  private count = 0;

  public constructor(private readonly maxWaiting: number) {}

  /** Resolves when it is the caller's turn, with the function that ends it; undefined if too many wait. */
  public take(): Promise<() => void> | undefined {
    if (this.count > this.maxWaiting) return undefined;
    this.count++;
    const { promise, resolve } = Promise.withResolvers<void>();
    const mine = this.last.then(() => () => {
      this.count--;
      resolve();
    });
    this.last = promise;
    return mine;
  }
}
