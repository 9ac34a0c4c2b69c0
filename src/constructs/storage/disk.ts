import type { Size } from 'cdk8s';
import type { Disk as DiskSpec, Filesystem, Volume, DataVolumeTemplateSpec } from '../../api/generated/kubevirt-v1';
import { defined } from '../defined';
import type { IDataSource, IDataVolume } from '../references';
import type { INamedObject } from '../resource';
import { DataVolumeSource } from './data-volume-source';
import { DiskDevice } from './disk-device';
import type * as Options from './disk-options';
import { DownwardApiFile } from './downward-api';
import * as volumes from './disk-volumes';
import { CLAIMS, nameOf } from './reference';
import {
  asHotpluggable,
  diskName,
  type DiskParts,
  renderDataVolumeTemplate,
  renderDisk,
  renderFilesystem,
  renderVolume,
} from './render-disk';
import { quantityOfSize } from './size';

/**
 * Disk of a guest and its data: the disk, its volume and, if the disk is created together with its VM, its DataVolume.
 * One object holds all three, so their names always match.
 *
 * Objects are referred to by name. An object of another kind is rejected with a ValidationError.
 */
export class Disk {
  /**
   * Creates a disk from a container image. Writes are lost when the VM stops.
   *
   * @param image container image, such as `quay.io/containerdisks/fedora:42`
   * @param options options for pulling the image, and device options
   * @example
   * vm.addDisk(Disk.containerDisk('quay.io/containerdisks/fedora:42'));
   */
  public static containerDisk(image: string, options: Options.ContainerDiskOptions = {}): Disk {
    return Disk.ofVolume(volumes.containerDisk(image, options), options);
  }

  /**
   * Creates an empty disk that is deleted when the VM stops. Restarts of the guest keep it.
   *
   * @param size size of the disk
   * @param options device options
   * @example
   * vm.addDisk(Disk.emptyDisk(Size.gibibytes(5)));
   */
  public static emptyDisk(size: Size, options: Options.DiskOptions = {}): Disk {
    return Disk.ofVolume({ emptyDisk: { capacity: quantityOfSize(size) } }, options);
  }

  /**
   * Creates an empty disk together with the VM. It is kept until the VM is deleted.
   *
   * @param size size that the guest sees
   * @param options options of the claim and the device
   * @example
   * vm.addDisk(Disk.blank(Size.gibibytes(50), { name: 'data' }));
   */
  public static blank(size: Size, options: Options.OwnDiskOptions = {}): Disk {
    return Disk.withVm(DataVolumeSource.blank(), size, options);
  }

  /**
   * Imports a disk from an HTTP server when the VM is created; see {@link DataVolumeSource.http}.
   *
   * @param url address of the file, such as `https://images.example/disk.qcow2`
   * @param size size that the guest sees
   * @param options options of the source, the claim and the device
   * @example
   * vm.addDisk(Disk.http('https://images.example/fedora.qcow2', Size.gibibytes(20)));
   */
  public static http(url: string, size: Size, options: Options.HttpDiskOptions = {}): Disk {
    return Disk.withVm(DataVolumeSource.http(url, options), size, options);
  }

  /**
   * Imports a disk from S3 when the VM is created; see {@link DataVolumeSource.s3}.
   *
   * @param url address of the file, such as `https://s3.example.com/images/disk.qcow2`
   * @param size size that the guest sees
   * @param options options of the source, the claim and the device
   * @example
   * vm.addDisk(Disk.s3('https://s3.example.com/images/fedora.qcow2', Size.gibibytes(20), {
   *   credentials: { name: 's3-credentials' },
   * }));
   */
  public static s3(url: string, size: Size, options: Options.S3DiskOptions = {}): Disk {
    return Disk.withVm(DataVolumeSource.s3(url, options), size, options);
  }

  /**
   * Imports a disk from Google Cloud Storage when the VM is created; see {@link DataVolumeSource.gcs}.
   *
   * @param url address of the file, such as `gs://images/disk.qcow2`
   * @param size size that the guest sees
   * @param options options of the source, the claim and the device
   * @example
   * vm.addDisk(Disk.gcs('gs://images/fedora.qcow2', Size.gibibytes(20)));
   */
  public static gcs(url: string, size: Size, options: Options.GcsDiskOptions = {}): Disk {
    return Disk.withVm(DataVolumeSource.gcs(url, options), size, options);
  }

  /**
   * Imports a container disk when the VM is created, so that writes are kept; see {@link DataVolumeSource.registry}.
   *
   * @param image container image, such as `quay.io/containerdisks/fedora:42`
   * @param size size that the guest sees
   * @param options options of the source, the claim and the device
   * @example
   * vm.addDisk(Disk.registry('quay.io/containerdisks/fedora:42', Size.gibibytes(20)));
   */
  public static registry(image: string, size: Size, options: Options.RegistryDiskOptions = {}): Disk {
    return Disk.withVm(DataVolumeSource.registry(image, options), size, options);
  }

  /**
   * Imports a disk from an image stream when the VM is created; see {@link DataVolumeSource.imageStream}.
   *
   * @param stream name of the image stream
   * @param size size that the guest sees
   * @param options options of the source, the claim and the device
   * @example
   * vm.addDisk(Disk.imageStream('fedora', Size.gibibytes(20)));
   */
  public static imageStream(stream: string, size: Size, options: Options.RegistryDiskOptions = {}): Disk {
    return Disk.withVm(DataVolumeSource.imageStream(stream, options), size, options);
  }

  /**
   * Imports a disk from oVirt when the VM is created; see {@link DataVolumeSource.imageio}.
   *
   * @param url address of the API of oVirt
   * @param size size that the guest sees
   * @param options options of the source, the claim and the device
   * @example
   * vm.addDisk(Disk.imageio('https://ovirt.example/ovirt-engine/api', Size.gibibytes(20), {
   *   diskId: '3f2b4c1e-7c8e-4b1a-9d3e-000000000001',
   *   credentials: { name: 'ovirt-credentials' },
   *   certConfigMap: { name: 'ovirt-ca' },
   * }));
   */
  public static imageio(url: string, size: Size, options: Options.ImageioDiskOptions): Disk {
    return Disk.withVm(DataVolumeSource.imageio(url, options), size, options);
  }

  /**
   * Imports a disk from VMware when the VM is created; see {@link DataVolumeSource.vddk}.
   *
   * @param url address of vCenter or ESXi
   * @param size size that the guest sees
   * @param options options of the source, the claim and the device
   * @example
   * vm.addDisk(Disk.vddk('https://vcenter.example', Size.gibibytes(20), {
   *   backingFile: '[store] web/web.vmdk',
   *   uuid: '52260566-b032-36cb-55b1-79bf29e30490',
   *   thumbprint: '20:6C:8A:5D:44:40:B3:79:4B:28:EA:76:13:60:90:6E:49:D9:D9:A3',
   *   credentials: { name: 'vcenter-credentials' },
   * }));
   */
  public static vddk(url: string, size: Size, options: Options.VddkDiskOptions): Disk {
    return Disk.withVm(DataVolumeSource.vddk(url, options), size, options);
  }

  /**
   * Creates a disk for an upload. The guest waits until a client has uploaded its content.
   *
   * @param size size that the guest sees
   * @param options options of the claim and the device
   * @example
   * vm.addDisk(Disk.upload(Size.gibibytes(20)));
   */
  public static upload(size: Size, options: Options.OwnDiskOptions = {}): Disk {
    return Disk.withVm(DataVolumeSource.upload(), size, options);
  }

  /**
   * Copies a claim, or the claim of a DataVolume; see {@link DataVolumeSource.claim}.
   *
   * @param claim PersistentVolumeClaim, or the DataVolume that creates it
   * @param options options of the source, the claim and the device
   * @example
   * vm.addDisk(Disk.cloneOf({ name: 'golden' }, { namespace: 'images' }));
   */
  public static cloneOf(claim: INamedObject, options: Options.CloneDiskOptions = {}): Disk {
    nameOf('Disk.cloneOf', claim, CLAIMS, 'use Disk.snapshot for a snapshot, Disk.dataSource for a DataSource');
    return Disk.withVm(DataVolumeSource.claim(claim, options), options.size, options);
  }

  /**
   * Copies a VolumeSnapshot; see {@link DataVolumeSource.snapshot}.
   *
   * @param snapshot VolumeSnapshot
   * @param options options of the source, the claim and the device
   * @example
   * vm.addDisk(Disk.snapshot({ name: 'golden' }, { namespace: 'images', size: Size.gibibytes(20) }));
   */
  public static snapshot(snapshot: INamedObject, options: Options.CloneDiskOptions = {}): Disk {
    nameOf('Disk.snapshot', snapshot, ['VolumeSnapshot'], 'use Disk.cloneOf for a claim');
    return Disk.withVm(DataVolumeSource.snapshot(snapshot, options), options.size, options);
  }

  /**
   * Copies the image that a DataSource refers to when the VM is created; see {@link DataVolumeSource.dataSource}.
   *
   * @param dataSource DataSource
   * @param options options of the source, the claim and the device
   * @example
   * vm.addDisk(Disk.dataSource({ name: 'fedora' }, { namespace: 'images', size: Size.gibibytes(20) }));
   */
  public static dataSource(dataSource: IDataSource, options: Options.CloneDiskOptions = {}): Disk {
    nameOf('Disk.dataSource', dataSource, ['DataSource'], 'use cron.managedDataSource, or Disk.cloneOf for a claim');
    return Disk.withVm(DataVolumeSource.dataSource(dataSource, options), options.size, options);
  }

  /**
   * Creates a disk together with the VM, from any source. `size` is required unless the source is a copy.
   *
   * @param source source of the data
   * @param options options of the source, the claim and the device
   * @example
   * vm.addDisk(Disk.from(DataVolumeSource.http('https://images.example/fedora.qcow2'), { size: Size.gibibytes(20) }));
   */
  public static from(source: DataVolumeSource, options: Options.CopiedDiskOptions = {}): Disk {
    return Disk.withVm(source, options.size, options);
  }

  /**
   * Uses an existing PersistentVolumeClaim.
   *
   * @param claim PersistentVolumeClaim, or the DataVolume that creates it
   * @param options device options
   * @example
   * vm.addDisk(Disk.persistentVolumeClaim({ name: 'web-root' }));
   */
  public static persistentVolumeClaim(claim: INamedObject, options: Options.ClaimDiskOptions = {}): Disk {
    return Disk.ofVolume(volumes.persistentVolumeClaim(claim, options), options);
  }

  /**
   * Uses an existing DataVolume. The guest waits until the DataVolume is filled.
   *
   * @param dataVolume DataVolume
   * @param options device options
   * @example
   * vm.addDisk(Disk.dataVolume({ name: 'web-root' }));
   */
  public static dataVolume(dataVolume: IDataVolume, options: Options.PluggableDiskOptions = {}): Disk {
    return Disk.ofVolume(volumes.dataVolume(dataVolume, options), options);
  }

  /**
   * Uses the data of a claim without changing it. Writes are lost when the guest stops.
   *
   * @param claim PersistentVolumeClaim, or the DataVolume that creates it
   * @param options device options
   * @example
   * vm.addDisk(Disk.ephemeral({ name: 'golden' }));
   */
  public static ephemeral(claim: INamedObject, options: Options.EphemeralDiskOptions = {}): Disk {
    return Disk.ofVolume(volumes.ephemeral(claim, options), options);
  }

  /**
   * Uses a file of the node, by its absolute path. Requires the feature gate HostDisk.
   *
   * @param path absolute path of the file on the node
   * @param options size of a new file, and device options
   * @example
   * vm.addDisk(Disk.hostDisk('/var/lib/disks/web.img', { createWithSize: Size.gibibytes(20) }));
   */
  public static hostDisk(path: string, options: Options.HostDiskOptions = {}): Disk {
    return Disk.ofVolume(volumes.hostDisk(path, options), options);
  }

  /**
   * Creates a small disk with the files of a ConfigMap.
   *
   * @param configMap ConfigMap whose keys become files
   * @param options label of the volume, and device options
   * @example
   * vm.addDisk(Disk.configMap({ name: 'settings' }, { volumeLabel: 'settings' }));
   */
  public static configMap(configMap: INamedObject, options: Options.OptionalFilesDiskOptions = {}): Disk {
    return Disk.ofVolume(volumes.configMap(configMap, options), options);
  }

  /**
   * Creates a small disk with the files of a Secret.
   *
   * @param secret Secret whose keys become files
   * @param options label of the volume, and device options
   * @example
   * vm.addDisk(Disk.secret({ name: 'certificates' }, { volumeLabel: 'certs' }));
   */
  public static secret(secret: INamedObject, options: Options.OptionalFilesDiskOptions = {}): Disk {
    return Disk.ofVolume(volumes.secret(secret, options), options);
  }

  /**
   * Creates a small disk with the token and certificate of a ServiceAccount. A guest can have at most one.
   *
   * @param serviceAccount ServiceAccount whose token is on the disk
   * @param options device options
   * @example
   * vm.addDisk(Disk.serviceAccount({ name: 'web' }));
   */
  public static serviceAccount(serviceAccount: INamedObject, options: Options.DiskOptions = {}): Disk {
    return Disk.ofVolume(volumes.serviceAccount(serviceAccount), options);
  }

  /**
   * Creates a small disk with files that contain fields of the instance's Pod.
   *
   * @param files files on the disk
   * @param options label of the volume, and device options
   * @example
   * vm.addDisk(Disk.downwardApi([DownwardApiFile.field('labels', 'metadata.labels')]));
   */
  public static downwardApi(files: DownwardApiFile[], options: Options.FilesDiskOptions = {}): Disk {
    return Disk.ofVolume(volumes.downwardApi(files, options), options);
  }

  /**
   * Creates a small disk from which the guest reads metrics of its host. Requires the feature gate DownwardMetrics. A
   * guest can have at most one.
   *
   * @param options device options
   * @example
   * vm.addDisk(Disk.downwardMetrics());
   */
  public static downwardMetrics(options: Options.DiskOptions = {}): Disk {
    return Disk.ofVolume({ downwardMetrics: {} }, options);
  }

  /**
   * Creates a CD with the answer file for Windows Setup from a ConfigMap: autounattend.xml or unattend.xml.
   *
   * @param configMap ConfigMap with the answer file
   * @param options device options
   * @example
   * new VirtualMachine(chart, 'windows', {
   *   memory: Size.gibibytes(8),
   *   disks: [Disk.dataVolume({ name: 'windows' }), Disk.sysprepConfigMap({ name: 'answers' })],
   * });
   */
  public static sysprepConfigMap(configMap: INamedObject, options: Options.DiskOptions = {}): Disk {
    return Disk.ofVolume(volumes.sysprepConfigMap(configMap), { device: DiskDevice.CDROM, ...options });
  }

  /**
   * Creates a CD with the answer file for Windows Setup from a Secret: autounattend.xml or unattend.xml.
   *
   * @param secret Secret with the answer file
   * @param options device options
   * @example
   * new VirtualMachine(chart, 'windows', {
   *   memory: Size.gibibytes(8),
   *   disks: [Disk.dataVolume({ name: 'windows' }), Disk.sysprepSecret({ name: 'answers' })],
   * });
   */
  public static sysprepSecret(secret: INamedObject, options: Options.DiskOptions = {}): Disk {
    return Disk.ofVolume(volumes.sysprepSecret(secret), { device: DiskDevice.CDROM, ...options });
  }

  /**
   * Creates a CD drive without a CD. A CD can be inserted while the guest runs. Requires the feature gate
   * DeclarativeHotplugVolumes.
   *
   * @param options device options
   * @example
   * vm.addDisk(Disk.emptyCdrom({ name: 'drive' }));
   */
  public static emptyCdrom(options: Options.DiskOptions = {}): Disk {
    return new Disk({ options: { device: DiskDevice.CDROM, ...options }, presentedAs: 'device' });
  }

  /**
   * Uses a claim as the target of a memory dump. The guest does not see the claim. The platform adds such a volume when
   * a memory dump is requested.
   *
   * @param claim claim that the dump is written to
   * @param options name of the volume
   * @example
   * vm.addDisk(Disk.memoryDump({ name: 'memory-dump' }));
   */
  public static memoryDump(claim: INamedObject, options: Options.MemoryDumpOptions = {}): Disk {
    const volume = volumes.memoryDump(claim, options);
    return new Disk({ options: { name: options.name }, volume, presentedAs: 'nothing' });
  }

  /**
   * Shares a directory of the launcher's container with the guest, which mounts it with virtiofs. Something else must
   * have mounted the directory there.
   *
   * @param path absolute path in the launcher's container
   * @param options name of the volume
   * @example
   * vm.addDisk(Disk.containerPath('/var/run/secrets/tokens', { name: 'tokens' }));
   */
  public static containerPath(path: string, options: Options.ContainerPathOptions = {}): Disk {
    const volume = { containerPath: defined({ path, readOnly: options.readOnly }) };
    return new Disk({ options: { name: options.name }, volume, presentedAs: 'filesystem' });
  }

  /**
   * Uses any volume source as the API writes it: `Disk.of({ hostDisk: { path: '/d.img', type: 'Disk' } })`.
   *
   * @param source volume source as the API writes it
   * @param options device options
   * @example
   * vm.addDisk(Disk.of({ containerDisk: { image: 'quay.io/containerdisks/fedora:42' } }));
   */
  public static of(source: { readonly [source: string]: unknown }, options: Options.DiskOptions = {}): Disk {
    return Disk.ofVolume(source as Partial<Volume>, options);
  }

  private static ofVolume(volume: Partial<Volume>, options: Options.DiskOptions): Disk {
    return new Disk({ options, volume, presentedAs: presentedAs(options) });
  }

  private static withVm(source: DataVolumeSource, size: Size | undefined, options: Options.OwnDiskOptions): Disk {
    return new Disk({ options, template: { source, size, options }, presentedAs: presentedAs(options) });
  }

  private constructor(private readonly parts: DiskParts) {}

  /** Returns the name of the disk at this position. @internal */
  public _name(index: number): string {
    return diskName(this.parts, index);
  }

  /** Renders the volume; undefined for an empty drive. `owner` creates the disk together with itself. @internal */
  public _renderVolume(index: number, owner?: INamedObject): Volume | undefined {
    return renderVolume(this.parts, index, owner);
  }

  /**
   * Renders the disk as the guest sees it; undefined if it is not a disk. `busFromPreference` leaves a bus that is not
   * set to the VM's preference.
   *
   * @internal
   */
  public _renderDisk(index: number, busFromPreference = false): DiskSpec | undefined {
    return renderDisk(this.parts, index, busFromPreference);
  }

  /** Renders the directory that is shared with the guest; undefined if the disk is not a directory. @internal */
  public _renderFilesystem(index: number): Filesystem | undefined {
    return renderFilesystem(this.parts, index);
  }

  /**
   * Renders the DataVolume that is created together with a VM, or with each VM of a pool; undefined for existing data.
   *
   * @internal
   */
  public _renderDataVolumeTemplate(index: number, owner: INamedObject): DataVolumeTemplateSpec | undefined {
    return renderDataVolumeTemplate(this.parts, index, owner);
  }

  /** Returns the same disk, which can be plugged in and unplugged while the guest runs. @internal */
  public _asPluggable(): Disk {
    return new Disk(asHotpluggable(this.parts));
  }
}

const presentedAs = ({ device }: Options.DiskOptions): DiskParts['presentedAs'] =>
  device?.value === DiskDevice.FILESYSTEM.value ? 'filesystem' : 'device';
