import type { Size } from 'cdk8s';
import type { Disk as DiskSpec, Filesystem, Volume, DataVolumeTemplateSpec } from '../../api/generated/kubevirt-v1';
import { defined } from '../defined';
import type { IDataSource, IDataVolume } from '../references';
import type { INamedObject } from '../resource';
import { mistakeInCode } from '../validation';
import { DataVolumeSource } from './data-volume-source';
import { DiskDevice } from './disk-device';
import type {
  ClaimDiskOptions,
  CloneDiskOptions,
  ContainerDiskOptions,
  ContainerPathOptions,
  CopiedDiskOptions,
  DiskOptions,
  EphemeralDiskOptions,
  FilesDiskOptions,
  GcsDiskOptions,
  HostDiskOptions,
  HttpDiskOptions,
  ImageioDiskOptions,
  MemoryDumpOptions,
  OptionalFilesDiskOptions,
  OwnDiskOptions,
  PluggableDiskOptions,
  RegistryDiskOptions,
  S3DiskOptions,
  VddkDiskOptions,
} from './disk-options';
import { DownwardApiFile } from './downward-api';
import { CLAIMS, namespaceOf, nameOf, secretOf } from './reference';
import { renderDataVolumeSpec } from './render';
import { renderDisk } from './render-disk';
import { quantityOfSize } from './size';

/** What a disk is made of. */
interface Parts {
  readonly options: PluggableDiskOptions;
  /** Where its data is; undefined for an empty drive, and for what is made together with its VM. */
  readonly volume?: Partial<Volume>;
  /** What is made together with its VM. */
  readonly own?: { readonly source: DataVolumeSource; readonly size?: Size; readonly options: OwnDiskOptions };
  /** How the guest sees it. */
  readonly seenAs: 'device' | 'filesystem' | 'nothing';
}

/**
 * A disk of a guest and what is on it: disk, volume and, where it is made together with its VM, DataVolume in one, so
 * that their names cannot differ.
 *
 * Objects are taken by their names; one that tells another kind than is needed is refused with a ValidationError.
 */
export class Disk {
  /**
   * From a container image. Writes last until the VM stops.
   *
   * @param image container image, such as `quay.io/containerdisks/fedora:42`
   * @param options how the image is pulled, and how the guest sees the disk
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   * });
   */
  public static containerDisk(image: string, options: ContainerDiskOptions = {}): Disk {
    const { path, pullPolicy, pullSecret } = options;
    const containerDisk = defined({
      image,
      path,
      imagePullPolicy: pullPolicy?.value as 'Always' | undefined,
      imagePullSecret: pullSecret && secretOf('Disk.containerDisk: pullSecret', pullSecret),
    });
    return Disk.made({ containerDisk }, options);
  }

  /**
   * Empty, of this size; lasts until the VM stops, over restarts of the guest.
   *
   * @param size size of the disk
   * @param options how the guest sees the disk
   * @example
   * vm.addDisk(Disk.emptyDisk(Size.gibibytes(5)));
   */
  public static emptyDisk(size: Size, options: DiskOptions = {}): Disk {
    return Disk.made({ emptyDisk: { capacity: quantityOfSize(size) } }, options);
  }

  /**
   * Empty, of this size; lasts as long as the VM.
   *
   * @param size size that the guest sees
   * @param options claim of the disk, and how the guest sees it
   * @example
   * vm.addDisk(Disk.blank(Size.gibibytes(50), { name: 'data' }));
   */
  public static blank(size: Size, options: OwnDiskOptions = {}): Disk {
    return Disk.own(DataVolumeSource.blank(), size, options);
  }

  /**
   * Imported from an HTTP server when the VM is made; see {@link DataVolumeSource.http}.
   *
   * @param url address of the file, such as `https://images.example/disk.qcow2`
   * @param size size that the guest sees
   * @param options source and claim of the disk, and how the guest sees it
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.http('https://images.example/fedora.qcow2', Size.gibibytes(20))],
   * });
   */
  public static http(url: string, size: Size, options: HttpDiskOptions = {}): Disk {
    return Disk.own(DataVolumeSource.http(url, options), size, options);
  }

  /**
   * Imported from S3 when the VM is made; see {@link DataVolumeSource.s3}.
   *
   * @param url address of the file, such as `https://s3.example.com/images/disk.qcow2`
   * @param size size that the guest sees
   * @param options source and claim of the disk, and how the guest sees it
   * @example
   * vm.addDisk(Disk.s3('https://s3.example.com/images/fedora.qcow2', Size.gibibytes(20), {
   *   credentials: { name: 's3-credentials' },
   * }));
   */
  public static s3(url: string, size: Size, options: S3DiskOptions = {}): Disk {
    return Disk.own(DataVolumeSource.s3(url, options), size, options);
  }

  /**
   * Imported from Google Cloud Storage when the VM is made; see {@link DataVolumeSource.gcs}.
   *
   * @param url address of the file, such as `gs://images/disk.qcow2`
   * @param size size that the guest sees
   * @param options source and claim of the disk, and how the guest sees it
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.gcs('gs://images/fedora.qcow2', Size.gibibytes(20))],
   * });
   */
  public static gcs(url: string, size: Size, options: GcsDiskOptions = {}): Disk {
    return Disk.own(DataVolumeSource.gcs(url, options), size, options);
  }

  /**
   * Imported from a container disk when the VM is made: writes last; see {@link DataVolumeSource.registry}.
   *
   * @param image container image, such as `quay.io/containerdisks/fedora:42`
   * @param size size that the guest sees
   * @param options source and claim of the disk, and how the guest sees it
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.registry('quay.io/containerdisks/fedora:42', Size.gibibytes(20))],
   * });
   */
  public static registry(image: string, size: Size, options: RegistryDiskOptions = {}): Disk {
    return Disk.own(DataVolumeSource.registry(image, options), size, options);
  }

  /**
   * Imported from an image stream when the VM is made; see {@link DataVolumeSource.imageStream}.
   *
   * @param stream name of the image stream
   * @param size size that the guest sees
   * @param options source and claim of the disk, and how the guest sees it
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.imageStream('fedora', Size.gibibytes(20))],
   * });
   */
  public static imageStream(stream: string, size: Size, options: RegistryDiskOptions = {}): Disk {
    return Disk.own(DataVolumeSource.imageStream(stream, options), size, options);
  }

  /**
   * Imported from oVirt when the VM is made; see {@link DataVolumeSource.imageio}.
   *
   * @param url address of the API of oVirt
   * @param size size that the guest sees
   * @param options source and claim of the disk, and how the guest sees it
   * @example
   * vm.addDisk(Disk.imageio('https://ovirt.example/ovirt-engine/api', Size.gibibytes(20), {
   *   diskId: '3f2b4c1e-7c8e-4b1a-9d3e-000000000001',
   *   credentials: { name: 'ovirt-credentials' },
   *   certConfigMap: { name: 'ovirt-ca' },
   * }));
   */
  public static imageio(url: string, size: Size, options: ImageioDiskOptions): Disk {
    return Disk.own(DataVolumeSource.imageio(url, options), size, options);
  }

  /**
   * Imported from VMware when the VM is made; see {@link DataVolumeSource.vddk}.
   *
   * @param url address of vCenter or ESXi
   * @param size size that the guest sees
   * @param options source and claim of the disk, and how the guest sees it
   * @example
   * vm.addDisk(Disk.vddk('https://vcenter.example', Size.gibibytes(20), {
   *   backingFile: '[store] web/web.vmdk',
   *   uuid: '52260566-b032-36cb-55b1-79bf29e30490',
   *   thumbprint: '20:6C:8A:5D:44:40:B3:79:4B:28:EA:76:13:60:90:6E:49:D9:D9:A3',
   *   credentials: { name: 'vcenter-credentials' },
   * }));
   */
  public static vddk(url: string, size: Size, options: VddkDiskOptions): Disk {
    return Disk.own(DataVolumeSource.vddk(url, options), size, options);
  }

  /**
   * Of this size; the guest waits until a client has sent what is on it.
   *
   * @param size size that the guest sees
   * @param options claim of the disk, and how the guest sees it
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.upload(Size.gibibytes(20))],
   * });
   */
  public static upload(size: Size, options: OwnDiskOptions = {}): Disk {
    return Disk.own(DataVolumeSource.upload(), size, options);
  }

  /**
   * A copy of a claim, or of the claim of a DataVolume; see {@link DataVolumeSource.claim}.
   *
   * @param claim PersistentVolumeClaim, or the DataVolume that makes it
   * @param options source and claim of the disk, and how the guest sees it
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.cloneOf({ name: 'golden' }, { namespace: 'images' })],
   * });
   */
  public static cloneOf(claim: INamedObject, options: CloneDiskOptions = {}): Disk {
    nameOf('Disk.cloneOf', claim, CLAIMS, 'use Disk.snapshot for a snapshot, Disk.dataSource for a DataSource');
    return Disk.own(DataVolumeSource.claim(claim, options), options.size, options);
  }

  /**
   * A copy of a VolumeSnapshot; see {@link DataVolumeSource.snapshot}.
   *
   * @param snapshot VolumeSnapshot
   * @param options source and claim of the disk, and how the guest sees it
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.snapshot({ name: 'golden' }, { namespace: 'images', size: Size.gibibytes(20) })],
   * });
   */
  public static snapshot(snapshot: INamedObject, options: CloneDiskOptions = {}): Disk {
    nameOf('Disk.snapshot', snapshot, ['VolumeSnapshot'], 'use Disk.cloneOf for a claim');
    return Disk.own(DataVolumeSource.snapshot(snapshot, options), options.size, options);
  }

  /**
   * A copy of what a DataSource points at when the VM is made; see {@link DataVolumeSource.dataSource}.
   *
   * @param dataSource DataSource
   * @param options source and claim of the disk, and how the guest sees it
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.dataSource({ name: 'fedora' }, { namespace: 'images', size: Size.gibibytes(20) })],
   * });
   */
  public static dataSource(dataSource: IDataSource, options: CloneDiskOptions = {}): Disk {
    nameOf('Disk.dataSource', dataSource, ['DataSource'], 'use cron.managedDataSource, or Disk.cloneOf for a claim');
    return Disk.own(DataVolumeSource.dataSource(dataSource, options), options.size, options);
  }

  /**
   * Made together with the VM, of any source. `size`: only what is copied has a size of its own.
   *
   * @param source what the disk is filled with
   * @param options source and claim of the disk, and how the guest sees it
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.from(DataVolumeSource.http('https://images.example/fedora.qcow2'), { size: Size.gibibytes(20) })],
   * });
   */
  public static from(source: DataVolumeSource, options: CopiedDiskOptions = {}): Disk {
    return Disk.own(source, options.size, options);
  }

  /**
   * A PersistentVolumeClaim that exists.
   *
   * @param claim PersistentVolumeClaim, or the DataVolume that makes it
   * @param options how the guest sees the disk
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.persistentVolumeClaim({ name: 'web-root' })],
   * });
   */
  public static persistentVolumeClaim(claim: INamedObject, options: ClaimDiskOptions = {}): Disk {
    const claimName = nameOf('Disk.persistentVolumeClaim', claim, CLAIMS, KINDS);
    const { hotpluggable, readOnlyClaim } = options;
    const persistentVolumeClaim = defined({ claimName, hotpluggable, readOnly: readOnlyClaim });
    return Disk.made({ persistentVolumeClaim }, options);
  }

  /**
   * A DataVolume that exists; the guest waits until it is filled.
   *
   * @param dataVolume DataVolume
   * @param options how the guest sees the disk
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.dataVolume({ name: 'web-root' })],
   * });
   */
  public static dataVolume(dataVolume: IDataVolume, options: PluggableDiskOptions = {}): Disk {
    const name = nameOf('Disk.dataVolume', dataVolume, ['DataVolume'], KINDS);
    return Disk.made({ dataVolume: defined({ name, hotpluggable: options.hotpluggable }) }, options);
  }

  /**
   * What is in a claim, which is only read: writes last until the guest stops.
   *
   * @param claim PersistentVolumeClaim, or the DataVolume that makes it
   * @param options how the guest sees the disk
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.ephemeral({ name: 'golden' })],
   * });
   */
  public static ephemeral(claim: INamedObject, options: EphemeralDiskOptions = {}): Disk {
    const claimName = nameOf('Disk.ephemeral', claim, CLAIMS, KINDS);
    const persistentVolumeClaim = defined({ claimName, readOnly: options.readOnlyClaim });
    return Disk.made({ ephemeral: { persistentVolumeClaim } }, options);
  }

  /**
   * A file of the node, by its absolute path. Gate HostDisk.
   *
   * @param path absolute path of the file on the node
   * @param options size of a new file, and how the guest sees the disk
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.hostDisk('/var/lib/disks/web.img', { createWithSize: Size.gibibytes(20) })],
   * });
   */
  public static hostDisk(path: string, options: HostDiskOptions = {}): Disk {
    const { createWithSize, shared } = options;
    const hostDisk = defined({
      path,
      type: createWithSize ? ('DiskOrCreate' as const) : ('Disk' as const),
      capacity: createWithSize && quantityOfSize(createWithSize),
      shared,
    });
    return Disk.made({ hostDisk }, options);
  }

  /**
   * A small disk with the files of a ConfigMap.
   *
   * @param configMap ConfigMap whose keys become files
   * @param options label of the volume, and how the guest sees it
   * @example
   * vm.addDisk(Disk.configMap({ name: 'settings' }, { volumeLabel: 'settings' }));
   */
  public static configMap(configMap: INamedObject, options: OptionalFilesDiskOptions = {}): Disk {
    const name = nameOf('Disk.configMap', configMap, ['ConfigMap'], KINDS);
    const { optional, volumeLabel } = options;
    return Disk.made({ configMap: defined({ name, optional, volumeLabel }) }, options);
  }

  /**
   * A small disk with the files of a Secret.
   *
   * @param secret Secret whose keys become files
   * @param options label of the volume, and how the guest sees it
   * @example
   * vm.addDisk(Disk.secret({ name: 'certificates' }, { volumeLabel: 'certs' }));
   */
  public static secret(secret: INamedObject, options: OptionalFilesDiskOptions = {}): Disk {
    const secretName = nameOf('Disk.secret', secret, ['Secret'], KINDS);
    const { optional, volumeLabel } = options;
    return Disk.made({ secret: defined({ secretName, optional, volumeLabel }) }, options);
  }

  /**
   * A small disk with token and certificate of a ServiceAccount. At most one in a guest.
   *
   * @param serviceAccount ServiceAccount whose token is on the disk
   * @param options how the guest sees the disk
   * @example
   * vm.addDisk(Disk.serviceAccount({ name: 'web' }));
   */
  public static serviceAccount(serviceAccount: INamedObject, options: DiskOptions = {}): Disk {
    const serviceAccountName = nameOf('Disk.serviceAccount', serviceAccount, ['ServiceAccount'], KINDS);
    return Disk.made({ serviceAccount: { serviceAccountName } }, options);
  }

  /**
   * A small disk with files that show fields of the instance's Pod.
   *
   * @param files files on the disk
   * @param options label of the volume, and how the guest sees it
   * @example
   * vm.addDisk(Disk.downwardApi([DownwardApiFile.field('labels', 'metadata.labels')]));
   */
  public static downwardApi(files: DownwardApiFile[], options: FilesDiskOptions = {}): Disk {
    const { volumeLabel } = options;
    return Disk.made({ downwardAPI: defined({ fields: files.map((file) => file._render()), volumeLabel }) }, options);
  }

  /**
   * A small disk on which the guest reads metrics of its host. Gate DownwardMetrics; at most one in a guest.
   *
   * @param options how the guest sees the disk
   * @example
   * vm.addDisk(Disk.downwardMetrics());
   */
  public static downwardMetrics(options: DiskOptions = {}): Disk {
    return Disk.made({ downwardMetrics: {} }, options);
  }

  /**
   * Answers for the setup of Windows, on a CD: a ConfigMap with autounattend.xml or unattend.xml.
   *
   * @param configMap ConfigMap with the answer file
   * @param options how the guest sees the disk
   * @example
   * new VirtualMachine(chart, 'windows', {
   *   memory: Size.gibibytes(8),
   *   disks: [Disk.dataVolume({ name: 'windows' }), Disk.sysprepConfigMap({ name: 'answers' })],
   * });
   */
  public static sysprepConfigMap(configMap: INamedObject, options: DiskOptions = {}): Disk {
    const name = nameOf('Disk.sysprepConfigMap', configMap, ['ConfigMap'], KINDS);
    return Disk.made({ sysprep: { configMap: { name } } }, { device: DiskDevice.CDROM, ...options });
  }

  /**
   * Answers for the setup of Windows, on a CD: a Secret with autounattend.xml or unattend.xml.
   *
   * @param secret Secret with the answer file
   * @param options how the guest sees the disk
   * @example
   * new VirtualMachine(chart, 'windows', {
   *   memory: Size.gibibytes(8),
   *   disks: [Disk.dataVolume({ name: 'windows' }), Disk.sysprepSecret({ name: 'answers' })],
   * });
   */
  public static sysprepSecret(secret: INamedObject, options: DiskOptions = {}): Disk {
    const name = nameOf('Disk.sysprepSecret', secret, ['Secret'], KINDS);
    return Disk.made({ sysprep: { secret: { name } } }, { device: DiskDevice.CDROM, ...options });
  }

  /**
   * A CD drive without a CD; one is put in while the guest runs. Gate DeclarativeHotplugVolumes.
   *
   * @param options how the guest sees the disk
   * @example
   * vm.addDisk(Disk.emptyCdrom({ name: 'drive' }));
   */
  public static emptyCdrom(options: DiskOptions = {}): Disk {
    return new Disk({ options: { device: DiskDevice.CDROM, ...options }, seenAs: 'device' });
  }

  /**
   * A claim that takes a memory dump; the guest does not see it. The platform adds it when it is asked for one.
   *
   * @param claim claim that the dump is written to
   * @param options name of the volume
   * @example
   * vm.addDisk(Disk.memoryDump({ name: 'memory-dump' }));
   */
  public static memoryDump(claim: INamedObject, options: MemoryDumpOptions = {}): Disk {
    const claimName = nameOf('Disk.memoryDump', claim, CLAIMS, KINDS);
    const { hotpluggable, readOnly } = options;
    const memoryDump = defined({ claimName, hotpluggable, readOnly });
    return new Disk({ options: { name: options.name }, volume: { memoryDump }, seenAs: 'nothing' });
  }

  /**
   * A folder of the launcher's container, which something mounted there: the guest mounts it by virtiofs.
   *
   * @param path absolute path in the launcher's container
   * @param options name of the volume
   * @example
   * vm.addDisk(Disk.containerPath('/var/run/secrets/tokens', { name: 'tokens' }));
   */
  public static containerPath(path: string, options: ContainerPathOptions = {}): Disk {
    const containerPath = defined({ path, readOnly: options.readOnly });
    return new Disk({ options: { name: options.name }, volume: { containerPath }, seenAs: 'filesystem' });
  }

  /**
   * Any volume source, as the API writes it: `Disk.of({ hostDisk: { path: '/d.img', type: 'Disk' } })`.
   *
   * @param source volume source as the API writes it
   * @param options how the guest sees the disk
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.of({ containerDisk: { image: 'quay.io/containerdisks/fedora:42' } })],
   * });
   */
  public static of(source: { readonly [source: string]: unknown }, options: DiskOptions = {}): Disk {
    return Disk.made(source as Partial<Volume>, options);
  }

  private static made(volume: Partial<Volume>, options: DiskOptions): Disk {
    return new Disk({ options, volume, seenAs: seenAs(options) });
  }

  private static own(source: DataVolumeSource, size: Size | undefined, options: OwnDiskOptions): Disk {
    return new Disk({ options, own: { source, size, options }, seenAs: seenAs(options) });
  }

  private constructor(private readonly parts: Parts) {}

  /** @internal */
  public _name(index: number): string {
    return this.parts.options.name ?? `disk${index}`;
  }

  /**
   * The volume; undefined for an empty drive. `owner`: what the disk is made together with.
   *
   * @internal
   */
  public _renderVolume(index: number, owner?: INamedObject): Volume | undefined {
    const { volume, own, options } = this.parts;
    const name = this._name(index);
    if (!own) return volume && { name, ...volume };
    if (!owner) {
      const remedy = 'declare a DataVolume, and use Disk.dataVolume or Disk.ephemeral';
      mistakeInCode('Disk', name, 'only a VM or a pool makes a disk for itself', remedy, 'disk-owner');
    }
    const { hotpluggable } = options;
    return { name, dataVolume: defined({ name: this.ownName(index, owner), hotpluggable }) };
  }

  /**
   * The disk as the guest sees it; undefined for what is no disk. With `leavesBus` a bus that was not chosen is left to
   * the VM's preference.
   *
   * @internal
   */
  public _renderDisk(index: number, leavesBus = false): DiskSpec | undefined {
    const { options, seenAs: how } = this.parts;
    if (how !== 'device') return undefined;
    return renderDisk(this._name(index), options, options.hotpluggable ?? false, leavesBus);
  }

  /**
   * The folder that the guest shares; undefined for what is none.
   *
   * @internal
   */
  public _renderFilesystem(index: number): Filesystem | undefined {
    return this.parts.seenAs === 'filesystem' ? { name: this._name(index), virtiofs: {} } : undefined;
  }

  /**
   * The DataVolume that is made together with a VM or with each VM of a pool, named OWNER-DISK; undefined for what
   * exists already. The VMs of a pool append their number.
   *
   * @internal
   */
  public _renderDataVolumeTemplate(index: number, owner: INamedObject): DataVolumeTemplateSpec | undefined {
    const { own } = this.parts;
    if (!own) return undefined;
    const metadata = { ...own.options.dataVolumeMetadata, name: this.ownName(index, owner) };
    const namespace = metadata.namespace ?? namespaceOf(owner);
    return { metadata, spec: renderDataVolumeSpec(own.source, own.size, own.options, namespace) };
  }

  /**
   * The same disk, such that it can come and go while the guest runs.
   *
   * @internal
   */
  public _asPluggable(): Disk {
    const { options, volume = {}, own } = this.parts;
    if (own) return new Disk({ ...this.parts, options: { ...options, hotpluggable: true } });
    const kind = (['dataVolume', 'persistentVolumeClaim'] as const).find((each) => volume[each]);
    if (!kind) {
      const remedy = 'use a claim or a DataVolume, or name it in `disks`';
      mistakeInCode('Disk', '', `${Object.keys(volume).join()} cannot be plugged`, remedy, 'disk-pluggable');
    }
    const plugged = { [kind]: { ...volume[kind], hotpluggable: true } };
    return new Disk({ ...this.parts, options: { ...options, hotpluggable: true }, volume: plugged });
  }

  private ownName(index: number, owner: INamedObject): string {
    return this.parts.own?.options.dataVolumeMetadata?.name ?? `${owner.name}-${this._name(index)}`;
  }
}

const KINDS = 'each kind of object has its own factory: Disk.secret, Disk.configMap, Disk.dataVolume, …';

const seenAs = ({ device }: DiskOptions): Parts['seenAs'] =>
  device?.value === DiskDevice.FILESYSTEM.value ? 'filesystem' : 'device';
