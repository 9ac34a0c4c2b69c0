import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDomainStats } from '../../../../../src/runtime/handler/launcher/sanitize';
import { serveCmd } from '../../../../../src/runtime/launcher/cmd/server';
import { LibvirtError } from '../../../../../src/runtime/launcher/libvirt/errors';
import type { Guest } from '../../../../../src/runtime/launcher/vm/guest';
import { Refusal } from '../../../../../src/runtime/launcher/vm/refusal';
import { CmdDefinition, GrpcClient } from '../../../../../src/runtime/protocol';
import type { DomainStats } from '../../../../../src/runtime/protocol';

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

test.each<[string, () => Promise<object>, object, DomainStats]>([
  [
    'of a running guest arrive in the handler',
    async () => ({ cpu: { time: 12 }, vcpus: [{ id: 0, time: 5 }], nics: [], disks: [], filesystems: [] }),
    { success: true },
    { cpu: { time: 12 }, vcpus: [{ id: 0, time: 5 }], nics: [], disks: [], filesystems: [] },
  ],
  [
    'of a guest that does not run are rejected with the cause',
    () => Promise.reject(new Refusal('NoDomain', 'the guest does not run')),
    { success: false, reason: 'NoDomain', message: 'the guest does not run' },
    { vcpus: [], nics: [], disks: [], filesystems: [] },
  ],
])('statistics %s', async (_, stats, response, parsed) => {
  jest.spyOn(console, 'error').mockImplementation();
  const server = serveCmd({ stats } as unknown as Guest, 'u', () => {});
  await server.listen(path, 0o600);
  cleanups.push(() => server.close());
  const client = new GrpcClient(path);
  cleanups.push(() => client.close());
  const answer = await client.service(CmdDefinition).getDomainStats({});
  expect(answer.response).toMatchObject(response);
  expect(parseDomainStats(answer.domainStats)).toEqual(parsed);
});
