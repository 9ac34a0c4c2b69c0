import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { openDisk } from '../../../../src/runtime/handler/container-disk/image';
import { NotifyServer } from '../../../../src/runtime/handler/launcher/notify-server';
import { PodVolumes } from '../../../../src/runtime/handler/paths/pod-volumes';
import { partsOf, OpenedPath } from '../../../../src/runtime/handler/paths/safe-path';
import { GrpcClient, NotifyDefinition } from '../../../../src/runtime/protocol';
import { sleep } from '../../../support/patience';

/** Attacks of a hostile launcher that owns its directories. */

const UID = '11111111-2222-4333-8444-555555555555';
let kubelet: string;
let volumes: PodVolumes;
const cleanups: (() => unknown)[] = [];

const volume = (name: string): string => join(kubelet, 'pods', UID, 'volumes', 'kubernetes.io~empty-dir', name);

beforeEach(() => {
  kubelet = mkdtempSync(join(tmpdir(), 'virt8s-paths-'));
  for (const name of ['sockets', 'public', 'private']) mkdirSync(volume(name), { recursive: true });
  volumes = new PodVolumes(kubelet);
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  rmSync(kubelet, { recursive: true, force: true });
});

async function listen(path: string, greeting: string): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => {}).end(greeting));
  const dir = OpenedPath.trusted(dirname(path)); // sockets have short paths only
  cleanups.push(() => dir.close());
  await new Promise<void>((resolve) => server.listen(`${dir.path}/${basename(path)}`, resolve));
  cleanups.push(() => server.close());
  return server;
}

async function greeting(parts: string[], name = 'private'): Promise<string> {
  const socket = volumes.connect(UID, name, parts);
  let got = '';
  for await (const chunk of socket) got += String(chunk);
  return got;
}

test('a socket is reached, however long its path is', async () => {
  mkdirSync(join(volume('private'), UID));
  await listen(join(volume('private'), UID, 'virt-serial0'), 'serial');
  expect(join(volume('private'), UID, 'virt-serial0').length).toBeGreaterThan(107);
  expect(await greeting([UID, 'virt-serial0'])).toBe('serial');
});

describe('a socket swapped for a link', () => {
  beforeEach(async () => {
    await listen(join(kubelet, 'cri.sock'), 'host secret');
  });

  test('is rejected', () => {
    symlinkSync(join(kubelet, 'cri.sock'), join(volume('sockets'), 'launcher-sock'));
    expect(() => volumes.connect(UID, 'sockets', ['launcher-sock'])).toThrow('is a symbolic link; it was not opened');
    expect(() => volumes.hasSocket(UID, 'sockets', 'launcher-sock')).toThrow('is a symbolic link');
  });

  test('is rejected when a directory on the way is the link', () => {
    mkdirSync(join(kubelet, 'host'));
    renameSync(join(kubelet, 'cri.sock'), join(kubelet, 'host', 'virt-serial0'));
    symlinkSync(join(kubelet, 'host'), join(volume('private'), UID));
    expect(() => volumes.connect(UID, 'private', [UID, 'virt-serial0'])).toThrow('is a symbolic link');
  });

  test('is rejected when it leads out by a relative path or to itself', () => {
    symlinkSync('../../../../../cri.sock', join(volume('sockets'), 'a'));
    symlinkSync('b', join(volume('sockets'), 'b'));
    for (const name of ['a', 'b']) expect(() => volumes.connect(UID, 'sockets', [name])).toThrow('symbolic link');
  });

  test('while it is opened never leads to the host, whenever the swap happens', async () => {
    const real = join(volume('sockets'), 'real');
    await listen(real, 'guest');
    const name = join(volume('sockets'), 'launcher-sock');
    // another process swaps socket and link as fast as it can
    const script = `while :; do ln -f ${real} ${name}; ln -sfn ${join(kubelet, 'cri.sock')} ${name}.l; mv -f ${name}.l ${name}; done`;
    const { spawn } = await import('node:child_process');
    const swapper = spawn('sh', ['-c', script], { stdio: 'ignore' });
    cleanups.push(() => swapper.kill('SIGKILL'));
    const outcomes = new Set<string>();
    for (let i = 0; i < 1_500; i++) {
      try {
        outcomes.add(await greeting(['launcher-sock'], 'sockets'));
      } catch (error) {
        outcomes.add((error as Error).message.includes('symbolic link') ? 'refused' : 'gone');
      }
      // eslint-disable-next-line virt8s/patience -- lets the swapper run; the outcomes are checked
      if (i % 50 === 0) await sleep(1);
    }
    expect(outcomes).not.toContain('host secret');
    expect(outcomes).toContain('refused');
    expect(outcomes).toContain('guest');
  });
});

test.each([
  ['a file', (at: string) => writeFileSync(at, ''), 'a regular file, not a socket'],
  ['a FIFO', (at: string) => execFileSync('mkfifo', [at]), 'a FIFO, not a socket'],
  ['a directory', (at: string) => mkdirSync(at), 'a directory, not a socket'],
])('%s in place of a socket is rejected without waiting for it', (_, make, message) => {
  make(join(volume('sockets'), 'launcher-sock'));
  expect(() => volumes.connect(UID, 'sockets', ['launcher-sock'])).toThrow(message);
});

test('names that leave the volume are rejected', () => {
  for (const part of ['..', '.', '', 'a/b', 'a\0b']) {
    expect(() => volumes.connect(UID, 'sockets', [part])).toThrow('not a single name');
  }
  expect(() => volumes.open('../../etc', 'sockets')).toThrow('is not the uid of a Pod');
  expect(() => partsOf('/disk/../../etc/shadow')).toThrow('contains ".."');
  expect(() => partsOf('disk/a')).toThrow('not an absolute path');
});

test('descriptors are closed, also after a rejected path', () => {
  const open = (): number =>
    execFileSync('ls', [`/proc/${process.pid}/fd`])
      .toString()
      .split('\n').length;
  symlinkSync('/etc', join(volume('private'), UID));
  writeFileSync(join(volume('sockets'), 'file'), '');
  const before = open();
  for (let i = 0; i < 50; i++) {
    expect(() => volumes.connect(UID, 'private', [UID, 'passwd'])).toThrow();
    expect(() => volumes.connect(UID, 'sockets', ['file'])).toThrow();
    expect(() => volumes.connect(UID, 'sockets', ['absent'])).toThrow();
  }
  expect(open()).toBeLessThan(before + 25); // of 150, were they lost
});

describe('the notify socket', () => {
  const listenNotify = async (): Promise<NotifyServer> => {
    const server = await NotifyServer.listen(UID, volumes, {
      domain: (s) => heard.push(s),
      event: (e) => heard.push(e),
    });
    cleanups.push(() => server.close());
    return server;
  };
  const client = (): GrpcClient => {
    const made = new GrpcClient(() => volumes.connect(UID, 'public', ['domain-notify-pipe.sock']));
    cleanups.push(() => made.close());
    return made;
  };
  const heard: unknown[] = [];
  beforeEach(() => void (heard.length = 0));

  test('replaces a link planted at its name, and leaves the target alone', async () => {
    writeFileSync(join(kubelet, 'precious'), 'content');
    symlinkSync(join(kubelet, 'precious'), join(volume('public'), 'domain-notify-pipe.sock'));
    await listenNotify();
    expect(readFileSync(join(kubelet, 'precious'), 'utf8')).toBe('content');
    const notify = client().service(NotifyDefinition);
    const domainJSON = Buffer.from(JSON.stringify({ status: 'Running', reason: 'Unknown', name: 'other_vm' }));
    expect(await notify.handleDomainEvent({ domainJSON, eventType: 'MODIFIED' })).toMatchObject({ success: true });
    expect(heard).toEqual([{ status: 'Running', reason: 'Unknown', interfaces: [], volumes: [] }]);
  });

  test('ignores malformed reports and does not read oversized ones', async () => {
    await listenNotify();
    const notify = client().service(NotifyDefinition);
    const say = (json: string) => notify.handleDomainEvent({ domainJSON: Buffer.from(json), eventType: 'MODIFIED' });
    for (const json of ['', '[]', '{}', '{"status":"Sleeping"}', 'nonsense', '"Running"']) {
      expect(await say(json)).toMatchObject({ success: false });
    }
    await expect(say('x'.repeat(2 << 20))).rejects.toMatchObject({ code: 8 });
    expect(heard).toEqual([]);
  });

  test('a directory at its name is an error with the path, not a hang', async () => {
    mkdirSync(join(volume('public'), 'domain-notify-pipe.sock'));
    await expect(listenNotify()).rejects.toThrow(/domain-notify-pipe\.sock/);
  });

  test('closing it removes the socket of this Pod, not of another', async () => {
    const server = await NotifyServer.listen(UID, volumes, { domain: () => {}, event: () => {} });
    expect(volumes.hasSocket(UID, 'public', 'domain-notify-pipe.sock')).toBe(true);
    await server.close();
    expect(volumes.hasSocket(UID, 'public', 'domain-notify-pipe.sock')).toBe(false);
  });
});

describe('a disk in an image', () => {
  let image: string;
  const open = (path?: string) => {
    using root = OpenedPath.trusted(image);
    using disk = openDisk(root, { volume: 'root', path: path ? partsOf(path) : undefined });
    return disk.name.slice(image.length);
  };

  beforeEach(() => {
    image = join(kubelet, 'image');
    mkdirSync(join(image, 'disk'), { recursive: true });
  });

  test('is the only file of /disk, or the one with the given path', () => {
    writeFileSync(join(image, 'disk', 'a.qcow2'), '');
    expect(open()).toBe('/disk/a.qcow2');
    writeFileSync(join(image, 'disk', 'b.qcow2'), '');
    expect(open('/disk/b.qcow2')).toBe('/disk/b.qcow2');
    expect(() => open()).toThrow('holds several files (allowed: one)');
  });

  test.each([
    ['no /disk', () => rmSync(join(image, 'disk'), { recursive: true }), 'has no directory /disk'],
    ['an empty /disk', () => {}, 'holds no file (allowed: one)'],
    ['a link', () => symlinkSync('/etc/shadow', join(image, 'disk', 'a')), 'is a symbolic link'],
    ['a FIFO', () => execFileSync('mkfifo', [join(image, 'disk', 'a')]), 'is a FIFO (allowed: a regular file)'],
    ['a device', () => execFileSync('mknod', [join(image, 'disk', 'a'), 'c', '1', '3']), 'is a device'],
    ['a directory', () => mkdirSync(join(image, 'disk', 'a')), 'is a directory (allowed: a regular file)'],
    [
      '/disk itself as a link',
      () => {
        rmSync(join(image, 'disk'), { recursive: true });
        symlinkSync('/etc', join(image, 'disk'));
      },
      'is a symbolic link',
    ],
  ])('%s is refused with its cause', (_, make, message) => {
    make();
    expect(() => open()).toThrow(message);
  });

  test('a missing path is reported with the field to correct', () => {
    expect(() => open('/other/disk.img')).toThrow('its image has no /other/disk.img; correct "path"');
  });
});
