import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HistoryError, Store } from '../../../../src/local/api-server/store/store';
import { backup, restore } from '../../../../src/local/engine/backup';
import { enginePaths } from '../../../../src/local/engine/paths';
import { startTicks, writeRecord } from '../../../../src/local/engine/record';

const key = (name: string) => ({ resource: '/things', namespace: 'a', name });
const thing = (name: string) => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name, namespace: 'a', uid: name } });
const names = (store: Store) => [...store.list({ resource: '/things' })].map(({ metadata }) => metadata.name);

let root: string;
let file: string;
let stateDir: string;
let store: Store | undefined;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'virt8s-backup-'));
  file = join(root, 'backup.tar');
  stateDir = join(root, 'state');
  const paths = enginePaths(stateDir);
  mkdirSync(join(paths.store, '..'), { recursive: true });
  mkdirSync(paths.pki);
  writeFileSync(join(paths.pki, 'cluster-ca.key'), 'authority', { mode: 0o600 });
  mkdirSync(join(paths.storage, 'pvc-1'), { recursive: true });
  writeFileSync(join(paths.storage, 'pvc-1', 'file'), 'data');
  store = new Store(paths.store);
});
afterEach(() => {
  store?.close();
  store = undefined;
  rmSync(root, { recursive: true, force: true });
});

test('a backup of a store in use is restored on another machine, with new resource versions', async () => {
  store!.create(key('before'), thing('before'));
  await backup({ stateDir, file });
  const { rv } = store!;
  store!.create(key('after'), thing('after'));
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const elsewhere = join(root, 'elsewhere');
  await restore({ stateDir: elsewhere, file });
  const paths = enginePaths(elsewhere);
  expect(readFileSync(join(paths.pki, 'cluster-ca.key'), 'utf8')).toBe('authority');
  expect(existsSync(paths.storage)).toBe(false);
  const restored = new Store(paths.store);
  expect(names(restored)).toEqual(['before']);
  // a client that saw the write after the backup lists again instead of missing the next one
  expect(restored.rv).toBeGreaterThan(rv + 1_000_000);
  expect(() => [...restored.changes('/things', rv + 1)]).toThrow(HistoryError);
  expect([...restored.changes('/things', restored.rv)]).toEqual([]);
  restored.create(key('next'), thing('next'));
  expect([...restored.changes('/things', restored.rv - 1)]).toHaveLength(1);
  restored.close();
});

test('a restored store replaces a damaged one, and claims come back if the backup has them', async () => {
  store!.create(key('kept'), thing('kept'));
  await backup({ stateDir, file, data: true });
  store!.close();
  store = undefined;
  const paths = enginePaths(stateDir);
  writeFileSync(paths.store, 'damaged'.repeat(1000));
  writeFileSync(join(paths.storage, 'pvc-1', 'file'), 'changed');
  expect(() => new Store(paths.store)).toThrow(/is damaged/);
  await restore({ stateDir, file });
  store = new Store(paths.store);
  expect(names(store)).toEqual(['kept']);
  expect(readFileSync(join(paths.storage, 'pvc-1', 'file'), 'utf8')).toBe('data');
});

test('a restore beside a running engine or an open store is rejected and changes nothing', async () => {
  store!.create(key('kept'), thing('kept'));
  await backup({ stateDir, file });
  store!.create(key('newer'), thing('newer'));
  await expect(restore({ stateDir, file })).rejects.toThrow(/in use by another API server/);
  const record = {
    pid: process.pid,
    startTicks: startTicks(process.pid)!,
    version: '',
    node: 'n',
    startedAt: '',
    ready: true,
  };
  writeRecord(enginePaths(stateDir).record, record);
  await expect(restore({ stateDir, file })).rejects.toThrow(/virt8s down --keep-state/);
  expect(names(store!)).toEqual(['kept', 'newer']);
});

test.each([
  ['a text file', (path: string) => writeFileSync(path, 'text')],
  ['a missing file', (path: string) => rmSync(path)],
])('%s is rejected', async (_, spoil) => {
  await backup({ stateDir, file });
  spoil(file);
  store!.close();
  store = undefined;
  await expect(restore({ stateDir, file })).rejects.toThrow();
  store = new Store(enginePaths(stateDir).store);
});

test('a folder without a store is not backed up', async () => {
  await expect(backup({ stateDir: join(root, 'nothing'), file })).rejects.toThrow(/has no store to back up/);
  expect(existsSync(file)).toBe(false);
});
