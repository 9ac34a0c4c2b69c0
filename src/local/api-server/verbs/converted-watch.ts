import { errors, StatusError } from '../errors';
import { Kind } from '../registry/kind';
import { decode } from '../store/encoding';
import { AnyObject } from '../types';
import { fromStored } from './convert';
import { Selection, selects } from './read';
import { ObjectEvent, Watch, WatchEvent } from './watch';

/** Converted events; watchers that see the same events share them until the conversion fails. */
const known = new WeakMap<ObjectEvent, Promise<AnyObject>>();
const knownBefore = new WeakMap<ObjectEvent, Promise<AnyObject>>();

/**
 * Watch of a kind whose objects a webhook converts: events are read from `stored`, which selects all objects, and wait
 * here until they are converted.
 */
export class ConvertedWatch implements Watch {
  private readonly listeners = new Set<(characters: number) => void>();
  private ready: WatchEvent[] = [];
  private pending = false;
  private failure: WatchEvent | undefined;

  public constructor(
    private readonly stored: Watch,
    private readonly kind: Kind,
    private readonly selected: Selection,
  ) {}

  public get bookmarks(): boolean {
    return this.stored.bookmarks;
  }

  public get timeoutSeconds(): number {
    return this.stored.timeoutSeconds;
  }

  public get initialized(): boolean {
    return !this.pending && !this.ready.length && this.stored.initialized;
  }

  public read(): { events: WatchEvent[]; more: boolean } {
    const events = this.ready;
    this.ready = [];
    if (this.failure) return { events: [...events, this.failure], more: false };
    if (!this.pending) void this.fetch();
    return { events, more: false };
  }

  public subscribe(listener: (characters: number) => void): () => void {
    this.listeners.add(listener);
    const stop = this.stored.subscribe(listener);
    return () => {
      this.listeners.delete(listener);
      stop();
    };
  }

  public bookmark(): WatchEvent {
    return this.stored.bookmark();
  }

  /** Converts the next page of events. Never rejects. */
  private async fetch(): Promise<void> {
    const { events, more } = this.stored.read();
    if (!events.length && !more) return;
    this.pending = true;
    try {
      this.ready = await this.convert(events);
    } catch (error) {
      const status = error instanceof StatusError ? error.status : errors.internal(String(error)).status;
      this.failure = { type: 'ERROR', object: status };
    }
    this.pending = false;
    for (const listener of this.listeners) listener(0);
  }

  private async convert(events: readonly WatchEvent[]): Promise<WatchEvent[]> {
    const objects = events.filter((event): event is ObjectEvent => event instanceof ObjectEvent);
    const now = share(known, this.kind, objects, (event) => event.object);
    const changed = this.selected.any ? [] : objects.filter(({ before }) => before !== undefined);
    const before = share(knownBefore, this.kind, changed, (event) => decode(event.before!));
    const result: WatchEvent[] = [];
    for (const event of events) {
      if (!(event instanceof ObjectEvent)) {
        result.push(event);
        continue;
      }
      const object = await now.get(event)!;
      const previous = await before.get(event);
      const type = typeOf(
        event.type,
        selects(this.kind, this.selected, object),
        previous && selects(this.kind, this.selected, previous),
      );
      if (type) result.push({ type, object });
    }
    return result;
  }
}

/** Type of an event for a watcher; undefined if neither the object nor its predecessor matches the selection. */
export function typeOf(
  type: WatchEvent['type'],
  matches: boolean,
  matched: boolean | undefined,
): WatchEvent['type'] | undefined {
  if (type !== 'MODIFIED' || matched === undefined) return matches ? type : undefined;
  if (matches) return matched ? 'MODIFIED' : 'ADDED';
  return matched ? 'DELETED' : undefined;
}

/** The converted objects of events. Those that no other watcher has asked for are converted together. */
function share(
  cache: WeakMap<ObjectEvent, Promise<AnyObject>>,
  kind: Kind,
  events: readonly ObjectEvent[],
  objectOf: (event: ObjectEvent) => AnyObject,
): Map<ObjectEvent, Promise<AnyObject>> {
  const missing = events.filter((event) => !cache.has(event));
  if (missing.length) {
    const converted = fromStored(kind, missing.map(objectOf));
    missing.forEach((event, i) => {
      const one = converted.then((list) => list[i]);
      one.catch(() => cache.delete(event));
      cache.set(event, one);
    });
  }
  return new Map(events.map((event) => [event, cache.get(event)!]));
}
