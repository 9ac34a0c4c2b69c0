import { Status } from '../../../api/meta';
import { errors } from '../errors';
import { isTrue } from '../http/request-info';
import { gvOf, Kind } from '../registry/kind';
import { Change, HistoryError } from '../store/store';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { Core, Target } from './core';
import { parseVersion, Selection, selection, selects } from './read';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: AnyObject | Status;
}

export interface Watch {
  readonly bookmarks: boolean;
  readonly timeoutSeconds: number;
  /** Delivers past and future events; returns a function that stops it. */
  start(send: (event: WatchEvent) => void): () => void;
  /** Bookmark: an event with only a resource version. */
  bookmark(): WatchEvent;
}

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** Watches a resource. @throws StatusError for invalid parameters; a version that is too old causes an ERROR event */
export function watch(core: Core, { kind, namespace, name }: Target, query: URLSearchParams): Watch {
  validateWatchOptions(query);
  const selected = selection(kind, query, name);
  const since = parseVersion(query.get('resourceVersion'));
  const bookmarks = isTrue(query.get('allowWatchBookmarks')) && query.has('allowWatchBookmarks');
  const initial = query.has('sendInitialEvents')
    ? isTrue(query.get('sendInitialEvents'))
    : since === undefined || since === 0;
  const inNamespace = kind.namespaced ? namespace : '';
  const asked = Number(query.get('timeoutSeconds') ?? 0);

  const bookmark = (annotations?: Record<string, string>): WatchEvent => ({
    type: 'BOOKMARK',
    object: {
      kind: kind.kind,
      apiVersion: gvOf(kind),
      metadata: {
        resourceVersion: String(core.store.rv),
        ...(kind.custom ? {} : { creationTimestamp: undefined }),
        ...(annotations ? { annotations } : {}),
      },
    },
  });

  return {
    bookmarks,
    // Kubernetes' default: between 30 and 60 minutes, so that clients do not reconnect all at once.
    timeoutSeconds: asked > 0 ? asked : Math.round(1800 * (1 + Math.random())),
    bookmark: () => bookmark(),
    start(send) {
      const pass = (change: Change) => {
        if (inNamespace && change.key.namespace !== inNamespace) return;
        const event = eventOf(kind, selected, change);
        if (event) send(event);
      };
      // No await before the subscription, so that no write is missed.
      try {
        if (initial) {
          for (const stored of core.store.list({ resource: kind.storage, namespace: inNamespace })) {
            const object = kind.fromStorage(stored);
            if (selects(kind, selected, object)) send({ type: 'ADDED', object });
          }
          if (isTrue(query.get('sendInitialEvents')) && query.has('sendInitialEvents') && bookmarks) {
            send(bookmark({ [INITIAL_EVENTS_END]: 'true' }));
          }
        } else {
          for (const change of core.store.changes(kind.storage, since ?? core.store.rv)) pass(change);
        }
      } catch (error) {
        if (!(error instanceof HistoryError)) throw error;
        send({ type: 'ERROR', object: errors.expired(error.message).status });
        return () => {};
      }
      return core.store.subscribe(kind.storage, pass);
    },
  };
}

/** Event for a watcher with this selection: objects are also added or deleted when they start or stop matching. */
function eventOf(kind: Kind, selected: Selection, { object, previous, rv }: Change): WatchEvent | undefined {
  const now = object && kind.fromStorage(object);
  const before = previous && kind.fromStorage(previous);
  const matches = now !== undefined && selects(kind, selected, now);
  const matched = before !== undefined && selects(kind, selected, before);
  if (matches) return { type: matched ? 'MODIFIED' : 'ADDED', object: now };
  if (!matched) return undefined;
  return { type: 'DELETED', object: { ...before, metadata: { ...before.metadata, resourceVersion: String(rv) } } };
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
