import { errors } from '../errors';
import { Kind } from '../registry/kind';
import { AnyObject } from '../types';
import { Watch, WatchEvent } from '../verbs/watch';
import { Context } from './context';
import { Permit } from './flow-control';
import { Wanted } from './negotiate';
import { shapeEvent } from './responder';

/** Interval of bookmarks, so that idle watchers can resume after a restart. */
const BOOKMARK_INTERVAL_MS = 60_000;
/** Time between the last bookmark and the end of a watch, as in Kubernetes. */
const LAST_BOOKMARK_MS = 2_000;

/** Events of a busy resource are sent together at this interval: encryption and system calls cost more than bytes. */
const BUSY_INTERVAL_MS = 20;
/** Longest time of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Limits of a slow watcher. */
const SLOW = {
  /** Bytes that wait for the connection. The watcher's next events are read after them. */
  buffer: 1 << 20,
  /** Size of the writes that a watcher may be behind. A slower one is disconnected and can resume. */
  lag: 16 << 20,
  /** Time in which it must read what waits. */
  stallMs: 60_000,
};

/** Serialized events, by the form in which clients want them. Watchers share events. */
const frames = new WeakMap<WatchEvent, Map<string, Buffer>>();

/** Encodes events for one client. */
function encoder(kind: Kind, wanted: Wanted, query: URLSearchParams): (event: WatchEvent) => Buffer {
  const form = [wanted.as, wanted.metaVersion, query.get('includeObject') ?? ''].join(' ');
  let first = wanted.as === 'Table';
  const bodyOf = (event: WatchEvent): string => {
    if (event.type === 'ERROR' || wanted.as === 'object') return event.text ?? JSON.stringify(event.object);
    return JSON.stringify(shapeEvent(event.object as AnyObject, kind, wanted, query, first));
  };
  const frameOf = (event: WatchEvent) => Buffer.from(`{"type":"${event.type}","object":${bodyOf(event)}}\n`);
  return (event) => {
    if (first) {
      // Only the first event of a table has columns.
      const frame = frameOf(event);
      first = event.type === 'ERROR';
      return frame;
    }
    const forms = frames.get(event) ?? new Map<string, Buffer>();
    frames.set(event, forms);
    const known = forms.get(form) ?? frameOf(event);
    forms.set(form, known);
    return known;
  };
}

/** Streams a watch until the client disconnects or the timeout. Resolves at its end. */
export function serveWatch(context: Context, watch: Watch, kind: Kind, wanted: Wanted): Promise<void> {
  const { request, response, info } = context;
  const permit = Permit.of(request);
  permit?.watch({
    get backlog() {
      return response.writableLength;
    },
    close: () => response.destroy(),
  });
  if (wanted.yaml) throw errors.notAcceptable(['application/json', 'application/vnd.kubernetes.protobuf']);
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache, private',
    'Transfer-Encoding': 'chunked',
  });
  response.flushHeaders();
  const encode = encoder(kind, wanted, info.query);
  return new Promise((resolve, reject) => {
    let ended = false;
    let scheduled = false;
    let bookmarkDue = false;
    /** Time of the last events. */
    let sentAt = -Infinity;
    /** Size of the writes since the connection is blocked; undefined while it is not. */
    let lag: number | undefined;
    let stalled: NodeJS.Timeout | undefined;
    const timers: NodeJS.Timeout[] = [];

    const end = (error?: unknown) => {
      if (ended) return;
      ended = true;
      for (const timer of [...timers, stalled]) clearTimeout(timer);
      unsubscribe();
      if (error) reject(error as Error);
      else {
        response.end();
        resolve();
      }
    };
    const block = () => {
      lag = 0;
      permit?.limitBacklog();
      stalled = setTimeout(() => response.destroy(), SLOW.stallMs).unref();
      response.once('drain', () => {
        clearTimeout(stalled);
        lag = undefined;
        schedule();
      });
    };
    /** Sends the next page of events. */
    const pump = () => {
      scheduled = false;
      if (ended || lag !== undefined) return;
      const { events, more } = watch.read();
      if (!more && bookmarkDue && watch.initialized) {
        bookmarkDue = false;
        events.push(watch.bookmark());
      }
      if (events.length) response.write(events.length === 1 ? encode(events[0]) : Buffer.concat(events.map(encode)));
      if (events.at(-1)?.type === 'ERROR') setImmediate(end);
      else if (response.writableLength > SLOW.buffer) block();
      else if (more) {
        scheduled = true;
        setImmediate(tryPump);
      } else if (events.length) sentAt = performance.now();
    };
    const tryPump = () => {
      try {
        pump();
      } catch (error) {
        end(error);
      }
    };
    const schedule = () => {
      if (scheduled || ended) return;
      scheduled = true;
      const wait = sentAt + BUSY_INTERVAL_MS - performance.now();
      if (wait > 0) setTimeout(tryPump, wait);
      else setImmediate(tryPump);
    };
    const sendBookmark = () => {
      bookmarkDue = true;
      schedule();
    };
    const unsubscribe = watch.subscribe((characters) => {
      if (lag === undefined) return schedule();
      lag += characters;
      if (watch.initialized && lag > SLOW.lag) response.destroy();
    });

    response.once('close', () => end());
    const timeoutMs = Math.min(watch.timeoutSeconds * 1000, MAX_TIMER_MS);
    timers.push(setTimeout(() => end(), timeoutMs).unref());
    if (watch.bookmarks) {
      timers.push(setInterval(sendBookmark, BOOKMARK_INTERVAL_MS).unref());
      if (timeoutMs > LAST_BOOKMARK_MS) timers.push(setTimeout(sendBookmark, timeoutMs - LAST_BOOKMARK_MS).unref());
    }
    schedule();
  });
}
