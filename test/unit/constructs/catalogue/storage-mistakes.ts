import type { Mistake } from './mistakes';

/** Mistakes of disks, their sources and their claims, and of snapshots, restores and backups. */
export const storageMistakes: readonly Mistake[] = [
  {
    group: 'disks',
    title: 'only a blank disk has a boot order',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest does not boot',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.registry('quay.io/containerdisks/fedora:42', Size.gibibytes(20), { name: 'root' }), Disk.blank(Size.gibibytes(50), { name: 'data', bootOrder: 1 })] });`,
    says: `disks[1].bootOrder (spec.template.spec.domain.devices.disks[1].bootOrder): the firmware tries only devices with a boot order, and disk "data" is blank: the guest does not boot from disk "root" (value: 1)
  give disk "root" a boot order, or leave this one out [boot-order-system]`,
  },
  {
    group: 'disks',
    title: 'no disk to boot from',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest does not boot',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.emptyDisk(Size.gibibytes(10))] });`,
    says: `disks[0] (spec.template.spec.volumes[0]): the guest has nothing to boot from: an emptyDisk is empty at each start, and no network has a boot order
  add a disk with an operating system, such as Disk.containerDisk or Disk.registry (a DataVolume) [boot-nothing]`,
  },
  {
    group: 'disks',
    title: 'a LUN on a file system',
    tier: 'synth',
    kubevirt: 'run',
    there: 'libvirt does not start the guest',
    code: `const d = new DataVolume(chart, 'd', { metadata: { name: 'd' }, source: DataVolumeSource.blank(), size: Size.gibibytes(20), volumeMode: VolumeMode.FILESYSTEM }); new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1'), Disk.dataVolume(d, { device: DiskDevice.LUN })] });`,
    says: `disks[1] (spec.template.spec.volumes[1]): disk "disk1" is a LUN, and the volume mode of claim "d" is Filesystem: libvirt does not start the guest (allowed: "Block")
  choose volumeMode Block for the claim, or present it as a disk [lun-block]`,
  },
  {
    group: 'disks',
    title: 'two disks with the same PCI address',
    tier: 'synth',
    kubevirt: 'run',
    there: 'libvirt does not start the guest',
    code: `const device = DiskDevice.plain({ pciAddress: '0000:81:01.0' }); new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1', { device }), Disk.blank(Size.gibibytes(1), { device })] });`,
    says: `disks[1].pciAddress (spec.template.spec.domain.devices.disks[1].disk.pciAddress): "disk0" has the PCI address 0000:81:01.0, too: libvirt does not start the guest
  give each device its own address [pci-address-unique]`,
  },
  {
    group: 'disks',
    title: 'a hotpluggable disk on SATA',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the disk is not attached',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1'), Disk.dataVolume({ name: 'data' }, { hotpluggable: true, bus: DiskBus.SATA })] });`,
    says: `disks[1].bus (spec.template.spec.domain.devices.disks[1].disk.bus): disk "disk1" is hotpluggable, and libvirt cannot plug a disk into the bus sata (allowed: "virtio", "scsi")
  write virtio, or leave it out [hotplug-bus]`,
  },
  {
    group: 'disks',
    title: 'a field of the Pod that a disk cannot contain',
    tier: 'construction',
    kubevirt: 'run',
    there: 'Kubernetes rejects the Pod',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1'), Disk.downwardApi([DownwardApiFile.field('ip', 'status.podIP')])] });`,
    says: `disks[1] (spec.template.spec.volumes[1].downwardAPI.fields[0].fieldRef.fieldPath): a volume cannot contain the field "status.podIP" of the Pod: Kubernetes rejects the Pod of the guest (allowed: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid")
  use one of the allowed values [downward-api-field]`,
  },
  {
    group: 'disks',
    title: 'a file mode in decimal',
    tier: 'construction',
    kubevirt: 'run',
    there: 'Kubernetes rejects the Pod',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1'), Disk.downwardApi([DownwardApiFile.field('labels', 'metadata.labels', { mode: 644 })])] });`,
    says: `disks[1] (spec.template.spec.volumes[1].downwardAPI.fields[0].mode): 644 is not a file mode from 0 to 0o777 (511): Kubernetes rejects the Pod of the guest
  write 0o644 (YAML: 0644) [downward-api-mode]`,
  },
  {
    group: 'windows',
    title: 'the CD with the drivers as a hard disk',
    tier: 'synth',
    kubevirt: 'run',
    there: 'Windows does not see the drivers',
    code: `new Windows11(chart, 'vm', { disks: [Disk.dataVolume({ name: 'windows' })], drivers: Disk.containerDisk('quay.io/kubevirt/virtio-container-disk:v1.7.0') });`,
    says: `drivers (spec.template.spec.domain.devices.disks[1].disk): "quay.io/kubevirt/virtio-container-disk:v1.7.0" contains the image of a CD, and disk "disk1" is a hard disk: Windows does not see the drivers (allowed: "cdrom")
  set device: DiskDevice.CDROM [drivers-cdrom]`,
  },
  {
    group: 'storage',
    title: 'a ReadWriteOnce disk that two VMs share',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the second VM waits for the volume',
    code: `const d = new DataVolume(chart, 'd', { metadata: { name: 'd' }, source: DataVolumeSource.blank(), size: Size.gibibytes(20), accessModes: [AccessMode.READ_WRITE_ONCE] }); for (const name of ['a', 'b']) new VirtualMachine(chart, name, { metadata: { name }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1'), Disk.dataVolume(d, { shareable: true })] });`,
    says: `disks[1] (spec.template.spec.volumes[1]): disk "disk1": VirtualMachine "a" (docs/a) also uses claim "d", which is ReadWriteOnce, and only guests on one node can (allowed: "ReadWriteMany")
  choose ReadWriteMany [claim-one-node]`,
  },
  {
    group: 'storage',
    title: 'the page of a file instead of the file',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the import fails',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.http('https://github.com/shop/images/blob/main/fedora.qcow2', Size.gibibytes(20))] });`,
    says: `disks[0].url (spec.dataVolumeTemplates[0].spec.source.http.url): "https://github.com/shop/images/blob/main/fedora.qcow2" is a web page about the file, not the file
  write /raw/ instead of /blob/, or the URL of a release [source-page]`,
  },
  {
    group: 'storage',
    title: 'a bucket without an object',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the import fails',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.s3('https://images.s3.example/fedora.qcow2', Size.gibibytes(20))] });`,
    says: `disks[0].url (spec.dataVolumeTemplates[0].spec.source.s3.url): "https://images.s3.example/fedora.qcow2" names no file: the path must consist of the bucket and the file in it
  write it like https://HOST/BUCKET/KEY [source-object]`,
  },
  {
    group: 'storage',
    title: 'an architecture by the name of the kernel',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the import fails',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.registry('quay.io/containerdisks/fedora:42', Size.gibibytes(20), { architecture: 'x86_64' })] });`,
    says: `disks[0].architecture (spec.dataVolumeTemplates[0].spec.source.registry.platform.architecture): no image has the architecture "x86_64", so nothing is imported
  write amd64 [source-architecture]`,
  },
  {
    group: 'storage',
    title: 'credentials for a pull by the node',
    tier: 'synth',
    kubevirt: 'never',
    there: 'the credentials are ignored',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.registry('registry.example/os:1', Size.gibibytes(20), { pullMethod: PullMethod.NODE, credentials: { name: 'registry' } })] });`,
    says: `disks[0].credentials (spec.dataVolumeTemplates[0].spec.source.registry.secretRef): a node pulls the image with its own credentials and certificates, and ignores these (value: "registry")
  remove it, or use pullMethod: pod [source-node-pull]`,
  },
  {
    group: 'storage',
    title: 'a header without a colon',
    tier: 'construction',
    kubevirt: 'never',
    there: 'the header is not sent',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.http('https://images.example/os.qcow2', Size.gibibytes(20), { extraHeaders: ['X-Site shop'] })] });`,
    says: `disks[0].extraHeaders[0] (spec.dataVolumeTemplates[0].spec.source.http.extraHeaders[0]): is not a header: the name must be followed by a colon, or CDI ignores it
  write Name: value [source-header]`,
  },
  {
    group: 'storage',
    title: 'no import to keep',
    tier: 'synth',
    kubevirt: 'never',
    there: 'every import is deleted',
    code: `new DataImportCron(chart, 'c', { source: DataVolumeSource.registry('registry.example/os:1'), size: Size.gibibytes(5), schedule: '@daily', importsToKeep: 0 });`,
    says: `importsToKeep (spec.importsToKeep): CDI deletes every import, also the newest one (value: 0)
  write 1 or more, or garbageCollect: Never to keep all [cron-imports]`,
  },
  {
    group: 'storage',
    title: 'a claim on a volume that is too small',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the claim stays pending',
    code: `new ApiObject(chart, 'pv', { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'disk-7' }, spec: { capacity: { storage: '5Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'local' } }); new DataVolume(chart, 'd', { source: DataVolumeSource.blank(), size: Size.gibibytes(20), storageClassName: 'local', volumeName: 'disk-7' });`,
    says: `volumeName (spec.storage.volumeName): the claim cannot be bound to PersistentVolume "disk-7", which has 5Gi, less than the 20Gi of the claim
  correct the claim or the volume [claim-volume]`,
  },
  {
    group: 'instancetypes',
    title: 'an instance type inferred from an imported disk',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'rejected',
    code: `new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, disks: [Disk.registry('quay.io/containerdisks/fedora:42', Size.gibibytes(20), { name: 'root' })], inferInstancetype: { volume: 'root' } });`,
    says: `inferInstancetype (spec.instancetype.inferFromVolume): DataVolume "vm-root" of volume "root" copies nothing, so no instancetype can be inferred
  set instancetype, or infer it from a disk that copies a claim, a snapshot or a DataSource [instancetype-inferred]`,
  },
  {
    group: 'protection',
    title: 'a restore in place into a new VM',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the disks of the old VM are replaced',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.blank(Size.gibibytes(5))] }); new VirtualMachineRestore(chart, 'r', { snapshot: m.snapshot('s'), target: { name: 'copy' }, volumeRestorePolicy: VolumeRestorePolicy.IN_PLACE });`,
    says: `volumeRestorePolicy (spec.volumeRestorePolicy): InPlace keeps the names of the claims, so it replaces the disks of VirtualMachine "vm"
  use RandomizeNames or PrefixTargetName for a new VM [restore-in-place]`,
  },
  {
    group: 'protection',
    title: 'restored claims with the names of the old ones',
    tier: 'synth',
    kubevirt: 'never',
    there: 'no data is restored',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.blank(Size.gibibytes(5))] }); new VirtualMachineRestore(chart, 'r', { snapshot: m.snapshot('s'), target: m, volumeRestorePolicy: VolumeRestorePolicy.PREFIX_TARGET_NAME });`,
    says: `volumeRestorePolicy (spec.volumeRestorePolicy): claim "vm-disk0" exists already: KubeVirt uses it as it is, and copies no data
  choose names that no claim has [restore-claim]`,
  },
  {
    group: 'protection',
    title: 'a restored VM with the MAC address of the old one',
    tier: 'synth',
    kubevirt: 'never',
    there: 'both guests have one address',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.blank(Size.gibibytes(5))], networks: [VmNetwork.masquerade({ macAddress: '02:00:00:00:00:01' })] }); new VirtualMachineRestore(chart, 'r', { snapshot: m.snapshot('s'), target: { name: 'copy' } });`,
    says: `patches (spec.patches): the new VM "copy" keeps the MAC address "02:00:00:00:00:01", which VirtualMachine "vm" has
  add JsonPatch.replace('/spec/template/spec/domain/devices/interfaces/0/macAddress', '') to patches, or write the new value without colons [restore-identity]`,
  },
  {
    group: 'protection',
    title: 'a snapshot of a VM without persistent disks',
    tier: 'synth',
    kubevirt: 'never',
    there: 'the snapshot contains no disk',
    code: `const m = new VirtualMachine(chart, 'vm', { metadata: { name: 'vm' }, memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1')] }); m.snapshot('s');`,
    says: `source (spec.source.name): no disk of VirtualMachine "vm" is on a claim, and a snapshot contains only claims
  give the VM a disk on a claim, such as Disk.blank or Disk.http (a DataVolume), or remove this object [snapshot-volumes]`,
  },
  {
    group: 'protection',
    title: 'a memory dump that is larger than its claim',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the dump is rejected',
    code: `const d = new DataVolume(chart, 'd', { metadata: { name: 'dump' }, source: DataVolumeSource.blank(), size: Size.gibibytes(2) }); new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(8), disks: [Disk.containerDisk('registry.example/os:1'), Disk.memoryDump(d)] });`,
    says: `disks[1] (spec.template.spec.volumes[1].memoryDump.claimName): claim "dump" has 2Gi, and a dump of 8Gi of memory needs 8292Mi
  request more than 8292Mi: the file system of the claim needs room, too [memory-dump-claim]`,
  },
  {
    group: 'storage',
    title: 'a registry cron without a schedule',
    tier: 'synth',
    kubevirt: 'run',
    there: 'nothing is imported',
    code: `new DataImportCron(chart, 'c', { source: DataVolumeSource.registry('registry.example/os:1'), size: Size.gibibytes(5) });`,
    says: `schedule (spec.schedule): without a schedule, CDI imports nothing from this source
  write a schedule, such as "30 2 * * 1" [cron-unscheduled]`,
  },
  {
    group: 'storage',
    title: 'an image for another architecture',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the guest does not boot',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), architecture: Architecture.AMD64, disks: [Disk.registry('registry.example/os:1', Size.gibibytes(5), { architecture: 'arm64' })] });`,
    says: `disks[0].architecture (spec.dataVolumeTemplates[0].spec.source.registry.platform.architecture): the image is for arm64, and the guest has the architecture amd64 (allowed: "amd64")
  write amd64 [source-guest-architecture]`,
  },
  {
    group: 'disks',
    title: 'a writable disk on a claim that is mounted read-only',
    tier: 'synth',
    kubevirt: 'run',
    there: 'QEMU does not start',
    code: `new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1'), Disk.persistentVolumeClaim({ name: 'data' }, { readOnlyClaim: true })] });`,
    says: `disks[1].readOnly (spec.template.spec.domain.devices.disks[1].disk.readonly): the claim of disk "disk1" is mounted read-only, and the disk is writable: the guest does not start
  write readonly: true, or mount the claim for writing [disk-claim-readonly]`,
  },
  {
    group: 'disks',
    title: 'a read-only directory by an option of disks',
    tier: 'construction',
    kubevirt: 'never',
    there: 'the option is ignored',
    code: `Disk.dataVolume({ name: 'files' }, { device: DiskDevice.FILESYSTEM, readOnly: true });`,
    says: `Disk: readOnly: not used, because the guest mounts this volume as a directory with virtiofs
  remove it, or present the volume as a disk [disk-filesystem-options]`,
  },
  {
    group: 'storage',
    title: 'a certificate authority by its path',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the import fails',
    code: `const ca = new ApiObject(chart, 'ca', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ca' }, data: { 'ca.crt': '/etc/ssl/ca.crt' } }); new DataVolume(chart, 'd', { source: DataVolumeSource.http('https://images.example/os.qcow2', { certConfigMap: ca }), size: Size.gibibytes(5) });`,
    says: `source.http.certConfigMap (spec.source.http.certConfigMap): no value of ConfigMap "ca" is a certificate in PEM format
  add one that begins with -----BEGIN CERTIFICATE----- [certificate-content]`,
  },
  {
    group: 'protection',
    title: 'a scheme before the image of a snapshot schedule',
    tier: 'construction',
    kubevirt: 'run',
    there: 'the Job does not start',
    code: `new SnapshotSchedule(chart, 'nightly', { source: { name: 'vm' }, image: 'docker://docker.io/library/node:24-alpine' });`,
    says: `SnapshotSchedule: image: "docker://docker.io/library/node:24-alpine" begins with docker://, which is not part of an image reference
  write "docker.io/library/node:24-alpine" [schedule-image]`,
  },
];
