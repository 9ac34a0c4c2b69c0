import { closeSync, openSync } from 'node:fs';
import { CommandError, run } from '../../../../../src/runtime/handler/paths/run';

test('a program gets its input and its descriptors, and its output is returned', async () => {
  const fd = openSync('/dev/null', 'r');
  expect(await run('sh', ['-c', 'cat; readlink /proc/self/fd/3'], { input: 'in ', fds: [fd] })).toBe('in /dev/null\n');
  closeSync(fd);
});

test('a program that does not read its input may end', async () => {
  expect(await run('true', [], { input: 'x'.repeat(1 << 20) })).toBe('');
});

test('reports how and why a program failed', async () => {
  const failure = run('sh', ['-c', 'echo cause >&2; exit 3']);
  await expect(failure).rejects.toBeInstanceOf(CommandError);
  await expect(failure).rejects.toMatchObject({
    code: 3,
    stderr: 'cause\n',
    message: expect.stringMatching(/failed \(3\): cause$/),
  });
});

test('reports the signal that killed a program', async () => {
  await expect(run('sh', ['-c', 'kill -9 $$'])).rejects.toThrow('died of SIGKILL');
});

test('a program that does not end is killed after its time', async () => {
  await expect(run('sleep', ['600'], { timeoutMs: 50 })).rejects.toThrow('sleep 600 did not end within 50 ms');
});

test('a program that does not exist names its remedy', async () => {
  await expect(run('no-such-program', [])).rejects.toThrow('no-such-program is not installed on this node');
});

test('keeps only a part of endless output', async () => {
  const printed = await run('sh', ['-c', 'head -c 3000000 /dev/zero']);
  expect(printed.length).toBeLessThanOrEqual(1 << 20);
});
