import { defaultInstanceSpec, type VirtualMachineInstanceSpec } from '../../../../src/api';
import { atLeastOne, defaultNetworkProblem } from '../../../../src/api/defaulting/devices';
import { configured, type Loose } from '../fixtures';

const bare = (devices: Loose = {}, more: Loose = {}): VirtualMachineInstanceSpec => ({ domain: { devices }, ...more });
const defaulted = (spec: VirtualMachineInstanceSpec, config = configured()) => defaultInstanceSpec(spec, config, 'x');

test.each<[string, Loose, Loose]>([
  ['a disk that names no kind is a plain one', {}, { disk: { bus: 'sata' } }],
  ['a CD drive is not a disk', { cdrom: {} }, { cdrom: { bus: 'sata', readonly: true, tray: 'closed' } }],
  ['a LUN is not a disk', { lun: {} }, { lun: { bus: 'sata' } }],
  [
    'what a CD drive says stays',
    { cdrom: { bus: 'scsi', readonly: false, tray: 'open' } },
    { cdrom: { bus: 'scsi', readonly: false, tray: 'open' } },
  ],
  [
    'the block size of the volume is used when it is mentioned',
    { disk: { bus: 'virtio' }, blockSize: { matchVolume: {} } },
    { disk: { bus: 'virtio' }, blockSize: { matchVolume: { enabled: true } } },
  ],
])('%s', (_, disk, want) => {
  expect(defaulted(bare({ disks: [{ name: 'a', ...disk }] })).domain.devices.disks).toEqual([{ name: 'a', ...want }]);
});

test('a volume that a filesystem names does not become a disk', () => {
  const spec = bare({ filesystems: [{ name: 'a', virtiofs: {} }] }, { volumes: [{ name: 'a' }, { name: 'b' }] });
  expect(defaulted(spec).domain.devices.disks).toEqual([{ name: 'b', disk: { bus: 'sata' } }]);
});

const BRIDGE = 'bridge interface is not enabled in kubevirt-config';
const SLIRP = 'slirp interface is deprecated as of v1.3';
test.each<[string, Loose, Loose, Loose[] | undefined, string | undefined]>([
  ['nothing is a bridge', {}, {}, [{ name: 'default', bridge: {} }], undefined],
  ['a bridge that is not permitted is nothing', { permitBridgeInterfaceOnPodNetwork: false }, {}, undefined, BRIDGE],
  [
    'a bridge that is not permitted does not matter to a guest with a NIC of its own',
    { permitBridgeInterfaceOnPodNetwork: false },
    { interfaces: [{ name: 'own', masquerade: {} }] },
    [{ name: 'own', masquerade: {} }],
    undefined,
  ],
  [
    'nor does it where masquerade is the default',
    { permitBridgeInterfaceOnPodNetwork: false, defaultNetworkInterface: 'masquerade' },
    {},
    [{ name: 'default', masquerade: {} }],
    undefined,
  ],
  ['slirp is nothing', { defaultNetworkInterface: 'slirp' }, {}, undefined, SLIRP],
  [
    'slirp that is permitted is slirp',
    { defaultNetworkInterface: 'slirp', permitSlirpInterface: true },
    {},
    [{ name: 'default', slirp: {} }],
    undefined,
  ],
  ['a guest that disables the network gets none', {}, { autoattachPodInterface: false }, undefined, undefined],
])('of the networks of the platform: %s', (_, network, devices, interfaces, problem) => {
  const config = configured({ network });
  expect(defaultNetworkProblem(bare(devices), config)).toBe(problem);
  expect(defaulted(bare(devices), config).domain.devices.interfaces).toEqual(interfaces);
});

test('a guest with networks gets no default network', () => {
  const networks = [{ name: 'lan', multus: { networkName: 'lan' } }];
  expect(defaulted(bare({}, { networks })).networks).toEqual(networks);
});

test.each([
  [undefined, 3],
  [-1, 3],
  [0, 3],
  [1, 1],
  [2, 2],
])('a count of %s becomes %d', (count, want) => expect(atLeastOne(count, 3)).toBe(want));

test('both probes get defaults and keep their own values', () => {
  const { readinessProbe, livenessProbe } = defaulted(
    bare({}, { readinessProbe: { tcpSocket: { port: 80 } }, livenessProbe: { guestAgentPing: {}, periodSeconds: 5 } }),
  );
  const usual = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  expect(readinessProbe).toEqual({ tcpSocket: { port: 80 }, ...usual });
  expect(livenessProbe).toEqual({ guestAgentPing: {}, ...usual, periodSeconds: 5 });
});

test.each<[string, Loose, Loose]>([
  ['amd64', {}, { i6300esb: { action: 'reset' } }],
  ['amd64', { i6300esb: { action: 'poweroff' } }, { i6300esb: { action: 'poweroff' } }],
  ['s390x', {}, { diag288: { action: 'reset' } }],
  ['arm64', {}, {}],
])('on %s the watchdog %j is %j', (architecture, watchdog, want) => {
  const spec = bare({ watchdog: { name: 'dog', ...watchdog } }, { architecture });
  expect(defaulted(spec).domain.devices.watchdog).toEqual({ name: 'dog', ...want });
});
