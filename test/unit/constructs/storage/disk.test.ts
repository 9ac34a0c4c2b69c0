import { Chart, Size, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import * as kplus33 from 'cdk8s-plus-33';
import { CloneOrigin, DataVolume, DataVolumeSource, Disk, DiskBus, DiskDevice, ImageLocation } from '../../../../src';
import { mistakeOf } from '../fixtures';
import { existing, own, rendered } from './fixtures';

describe('what exists already becomes disk and volume', () => {
  test.each(existing)('%s', (_, disk, want) => expect(rendered(disk)).toEqual(want));
});

describe('what is made together with its VM becomes disk, volume and DataVolume', () => {
  test.each(own)('%s', (_, disk, spec) => {
    expect(rendered(disk)).toEqual({
      disk: { name: 'disk0', disk: { bus: 'virtio' } },
      volume: { name: 'disk0', dataVolume: { name: 'web-disk0' } },
      template: { metadata: { name: 'web-disk0' }, spec },
    });
  });

  test('one that can be unplugged is plugged by SCSI', () => {
    expect(rendered(Disk.blank(Size.gibibytes(1), { name: 'data', hotpluggable: true }))).toMatchObject({
      disk: { name: 'data', disk: { bus: 'scsi' } },
      volume: { name: 'data', dataVolume: { name: 'web-data', hotpluggable: true } },
    });
  });

  test('its DataVolume can have a name, labels and annotations of its own', () => {
    const dataVolumeMetadata = { name: 'root', labels: { a: 'b' }, annotations: { c: 'd' } };
    expect(rendered(Disk.blank(Size.gibibytes(1), { dataVolumeMetadata }))).toMatchObject({
      volume: { dataVolume: { name: 'root' } },
      template: { metadata: dataVolumeMetadata },
    });
  });

  test('one disk serves several VMs, each with a DataVolume of its own', () => {
    const disk = Disk.blank(Size.gibibytes(1));
    const names = ['a', 'b'].map((name) => rendered(disk, { name }).template.metadata.name);
    expect(names).toEqual(['a-disk0', 'b-disk0']);
  });

  test('a guest that nothing keeps cannot have one', () => {
    expect(mistakeOf(() => Disk.blank(Size.gibibytes(1), { name: 'data' })._renderVolume(0))).toBe(
      'Disk: data: only a VM or a pool can create a disk together with itself\n' +
        '  declare a DataVolume, and use Disk.dataVolume or Disk.ephemeral [disk-owner]',
    );
  });
});

describe('the namespace of what is copied', () => {
  const images = new Chart(Testing.app(), 'images', { namespace: 'images' });
  const golden = new DataVolume(images, 'golden', { source: DataVolumeSource.blank(), size: Size.gibibytes(1) });
  const vm = { name: 'web', metadata: { namespace: 'prod' } };
  test.each([
    ['is the one that is told', Disk.cloneOf(golden, { namespace: 'x' }), 'x'],
    ['else that of the object', Disk.cloneOf(golden), 'images'],
    ['of any library', Disk.cloneOf(new kplus.PersistentVolumeClaim(images, 'claim')), 'images'],
    ['else that of the VM', Disk.cloneOf({ name: 'golden' }), 'prod'],
    ['of a snapshot, too', Disk.snapshot({ name: 'golden' }), 'prod'],
  ])('%s', (_, disk, want) => {
    const { pvc, snapshot } = rendered(disk, vm).template.spec.source;
    expect((pvc ?? snapshot).namespace).toBe(want);
  });
});

describe('a disk made pluggable', () => {
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

  test('an image cannot be plugged', () => {
    expect(mistakeOf(() => Disk.containerDisk('a')._asPluggable())).toBe(
      'Disk: a disk of type containerDisk cannot be plugged in while the guest runs\n' +
        '  use a claim or a DataVolume, or list the disk in `disks` [disk-pluggable]',
    );
  });
});

describe('an object of another kind is refused where it is given', () => {
  const chart = Testing.chart();
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
  ])('%s takes no %s', (call, kind, make) => {
    const text = mistakeOf(make);
    expect(text).toContain(`${call}: "`);
    expect(text).toContain(`is a ${kind}, not a `);
    expect(text).toContain('[object-kind]');
  });

  test.each([
    ['cdk8s-plus-28', kplus],
    ['cdk8s-plus-33', kplus33 as unknown as typeof kplus],
  ])('those of the right kind are taken from %s', (_, library) => {
    const own = Testing.chart();
    const [aSecret, aMap] = [new library.Secret(own, 'secret'), new library.ConfigMap(own, 'config')];
    const aClaim = new library.PersistentVolumeClaim(own, 'claim');
    expect(rendered(Disk.secret(aSecret)).volume.secret.secretName).toBe(aSecret.name);
    expect(rendered(Disk.configMap(aMap)).volume.configMap.name).toBe(aMap.name);
    expect(rendered(Disk.persistentVolumeClaim(aClaim)).volume.persistentVolumeClaim.claimName).toBe(aClaim.name);
    expect(rendered(Disk.cloneOf(aClaim, { namespace: 'a' })).template.spec.source.pvc.name).toBe(aClaim.name);
  });
});

test.each([
  ['is left to a preference', Disk.emptyDisk(Size.gibibytes(1)), undefined],
  ['unless it was chosen', Disk.emptyDisk(Size.gibibytes(1), { bus: DiskBus.SATA }), 'sata'],
  ['or it must be pluggable', Disk.blank(Size.gibibytes(1), { hotpluggable: true }), 'scsi'],
])('a bus %s', (_, disk, want) => expect(disk._renderDisk(0, true)?.disk?.bus).toBe(want));

test('rendering twice gives the same', () => {
  for (const [, disk] of [...existing, ...own]) expect(rendered(disk)).toEqual(rendered(disk));
});

test('any device that the platform knows is written as it is', () => {
  expect(rendered(Disk.emptyDisk(Size.gibibytes(1), { device: DiskDevice.of('floppy') })).disk).toEqual({
    name: 'disk0',
    floppy: { bus: 'virtio' },
  });
});
