import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchApiServer } from '../../../bench/api-server';

test('the bench of the API server runs, small, and says what is missing for the comparison', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'virt8s-bench-cache-'));
  const before = process.env.VIRT8S_CACHE;
  process.env.VIRT8S_CACHE = cache;
  const log = jest.spyOn(console, 'log').mockImplementation(() => {});
  try {
    expect(await benchApiServer({ objects: 20, writers: 2, watchers: 3, writes: 5 })).toEqual([]);
    const [line] = log.mock.calls[0] as [string];
    expect(line).toContain('apiextensions-apiserver are missing; run scripts/oracle/build.sh');
    const measured = JSON.parse(line.slice(line.indexOf('{'))) as Record<string, number>;
    for (const name of ['creates', 'listMs', 'fanOutMs', 'pssMiB']) expect(measured[name]).toBeGreaterThan(0);
  } finally {
    log.mockRestore();
    if (before === undefined) delete process.env.VIRT8S_CACHE;
    else process.env.VIRT8S_CACHE = before;
    rmSync(cache, { recursive: true, force: true });
  }
});
