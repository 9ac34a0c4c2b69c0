import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OpenError } from '../../../../src/local/api-server/store/errors';
import { SCHEMA_VERSION } from '../../../../src/local/api-server/store/schema';
import { FullError, Store } from '../../../../src/local/api-server/store/store';

const key = (name: string) => ({ resource: '/things', namespace: 'a', name });
const thing = (name: string, value = '') => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, namespace: 'a', uid: `uid-${name}` },
  value,
});

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'virt8s-store-file-'));
  file = join(directory, 'state.db');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A file as the version before schema versions wrote it: three writes, of which the last one updates `kept`. */
function writeOldFile(): void {
  const db = new DatabaseSync(file);
  db.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE objects (resource TEXT NOT NULL, key TEXT NOT NULL, rv INTEGER NOT NULL, uid TEXT NOT NULL,
      data TEXT NOT NULL, PRIMARY KEY (resource, key)) WITHOUT ROWID;
    CREATE INDEX objects_uid ON objects (uid);
    CREATE TABLE history (rv INTEGER PRIMARY KEY, resource TEXT NOT NULL, key TEXT NOT NULL, prev TEXT, prev_rv INTEGER);
    CREATE INDEX history_resource ON history (resource, rv);
    CREATE TABLE owners (owner_uid TEXT NOT NULL, resource TEXT NOT NULL, key TEXT NOT NULL,
      PRIMARY KEY (owner_uid, resource, key)) WITHOUT ROWID;
  `);
  const insert = db.prepare('INSERT INTO objects VALUES (?, ?, ?, ?, ?)');
  // the texts of that version had the resource version of the object before them, or none
  insert.run(
    '/things',
    'a/kept',
    4,
    'uid-kept',
    JSON.stringify({
      ...thing('kept', 'new'),
      metadata: { name: 'kept', namespace: 'a', uid: 'uid-kept', resourceVersion: '2' },
    }),
  );
  insert.run('/things', 'a/other', 3, 'uid-other', JSON.stringify(thing('other')));
  const log = db.prepare('INSERT INTO history VALUES (?, ?, ?, ?, ?)');
  log.run(2, '/things', 'a/kept', null, null);
  log.run(3, '/things', 'a/other', null, null);
  log.run(4, '/things', 'a/kept', JSON.stringify(thing('kept', 'old')), 2);
  db.close();
}

test('a file from before schema versions keeps its objects and its history', () => {
  writeOldFile();
  const store = new Store(file);
  expect(store.rv).toBe(4);
  expect(
    [...store.list({ resource: '/things' })].map(({ metadata, value }) => [metadata.resourceVersion, value]),
  ).toEqual([
    ['4', 'new'],
    ['3', ''],
  ]);
  expect(
    [...store.changes('/things', 1)].map(({ rv, object, previous }) => [
      rv,
      object?.metadata.resourceVersion,
      previous?.metadata.resourceVersion,
    ]),
  ).toEqual([
    [2, '2', undefined],
    [3, '3', undefined],
    [4, '4', '2'],
  ]);
  store.update(key('kept'), thing('kept', 'newest'), '4');
  store.close();
  const again = new Store(file);
  expect(again.get(key('kept'))).toMatchObject({ value: 'newest', metadata: { resourceVersion: '5' } });
  again.close();
});

test('a file of a newer schema version is rejected unchanged', () => {
  new Store(file).close();
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  db.close();
  expect(() => new Store(file)).toThrow(/schema version \d+, but this version of virt8s supports at most \d+/);
});

test('a second process is refused while the first has the store open', () => {
  const store = new Store(file);
  expect(() => new Store(file)).toThrow(/is in use by another API server/);
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(process.argv[1] + '-lock');
    try { db.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE'); console.log('free'); } catch { console.log('held'); }`;
  const probe = () => execFileSync(process.execPath, ['-e', script, file], { encoding: 'utf8' }).trim();
  expect(probe()).toBe('held');
  store.close();
  expect(probe()).toBe('free');
  new Store(file).close();
});

test.each([
  ['text instead of a database', (bytes: Buffer) => bytes.fill('no database ', 0, 4096)],
  ['a page of zeros', (bytes: Buffer) => bytes.fill(0, 4096, 8192)],
  ['a file that was cut', (bytes: Buffer) => bytes.subarray(0, 2 * 4096)],
])('%s is reported with the way to restore', (_, damage) => {
  const store = new Store(file);
  for (let i = 0; i < 200; i++) store.create(key(`t${i}`), thing(`t${i}`, 'x'.repeat(500)));
  store.close();
  writeFileSync(file, damage(readFileSync(file)));
  expect(() => new Store(file)).toThrow(OpenError);
  expect(() => new Store(file)).toThrow(
    /is damaged \(.*\)\. Stop the engine .* restore a backup with "virt8s restore FILE"/,
  );
});

test('a full file rejects the write with its remedy, and takes it when space returns', () => {
  const store = new Store(file);
  const { db } = store as unknown as { db: DatabaseSync };
  const pages = (db.prepare('PRAGMA page_count').get() as { page_count: number }).page_count;
  db.exec(`PRAGMA max_page_count = ${pages}`);
  const big = (name: string) => thing(name, 'x'.repeat(1 << 20));
  const before = store.rv;
  expect(() => Array.from({ length: 9 }, (_, i) => store.create(key(`b${i}`), big(`b${i}`)))).toThrow(FullError);
  const written = store.rv - before;
  expect([...store.list({ resource: '/things' })]).toHaveLength(written);
  db.exec('PRAGMA max_page_count = 1000000');
  store.create(key('later'), big('later'));
  expect(store.rv).toBe(before + written + 1);
  store.close();
});
