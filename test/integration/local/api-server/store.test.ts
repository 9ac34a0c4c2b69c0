import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Store } from '../../../../src/local/api-server/store/store';

const directory = mkdtempSync(join(tmpdir(), 'virt8s-store-'));
const file = join(directory, 'state.db');

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs the writer until it is killed in the middle of its work; returns what it acknowledged. */
async function writeAndKill(start: number, ms: number): Promise<string[]> {
  const tsx = join(__dirname, '../../../../node_modules/.bin/tsx');
  // a file, because writes to it are done when they return; a pipe's would wait for a reader that is slow
  const acknowledgements = join(directory, `acknowledged-${start}`);
  const out = openSync(acknowledgements, 'w');
  const child = spawn(process.execPath, [tsx, join(__dirname, 'store-writer.ts'), file, String(start)], {
    stdio: ['ignore', out, 'inherit'],
    detached: true,
  });
  closeSync(out);
  const closed = new Promise((resolve) => child.once('close', resolve));
  while (statSync(acknowledgements).size === 0) await sleep(5);
  await sleep(ms);
  process.kill(-child.pid!, 'SIGKILL');
  await closed;
  return readFileSync(acknowledgements, 'utf8').split('\n').slice(0, -1);
}

test('SIGKILL loses no acknowledged write and tears nothing', async () => {
  const expected = new Map<string, string | undefined>();
  let newest = 0;
  for (const round of [0, 1, 2]) {
    const acknowledged = await writeAndKill(round * 100_000, 150 + round * 130);
    expect(acknowledged.length).toBeGreaterThan(10);
    for (const line of acknowledged) {
      const [count, name, rv] = line.split(' ');
      expected.set(name, count === '-' ? undefined : count);
      newest = Number(rv);
    }
    const db = new DatabaseSync(file);
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    db.close();
    const store = new Store(file);
    // At most one committed write may be missing in the output.
    expect(store.rv - newest).toBeGreaterThanOrEqual(0);
    expect(store.rv - newest).toBeLessThanOrEqual(1);
    const late = store.rv > newest ? store.changes('/things', newest).map((change) => change.key.name) : [];
    const found = new Map(
      [...store.list({ resource: '/things' })].map((item) => [item.metadata.name!, item.data.count]),
    );
    for (const [name, count] of expected) if (!late.includes(name)) expect(found.get(name)).toBe(count);
    store.close();
    newest = 0;
  }
});
