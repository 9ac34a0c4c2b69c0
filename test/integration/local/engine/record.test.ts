import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, killedEnded, startTicks } from '../../../../src/local/engine/record';
import { eventually } from '../../../support/engine';

/** A process that waits for a disk, which is a frozen file system. */
describe('an engine that was killed while it waits for its disk', () => {
  let folder: string;
  let mounted: string;
  let writer: ChildProcess;
  const freeze = (flag: '-f' | '-u'): unknown => execFileSync('fsfreeze', [flag, mounted]);
  const state = (): string => /^State:\s+(\w)/m.exec(readFileSync(`/proc/${writer.pid}/status`, 'utf8'))?.[1] ?? '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'virt8s-record-'));
    mounted = join(folder, 'mounted');
    mkdirSync(mounted);
    execFileSync('truncate', ['-s', '16M', join(folder, 'image')]);
    execFileSync('mkfs.ext4', ['-q', join(folder, 'image')]);
    execFileSync('mount', ['-o', 'loop', join(folder, 'image'), mounted]);
    writer = spawn('dd', ['if=/dev/zero', `of=${mounted}/file`, 'bs=4k', 'oflag=dsync'], { stdio: 'ignore' });
    await eventually(10_000, () => Promise.resolve(readFileSync(join(mounted, 'file'))));
    freeze('-f');
    await eventually(10_000, () => Promise.resolve(expect(state()).toBe('D')));
  });
  afterAll(() => {
    execFileSync('umount', [mounted]);
    rmSync(folder, { recursive: true });
  });

  test('is not alive, and is waited for', async () => {
    const record = { pid: writer.pid!, startTicks: startTicks(writer.pid!)! };
    expect(isAlive(record)).toBe(true);
    await killedEnded(record);
    const ended = once(writer, 'exit');
    writer.kill('SIGKILL');
    try {
      expect(isAlive(record)).toBe(false);
      await expect(killedEnded(record, 0)).rejects.toThrow(`PID ${record.pid} was killed and does not end`);
    } finally {
      freeze('-u');
    }
    await killedEnded(record);
    await ended;
    expect(startTicks(record.pid)).toBeUndefined();
  });
});
