import { changedVm as vm, type Loose } from '../fixtures';
import { alone } from './worlds';

const at = 'spec.template.spec';
const devices = `${at}.domain.devices`;

/** The fourth disk of a VM. */
const disk = (volume: Loose, more: Loose = { disk: { bus: 'virtio' } }): Loose =>
  vm((spec) => {
    spec.domain.devices.disks.push({ name: 'x', ...more });
    spec.volumes.push({ name: 'x', ...volume });
  });
const files = (...fields: Loose[]): Loose => disk({ downwardAPI: { fields } });
const fields = `${at}.volumes[3].downwardAPI.fields`;
const labels = { fieldRef: { fieldPath: 'metadata.labels' } };
const amount = (resource: string, containerName: string | undefined = 'compute'): Loose =>
  files({ path: 'a', resourceFieldRef: { resource, containerName } });
const label = (volumeLabel: string): Loose => disk({ configMap: { name: 'c', volumeLabel } });
/** A VM with a folder that the guest mounts by virtiofs. */
const folder = (volume: Loose): Loose =>
  vm((spec) => {
    spec.domain.devices.filesystems = [{ name: 'x', virtiofs: {} }];
    spec.volumes.push({ name: 'x', ...volume });
  });
const plugged = (more: Loose, hotpluggable = true): Loose => disk({ dataVolume: { name: 'd', hotpluggable } }, more);
const addresses = (first: string, second: string, card?: string): Loose =>
  vm((spec) => {
    const [root, scratch] = spec.domain.devices.disks;
    root.disk.pciAddress = first;
    scratch.disk.pciAddress = second;
    if (card) spec.domain.devices.interfaces[0].pciAddress = card;
  });
const kernel = { kernelBoot: { container: { image: 'registry.example/k:1', kernelPath: '/vmlinuz' } } };
const mounted = (more: Loose): Loose => disk({ persistentVolumeClaim: { claimName: 'c', readOnly: true } }, more);
const drivers = (more: Loose): Loose =>
  disk({ containerDisk: { image: 'quay.io/kubevirt/virtio-container-disk:v1.7.0' } }, more);
/** A VM whose root disk is empty. */
const unbootable = (change: (spec: Loose) => void = () => {}): Loose =>
  vm((spec) => {
    spec.volumes[0] = { name: 'root', emptyDisk: { capacity: '1Gi' } };
    change(spec);
  });

test.each<[string, Loose, string[]]>([
  ['accepts the labels of the Pod', files({ path: 'labels', ...labels }), []],
  ['accepts one label', files({ path: 'a', fieldRef: { fieldPath: "metadata.labels['app']" } }), []],
  [
    'reports a field that a volume cannot contain',
    files({ path: 'a', fieldRef: { fieldPath: 'spec.nodeName' } }),
    [`downward-api-field ${fields}[0].fieldRef.fieldPath`],
  ],
  [
    'reports a subscript of the name',
    files({ path: 'a', fieldRef: { fieldPath: "metadata.name['app']" } }),
    [`downward-api-field ${fields}[0].fieldRef.fieldPath`],
  ],
  ['accepts a file in a directory', files({ path: 'pod/labels', ...labels }), []],
  ['reports an absolute path', files({ path: '/labels', ...labels }), [`downward-api-path ${fields}[0].path`]],
  ['reports a path out of the disk', files({ path: 'a/../b', ...labels }), [`downward-api-path ${fields}[0].path`]],
  [
    'reports two files with one path',
    files({ path: 'a', ...labels }, { path: 'a', ...labels }),
    [`downward-api-path ${fields}[1].path`],
  ],
  ['accepts the highest mode', files({ path: 'a', ...labels, mode: 0o777 }), []],
  ['reports a mode above it', files({ path: 'a', ...labels, mode: 512 }), [`downward-api-mode ${fields}[0].mode`]],
  ['reports a decimal mode', files({ path: 'a', ...labels, mode: 644 }), [`downward-api-mode ${fields}[0].mode`]],
  ['accepts a limit', amount('limits.memory'), []],
  ['accepts huge pages', amount('requests.hugepages-2Mi'), []],
  [
    'reports an amount that no container has',
    amount('limits.cpus'),
    [`downward-api-resource ${fields}[0].resourceFieldRef.resource`],
  ],
  [
    'reports an amount without its container',
    files({ path: 'a', resourceFieldRef: { resource: 'limits.cpu' } }),
    [`downward-api-resource ${fields}[0].resourceFieldRef.containerName`],
  ],
  ['accepts a label of 32 bytes', label('x'.repeat(32)), []],
  ['reports a label of 33 bytes', label('x'.repeat(33)), [`volume-label ${at}.volumes[3].configMap.volumeLabel`]],
  ['accepts a folder of a ConfigMap', folder({ configMap: { name: 'c' } }), []],
  ['accepts a folder of a container disk', folder({ containerDisk: { image: 'registry.example/a:1' } }), []],
  [
    'reports a folder of an empty disk',
    folder({ emptyDisk: { capacity: '1Gi' } }),
    [`virtiofs-volume ${devices}.filesystems[0]`],
  ],
  ['accepts a hotpluggable disk on SCSI', plugged({ disk: { bus: 'scsi' } }), []],
  ['accepts a hotpluggable disk on virtio', plugged({ disk: { bus: 'virtio' } }), []],
  ['accepts a hotpluggable CD', plugged({ cdrom: { bus: 'sata' } }), []],
  ['accepts a permanent disk on SATA', plugged({ disk: { bus: 'sata' } }, false), []],
  [
    'reports a hotpluggable disk on SATA',
    plugged({ disk: { bus: 'sata' } }),
    [`hotplug-bus ${devices}.disks[3].disk.bus`],
  ],
  ['accepts a read-only disk on a read-only claim', mounted({ disk: { bus: 'virtio', readonly: true } }), []],
  ['accepts a CD on a read-only claim', mounted({ cdrom: { bus: 'sata' } }), []],
  [
    'reports a writable disk on a read-only claim',
    mounted({ disk: { bus: 'virtio' } }),
    [`disk-claim-readonly ${devices}.disks[3].disk.readonly`],
  ],
  ['accepts the drivers of Windows on a CD', drivers({ cdrom: { bus: 'sata' } }), []],
  ['reports them on a hard disk', drivers({ disk: { bus: 'sata' } }), [`drivers-cdrom ${devices}.disks[3].disk`]],
  [
    'reports a directory of the node',
    disk({ hostDisk: { path: '/srv/', type: 'Disk' } }),
    [`gate-host-disk ${at}.volumes[3]`, `host-disk-path ${at}.volumes[3].hostDisk.path`],
  ],
  ['accepts two PCI addresses', addresses('0000:81:01.0', '0000:81:02.0'), []],
  [
    'reports two disks with one PCI address',
    addresses('0000:81:0a.0', '0000:81:0A.0'),
    [`pci-address-unique ${devices}.disks[1].disk.pciAddress`],
  ],
  [
    'reports a card with the PCI address of a disk',
    addresses('0000:81:01.0', '0000:81:02.0', '0000:81:02.0'),
    [`pci-address-unique ${devices}.interfaces[0].pciAddress`],
  ],
  ['reports a guest with empty disks only', unbootable(), [`boot-nothing ${at}.volumes[0]`]],
  ['accepts one with a kernel', unbootable((spec) => (spec.domain.firmware = kernel)), []],
  [
    'accepts one that boots from the network',
    unbootable((spec) => (spec.domain.devices.interfaces[0].bootOrder = 2)),
    [],
  ],
  [
    'accepts one with a claim',
    unbootable((spec) => (spec.volumes[1] = { name: 'scratch', dataVolume: { name: 'd' } })),
    [],
  ],
  [
    'reports an empty disk that the guest cannot write',
    vm((spec) => (spec.domain.devices.disks[1].disk.readonly = true)),
    [`disk-empty-readonly ${devices}.disks[1].disk.readonly`],
  ],
])('%s', (_, made, want) => expect(alone(made)).toEqual(want));
