import fs, { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownDevices } from '../../../../../src/runtime/handler/devices/own';
import { OpenedPath } from '../../../../../src/runtime/handler/paths/safe-path';
import { pod } from '../fixtures';

/** A container's process with files in place of devices, which `fstat` takes for device nodes of root. */

let procDir: string;
let dev: string;

beforeEach(() => {
  procDir = mkdtempSync(join(tmpdir(), 'virt8s-own-'));
  dev = join(procDir, '7', 'root', 'dev');
  mkdirSync(dev, { recursive: true });
  writeFileSync(join(procDir, '7', 'cgroup'), '0::/kubepods/pod1/0123456789abcdef\n');
  using place = OpenedPath.trusted(dev);
  writeFileSync(join(procDir, '7', 'mountinfo'), `${place.mountId} 1 0:1 / /dev rw - tmpfs tmpfs rw\n`);
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(procDir, { recursive: true });
});

const KVM = (10 << 8) | 232;
const failure = (code: string): Error => Object.assign(new Error(`${code}: no`), { code });

/** The empty file at /dev/kvm looks like the device of root. */
function makeKvm(): void {
  writeFileSync(join(dev, 'kvm'), '');
  const { fstatSync } = fs;
  jest.spyOn(fs, 'fstatSync').mockImplementation(((fd: number) => {
    const stats = fstatSync(fd);
    const isDevice = stats.isFile() && stats.size === 0;
    const device = { mode: fs.constants.S_IFCHR | 0o660, uid: 0, gid: 0, rdev: KVM };
    return isDevice ? Object.assign(stats, device) : stats;
  }) as typeof fstatSync);
}

/** Opening this device fails. */
function failOpen(code: string, device = 'kvm'): void {
  const { openSync } = fs;
  jest.spyOn(fs, 'openSync').mockImplementation((path, ...more) => {
    if (String(path).endsWith(`/${device}`)) throw failure(code);
    return openSync(path, ...more);
  });
}

const failChown = (code: string): void => {
  jest.spyOn(fs, 'chownSync').mockImplementation(() => {
    throw failure(code);
  });
};

test('the device of root becomes the launcher’s', () => {
  makeKvm();
  const chown = jest.spyOn(fs, 'chownSync').mockImplementation();
  expect(ownDevices(pod(), procDir, false)).toEqual({ kvm: 'granted', problems: [] });
  expect(chown.mock.calls).toEqual([[expect.stringMatching(/^\/proc\/self\/fd\/\d+$/), 107, 107]]);
});

describe.each([
  ['opened', (code: string) => failOpen(code)],
  ['given to the launcher', failChown],
])('a device that cannot be %s', (_, fail) => {
  test.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'EPERM'])('with %s is looked at again', (code) => {
    makeKvm();
    fail(code);
    expect(() => ownDevices(pod(), procDir, false)).toThrow(new RegExp(`^/dev/kvm .*\\b${code}\\b`));
  });
});

test('a block volume of a running guest that cannot be opened is not reported as different', () => {
  const withVolume = pod();
  withVolume.spec.containers[0].volumeDevices = [{ name: 'data', devicePath: '/dev/data' }];
  failOpen('EMFILE', 'data');
  expect(() => ownDevices(withVolume, procDir, true)).toThrow('EMFILE');
});

test('a permanent problem of the device is returned: a read-only /dev', () => {
  makeKvm();
  failChown('EROFS');
  const kvm = { problem: '/dev/kvm cannot be used: EROFS: no' };
  expect(ownDevices(pod(), procDir, false)).toEqual({ kvm, problems: [] });
});

test('a permanent problem of the device is returned: a link', () => {
  symlinkSync('/dev/kvm', join(dev, 'kvm'));
  const problem = expect.stringMatching(/^\/dev\/kvm cannot be used: .* is a symbolic link; it was not opened$/);
  expect(ownDevices(pod(), procDir, false)).toEqual({ kvm: { problem }, problems: [] });
});

test('a device that is missing is absent', () => {
  expect(ownDevices(pod(), procDir, false)).toEqual({ kvm: 'absent', problems: [] });
});

test.each([true, false])('a container without a process cannot be looked at (guest runs: %s)', (guestRuns) => {
  rmSync(join(procDir, '7', 'cgroup'));
  expect(() => ownDevices(pod(), procDir, guestRuns)).toThrow('container 0123456789abcdef has no process');
});

test('rejects a mount table that is too long', () => {
  writeFileSync(join(procDir, '7', 'mountinfo'), Buffer.alloc((1 << 20) + 1));
  expect(() => ownDevices(pod(), procDir, false)).toThrow(`is larger than ${1 << 20} bytes`);
});
