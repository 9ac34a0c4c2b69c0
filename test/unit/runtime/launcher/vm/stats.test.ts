import type { LibvirtClient } from '../../../../../src/runtime/launcher/libvirt/client';
import { readStats, statsOf } from '../../../../../src/runtime/launcher/vm/stats';

const names = {
  nics: [{ network: 'default', tap: 'tap0' }],
  disks: [{ name: 'root', target: 'vda' }],
};

test('libvirt names become those of the VMI', () => {
  const stats = {
    'cpu.time': 12n,
    'cpu.user': 3n,
    'balloon.current': 1024n,
    'balloon.rss': 2048n,
    'balloon.disk_caches': 7n,
    'vcpu.current': 1,
    'vcpu.maximum': 2,
    'vcpu.0.state': 1,
    'vcpu.0.time': 5n,
    'vcpu.0.delay': 6n,
    'net.count': 2,
    'net.0.name': 'tap0',
    'net.0.rx.bytes': 10n,
    'net.0.tx.drop': 1n,
    'net.1.name': 'strange',
    'block.count': 2,
    'block.0.name': 'vda',
    'block.0.rd.reqs': 4n,
    'block.0.fl.times': 8n,
    'block.1.name': 'sda',
    'block.1.rd.reqs': 9n,
  };
  expect(statsOf(stats, names)).toEqual({
    cpu: { time: 12, user: 3 },
    memory: { total: 1024, balloon: 1024, rss: 2048, cached: 7 },
    vcpus: [{ id: 0, state: 'running', time: 5, delay: 6 }],
    nics: [{ name: 'default', rxBytes: 10, txDropped: 1 }],
    disks: [{ name: 'root', reads: 4, flushTime: 8 }],
    filesystems: [],
  });
});

test('the agent adds file systems and load', () => {
  const agent = {
    filesystems: [
      { name: 'vda1', mountpoint: '/', type: 'ext4', 'used-bytes': 1, 'total-bytes': 2, disk: [{ serial: 'x' }] },
    ],
    load: { load1m: 0.5, load5m: 0.25, load15m: 0.125 },
  };
  expect(statsOf({}, names, agent)).toMatchObject({
    filesystems: [{ diskName: 'vda1', mountPoint: '/', fileSystemType: 'ext4', usedBytes: 1, totalBytes: 2 }],
    load: [0.5, 0.25, 0.125],
  });
});

describe('the guest agent', () => {
  const asked: string[] = [];
  const read = (supportedCommands: string[] | undefined, answer: () => Promise<unknown>) => {
    const client = {
      stats: async () => ({ 'cpu.time': 1n }),
      agent: (_: unknown, command: string) => {
        asked.push(command);
        return answer();
      },
    } as unknown as LibvirtClient;
    const agent = supportedCommands && { supportedCommands, interfaces: [] };
    return readStats({ client, dom: {} as never, agent, ...names });
  };
  beforeEach(() => asked.splice(0));
  afterEach(() => jest.useRealTimers());

  test('is asked only for what it supports', async () => {
    await read(['guest-get-fsinfo'], async () => []);
    await read(undefined, async () => []);
    expect(asked).toEqual(['guest-get-fsinfo']);
  });

  test('that fails leaves the other statistics', async () => {
    const stats = await read(['guest-get-load'], async () => {
      throw new Error('busy');
    });
    expect(stats).toMatchObject({ cpu: { time: 1 } });
    expect(stats.load).toBeUndefined();
  });

  test('that does not answer is not waited for longer than two seconds', async () => {
    jest.useFakeTimers();
    const stats = read(['guest-get-load'], () => new Promise(() => undefined));
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await stats).toMatchObject({ cpu: { time: 1 } });
  });
});
