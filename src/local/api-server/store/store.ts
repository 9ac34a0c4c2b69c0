import { DatabaseSync, StatementSync } from 'node:sqlite';
import { AnyObject } from '../types';
import { HISTORY_LENGTH, openDatabase } from './schema';

/** Key of an object: `resource` is `group/plural` (`/pods`, `apps/deployments`). */
export interface Key {
  readonly resource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
}

/** One committed write. */
export interface Change {
  readonly rv: number;
  readonly key: Key;
  /** The object after the write; undefined when it was deleted. */
  readonly object?: AnyObject;
  /** The object before it; undefined when it was created. */
  readonly previous?: AnyObject;
}

export interface ListOptions {
  readonly resource: string;
  readonly namespace?: string;
  /** Only objects after this key, in key order. */
  readonly after?: string;
  /** The state at this resource version instead of the newest. */
  readonly at?: number;
}

/** The object exists already. */
export class ExistsError extends Error {}
/** The object was deleted or has another resource version. */
export class StaleError extends Error {
  public constructor(public readonly current: AnyObject | undefined) {
    super('the object was changed or deleted meanwhile');
  }
}
/** The requested resource version is older than the history. */
export class HistoryError extends Error {
  public constructor(
    public readonly asked: number,
    public readonly oldest: number,
  ) {
    super(`too old resource version: ${asked} (${oldest})`);
  }
}

export const keyText = (namespace: string, name: string): string => (namespace ? `${namespace}/${name}` : name);

function keyOf(resource: string, text: string): Key {
  const slash = text.indexOf('/');
  return slash < 0
    ? { resource, namespace: '', name: text }
    : { resource, namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** Listeners of every resource; no resource has this name. */
const ALL = '*';

interface Row {
  key: string;
  rv: number;
  data: string;
}

interface HistoryRow {
  rv: number;
  key: string;
  prev: string | null;
  prev_rv: number | null;
}

/** Stores all objects in one SQLite file, with a global resource version and a bounded history of writes. */
export class Store {
  private readonly db: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();
  private readonly listeners = new Map<string, Set<(change: Change) => void>>();
  private revision: number;

  public constructor(
    file: string,
    private readonly historyLength = HISTORY_LENGTH,
  ) {
    this.db = openDatabase(file);
    const newest = this.sql('SELECT max(rv) AS rv FROM history').get() as { rv: number | null };
    this.revision = newest.rv ?? 1;
  }

  /** Resource version of the newest write. */
  public get rv(): number {
    return this.revision;
  }

  public get({ resource, namespace, name }: Key): AnyObject | undefined {
    const row = this.sql('SELECT rv, data FROM objects WHERE resource = ? AND key = ?').get(
      resource,
      keyText(namespace, name),
    ) as Row | undefined;
    return row && parse(row.data, row.rv);
  }

  /** Iterates over objects in key order. Lazy: only the consumed objects are read. */
  public *list({ resource, namespace, after = '', at }: ListOptions): Generator<AnyObject> {
    const [from, to] = namespace ? [`${namespace}/`, `${namespace}0`] : ['', '\u{10ffff}'];
    const start = after > from ? after : from;
    const past = at !== undefined && at < this.revision ? this.undo(resource, at) : undefined;
    // Pages rather than an open cursor: writes may happen between two steps of the caller.
    const page = 200;
    const query = this.sql(
      'SELECT key, rv, data FROM objects WHERE resource = ? AND key > ? AND key < ? ORDER BY key LIMIT ?',
    );
    const revived = [...(past ?? [])]
      .filter(([key, row]) => row !== null && key > start && key < to)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    let cursor = start;
    for (;;) {
      const rows = query.all(resource, cursor, to, page) as unknown as Row[];
      for (const row of rows) {
        while (revived.length && revived[0][0] <= row.key) yield revived.shift()![1]!;
        if (!past?.has(row.key)) yield parse(row.data, row.rv);
      }
      if (rows.length < page) break;
      cursor = rows[rows.length - 1].key;
    }
    for (const [, object] of revived) yield object!;
  }

  public count(resource: string, namespace = '', after = ''): number {
    const [from, to] = namespace ? [`${namespace}/`, `${namespace}0`] : ['', '\u{10ffff}'];
    const row = this.sql('SELECT count(*) AS n FROM objects WHERE resource = ? AND key > ? AND key < ?').get(
      resource,
      after > from ? after : from,
      to,
    ) as { n: number };
    return row.n;
  }

  /** @throws ExistsError */
  public create(key: Key, object: AnyObject): AnyObject {
    return this.write(key, (current) => {
      if (current) throw new ExistsError();
      return object;
    })!;
  }

  /** @throws StaleError unless the object is still at `expected` */
  public update(key: Key, object: AnyObject, expected: string): AnyObject {
    return this.write(key, (current) => {
      if (current?.metadata.resourceVersion !== expected) throw new StaleError(current);
      return object;
    })!;
  }

  /** @throws StaleError unless the object is still at `expected` */
  public delete(key: Key, expected?: string): AnyObject {
    let deleted: AnyObject | undefined;
    this.write(key, (current) => {
      if (!current || (expected && current.metadata.resourceVersion !== expected)) throw new StaleError(current);
      deleted = current;
      return undefined;
    });
    return { ...deleted!, metadata: { ...deleted!.metadata, resourceVersion: String(this.revision) } };
  }

  /**
   * Writes to a resource after `since`, in order.
   * @throws HistoryError when the history does not reach that far back
   */
  public changes(resource: string, since: number): Change[] {
    this.requireHistory(since);
    const rows = this.sql(
      'SELECT rv, key, prev, prev_rv FROM history WHERE resource = ? AND rv > ? ORDER BY rv DESC',
    ).all(resource, since) as unknown as HistoryRow[];
    const after = new Map<string, AnyObject | undefined>();
    const changes: Change[] = [];
    // Newest first: the state before an entry is the result of the key's next older entry.
    for (const row of rows) {
      const key = keyOf(resource, row.key);
      const object = after.has(row.key) ? after.get(row.key) : this.get(key);
      const previous = row.prev === null ? undefined : parse(row.prev, row.prev_rv!);
      changes.push({ rv: row.rv, key, object, previous });
      after.set(row.key, previous);
    }
    return changes.reverse();
  }

  /** Calls `listener` after each commit that touches `resource`; returns how to stop. */
  public subscribe(resource: string, listener: (change: Change) => void): () => void {
    const all = this.listeners.get(resource) ?? new Set();
    this.listeners.set(resource, all.add(listener));
    return () => {
      all.delete(listener);
      if (!all.size) this.listeners.delete(resource);
    };
  }

  /** As `subscribe`, for every resource. */
  public subscribeAll(listener: (change: Change) => void): () => void {
    return this.subscribe(ALL, listener);
  }

  /** Objects with `uid` in their ownerReferences. */
  public dependents(uid: string): Key[] {
    const rows = this.sql('SELECT resource, key FROM owners WHERE owner_uid = ?').all(uid) as unknown as {
      resource: string;
      key: string;
    }[];
    return rows.map((row) => keyOf(row.resource, row.key));
  }

  public keyOfUid(uid: string): Key | undefined {
    const row = this.sql('SELECT resource, key FROM objects WHERE uid = ? LIMIT 1').get(uid) as
      { resource: string; key: string } | undefined;
    return row && keyOf(row.resource, row.key);
  }

  /** Objects that may wait for the garbage collector, found by a text search. */
  public finalizing(): Key[] {
    const rows = this.sql(
      `SELECT resource, key FROM objects WHERE data LIKE '%"deletionTimestamp"%'
       AND (data LIKE '%"foregroundDeletion"%' OR data LIKE '%"orphan"%')`,
    ).all() as unknown as { resource: string; key: string }[];
    return rows.map((row) => keyOf(row.resource, row.key));
  }

  /** Objects with a deleted owner, which the garbage collector missed while the server was down. */
  public orphaned(): Key[] {
    const rows = this.sql(
      'SELECT DISTINCT resource, key FROM owners WHERE NOT EXISTS (SELECT 1 FROM objects WHERE uid = owner_uid)',
    ).all() as unknown as { resource: string; key: string }[];
    return rows.map((row) => keyOf(row.resource, row.key));
  }

  /** Number of objects in a namespace by resource. */
  public resourcesIn(namespace: string): { resource: string; count: number }[] {
    return this.sql('SELECT resource, count(*) AS count FROM objects WHERE key > ? AND key < ? GROUP BY resource').all(
      `${namespace}/`,
      `${namespace}0`,
    ) as unknown as { resource: string; count: number }[];
  }

  public close(): void {
    this.listeners.clear();
    this.statements.clear();
    this.db.close();
  }

  private write(key: Key, decide: (current: AnyObject | undefined) => AnyObject | undefined): AnyObject | undefined {
    const text = keyText(key.namespace, key.name);
    this.db.exec('BEGIN IMMEDIATE');
    let change: Change;
    try {
      const row = this.sql('SELECT key, rv, data FROM objects WHERE resource = ? AND key = ?').get(
        key.resource,
        text,
      ) as Row | undefined;
      const previous = row && parse(row.data, row.rv);
      const next = decide(previous);
      const rv = this.revision + 1;
      const object = next && { ...next, metadata: { ...next.metadata, resourceVersion: String(rv) } };
      if (object) {
        this.sql('INSERT OR REPLACE INTO objects (resource, key, rv, uid, data) VALUES (?, ?, ?, ?, ?)').run(
          key.resource,
          text,
          rv,
          object.metadata.uid ?? '',
          JSON.stringify(next),
        );
      } else {
        this.sql('DELETE FROM objects WHERE resource = ? AND key = ?').run(key.resource, text);
      }
      this.sql('INSERT INTO history (rv, resource, key, prev, prev_rv) VALUES (?, ?, ?, ?, ?)').run(
        rv,
        key.resource,
        text,
        row?.data ?? null,
        row?.rv ?? null,
      );
      this.writeOwners(key.resource, text, previous, object);
      if (rv % 100 === 0) this.sql('DELETE FROM history WHERE rv <= ?').run(rv - this.historyLength);
      this.db.exec('COMMIT');
      this.revision = rv;
      change = { rv, key, object, previous };
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
    for (const resource of [key.resource, ALL]) {
      for (const listener of [...(this.listeners.get(resource) ?? [])]) listener(change);
    }
    return change.object;
  }

  private writeOwners(
    resource: string,
    key: string,
    previous: AnyObject | undefined,
    next: AnyObject | undefined,
  ): void {
    const uids = (object?: AnyObject) => new Set((object?.metadata.ownerReferences ?? []).map((owner) => owner.uid));
    const before = uids(previous);
    const after = uids(next);
    for (const uid of before) {
      if (after.has(uid)) continue;
      this.sql('DELETE FROM owners WHERE owner_uid = ? AND resource = ? AND key = ?').run(uid, resource, key);
    }
    for (const uid of after) {
      if (before.has(uid)) continue;
      this.sql('INSERT OR IGNORE INTO owners (owner_uid, resource, key) VALUES (?, ?, ?)').run(uid, resource, key);
    }
  }

  /** State at `at` of each key of `resource` that was written later (null: it did not exist). */
  private undo(resource: string, at: number): Map<string, AnyObject | null> {
    this.requireHistory(at);
    const rows = this.sql('SELECT key, prev, prev_rv FROM history WHERE resource = ? AND rv > ? ORDER BY rv DESC').all(
      resource,
      at,
    ) as unknown as HistoryRow[];
    // The oldest write after `at` comes last and wins.
    return new Map(rows.map((row) => [row.key, row.prev === null ? null : parse(row.prev, row.prev_rv!)]));
  }

  private requireHistory(since: number): void {
    const oldest = this.sql('SELECT min(rv) AS rv FROM history').get() as { rv: number | null };
    const floor = (oldest.rv ?? this.revision + 1) - 1;
    if (since < floor) throw new HistoryError(since, floor);
  }

  private sql(text: string): StatementSync {
    let statement = this.statements.get(text);
    if (!statement) this.statements.set(text, (statement = this.db.prepare(text)));
    return statement;
  }
}

function parse(data: string, rv: number): AnyObject {
  const object = JSON.parse(data) as AnyObject;
  object.metadata.resourceVersion = String(rv);
  return object;
}
