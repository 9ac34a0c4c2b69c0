import { Status } from '../../../api/meta';
import { errors, StatusError } from '../errors';
import { isTrue } from '../registry/query';
import { gvOf, Kind } from '../registry/kind';
import { Change, HistoryError, Store } from '../store/store';
import { decode, prefixOf } from '../store/encoding';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { ConvertedWatch } from './converted-watch';
import { Core, Target } from './core';
import { parseNumber, parseVersionOr500, Selection, selection, selects, tooLargeVersion } from './read';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: AnyObject | Status;
  /** JSON of the object, if it is known. */
  readonly text?: string;
}

export interface Watch {
  readonly bookmarks: boolean;
  readonly timeoutSeconds: number;
  /** Whether the objects that existed at its start have been read. */
  readonly initialized: boolean;
  /** Reads the next events, at most a page; `more` until the newest write is reached. */
  read(): { events: WatchEvent[]; more: boolean };
  /** Calls `listener` with the size of each write that `read` may return; returns how to stop. */
  subscribe(listener: (characters: number) => void): () => void;
  /** Bookmark: an event with only the resource version of the last read. */
  bookmark(): WatchEvent;
}

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
/** Limits of one read, so that other requests are served in between. */
const PAGE = { writes: 200, characters: 1 << 20 };

/** Watches a resource. @throws StatusError for invalid parameters; a version out of range causes an ERROR event */
export function watch(core: Core, { kind, namespace, name }: Target, query: URLSearchParams): Watch {
  validateWatchOptions(query);
  const selected = selection(kind, query, name);
  const since = parseVersionOr500(query.get('resourceVersion'));
  const asked = parseNumber(query, 'timeoutSeconds');
  const bookmarks = query.has('allowWatchBookmarks') && isTrue(query.get('allowWatchBookmarks'));
  const marked = query.has('sendInitialEvents') && isTrue(query.get('sendInitialEvents'));
  const initial = query.has('sendInitialEvents') ? marked : since === undefined || since === 0;
  // Selectors match converted objects.
  const read = kind.conversion ? { ...selected, any: true } : selected;
  const cursor = new Cursor(core.store, kind, read, kind.namespaced ? namespace : '');
  cursor.start({ initial, mark: marked && bookmarks, since });
  // Kubernetes' default: between 30 and 60 minutes, so that clients do not reconnect all at once.
  const timeoutSeconds = asked > 0 ? asked : Math.round(1800 * (1 + Math.random()));
  const result: Watch = Object.assign(cursor, { bookmarks, timeoutSeconds });
  return kind.conversion ? new ConvertedWatch(result, kind, selected) : result;
}

/** Position of a watch in the writes of a resource: events are read from the store when the client can take them. */
class Cursor {
  /** The rest of the objects that existed at the start; undefined when all were read. */
  private existing: Iterator<ObjectEvent | undefined> | undefined;
  private changes: Iterator<Change> | undefined;
  /** Resource version up to which all events were read. */
  private position = 0;
  private mark = false;
  private failure: StatusError | undefined;

  public constructor(
    private readonly store: Store,
    private readonly kind: Kind,
    private readonly selected: Selection,
    private readonly namespace: string,
  ) {}

  public start(from: { initial: boolean; mark: boolean; since: number | undefined }): void {
    const { rv } = this.store;
    if ((from.since ?? 0) > rv) this.failure = tooLargeVersion(from.since!, rv, 1);
    this.position = from.initial ? rv : (from.since ?? rv);
    if (from.initial) this.existing = this.objects(rv);
    this.mark = from.mark;
  }

  public get initialized(): boolean {
    return !this.existing;
  }

  public subscribe(listener: (characters: number) => void): () => void {
    return this.store.subscribe(this.kind.storage, (change) => listener(change.size));
  }

  public read(): { events: WatchEvent[]; more: boolean } {
    const events: WatchEvent[] = [];
    try {
      if (this.failure) throw this.failure;
      return { events, more: this.existing ? this.readObjects(events) : this.readChanges(events) };
    } catch (error) {
      const status = error instanceof HistoryError ? errors.expired(error.message) : error;
      if (!(status instanceof StatusError)) throw error;
      return { events: [...events, { type: 'ERROR', object: status.status }], more: false };
    }
  }

  public bookmark(annotations?: Record<string, string>): WatchEvent {
    return {
      type: 'BOOKMARK',
      object: {
        kind: this.kind.kind,
        apiVersion: gvOf(this.kind),
        metadata: {
          resourceVersion: String(this.position),
          ...(this.kind.custom ? {} : { creationTimestamp: undefined }),
          ...(annotations ? { annotations } : {}),
        },
      },
    };
  }

  private readObjects(events: WatchEvent[]): boolean {
    let characters = 0;
    for (let i = 0; i < PAGE.writes && characters < PAGE.characters; i++) {
      const { done, value } = this.existing!.next();
      if (done) {
        this.existing = undefined;
        if (this.mark) events.push(this.bookmark({ [INITIAL_EVENTS_END]: 'true' }));
        break;
      }
      if (!value) continue;
      events.push(value);
      characters += value.stored.length;
    }
    return true;
  }

  private readChanges(events: WatchEvent[]): boolean {
    this.changes ??= this.store.changes(this.kind.storage, this.position);
    let characters = 0;
    for (let i = 0; i < PAGE.writes && characters < PAGE.characters; i++) {
      const { done, value } = this.changes.next();
      if (done) {
        this.changes = undefined;
        this.position = this.store.rv;
        return false;
      }
      this.position = value.rv;
      if (this.namespace && value.key.namespace !== this.namespace) continue;
      const event = eventOf(this.kind, this.selected, value);
      if (event) events.push(event);
      characters += value.size;
    }
    return true;
  }

  /** An event per object at `rv`; undefined for those that are not selected. */
  private *objects(rv: number): Generator<ObjectEvent | undefined> {
    const { kind, selected, store } = this;
    for (const { data } of store.rows({ resource: kind.storage, namespace: this.namespace, at: rv })) {
      const event = new ObjectEvent('ADDED', kind, data);
      yield selected.any || selects(kind, selected, event.object) ? event : undefined;
    }
  }
}

/** Event about a stored object. The object is parsed on first use: most watchers only need its text. */
export class ObjectEvent implements WatchEvent {
  private parsed: AnyObject | undefined;

  public constructor(
    public readonly type: 'ADDED' | 'MODIFIED' | 'DELETED',
    private readonly kind: Kind,
    public readonly stored: string,
    /** Resource version of the deletion. */
    private readonly rv?: number,
    /** JSON of the object before a modification. */
    public readonly before?: string,
  ) {}

  public get object(): AnyObject {
    if (this.parsed) return this.parsed;
    const object = this.kind.fromStorage(decode(this.stored));
    const metadata = this.rv ? { ...object.metadata, resourceVersion: String(this.rv) } : object.metadata;
    return (this.parsed = { ...object, metadata });
  }

  public get text(): string {
    const verbatim =
      !this.rv && this.kind.verbatim && this.stored.startsWith(prefixOf(gvOf(this.kind), this.kind.kind));
    return verbatim ? this.stored : JSON.stringify(this.object);
  }
}

/** Events of a change for the watchers of a version, which share them. */
const shared = new WeakMap<Change, Map<Kind, Partial<Record<ObjectEvent['type'], ObjectEvent>>>>();

function sharedEvent(change: Change, kind: Kind, type: ObjectEvent['type']): ObjectEvent {
  const kinds = shared.get(change) ?? new Map<Kind, Partial<Record<ObjectEvent['type'], ObjectEvent>>>();
  shared.set(change, kinds);
  const events = kinds.get(kind) ?? {};
  kinds.set(kind, events);
  return (events[type] ??=
    type === 'DELETED'
      ? new ObjectEvent(type, kind, change.previousText!, change.rv)
      : new ObjectEvent(type, kind, change.text!, undefined, change.previousText));
}

/** Event for a watcher with this selection: objects are also added or deleted when they start or stop matching. */
function eventOf(kind: Kind, selected: Selection, change: Change): WatchEvent | undefined {
  const matches =
    change.text !== undefined && (selected.any || selects(kind, selected, kind.fromStorage(change.object!)));
  const matched =
    change.previousText !== undefined && (selected.any || selects(kind, selected, kind.fromStorage(change.previous!)));
  if (matches) return sharedEvent(change, kind, matched ? 'MODIFIED' : 'ADDED');
  return matched ? sharedEvent(change, kind, 'DELETED') : undefined;
}

function validateWatchOptions(query: URLSearchParams): void {
  const fields = Fields.root();
  const at = fields.child('resourceVersionMatch');
  const match = query.get('resourceVersionMatch') ?? '';
  const initial = query.has('sendInitialEvents');
  if (initial && match !== 'NotOlderThan') {
    at.forbidden('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  if (match) {
    if (!initial) at.forbidden('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
    if (match !== 'NotOlderThan') at.notSupported(match, ['NotOlderThan']);
    if (query.get('continue')) at.forbidden('resourceVersionMatch is forbidden when continue is provided');
  }
  if (fields.causes.length) throw errors.invalid('meta.k8s.io', 'ListOptions', '', fields.causes);
}
