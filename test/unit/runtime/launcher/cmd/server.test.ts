import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveCmd } from '../../../../../src/runtime/launcher/cmd/server';
import { LibvirtError } from '../../../../../src/runtime/launcher/libvirt/errors';
import type { Guest } from '../../../../../src/runtime/launcher/vm/guest';
import { CmdDefinition, GrpcClient } from '../../../../../src/runtime/protocol';

const directory = mkdtempSync(join(tmpdir(), 'cmd-'));
const path = join(directory, 'sock');
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  jest.restoreAllMocks();
});
afterAll(() => rmSync(directory, { recursive: true }));

const qemu = (text: string) => new LibvirtError('domainSuspend', 'ERR_OPERATION_FAILED', 'QEMU', text);

test.each([
  ['lines become one', 'first\n\tsecond', 'libvirt: first second [ERR_OPERATION_FAILED]'],
  ['what moves a cursor is replaced', '\u001b[2Jgone', 'libvirt: ?[2Jgone [ERR_OPERATION_FAILED]'],
  [
    'a remedy stays behind a long text',
    `No space left on device${'\n'.repeat(900)}`,
    '; free ephemeral storage of the node',
  ],
])('messages of QEMU are sanitized when they leave the launcher: %s', async (_, text, message) => {
  jest.spyOn(console, 'error').mockImplementation();
  const guest = { pause: () => Promise.reject(qemu(text)) } as unknown as Guest;
  const server = serveCmd(guest, 'u', () => {});
  await server.listen(path, 0o600);
  cleanups.push(() => server.close());
  const client = new GrpcClient(path);
  cleanups.push(() => client.close());
  const answer = await client.service(CmdDefinition).pauseVirtualMachine({});
  expect(answer).toMatchObject({ success: false, message: expect.stringContaining(message) });
  expect(answer.message).not.toMatch(/[\n\t]/);
});
