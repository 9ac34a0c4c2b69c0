import { errors } from '../errors';
import { Kind } from '../registry/kind';
import { AnyObject } from '../types';
import { Watch, WatchEvent } from '../verbs/watch';
import { Context } from './context';
import { Wanted } from './negotiate';
import { shapeEvent } from './responder';

/** Interval of bookmarks for idle watchers, so that they can resume after a restart. */
const BOOKMARK_INTERVAL_MS = 60_000;
/** Limit of buffered events. A slower client is disconnected and must list again. */
const MAX_BACKLOG = 16 * 1024 * 1024;

/** Serialized events, shared by watchers of a resource. */
const texts = new WeakMap<object, string>();

function textOf(event: WatchEvent): string {
  let text = texts.get(event.object);
  if (!text) texts.set(event.object, (text = JSON.stringify(event.object)));
  return text;
}

/** Streams a watch until the client disconnects or the timeout. Resolves at its end. */
export function serveWatch(context: Context, watch: Watch, kind: Kind, wanted: Wanted): Promise<void> {
  const { request, response, info } = context;
  if (wanted.yaml) throw errors.notAcceptable(['application/json', 'application/vnd.kubernetes.protobuf']);
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache, private',
    'Transfer-Encoding': 'chunked',
  });
  response.flushHeaders();
  (request.socket as { setNoDelay?(on: boolean): void }).setNoDelay?.(true);
  let first = true;
  return new Promise((resolve) => {
    let stop = () => {};
    let ended = false;
    const timers: NodeJS.Timeout[] = [];
    const end = () => {
      if (ended) return;
      ended = true;
      timers.forEach((timer) => clearTimeout(timer));
      stop();
      response.end();
      resolve();
    };
    const send = (event: WatchEvent) => {
      if (ended) return;
      let text: string;
      if (event.type === 'ERROR' || wanted.as === 'object') text = textOf(event);
      else {
        text = JSON.stringify(shapeEvent(event.object as AnyObject, kind, wanted, info.query, first));
        first = false;
      }
      response.write(`{"type":"${event.type}","object":${text}}\n`);
      if (event.type === 'ERROR') setImmediate(end);
      else if (response.writableLength > MAX_BACKLOG) response.destroy();
    };
    response.once('close', end);
    stop = watch.start(send);
    if (ended) return stop();
    timers.push(setTimeout(end, watch.timeoutSeconds * 1000).unref());
    if (watch.bookmarks) timers.push(setInterval(() => send(watch.bookmark()), BOOKMARK_INTERVAL_MS).unref());
  });
}
