import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import type { VirtualMachineSpec } from '../../api/generated/kubevirt-v1';
import { VirtualMachineObject } from '../generated/kubevirt-v1';
import { SnapshotSchedule, SnapshotScheduleOptions } from '../protection/snapshot-schedule';
import { CloneSource, VirtualMachineClone, VirtualMachineCloneOptions } from '../protection/virtual-machine-clone';
import { ExportSource, VirtualMachineExport, VirtualMachineExportOptions } from '../protection/virtual-machine-export';
import {
  VirtualMachineInstanceMigration,
  VirtualMachineInstanceMigrationOptions,
} from '../protection/virtual-machine-instance-migration';
import { VirtualMachineSnapshot, VirtualMachineSnapshotOptions } from '../protection/virtual-machine-snapshot';
import { IInstancetype, IPreference, IVirtualMachine } from '../references';
import { INamedObject } from '../resource';
import { Disk } from '../storage/disk';
import { Guest } from './guest';
import { ImportedVirtualMachine, ImportedVirtualMachineOptions } from './imported-virtual-machine';
import { renderDataVolumeTemplates } from './render';
import { propertyOfVm, renderVirtualMachineSpec } from './render-vm';
import { RunStrategy, UpdateVolumesStrategy } from './strategies';
import { VirtualMachineProps } from './vm-props';

/**
 * A virtual machine: what it is made of, and when it runs (`kubevirt.io/v1` VirtualMachine).
 *
 * The rules of the admission webhook are the constructs' own. A value that is wrong by itself is refused where it is
 * given; what is wrong with the whole is told at synth, everything at once, with the property of the code, what is
 * allowed and what to do.
 *
 * @example
 * const web = new VirtualMachine(chart, 'web', {
 *   cpu: Cpu.cores(2),
 *   memory: Size.gibibytes(4),
 *   disks: [Disk.registry('quay.io/containerdisks/fedora:42', Size.gibibytes(20))],
 *   cloudInit: CloudInit.noCloud({ packages: ['nginx'] }),
 * });
 * web.exposeViaService('http', { ports: [VmPort.HTTP] });
 */
export class VirtualMachine extends Guest implements IVirtualMachine {
  /**
   * Refers to a VM that exists, or that something else declares. It can be exposed, snapshotted, cloned, exported and
   * migrated like a declared one.
   *
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope
   * @param name name of the VM
   * @param options namespace and host name, where they differ from the defaults
   * @example
   * const legacy = VirtualMachine.fromName(chart, 'legacy', 'legacy');
   * legacy.exposeViaService('ssh', { ports: [VmPort.SSH] });
   */
  public static fromName(
    scope: Construct,
    id: string,
    name: string,
    options: ImportedVirtualMachineOptions = {},
  ): ImportedVirtualMachine {
    return new ImportedVirtualMachine(scope, id, name, options);
  }

  public readonly apiObject: ApiObject;
  /** When the VM runs. */
  public readonly runStrategy: RunStrategy;
  /** Where its size comes from, unless it says itself. */
  public readonly instancetype?: IInstancetype;
  /** Where it gets what it does not say, besides the platform. */
  public readonly preference?: IPreference;
  /** What a change of disks means for a running guest; they are replaced at its next start when nothing is said. */
  public readonly updateVolumesStrategy?: UpdateVolumesStrategy;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props disks, networks and everything else of the VM
   */
  constructor(scope: Construct, id: string, props: VirtualMachineProps = {}) {
    super(scope, id, props);
    const whole = this._props as VirtualMachineProps;
    this.runStrategy = whole.runStrategy ?? RunStrategy.ALWAYS;
    this.instancetype = whole.instancetype;
    this.preference = whole.preference;
    this.updateVolumesStrategy = whole.updateVolumesStrategy;
    this.apiObject = new VirtualMachineObject(this, 'Resource', {
      metadata: whole.metadata,
      spec: Lazy.any({ produce: () => this._once(() => this.renderSpec()) }),
    });
    this._validateOnSynth({
      prefix: 'spec.template.spec',
      body: () => ({ spec: this._once(() => this.renderSpec()) }),
      locate: (field) => propertyOfVm(field, 'spec', this._origins().templates),
    });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachine' {
    return 'VirtualMachine';
  }

  /**
   * Adds a disk that comes and goes while the guest runs: applied to a running VM, it is plugged in, and unplugged when
   * it is taken out again. For claims, DataVolumes, and disks that are made with the VM.
   *
   * @param disk disk to plug in
   */
  public hotplug(disk: Disk): void {
    this.addDisk(disk._asPluggable());
  }

  /**
   * Takes a snapshot of the VM and its disks when it is applied.
   *
   * @param id id of the new construct within this one
   * @param options deadline, and what becomes of the data when the snapshot is deleted
   */
  public snapshot(id: string, options: VirtualMachineSnapshotOptions = {}): VirtualMachineSnapshot {
    return new VirtualMachineSnapshot(this, id, { ...options, source: this });
  }

  /**
   * Schedules snapshots of the VM and deletes old ones.
   *
   * @param id id of the new construct within this one
   * @param options schedule, and how many snapshots are kept
   */
  public scheduleSnapshots(id: string, options: SnapshotScheduleOptions = {}): SnapshotSchedule {
    return new SnapshotSchedule(this, id, { ...options, source: this });
  }

  /**
   * Creates a copy of the VM when it is applied.
   *
   * @param id id of the new construct within this one
   * @param options name and changes of the new VM
   */
  public clone(id: string, options: VirtualMachineCloneOptions = {}): VirtualMachineClone {
    return new VirtualMachineClone(this, id, { ...options, source: CloneSource.virtualMachine(this) });
  }

  /**
   * Offers the VM's disks for download for a limited time.
   *
   * @param id id of the new construct within this one
   * @param options lifetime and token of the export
   */
  public export(id: string, options: VirtualMachineExportOptions = {}): VirtualMachineExport {
    return new VirtualMachineExport(this, id, { ...options, source: ExportSource.virtualMachine(this) });
  }

  /**
   * Moves the VM's guest to another node when it is applied.
   *
   * @param id id of the new construct within this one
   * @param options nodes that the guest may move to
   */
  public migrate(id: string, options: VirtualMachineInstanceMigrationOptions = {}): VirtualMachineInstanceMigration {
    return new VirtualMachineInstanceMigration(this, id, { ...options, instance: this });
  }

  /** @internal */
  protected _owner(): INamedObject | undefined {
    return this;
  }

  private renderSpec(): VirtualMachineSpec {
    const instance = { metadata: this._instanceMetadata(), spec: this._instanceSpec() };
    return renderVirtualMachineSpec(this._props, instance, renderDataVolumeTemplates(this.disks, this));
  }
}
