import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownDevices } from '../../../../src/runtime/handler/devices/own';
import type { Pod } from '../../../../src/runtime/handler/kube-types';
import { startContainer } from './container';

/** Real device nodes in the /dev of a container, made as runtimes make them: with the owner and mode of the node's. */

const UID = '11111111-2222-4333-8444-555555555555';
let dir: string;
let dev: string;
const cleanups: (() => unknown)[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-devices-'));
  chmodSync(dir, 0o755);
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
  dev = join(dir, 'root', 'dev');
  mkdirSync(dev, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', dev]);
  cleanups.push(() => execFileSync('umount', ['--recursive', '--lazy', dev]));
  mkdirSync(join(dev, 'net'));
  mkdirSync(join(dir, 'root', 'bin'));
  execFileSync('cp', ['/bin/busybox', join(dir, 'root', 'bin', 'sleep')]);
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const node = (name: string, kind: 'b' | 'c', major: number, minor: number, mode = '0660'): void =>
  void execFileSync('mknod', [`--mode=${mode}`, join(dev, name), kind, String(major), String(minor)]);

/** The Pod of a container with this /dev. */
async function podWith(...volumeDevices: { name: string; devicePath: string }[]): Promise<Pod> {
  const root = `--root=${join(dir, 'root')}`;
  const container = await startContainer(['--mount', '--propagation', 'private', root], ['/bin/sleep', '600']);
  cleanups.push(() => container.close());
  const status = { name: 'compute', containerID: `crun://${container.id}`, state: { running: {} } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'ns', name: 'launcher', uid: UID },
    spec: { containers: [{ name: 'compute', volumeDevices }] },
    status: { phase: 'Running', containerStatuses: [status] },
  };
}
const own = (pod: Pod, guestRuns = false) => ownDevices(pod, '/proc', guestRuns);
const granted = { kvm: 'granted', problems: [] };
const ownerOf = (path: string): string => {
  const { uid, gid } = statSync(path);
  return `${uid}:${gid}`;
};
/** Result when the launcher's user opens a file for reading and writing. */
const openedByLauncher = (path: string): string => {
  const user = ['--reuid=107', '--regid=107', '--clear-groups', '--'];
  const { stderr } = spawnSync('setpriv', [...user, 'sh', '-c', 'exec 3<>"$0"', path], { encoding: 'utf8' });
  return stderr.includes('Permission denied') ? 'refused' : stderr === '' ? 'opened' : stderr;
};

test('devices that only root may use become the launcher’s', async () => {
  node('kvm', 'c', 10, 232);
  node('net/tun', 'c', 10, 200);
  node('vhost-net', 'c', 10, 238, '0600');
  expect(openedByLauncher(join(dev, 'net', 'tun'))).toBe('refused');
  const pod = await podWith();
  expect(own(pod)).toEqual(granted);
  for (const name of ['kvm', 'net/tun', 'vhost-net']) expect(ownerOf(join(dev, name))).toBe('107:107');
  expect(openedByLauncher(join(dev, 'net', 'tun'))).toBe('opened');
  expect(own(pod)).toEqual(granted);
});

test('a Pod without KVM is recognized', async () => {
  expect(own(await podWith())).toEqual({ kvm: 'absent', problems: [] });
});

test.each([
  ['another device', () => node('kvm', 'c', 1, 1), 'is the device 1:1 (allowed: 10:232)'],
  ['a block device', () => node('kvm', 'b', 10, 232), 'not a character device'],
  ['a file', () => writeFileSync(join(dev, 'kvm'), ''), 'is a regular file'],
  ['a FIFO', () => execFileSync('mkfifo', [join(dev, 'kvm')]), 'is a FIFO'],
  ['a link to a device of the host', () => symlinkSync('/dev/kvm', join(dev, 'kvm')), 'is a symbolic link'],
])('%s in the place of KVM is reported and not changed', async (_, make, problem) => {
  make();
  expect(own(await podWith()).kvm).toEqual({ problem: expect.stringContaining(problem) });
  expect(execFileSync('stat', ['-c', '%u:%g', join(dev, 'kvm')], { encoding: 'utf8' })).toBe('0:0\n');
});

test('the devices of a running guest are looked at and not changed', async () => {
  node('kvm', 'c', 10, 232);
  node('data', 'b', 7, 3, '0600');
  const pod = await podWith({ name: 'data', devicePath: '/dev/data' });
  expect(own(pod, true)).toEqual({
    kvm: { problem: expect.stringContaining('not changed while the guest runs') },
    problems: ['block volume at /dev/data belongs to 0:0 with mode 0600, which is not changed while the guest runs'],
  });
  for (const name of ['kvm', 'data']) expect(ownerOf(join(dev, name))).toBe('0:0');
});

test('a /dev that cannot be changed is a permanent problem of each device', async () => {
  node('kvm', 'c', 10, 232);
  node('data', 'b', 7, 3, '0600');
  const pod = await podWith({ name: 'data', devicePath: '/dev/data' });
  execFileSync('mount', ['-o', 'remount,ro', dev]);
  expect(own(pod)).toEqual({
    kvm: { problem: expect.stringContaining('/dev/kvm cannot be used: EROFS') },
    problems: [expect.stringContaining('block volume at /dev/data cannot be used: EROFS')],
  });
});

test('a Pod whose container has exited cannot be inspected', async () => {
  const pod = await podWith();
  for (const cleanup of cleanups.splice(-1)) await cleanup();
  expect(() => own(pod)).toThrow('has no process');
});

test('a /dev/net that is a link leads nowhere', async () => {
  rmSync(join(dev, 'net'), { recursive: true });
  mkdirSync(join(dir, 'root', 'elsewhere'));
  execFileSync('mknod', ['--mode=0600', join(dir, 'root', 'elsewhere', 'tun'), 'c', '10', '200']);
  symlinkSync('/elsewhere', join(dev, 'net'));
  own(await podWith());
  expect(ownerOf(join(dir, 'root', 'elsewhere', 'tun'))).toBe('0:0');
});

test('a device of the node itself keeps its owner', async () => {
  const host = join(dir, 'host-kvm');
  execFileSync('mknod', ['--mode=0600', host, 'c', '10', '232']);
  writeFileSync(join(dev, 'kvm'), '');
  execFileSync('mount', ['--bind', host, join(dev, 'kvm')]);
  const problem = expect.stringContaining("is the node's own, which virt-handler does not change");
  expect(own(await podWith()).kvm).toEqual({ problem });
  expect(ownerOf(host)).toBe('0:0');
});

describe('a block volume', () => {
  const data = { name: 'data', devicePath: '/dev/data' };
  let loop: string;
  let minor: number;

  beforeEach(() => {
    const file = join(dir, 'disk.img');
    execFileSync('truncate', ['--size=1M', file]);
    loop = execFileSync('losetup', ['--find', '--show', file], { encoding: 'utf8' }).trim();
    cleanups.push(() => execFileSync('losetup', ['--detach', loop]));
    minor = Number(loop.slice('/dev/loop'.length));
  });

  test('becomes the launcher’s in its container, and only there', async () => {
    node('data', 'b', 7, minor, '0600');
    const before = ownerOf(loop);
    expect(openedByLauncher(join(dev, 'data'))).toBe('refused');
    own(await podWith(data));
    expect(openedByLauncher(join(dev, 'data'))).toBe('opened');
    expect(ownerOf(loop)).toBe(before);
  });

  test('is found in the container, regardless of links in the kubelet’s directory of the Pod', async () => {
    const mapped = join(dir, 'pods', UID, 'volumeDevices', 'kubernetes.io~local-volume');
    mkdirSync(mapped, { recursive: true });
    // on the node it leads to the volume; in the /dev of virt-handler, which is older, to another device
    symlinkSync(loop, join(mapped, 'pv-1'));
    node('data', 'b', 7, minor + 1, '0600');
    expect(own(await podWith(data)).problems).toEqual([]);
    expect(ownerOf(join(dev, 'data'))).toBe('107:107');
  });

  test('that is missing is named', async () => {
    const missing = expect.stringContaining('block volume at /dev/data is missing');
    expect(own(await podWith(data)).problems).toEqual([missing]);
  });
});
