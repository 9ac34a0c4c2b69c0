import { DatabaseSync, StatementSync } from 'node:sqlite';
import { AnyObject } from '../types';
import { Change } from './change';
import { Changes, Listener } from './changes';
import { decode, encode } from './encoding';
import { ExistsError, FullError, HistoryError, isFull, StaleError } from './errors';
import { Key, keyOf, keyText } from './key';
import { HISTORY_LENGTH, openDatabase } from './schema';
import { Transaction } from './transaction';

export { Change } from './change';
export { ExistsError, FullError, HistoryError, StaleError } from './errors';
export { Key, keyText } from './key';

export interface ListOptions {
  readonly resource: string;
  readonly namespace?: string;
  /** Only objects after this key, in key order. */
  readonly after?: string;
  /** The state at this resource version instead of the newest. */
  readonly at?: number;
}

/** A stored object as JSON. */
export interface Row {
  readonly key: string;
  readonly data: string;
}

interface StoredRow extends Row {
  readonly rv: number;
}

interface HistoryRow {
  rv: number;
  key: string;
  prev: string | null;
  /** The object after the write, from the key's next entry or the object itself. */
  data: string | null;
}

/** Limits of what is read at once; the caller may return to the event loop between two pages. */
const PAGE = { rows: 200, characters: 1 << 20 };

/** The range of keys of a namespace, or of all. */
const rangeOf = (namespace = ''): [string, string] =>
  namespace ? [`${namespace}/`, `${namespace}0`] : ['', '\u{10ffff}'];

/** Stores all objects in one SQLite file, with a global resource version and a bounded history of writes. */
export class Store {
  private readonly db: DatabaseSync;
  private readonly unlock: () => void;
  private readonly statements = new Map<string, StatementSync>();
  private readonly published: Changes;
  private readonly transaction: Transaction;
  private staging = false;

  /** @throws OpenError for a file that is in use, damaged, or newer than this version */
  public constructor(
    private readonly file: string,
    private readonly historyLength = HISTORY_LENGTH,
    log: (message: string, details?: object) => void = () => {},
  ) {
    ({ db: this.db, unlock: this.unlock } = openDatabase(file));
    this.published = new Changes(
      (error) => log('a listener failed', { error: error instanceof Error ? error.stack : String(error) }),
      historyLength,
    );
    const newest = this.sql('SELECT max(rv) AS rv FROM history').get() as { rv: number | null };
    this.transaction = new Transaction(
      this.db,
      newest.rv ?? 1,
      (changes) => this.published.publish(changes),
      (error) => this.failure(error),
    );
  }

  /** Resource version of the newest committed write. */
  public get rv(): number {
    return this.transaction.rv;
  }

  /** The object as the next write will find it: staged writes are included. */
  public get({ resource, namespace, name }: Key): AnyObject | undefined {
    const row = this.row(resource, keyText(namespace, name));
    return row && decode(row.data);
  }

  /** The object for a client: staged writes, which may still be lost, are not included. */
  public getCommitted(key: Key): AnyObject | undefined {
    const staged = this.transaction.first(key.resource, key.namespace, key.name);
    if (!staged) return this.get(key);
    return staged.previousText === undefined ? undefined : decode(staged.previousText);
  }

  /**
   * Runs `write`, whose writes share a commit with those of other requests in this turn of the event loop. Others read
   * them at once, but they are durable only when `committed` resolves.
   */
  public stage<T>(write: () => T): T {
    const outer = this.staging;
    this.staging = true;
    try {
      return write();
    } finally {
      this.staging = outer;
      this.transaction.schedule();
    }
  }

  /** Resolves when the writes that are staged now are durable. @throws FullError if they were not stored */
  public committed(): Promise<void> | undefined {
    return this.transaction.end();
  }

  /** As `rows`, parsed. */
  public *list(options: ListOptions): Generator<AnyObject> {
    for (const { data } of this.rows(options)) yield decode(data);
  }

  /**
   * Iterates over objects in key order. Lazy: only the consumed pages are read. With `at`, writes between two steps of
   * the caller change nothing.
   * @throws HistoryError when the history does not reach back to `at`
   */
  public *rows({ resource, namespace, after = '', at }: ListOptions): Generator<Row> {
    const [from, to] = rangeOf(namespace);
    let cursor = after > from ? after : from;
    for (;;) {
      const { rows, end } = this.page(resource, cursor, to);
      yield* at !== undefined && at < this.transaction.next - 1
        ? this.undo(rows, resource, cursor, end ?? to, at)
        : rows;
      if (end === undefined) return;
      cursor = end;
    }
  }

  public count(resource: string, namespace = '', after = ''): number {
    const [from, to] = rangeOf(namespace);
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
      if (!current || String(current.rv) !== expected) throw new StaleError(current && decode(current.data));
      return object;
    })!;
  }

  /** @throws StaleError unless the object is still at `expected` */
  public delete(key: Key, expected?: string): AnyObject {
    let deleted: AnyObject;
    let rv = 0;
    this.write(key, (current) => {
      if (!current || (expected && String(current.rv) !== expected)) {
        throw new StaleError(current && decode(current.data));
      }
      deleted = decode(current.data);
      rv = this.transaction.next;
      return undefined;
    });
    return { ...deleted!, metadata: { ...deleted!.metadata, resourceVersion: String(rv) } };
  }

  /**
   * Iterates over the writes to a resource after `since`, in order, up to the newest. Lazy: only the consumed pages are
   * read.
   * @throws HistoryError when the history does not reach that far back
   */
  public *changes(resource: string, since: number): Generator<Change> {
    for (let cursor = since; cursor < this.rv;) {
      const { changes, rv } = this.pageOfChanges(resource, cursor);
      yield* changes;
      cursor = rv;
    }
  }

  /** Calls `listener` after each commit that touches `resource`; returns how to stop. */
  public subscribe(resource: string, listener: Listener): () => void {
    return this.published.subscribe(resource, listener);
  }

  /** As `subscribe`, for every resource. */
  public subscribeAll(listener: Listener): () => void {
    return this.published.subscribeAll(listener);
  }

  /** Objects with `uid` in their ownerReferences. */
  public dependents(uid: string): Key[] {
    return this.keys('SELECT resource, key FROM owners WHERE owner_uid = ?', uid);
  }

  public keyOfUid(uid: string): Key | undefined {
    return this.keys('SELECT resource, key FROM objects WHERE uid = ? LIMIT 1', uid)[0];
  }

  /** Objects that may wait for the garbage collector, found by a text search. */
  public finalizing(): Key[] {
    return this.keys(
      `SELECT resource, key FROM objects WHERE data LIKE '%"deletionTimestamp"%'
       AND (data LIKE '%"foregroundDeletion"%' OR data LIKE '%"orphan"%')`,
    );
  }

  /** Objects with a deleted owner, which the garbage collector missed while the server was down. */
  public orphaned(): Key[] {
    return this.keys(
      'SELECT DISTINCT resource, key FROM owners WHERE NOT EXISTS (SELECT 1 FROM objects WHERE uid = owner_uid)',
    );
  }

  /** Number of objects in a namespace by resource. */
  public resourcesIn(namespace: string): { resource: string; count: number }[] {
    return this.sql('SELECT resource, count(*) AS count FROM objects WHERE key > ? AND key < ? GROUP BY resource').all(
      ...rangeOf(namespace),
    ) as unknown as { resource: string; count: number }[];
  }

  public close(): void {
    this.transaction.commit();
    this.published.clear();
    this.statements.clear();
    this.db.close();
    this.unlock();
  }

  private write(key: Key, decide: (current: StoredRow | undefined) => AnyObject | undefined): AnyObject | undefined {
    const text = keyText(key.namespace, key.name);
    const row = this.current(key.resource, text);
    const next = decide(row);
    const rv = this.transaction.next;
    const object = next && { ...next, metadata: { ...next.metadata, resourceVersion: String(rv) } };
    const change = new Change(rv, key, object && encode(object, rv), row?.data);
    this.transaction.add(change, () => this.apply(change, text, object));
    if (!this.staging) this.transaction.commit();
    return object;
  }

  private current(resource: string, key: string): StoredRow | undefined {
    try {
      return this.row(resource, key);
    } catch (error) {
      throw this.failure(error);
    }
  }

  private failure(error: unknown): unknown {
    return isFull(error) ? new FullError(this.file) : error;
  }

  private apply({ rv, key: { resource }, text, previousText }: Change, key: string, object?: AnyObject): void {
    if (object) {
      const uid = object.metadata.uid ?? '';
      this.sql('INSERT OR REPLACE INTO objects (resource, key, rv, uid, data) VALUES (?, ?, ?, ?, ?)').run(
        resource,
        key,
        rv,
        uid,
        text!,
      );
    } else this.sql('DELETE FROM objects WHERE resource = ? AND key = ?').run(resource, key);
    this.sql('INSERT INTO history (rv, resource, key, prev) VALUES (?, ?, ?, ?)').run(
      rv,
      resource,
      key,
      previousText ?? null,
    );
    const owned = previousText?.includes('"ownerReferences"') ? decode(previousText) : undefined;
    this.writeOwners(resource, key, owned, object);
    if (rv % 100 === 0) this.sql('DELETE FROM history WHERE rv <= ?').run(rv - this.historyLength);
  }

  private writeOwners(resource: string, key: string, previous?: AnyObject, next?: AnyObject): void {
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

  private row(resource: string, key: string): StoredRow | undefined {
    return this.sql('SELECT key, rv, data FROM objects WHERE resource = ? AND key = ?').get(resource, key) as
      StoredRow | undefined;
  }

  private keys(query: string, ...parameters: string[]): Key[] {
    const rows = this.sql(query).all(...parameters) as unknown as { resource: string; key: string }[];
    return rows.map((row) => keyOf(row.resource, row.key));
  }

  /** Rows after `from`, and the key after which the next page begins. */
  private page(resource: string, from: string, to: string): { rows: Row[]; end?: string } {
    const query = this.sql('SELECT key, data FROM objects WHERE resource = ? AND key > ? AND key < ? ORDER BY key');
    const rows: Row[] = [];
    let characters = 0;
    for (const row of query.iterate(resource, from, to) as Iterable<unknown> as Iterable<Row>) {
      rows.push(row);
      characters += row.data.length;
      if (rows.length === PAGE.rows || characters >= PAGE.characters) return { rows, end: row.key };
    }
    return { rows };
  }

  /** Turns a page of newest rows (keys after `from`, up to `to`) into those at resource version `at`. */
  private undo(rows: readonly Row[], resource: string, from: string, to: string, at: number): Row[] {
    this.requireHistory(at);
    // With min(), SQLite takes the other columns from the row with the minimum: the oldest write after `at`.
    const past = this.sql(
      `SELECT key, prev, min(rv) AS rv FROM history WHERE resource = ? AND key > ? AND key <= ? AND rv > ?
       GROUP BY key ORDER BY key`,
    ).all(resource, from, to, at) as unknown as HistoryRow[];
    if (!past.length) return [...rows];
    const written = new Set(past.map(({ key }) => key));
    const revived = past.flatMap(({ key, prev }): Row[] => (prev === null ? [] : [{ key, data: prev }]));
    return [...rows.filter(({ key }) => !written.has(key)), ...revived].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Oldest writes to a resource after `since`, and the resource version that they reach. */
  private pageOfChanges(resource: string, since: number): { changes: Change[]; rv: number } {
    const recent = this.published.after(since);
    if (recent) return { changes: recent.filter(({ key }) => key.resource === resource), rv: this.rv };
    this.requireHistory(since);
    // The unary plus keeps SQLite from the index, which has another order.
    const query = this.sql(
      `SELECT h.rv, h.key, h.prev, CASE WHEN n.rv IS NULL THEN o.data ELSE n.prev END AS data
       FROM history h
       LEFT JOIN history n ON n.rv =
         (SELECT min(rv) FROM history WHERE resource = h.resource AND key = h.key AND rv > h.rv)
       LEFT JOIN objects o ON n.rv IS NULL AND o.resource = h.resource AND o.key = h.key
       WHERE +h.resource = ? AND h.rv > ? AND h.rv <= ? ORDER BY h.rv`,
    );
    const changes: Change[] = [];
    let characters = 0;
    for (const row of query.iterate(resource, since, this.rv) as Iterable<unknown> as Iterable<HistoryRow>) {
      const change = new Change(row.rv, keyOf(resource, row.key), row.data ?? undefined, row.prev ?? undefined);
      changes.push(change);
      characters += change.size;
      if (changes.length === PAGE.rows || characters >= PAGE.characters) return { changes, rv: row.rv };
    }
    return { changes, rv: this.rv };
  }

  private requireHistory(since: number): void {
    const oldest = this.sql('SELECT min(rv) AS rv FROM history').get() as { rv: number | null };
    const floor = (oldest.rv ?? this.rv + 1) - 1;
    if (since < floor) throw new HistoryError(since, floor);
  }

  private sql(text: string): StatementSync {
    let statement = this.statements.get(text);
    if (!statement) this.statements.set(text, (statement = this.db.prepare(text)));
    return statement;
  }
}
