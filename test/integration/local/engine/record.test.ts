/** @needs alone */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, killedEnded, startTicks } from '../../../../src/local/engine/record';
import { eventually } from '../../../support/patience';

const WRITE = `
  const fs = require('node:fs');
  const file = fs.openSync(process.argv[1], 'w');
  const write = () => fs.write(file, Buffer.alloc(4096), 0, 4096, 0, () => fs.fsync(file, write));
  write();
`;

/** Processes that write until the file system is frozen, and then wait for it: in the main thread, or in another. */
describe.each([
  ['dd', (file: string) => ['dd', 'if=/dev/zero', `of=${file}`, 'bs=4k', 'oflag=dsync']],
  ['a thread of node', (file: string) => [process.execPath, '-e', WRITE, file]],
])('an engine that was killed while it waits for its disk: %s', (_, command) => {
  let folder: string;
  let mounted: string;
  let writer: ChildProcess;
  const freeze = (flag: '-f' | '-u'): unknown => execFileSync('fsfreeze', [flag, mounted]);
  const states = (): string[] =>
    readdirSync(`/proc/${writer.pid}/task`).map(
      (id) => /^State:\s+(\w)/m.exec(readFileSync(`/proc/${writer.pid}/task/${id}/status`, 'utf8'))?.[1] ?? '',
    );

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'virt8s-record-'));
    mounted = join(folder, 'mounted');
    mkdirSync(mounted);
    execFileSync('truncate', ['-s', '1G', join(folder, 'image')]);
    execFileSync('mkfs.ext4', ['-q', join(folder, 'image')]);
    execFileSync('mount', ['-o', 'loop', join(folder, 'image'), mounted]);
    const [program, ...args] = command(join(mounted, 'file'));
    writer = spawn(program!, args, { stdio: 'ignore' });
    await eventually(() => expect(statSync(join(mounted, 'file')).size).toBeGreaterThan(0));
    freeze('-f');
    await eventually(() => expect(states()).toContain('D'));
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
      await eventually(() => expect(states().filter((state) => !/[DZ]/.test(state))).toEqual([]));
      expect(isAlive(record)).toBe(false);
      await expect(killedEnded(record, 0)).rejects.toThrow(`PID ${record.pid} is ending, but waits for a disk`);
    } finally {
      freeze('-u');
    }
    await killedEnded(record);
    await ended;
    expect(startTicks(record.pid)).toBeUndefined();
  });
});
