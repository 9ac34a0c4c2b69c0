import {
  askAgent,
  readFilesystems,
  readInterfaces,
  readOsInfo,
  readUsers,
} from '../../../../../src/runtime/launcher/guest-agent/agent';
import { reportOf } from '../../../../../src/runtime/launcher/cmd/report';
import type { DomainRef, LibvirtClient } from '../../../../../src/runtime/launcher/libvirt/client';
import { LIMITS, MAX_REPORT_BYTES } from '../../../../../src/runtime/protocol/bounds';

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

test('interfaces are those of the guest without loopback, with their addresses', () => {
  const answer = [
    { name: 'lo', 'ip-addresses': [{ 'ip-address': '127.0.0.1' }] },
    {
      name: 'eth0',
      'hardware-address': '02:00:00:00:00:AA',
      'ip-addresses': [{ 'ip-address': '10.0.0.1' }, { prefix: 24 }, 'x'],
    },
    'x',
  ];
  expect(readInterfaces(answer)).toEqual({
    items: [{ mac: '02:00:00:00:00:aa', interfaceName: 'eth0', ips: ['10.0.0.1'], infoSource: 'guest-agent' }],
    omitted: 0,
    omittedIps: 0,
  });
  expect(readInterfaces({})).toEqual({ items: [], omitted: 0, omittedIps: 0 });
});

test('users and file systems have the form of the API, and omitted ones are counted', () => {
  expect(readUsers([{ user: 'me', domain: 'D', 'login-time': 1.5 }, 7])).toEqual({
    items: [{ userName: 'me', domain: 'D', loginTime: 1.5 }],
    omitted: 0,
  });
  const users = readUsers(many(LIMITS.users + 7, (i) => ({ user: `u${i}\u001b[2J` })));
  expect(users.omitted).toBe(7);
  expect(users.items).toHaveLength(LIMITS.users);
  expect(users.items[0]).toEqual({ userName: 'u0?[2J' });
  const fs = { name: 'vda1', mountpoint: '/', type: 'ext4', 'used-bytes': 1, 'total-bytes': 2 };
  expect(readFilesystems([{ ...fs, disk: [{ serial: 's', 'bus-type': 'virtio', dev: '/dev/vda' }, null] }])).toEqual({
    items: [
      {
        diskName: 'vda1',
        mountPoint: '/',
        fileSystemType: 'ext4',
        usedBytes: 1,
        totalBytes: 2,
        disk: [{ serial: 's', busType: 'virtio' }, { busType: '' }],
      },
    ],
    omitted: 0,
  });
  expect(readFilesystems(many(LIMITS.filesystems + 1, () => fs)).omitted).toBe(1);
});

test('operating system information is text of a limited length', () => {
  expect(readOsInfo({ name: 'Debian', id: 7, 'pretty-name': 'x'.repeat(300) })).toEqual({
    name: 'Debian',
    prettyName: `${'x'.repeat(255)}…`,
  });
  expect(readOsInfo(undefined)).toEqual({});
});

test('an agent with endless answers leads to a bounded report that counts the omitted entries', async () => {
  const text = '日'.repeat(10_000);
  const answers: Record<string, unknown> = {
    'guest-info': {
      version: text,
      supported_commands: [
        { name: 'off', enabled: false },
        ...many(5_000, (i) => ({ name: `${i}${text}`, enabled: true })),
      ],
    },
    'guest-get-osinfo': { name: text, id: text, 'kernel-version': text },
    'guest-get-host-name': { 'host-name': text },
    'guest-network-get-interfaces': many(2_000, () => ({
      name: text,
      'hardware-address': text,
      'ip-addresses': many(50, () => ({ 'ip-address': text })),
    })),
  };
  const client = {
    agent: (_: unknown, command: string) => Promise.resolve(answers[command]),
  } as unknown as LibvirtClient;
  const report = await askAgent(client, {} as DomainRef);
  expect(report.supportedCommands).toHaveLength(LIMITS.commands - 1);
  const seen = LIMITS.interfaces + LIMITS.guestInterfaces;
  expect(report.interfaces).toHaveLength(seen);
  expect(report.omitted).toEqual({ interfaces: 2_000 - seen, ips: seen * 40 });
  expect(JSON.stringify(report).length).toBeLessThan(200_000);
  const { interfaces, os, version, omitted } = report;
  const json = reportOf({
    status: 'Running',
    reason: 'Unknown',
    interfaces,
    os,
    omitted,
    agent: { connected: true, version },
  });
  expect(Buffer.byteLength(json)).toBeLessThan(MAX_REPORT_BYTES);
  expect(JSON.parse(json)).toMatchObject({
    status: 'Running',
    omitted: { interfaces: 2_000 - LIMITS.guestInterfaces },
  });
});
