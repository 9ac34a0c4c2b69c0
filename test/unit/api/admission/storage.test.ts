import { mutateVirtualMachineInstance, validateVirtualMachineInstanceCreate } from '../../../../src/api';
import { configured, gated, Loose, refused, validVmi, vmRefused } from '../fixtures';

type Case = [string, (spec: Loose) => void, string[]];

const d = 'spec.domain.devices.disks';
/** Clients know some mistakes of disks under a path that is written twice. */
const twice = `${d}.domain.devices.disks`;
const disk = (change: Loose) => (s: Loose) => Object.assign(s.domain.devices.disks[1], change);
const volume =
  (source: Loose, device: Loose = { disk: { bus: 'virtio' } }) =>
  (s: Loose) => {
    s.volumes[1] = { name: 'scratch', ...source };
    s.domain.devices.disks[1] = { name: 'scratch', ...device };
  };

describe('disks', () => {
  test.each<Case>([
    ['one that says no more than its name', (s) => (s.domain.devices.disks[1] = { name: 'scratch' }), []],
    ['a lost volume', (s) => s.domain.devices.disks.push({ name: 'lost' }), [`Invalid ${d}[3].name`]],
    ['an empty CD drive', (s) => s.domain.devices.disks.push({ name: 'cd', cdrom: {} }), []],
    ['a disk twice', (s) => s.domain.devices.disks.push({ name: 'root' }), [`Invalid ${d}[3].name`]],
    [
      'a name that no container can have',
      (s) => {
        s.domain.devices.disks[1].name = 'a.b';
        s.volumes[1].name = 'a.b';
      },
      [`Invalid ${twice}[1].name`],
    ],
    ['two kinds', disk({ lun: {}, disk: {} }), [`Invalid ${d}[1]`, `Invalid ${d}[1].lun`]],
    ['a LUN of no claim', disk({ disk: undefined, lun: {} }), [`Invalid ${d}[1].lun`]],
    ['IDE', disk({ disk: { bus: 'ide' } }), [`Invalid ${d}[1].disk.bus`]],
    ['an unknown bus', disk({ disk: { bus: 'virtoi' } }), [`Invalid ${d}[1].disk.bus`]],
    ['a CD drive on virtio', disk({ disk: undefined, cdrom: { bus: 'virtio' } }), [`Invalid ${d}[1].cdrom.bus`]],
    ['a SATA disk that is read-only', disk({ disk: { bus: 'sata', readonly: true } }), [`Invalid ${d}[1].disk.bus`]],
    ['an I/O thread on SATA', disk({ disk: { bus: 'sata' }, dedicatedIOThread: true }), [`NotSupported ${twice}[1]`]],
    [
      'a malformed PCI address',
      disk({ disk: { bus: 'virtio', pciAddress: 'x' } }),
      [`Invalid ${twice}.disk[1].pciAddress`],
    ],
    [
      'a PCI address on SCSI',
      disk({ disk: { bus: 'scsi', pciAddress: '0000:81:01.0' } }),
      [`Invalid ${twice}.disk[1].pciAddress`],
    ],
    ['boot order zero', disk({ bootOrder: 0 }), [`Invalid ${d}[1].bootOrder`]],
    ['a boot order twice', disk({ bootOrder: 1 }), [`Invalid ${d}[1].bootOrder`]],
    ['a serial with a blank', disk({ serial: 'a b' }), [`Invalid ${d}[1].serial`]],
    ['a serial of 40 characters', disk({ serial: 'x'.repeat(40) }), []],
    ['a serial of 256 characters', disk({ serial: 'x'.repeat(256) }), []],
    ['an empty serial', disk({ serial: '' }), []],
    ['a serial of 257 characters', disk({ serial: 'x'.repeat(257) }), [`Invalid ${d}[1].serial`]],
    ['an unknown cache', disk({ cache: 'default' }), [`Invalid ${d}[1].cache`]],
    ['an unknown I/O mode', disk({ io: 'default' }), [`NotSupported ${twice}[1].io`]],
    ['an unknown error policy', disk({ errorPolicy: 'retry' }), [`Invalid ${d}[1].errorPolicy`]],
    [
      'a reservation behind its switch',
      volume({ persistentVolumeClaim: { claimName: 'x' } }, { lun: { bus: 'scsi', reservation: true } }),
      [`Invalid ${d}.luns.reservation`],
    ],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));

  const blocks = (custom: Loose, more: Loose = {}) => disk({ blockSize: { custom, ...more } });
  test.each<Case>([
    ['a sound size', blocks({ logical: 512, physical: 4096 }), []],
    [
      'a size beside that of the volume',
      blocks({ logical: 512, physical: 512 }, { matchVolume: {} }),
      [`Invalid ${d}[1].blockSize`],
    ],
    ['logical above physical', blocks({ logical: 4096, physical: 512 }), [`Invalid ${d}[1].blockSize.custom.logical`]],
    ['too small', blocks({ logical: 256, physical: 512 }), [`Invalid ${d}[1].blockSize.custom.logical`]],
    ['too large', blocks({ logical: 512, physical: 2 ** 22 }), [`Invalid ${d}[1].blockSize.custom.physical`]],
    ['no power of two', blocks({ logical: 512, physical: 1000 }), [`Invalid ${d}[1].blockSize.custom.physical`]],
    [
      'a granularity that does not fit',
      blocks({ logical: 512, physical: 512, discardGranularity: 1000 }),
      [`Invalid ${d}[1].blockSize.custom.discardGranularity`],
    ],
    [
      'SATA with large blocks',
      disk({ disk: { bus: 'sata' }, blockSize: { custom: { logical: 4096, physical: 4096 } } }),
      [`Invalid ${d}[1].blockSize.custom.logical`],
    ],
  ])('blocks: %s', (_, change, want) => expect(refused(change)).toEqual(want));
});

describe('volumes', () => {
  const v = 'spec.volumes[1]';
  const noCloud = (data: Loose) => volume({ cloudInitNoCloud: data });
  test.each<Case>([
    ['a volume of no disk becomes one', (s) => s.volumes.push({ name: 'more', emptyDisk: { capacity: '1Gi' } }), []],
    [
      'a volume twice',
      (s) => s.volumes.push({ name: 'root', emptyDisk: { capacity: '1Gi' } }),
      ['Invalid spec.volumes[3].name'],
    ],
    ['no source', volume({}), [`Invalid ${v}`]],
    ['two sources', volume({ emptyDisk: { capacity: '1Gi' }, secret: { secretName: 'x' } }), [`Invalid ${v}`]],
    ['a DataVolume without a name', volume({ dataVolume: {} }), [`Required ${v}.name`]],
    ['a ConfigMap without a name', volume({ configMap: {} }), [`Invalid ${v}.configMap.name`]],
    ['a Secret without a name', volume({ secret: {} }), [`Invalid ${v}.secret.secretName`]],
    [
      'a ServiceAccount without a name',
      volume({ serviceAccount: {} }),
      [`Invalid ${v}.serviceAccount.serviceAccountName`],
    ],
    [
      'two ServiceAccounts',
      (s) => ['a', 'b'].forEach((name) => s.volumes.push({ name, serviceAccount: { serviceAccountName: 'x' } })),
      ['Invalid spec.volumes'],
    ],
    ['the root of the image', volume({ containerDisk: { image: 'x', path: '/' } }), [`Invalid ${v}.containerDisk`]],
    [
      'a path that climbs out of the image',
      volume({ containerDisk: { image: 'x', path: '/../x' } }),
      [`Invalid ${v}.containerDisk`],
    ],
    ['two cloud-init volumes', noCloud({ userData: 'x' }), []],
    ['cloud-init without data', noCloud({}), [`Invalid ${v}.cloudInitNoCloud`]],
    ['two kinds of user data', noCloud({ userData: 'x', userDataBase64: 'eA==' }), [`Invalid ${v}.cloudInitNoCloud`]],
    [
      'user data that is not a base64',
      noCloud({ userDataBase64: '!' }),
      [`Invalid ${v}.cloudInitNoCloud.userDataBase64`],
    ],
    ['user data of 2048 bytes', noCloud({ userData: 'x'.repeat(2048) }), []],
    ['user data of 2049 bytes', noCloud({ userData: `${'x'.repeat(2047)}é` }), [`Invalid ${v}.cloudInitNoCloud`]],
    ['network data of 2049 bytes', noCloud({ networkData: 'x'.repeat(2049) }), [`Invalid ${v}.cloudInitNoCloud`]],
    ['a host disk behind its gate', volume({ hostDisk: { path: '/x', type: 'Disk' } }), [`Invalid ${v}`]],
    ['metrics behind their gate', volume({ downwardMetrics: {} }), [`Invalid ${v}`]],
    ['utility volumes', (s) => (s.utilityVolumes = [{ name: 'u', claimName: 'c' }]), ['Invalid spec.utilityVolumes']],
    [
      'a path of the launcher as a disk',
      volume({ containerPath: { path: '/var/run/kubevirt/x' } }),
      ['Invalid spec.domain.volumes[1]', 'Invalid spec.domain.volumes[1].containerPath.path'],
    ],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));

  test.each<Case>([
    ['to be made', volume({ hostDisk: { path: '/x', type: 'DiskOrCreate', capacity: '1Gi' } }), []],
    ['of no path', volume({ hostDisk: { type: 'Disk' } }), [`NotFound ${v}.hostDisk.path`]],
    ['of no type', volume({ hostDisk: { path: '/x' } }), [`Invalid ${v}.hostDisk.type`]],
    [
      'that is there and has a size',
      volume({ hostDisk: { path: '/x', type: 'Disk', capacity: '1Gi' } }),
      [`Invalid ${v}.hostDisk.capacity`],
    ],
    ['metrics on a CD', volume({ downwardMetrics: {} }, { cdrom: {} }), [`Required ${d}[1].disk`]],
    ['metrics on SATA', volume({ downwardMetrics: {} }, { disk: { bus: 'sata' } }), [`Invalid ${d}[1].disk.bus`]],
  ])('a host disk %s', (_, change, want) =>
    expect(refused(change, gated('HostDisk', 'DownwardMetrics'))).toEqual(want),
  );

  test('a shared folder of a claim is behind a gate', () => {
    const change = (s: Loose) => {
      s.volumes.push({ name: 'share', persistentVolumeClaim: { claimName: 'x' } });
      s.domain.devices.filesystems = [{ name: 'share', virtiofs: {} }];
    };
    expect(refused(change)).toEqual(['Invalid spec.domain.devices.filesystems']);
    expect(refused(change, gated('EnableVirtioFsStorageVolumes'))).toEqual([]);
  });

  test('an empty CD drive may be switched off', () => {
    const off = configured({ developerConfiguration: { disabledFeatureGates: ['DeclarativeHotplugVolumes'] } });
    expect(refused((s) => s.domain.devices.disks.push({ name: 'cd', cdrom: {} }), off)).toEqual([
      `Invalid ${d}[3].name`,
    ]);
  });
});

describe('data volume templates', () => {
  const t = 'spec.dataVolumeTemplate[0]';
  const made =
    (spec: Loose, name = 'dv') =>
    (s: Loose) => {
      s.dataVolumeTemplates = [{ metadata: { name }, spec }];
      s.template.spec.volumes.push({ name: 'dv', dataVolume: { name: 'dv' } });
    };
  const blank = { storage: {}, source: { blank: {} } };
  test.each<Case>([
    ['a blank one', made(blank), []],
    ['one from a DataSource', made({ pvc: {}, sourceRef: { kind: 'DataSource', name: 'x' } }), []],
    ['one that a populator fills', made({ storage: { dataSourceRef: { kind: 'X', name: 'x' } } }), []],
    ['no name', made(blank, ''), [`Required ${t}.name`]],
    ['no storage', made({ source: { blank: {} } }), [`Invalid ${t}.PVC.Storage`]],
    ['claim and storage', made({ ...blank, pvc: {} }), [`Invalid ${t}.PVC.Storage`]],
    ['no source', made({ storage: {} }), [`Invalid ${t}.source.sourceRef`]],
    ['a source of no kind', made({ storage: {}, source: {} }), [`Invalid ${t}.source`]],
    ['a source of two kinds', made({ storage: {}, source: { blank: {}, upload: {} } }), [`Invalid ${t}.source`]],
    [
      'a source beside a populator',
      made({ storage: { dataSourceRef: { kind: 'X', name: 'x' } }, source: { blank: {} } }),
      [`Invalid ${t}.source`],
    ],
    ['one that nothing uses', made(blank, 'other'), [`Required ${t}`]],
    [
      'one in another namespace',
      (s) => {
        made(blank)(s);
        s.dataVolumeTemplates[0].metadata.namespace = 'other';
      },
      ['Invalid spec.dataVolumeTemplates[0]'],
    ],
  ])('%s', (_, change, want) => expect(vmRefused(change)).toEqual(want));
});

test('reports a volume whose disk is removed after defaulting', () => {
  const vmi: Loose = mutateVirtualMachineInstance(validVmi(), gated());
  vmi.spec.domain.devices.disks.splice(1, 1);
  const reported = validateVirtualMachineInstanceCreate(vmi, gated()).map(({ rule, path, field, cause: message }) => [
    rule,
    `${path}`,
    field,
    message,
  ]);
  const field = 'spec.domain.volumes[1].name';
  expect(reported).toEqual([['volume-attached', 'spec.volumes[1].name', field, `${field} 'scratch' not found.`]]);
});
