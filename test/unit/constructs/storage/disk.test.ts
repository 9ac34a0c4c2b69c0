import { Chart, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import * as kplus33 from 'cdk8s-plus-33';
import { CloneOrigin, DataVolume, DataVolumeSource, Disk, DiskBus, DiskDevice, ImageLocation } from '../../../../src';
import { mistakeOf } from '../fixtures';
import { existing, own, rendered } from './fixtures';
import { testApp } from '../../../support/app';

describe('existing data renders a disk and a volume', () => {
  test.each(existing)('%s', (_, disk, want) => expect(rendered(disk)).toEqual(want));
});

describe('a disk that is created with its VM renders a disk, a volume and a DataVolume', () => {
  test.each(own)('%s', (_, disk, spec) => {
    expect(rendered(disk)).toEqual({
      disk: { name: 'disk0', disk: { bus: 'virtio' } },
      volume: { name: 'disk0', dataVolume: { name: 'web-disk0' } },
      template: { metadata: { name: 'web-disk0' }, spec },
    });
  });

  test('a hotpluggable disk uses SCSI', () => {
    expect(rendered(Disk.blank(Size.gibibytes(1), { name: 'data', hotpluggable: true }))).toMatchObject({
      disk: { name: 'data', disk: { bus: 'scsi' } },
      volume: { name: 'data', dataVolume: { name: 'web-data', hotpluggable: true } },
    });
  });

  test('dataVolumeMetadata sets name, labels and annotations of the DataVolume', () => {
    const dataVolumeMetadata = { name: 'root', labels: { a: 'b' }, annotations: { c: 'd' } };
    expect(rendered(Disk.blank(Size.gibibytes(1), { dataVolumeMetadata }))).toMatchObject({
      volume: { dataVolume: { name: 'root' } },
      template: { metadata: dataVolumeMetadata },
    });
  });

  test('one disk can be used in several VMs, each with its own DataVolume', () => {
    const disk = Disk.blank(Size.gibibytes(1));
    const names = ['a', 'b'].map((name) => rendered(disk, { name }).template.metadata.name);
    expect(names).toEqual(['a-disk0', 'b-disk0']);
  });

  test('rejects such a disk in a guest without a VM', () => {
    expect(mistakeOf(() => Disk.blank(Size.gibibytes(1), { name: 'data' })._renderVolume(0))).toBe(
      'Disk: data: only a VM or a pool can create a disk together with itself\n' +
        '  declare a DataVolume, and use Disk.dataVolume or Disk.ephemeral [disk-owner]',
    );
  });
});

describe('the namespace of a copied object', () => {
  const images = new Chart(testApp(), 'images', { namespace: 'images' });
  const golden = new DataVolume(images, 'golden', { source: DataVolumeSource.blank(), size: Size.gibibytes(1) });
  const vm = { name: 'web', metadata: { namespace: 'prod' } };
  test.each([
    ['is the one of the options', Disk.cloneOf(golden, { namespace: 'x' }), 'x'],
    ['defaults to that of the object', Disk.cloneOf(golden), 'images'],
    [
      'defaults to that of an object of any library',
      Disk.cloneOf(new kplus.PersistentVolumeClaim(images, 'claim')),
      'images',
    ],
    ['is that of the VM if unknown', Disk.cloneOf({ name: 'golden' }), 'prod'],
    ['is that of the VM for a snapshot as well', Disk.snapshot({ name: 'golden' }), 'prod'],
  ])('%s', (_, disk, want) => {
    const { pvc, snapshot } = rendered(disk, vm).template.spec.source;
    expect((pvc ?? snapshot).namespace).toBe(want);
  });
});

describe('a hotpluggable copy of a disk', () => {
  test.each([
    ['a claim', Disk.persistentVolumeClaim({ name: 'a' })],
    ['a DataVolume', Disk.dataVolume({ name: 'a' })],
    ['its own DataVolume', Disk.blank(Size.gibibytes(1))],
  ])('%s can be unplugged', (_, disk) => {
    const { disk: device, volume } = rendered(disk._asPluggable());
    expect(device).toEqual({ name: 'disk0', disk: { bus: 'scsi' } });
    expect((volume.dataVolume ?? volume.persistentVolumeClaim).hotpluggable).toBe(true);
    expect(JSON.stringify(rendered(disk))).not.toContain('hotpluggable');
  });

  test('rejects a container disk', () => {
    expect(mistakeOf(() => Disk.containerDisk('a')._asPluggable())).toBe(
      'Disk: a disk of type containerDisk cannot be plugged in while the guest runs\n' +
        '  use a claim or a DataVolume, or list the disk in `disks` [disk-pluggable]',
    );
  });
});

describe('rejects an object of another kind where it is passed', () => {
  const chart = new Chart(testApp(), 'test');
  const secret = new kplus.Secret(chart, 'secret');
  const configMap = new kplus.ConfigMap(chart, 'config');
  const claim = new kplus.PersistentVolumeClaim(chart, 'claim');
  test.each([
    ['Disk.configMap', 'Secret', () => Disk.configMap(secret)],
    ['Disk.secret', 'ConfigMap', () => Disk.secret(configMap)],
    ['Disk.dataVolume', 'PersistentVolumeClaim', () => Disk.dataVolume(claim as never)],
    ['Disk.serviceAccount', 'Secret', () => Disk.serviceAccount(secret)],
    ['Disk.sysprepSecret', 'ConfigMap', () => Disk.sysprepSecret(configMap)],
    ['Disk.sysprepConfigMap', 'Secret', () => Disk.sysprepConfigMap(secret)],
    ['Disk.ephemeral', 'Secret', () => Disk.ephemeral(secret)],
    ['Disk.memoryDump', 'Secret', () => Disk.memoryDump(secret)],
    ['Disk.cloneOf', 'Secret', () => Disk.cloneOf(secret)],
    ['Disk.snapshot', 'PersistentVolumeClaim', () => Disk.snapshot(claim)],
    ['Disk.dataSource', 'PersistentVolumeClaim', () => Disk.dataSource(claim as never)],
    ['DataVolumeSource.claim', 'Secret', () => DataVolumeSource.claim(secret)],
    ['ImageLocation.claim', 'Secret', () => ImageLocation.claim(secret)],
    ['CloneOrigin.snapshot', 'PersistentVolumeClaim', () => CloneOrigin.snapshot(claim)],
    ['DataVolumeSource', 'ConfigMap', () => DataVolumeSource.http('http://a', { credentials: configMap })],
    ['DataVolumeSource', 'Secret', () => DataVolumeSource.http('http://a', { certConfigMap: secret })],
  ])('%s rejects a %s', (call, kind, make) => {
    const text = mistakeOf(make);
    expect(text).toContain(`${call}: "`);
    expect(text).toContain(`is a ${kind}, not a `);
    expect(text).toContain('[object-kind]');
  });

  test.each([
    ['cdk8s-plus-28', kplus],
    ['cdk8s-plus-33', kplus33 as unknown as typeof kplus],
  ])('accepts objects of the right kind from %s', (_, library) => {
    const own = new Chart(testApp(), 'test');
    const [aSecret, aMap] = [new library.Secret(own, 'secret'), new library.ConfigMap(own, 'config')];
    const aClaim = new library.PersistentVolumeClaim(own, 'claim');
    expect(rendered(Disk.secret(aSecret)).volume.secret.secretName).toBe(aSecret.name);
    expect(rendered(Disk.configMap(aMap)).volume.configMap.name).toBe(aMap.name);
    expect(rendered(Disk.persistentVolumeClaim(aClaim)).volume.persistentVolumeClaim.claimName).toBe(aClaim.name);
    expect(rendered(Disk.cloneOf(aClaim, { namespace: 'a' })).template.spec.source.pvc.name).toBe(aClaim.name);
  });
});

test.each([
  ['that is not set is left to a preference', Disk.emptyDisk(Size.gibibytes(1)), undefined],
  ['that is set is rendered', Disk.emptyDisk(Size.gibibytes(1), { bus: DiskBus.SATA }), 'sata'],
  ['of a hotpluggable disk is scsi', Disk.blank(Size.gibibytes(1), { hotpluggable: true }), 'scsi'],
])('a bus %s', (_, disk, want) => expect(disk._renderDisk(0, true)?.disk?.bus).toBe(want));

test('renders the same twice', () => {
  for (const [, disk] of [...existing, ...own]) expect(rendered(disk)).toEqual(rendered(disk));
});

test('renders a device type without a constant as it is', () => {
  expect(rendered(Disk.emptyDisk(Size.gibibytes(1), { device: DiskDevice.of('floppy') })).disk).toEqual({
    name: 'disk0',
    floppy: { bus: 'virtio' },
  });
});
