import { type Loose, validVm } from '../fixtures';
import { object, together } from './worlds';

const CDI = 'cdi.kubevirt.io/v1beta1';
const namespace = { namespace: 'default' };
const at = 'spec.template.spec';
const volume3 = `${at}.volumes[3]`;

const sized = (storage: string): Loose => ({ resources: { requests: { storage } } });
const claim = (name: string, more: Loose = {}, size = '10Gi'): Loose =>
  object('v1', 'PersistentVolumeClaim', name, { accessModes: ['ReadWriteOnce'], ...sized(size), ...more }, namespace);
const dataVolume = (name: string, source: Loose, more: Loose = {}): Loose =>
  object(CDI, 'DataVolume', name, { source, storage: { ...sized('10Gi'), ...more } }, namespace);
const modes = (...accessModes: string[]): Loose => ({ accessModes });

/** A VM whose fourth disk is on claim `a`. */
const vm = (
  name: string,
  disk: Loose = { disk: { bus: 'virtio' } },
  change: (spec: Loose, owner: Loose) => void = () => {},
): Loose => {
  const made: Loose = validVm();
  made.metadata.name = name;
  const { spec } = made.spec.template;
  spec.domain.devices.disks.push({ name: 'x', ...disk });
  spec.volumes.push({ name: 'x', persistentVolumeClaim: { claimName: 'a' } });
  change(spec, made.spec);
  return made;
};
const halted = (_: Loose, owner: Loose): void => {
  owner.runStrategy = 'Halted';
};
const placed = (spec: Loose): void => {
  spec.nodeSelector = { 'kubernetes.io/hostname': 'n' };
};
const lun = { lun: { bus: 'scsi' } };
const shared = { disk: { bus: 'virtio' }, shareable: true };
const cd = { cdrom: { bus: 'sata' } };

describe('a LUN', () => {
  test.each<[string, Loose[], string[]]>([
    ['is on a block device', [claim('a', { volumeMode: 'Block' }), vm('x', lun)], []],
    ['is on a claim that the app does not declare', [vm('x', lun)], []],
    ['is on a DataVolume whose mode the profile sets', [dataVolume('a', { blank: {} }), vm('x', lun)], []],
    ['is not on a file system', [claim('a'), vm('x', lun)], [`lun-block ${volume3}`]],
    [
      'nor on that of a DataVolume',
      [dataVolume('a', { blank: {} }, { volumeMode: 'Filesystem' }), vm('x', lun)],
      [`lun-block ${volume3}`],
    ],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
});

describe('a claim of one node', () => {
  const block = { volumeMode: 'Block' };
  const once = claim('a', block);
  const pod = claim('a', { ...block, ...modes('ReadWriteOncePod') });
  test.each<[string, Loose[], string[]]>([
    ['is not shared by two running guests', [once, vm('x', shared), vm('y', shared)], [`claim-one-node ${volume3}`]],
    ['nor passed through to two', [once, vm('x', lun), vm('y', lun)], [`claim-one-node ${volume3}`]],
    ['is reported once', [once, vm('y', shared), vm('x', shared)].reverse(), []],
    ['may be shared on one node', [once, vm('x', shared, placed), vm('y', shared, placed)], []],
    ['may be shared with a guest that is off', [once, vm('x', shared, halted), vm('y', shared)], []],
    ['may be read by two guests', [once, vm('x', cd), vm('y', cd)], []],
    ['may be shared by one guest', [once, vm('x', shared)], []],
    [
      'may be a claim of many nodes',
      [claim('a', { ...block, ...modes('ReadWriteOnce', 'ReadWriteMany') }), vm('x', shared), vm('y', shared)],
      [],
    ],
    ['for one Pod is not even read by two', [pod, vm('x', cd), vm('y', cd)], [`claim-one-node ${volume3}`]],
    [
      'for one Pod is not shared on one node',
      [pod, vm('x', shared, placed), vm('y', shared, placed)],
      [`claim-one-node ${volume3}`],
    ],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
});

describe('the boot order', () => {
  const first = { disk: { bus: 'virtio' }, bootOrder: 1 };
  const noOrder = (spec: Loose): void => {
    delete spec.domain.devices.disks[0].bootOrder;
  };
  test.each<[string, Loose[], string[]]>([
    [
      'does not contain a blank disk only',
      [dataVolume('a', { blank: {} }), vm('x', first, noOrder)],
      [`boot-order-system ${at}.domain.devices.disks[3].bootOrder`],
    ],
    [
      'may contain an imported disk only',
      [dataVolume('a', { http: { url: 'https://a/b' } }), vm('x', first, noOrder)],
      [],
    ],
    ['may contain a disk that the app does not declare', [vm('x', first, noOrder)], []],
    ['may contain both', [dataVolume('a', { blank: {} }), vm('x', { ...first, bootOrder: 2 })], []],
    [
      'may contain a network',
      [
        dataVolume('a', { blank: {} }),
        vm('x', first, (spec) => {
          noOrder(spec);
          spec.domain.devices.interfaces[0].bootOrder = 2;
        }),
      ],
      [],
    ],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
});

describe('a blank disk of a VM', () => {
  const own = (readonly: boolean, source: Loose = { blank: {} }): Loose =>
    vm('x', { disk: { bus: 'virtio', readonly } }, (spec, owner) => {
      owner.dataVolumeTemplates = [{ metadata: { name: 'a' }, spec: { source, storage: sized('1Gi') } }];
      spec.volumes[3] = { name: 'x', dataVolume: { name: 'a' } };
    });
  test.each<[string, Loose[], string[]]>([
    ['is written', [own(false)], []],
    ['is not read-only', [own(true)], [`disk-blank-readonly ${volume3}`]],
    ['may be read-only when it has data', [own(true, { http: { url: 'https://a/b' } })], []],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
});

describe('a memory dump', () => {
  const path = `memory-dump-claim ${volume3}.memoryDump.claimName`;
  const dumped = vm('x', {}, (spec) => {
    spec.domain.devices.disks.pop();
    spec.volumes[3] = { name: 'x', memoryDump: { claimName: 'a' } };
  });
  test.each<[string, Loose[], string[]]>([
    ['needs more than the memory', [claim('a', {}, '1123Mi'), dumped], [path]],
    ['fits', [claim('a', {}, '1124Mi'), dumped], []],
    ['is written to files', [claim('a', { volumeMode: 'Block' }), dumped], [path]],
    ['may be on a claim that the app does not declare', [dumped], []],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
});

describe('a backup', () => {
  const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'x' };
  const backup = (pvcName: string, from: Loose = source): Loose =>
    object('backup.kubevirt.io/v1alpha1', 'VirtualMachineBackup', 'b', { source: from, pvcName }, namespace);
  const tracker = object('backup.kubevirt.io/v1alpha1', 'VirtualMachineBackupTracker', 't', { source }, namespace);
  const tracked = { apiGroup: 'backup.kubevirt.io', kind: 'VirtualMachineBackupTracker', name: 't' };
  test.each<[string, Loose[], string[]]>([
    ['is written to a claim of its own', [claim('a'), claim('b'), vm('x'), backup('b')], []],
    ['is not written to a disk of its VM', [claim('a'), vm('x'), backup('a')], ['backup-claim spec.pvcName']],
    ['nor to one of its tracker', [claim('a'), vm('x'), tracker, backup('a', tracked)], ['backup-claim spec.pvcName']],
    [
      'is not written to a block device',
      [claim('a'), claim('b', { volumeMode: 'Block' }), vm('x'), backup('b')],
      ['backup-claim spec.pvcName'],
    ],
    [
      'needs a disk that can be backed up',
      [
        vm('x', {}, (spec) => {
          spec.domain.devices.disks.pop();
          spec.volumes.pop();
        }),
        backup('b'),
      ],
      ['backup-volumes spec.source.name'],
    ],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
});

describe('a claim that names its volume', () => {
  const volume = (more: Loose = {}): Loose =>
    object('v1', 'PersistentVolume', 'v', {
      capacity: { storage: '10Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'local',
      ...more,
    });
  const bound = (more: Loose = {}): Loose => claim('a', { volumeName: 'v', storageClassName: 'local', ...more });
  test.each<[string, Loose[], string[]]>([
    ['is bound to it', [volume(), bound()], []],
    ['leaves the class to the cluster', [volume(), claim('a', { volumeName: 'v' })], []],
    ['is not larger', [volume({ capacity: { storage: '9Gi' } }), bound()], ['claim-volume spec.volumeName']],
    ['is of its class', [volume({ storageClassName: 'other' }), bound()], ['claim-volume spec.volumeName']],
    ['wants its access mode', [volume(), bound(modes('ReadWriteMany'))], ['claim-volume spec.volumeName']],
    ['has its volume mode', [volume({ volumeMode: 'Block' }), bound()], ['claim-volume spec.volumeName']],
    [
      'may be a DataVolume',
      [volume(), dataVolume('a', { blank: {} }, { volumeName: 'v', ...sized('11Gi') })],
      ['claim-volume spec.storage.volumeName'],
    ],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
});
