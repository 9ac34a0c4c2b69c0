import { accessOf, compareDevice, wantedDevices } from '../../../../../src/runtime/handler/devices/plan';
import type {
  DeviceResult,
  DeviceComparison,
  SeenDevice,
  WantedDevice,
} from '../../../../../src/runtime/handler/devices/plan';
import { trimPod } from '../../../../../src/runtime/handler/kube-types';
import { pod } from '../fixtures';

const kvm: WantedDevice = { path: ['kvm'], kind: 'character', numbers: ['10:232'], required: false };
const claim: WantedDevice = { path: ['data'], kind: 'block', required: true };
const withClaims = (...devicePaths: string[]) => {
  const made = pod();
  made.spec.containers[0].volumeDevices = devicePaths.map((devicePath) => ({ name: 'data', devicePath }));
  made.spec.containers.push({ name: 'other', volumeDevices: [{ name: 'x', devicePath: '/dev/x' }] });
  return trimPod(made);
};

test('a launcher may have the devices of the device plugins, and has its block volumes', () => {
  expect(wantedDevices(withClaims('/dev/data'))).toEqual([
    kvm,
    { path: ['vhost-net'], kind: 'character', numbers: ['10:238'], required: false },
    { path: ['net', 'tun'], kind: 'character', numbers: ['10:200'], required: false },
    { path: ['vhost-vsock'], kind: 'character', numbers: ['10:241'], required: false },
    claim,
  ]);
});

test('a block volume outside of /dev is rejected', () => {
  expect(() => wantedDevices(withClaims('/etc/shadow'))).toThrow('at /etc/shadow: it is not below /dev');
});

const said = (result: DeviceComparison): string => (typeof result === 'object' ? result.problem : result);

describe('a device node', () => {
  const seen: SeenDevice = {
    kind: 'character',
    what: 'a device',
    number: '10:232',
    uid: 0,
    gid: 0,
    mode: 0o660,
    isOwn: true,
  };
  test.each<[string, Partial<SeenDevice>, unknown]>([
    ['of root and its group changes its owner', {}, 'chown'],
    ['of root alone changes its owner', { mode: 0o600 }, 'chown'],
    ['of the group kvm changes its owner', { gid: 36 }, 'chown'],
    ['for everybody stays', { mode: 0o666 }, 'usable'],
    ['that everybody may only read changes its owner', { mode: 0o664 }, 'chown'],
    ['that everybody may only write changes its owner', { mode: 0o662 }, 'chown'],
    ['of the launcher stays', { uid: 107, mode: 0o600 }, 'usable'],
    ['of the launcher’s group stays', { gid: 107, mode: 0o060 }, 'usable'],
    ['of the launcher’s group that keeps it out changes its owner', { gid: 107, mode: 0o606 }, 'chown'],
    ['of the launcher that keeps it out is refused', { uid: 107, mode: 0o066 }, expect.stringContaining('107:0')],
    ['of nobody is refused', { mode: 0o040 }, expect.stringContaining('mode 0040, so not even its owner')],
    ['of the node stays the node’s', { isOwn: false }, expect.stringContaining('give user 107 access')],
    ['of the node that everybody may use is used', { isOwn: false, mode: 0o666 }, 'usable'],
    ['of another number is refused', { number: '10:233' }, 'is the device 10:233 (allowed: 10:232)'],
    ['of another number is refused although everybody may use it', { number: '1:3', mode: 0o666 }, expect.anything()],
    ['of another kind is refused', { kind: 'block' }, 'is a device, not a character device'],
    [
      'that is another kind of file is rejected',
      { kind: 'other', what: 'a FIFO' },
      'is a FIFO, not a character device',
    ],
  ])('%s', (_, change, want) => {
    expect(said(compareDevice(kvm, { ...seen, ...change }, false))).toEqual(want);
  });

  test.each<[string, Partial<SeenDevice>, unknown]>([
    ['that it may use is usable', { mode: 0o666 }, 'usable'],
    ['that is its own is usable', { uid: 107 }, 'usable'],
    ['of root is reported', {}, 'belongs to 0:0 with mode 0660, which is not changed while the guest runs'],
    ['of the node is reported', { isOwn: false }, expect.stringContaining('not changed while the guest runs')],
    ['of another number is reported', { number: '1:3' }, 'is the device 1:3 (allowed: 10:232)'],
  ])('under a running guest is never changed: one %s', (_, change, want) => {
    expect(said(compareDevice(kvm, { ...seen, ...change }, true))).toEqual(want);
  });

  test('of a block volume may have any number, but must be a block device', () => {
    expect(compareDevice(claim, { ...seen, kind: 'block', number: '8:1' }, false)).toBe('chown');
    expect(compareDevice(claim, seen, false)).toEqual({ problem: 'is a device, not a block device' });
  });
});

describe('devices that the launcher may use', () => {
  const problem = { problem: 'is a FIFO' };
  test.each<[string, DeviceResult[], unknown]>([
    ['KVM', [{ device: kvm, result: 'usable' }], 'granted'],
    ['no KVM', [{ device: kvm, result: 'absent' }], 'absent'],
    ['a KVM that does not work', [{ device: kvm, result: problem }], { problem: '/dev/kvm is a FIFO' }],
    ['block volumes', [{ device: claim, result: 'usable' }], 'absent'],
    [
      'KVM before a block volume',
      [
        { device: kvm, result: 'usable' },
        { device: claim, result: 'usable' },
      ],
      'granted',
    ],
    ['a device that QEMU complains about itself', [{ device: { ...kvm, path: ['x'] }, result: problem }], 'absent'],
  ])('%s', (_, results, kvmAccess) => expect(accessOf(results)).toEqual({ kvm: kvmAccess, problems: [] }));

  test.each<[DeviceResult['result'], string]>([
    ['absent', 'block volume at /dev/data is missing'],
    [problem, 'block volume at /dev/data is a FIFO'],
  ])('not a block volume whose device is %j', (result, message) => {
    expect(accessOf([{ device: claim, result }]).problems).toEqual([expect.stringContaining(message)]);
  });

  test('every block volume that cannot be used is named', () => {
    const other = { ...claim, path: ['logs'] };
    const results: DeviceResult[] = [
      { device: kvm, result: 'usable' },
      { device: claim, result: 'absent' },
      { device: other, result: problem },
    ];
    expect(accessOf(results)).toEqual({
      kvm: 'granted',
      problems: [expect.stringContaining('/dev/data is missing'), 'block volume at /dev/logs is a FIFO'],
    });
  });
});
