import { type Loose, validVm } from '../fixtures';
import { object, together, words } from './worlds';

const namespace = { namespace: 'default' };
const SNAPSHOT = 'snapshot.kubevirt.io/v1beta1';
const machine = (name: string): Loose => ({ apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name });
const snapshot = object(SNAPSHOT, 'VirtualMachineSnapshot', 's', { source: machine('x') }, namespace);
const restore = (target: string, more: Loose = {}): Loose =>
  object(
    SNAPSHOT,
    'VirtualMachineRestore',
    'r',
    { target: machine(target), virtualMachineSnapshotName: 's', ...more },
    namespace,
  );
const clone = (target: string, more: Loose = {}): Loose =>
  object(
    'clone.kubevirt.io/v1beta1',
    'VirtualMachineClone',
    'c',
    { source: machine('x'), target: machine(target), ...more },
    namespace,
  );
const claim = (name: string): Loose =>
  object('v1', 'PersistentVolumeClaim', name, { accessModes: ['ReadWriteOnce'] }, namespace);

/** A VM `x` with a disk `data` on DataVolume `x-data`. */
const vm = (change: (spec: Loose) => void = () => {}): Loose => {
  const made: Loose = validVm();
  made.metadata.name = 'x';
  const { spec } = made.spec.template;
  made.spec.dataVolumeTemplates = [{ metadata: { name: 'x-data' }, spec: { source: { blank: {} } } }];
  spec.domain.devices.disks.push({ name: 'data', disk: { bus: 'virtio' } });
  spec.volumes.push({ name: 'data', dataVolume: { name: 'x-data' } });
  change(spec);
  return made;
};
const mac = '02:00:00:00:00:01';
const known = vm((spec) => {
  spec.domain.devices.interfaces[0].macAddress = mac;
  spec.domain.firmware = { uuid: '5d307ca9-b3ef-428c-8861-06e72d69f223', serial: 'a' };
});
const patch = (path: string): string => JSON.stringify({ op: 'replace', path, value: '' });
const spec = '/spec/template/spec/domain';
const inPlace = { volumeRestorePolicy: 'InPlace' };
const prefixed = { volumeRestorePolicy: 'PrefixTargetName' };
const override = (restoreName: string): Loose => ({ volumeRestoreOverrides: [{ volumeName: 'data', restoreName }] });

test.each<[string, Loose[], string[]]>([
  ['accepts a restore in place', [vm(), snapshot, restore('x', inPlace)], []],
  [
    'reports a new VM in place of the old one',
    [vm(), snapshot, restore('y', inPlace)],
    ['restore-in-place spec.volumeRestorePolicy'],
  ],
  ['accepts a VM that the app does not declare', [restore('y', inPlace)], []],
  ['accepts new names', [vm(), snapshot, restore('y', prefixed)], []],
  [
    'reports names that are those of the claims',
    [vm(), snapshot, restore('x', prefixed)],
    ['restore-claim spec.volumeRestorePolicy'],
  ],
  [
    'reports the name of another claim',
    [vm(), snapshot, claim('y-data'), restore('y', prefixed)],
    ['restore-claim spec.volumeRestorePolicy'],
  ],
  ['accepts an overridden name', [vm(), snapshot, restore('x', { ...prefixed, ...override('new') })], []],
  [
    'reports an override by an existing name',
    [vm(), snapshot, restore('y', override('x-data'))],
    ['restore-claim spec.volumeRestoreOverrides[0].restoreName'],
  ],
  [
    'reports two overrides of one volume',
    [
      vm(),
      snapshot,
      restore('y', {
        volumeRestoreOverrides: [
          { volumeName: 'data', restoreName: 'a' },
          { volumeName: 'data', restoreName: 'b' },
        ],
      }),
    ],
    ['restore-override spec.volumeRestoreOverrides[1].volumeName'],
  ],
  [
    'reports the claims of a clone',
    [vm(), claim('y-data'), clone('y', { volumeNamePolicy: 'PrefixTargetName' })],
    ['restore-claim spec.volumeNamePolicy'],
  ],
  ['accepts a VM without an identity', [vm(), snapshot, restore('y')], []],
  ['accepts the identity of the same VM', [known, snapshot, restore('x')], []],
  [
    'reports an identity that the new VM keeps',
    [known, snapshot, restore('y')],
    ['restore-identity spec.patches', 'restore-identity spec.patches', 'restore-identity spec.patches'],
  ],
  [
    'accepts one that is patched',
    [
      known,
      snapshot,
      restore('y', { patches: [patch(`${spec}/devices/interfaces/0/macAddress`), patch(`${spec}/firmware`)] }),
    ],
    [],
  ],
  ['accepts a clone, which gets another identity', [known, clone('y')], []],
])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

test('explains how an address is written in a patch', () => {
  const own = JSON.stringify({ op: 'replace', path: `${spec}/devices/interfaces/0/macAddress`, value: mac });
  expect(words(restore('y', { patches: [own] }))[0]).toMatch(/write the address with dashes, "02-00-00-00-00-01"$/);
});
