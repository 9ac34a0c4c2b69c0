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
 * Virtual machine with its disks, networks and run strategy (`kubevirt.io/v1` VirtualMachine).
 *
 * The constructs apply the rules of KubeVirt's admission webhook. A value that is invalid on its own is rejected where
 * it is passed. All other mistakes are reported together at synth, each with the construct property, the allowed values
 * and a remedy.
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
   * Refers to a VM that exists or is declared elsewhere. It can be exposed, snapshotted, cloned, exported and migrated
   * like a declared one.
   *
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope
   * @param name name of the VM
   * @param options namespace and host name, if they differ from the defaults
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
  /** Policy that decides when the VM runs and whether it is restarted. */
  public readonly runStrategy: RunStrategy;
  /** Instance type that sizes the VM, if any. */
  public readonly instancetype?: IInstancetype;
  /** Preference with the VM's defaults, if any. */
  public readonly preference?: IPreference;
  /** Effect of a change of disks on a running guest. Undefined if they are replaced at the next start. */
  public readonly updateVolumesStrategy?: UpdateVolumesStrategy;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props disks, networks and everything else of the VM
   */
  constructor(scope: Construct, id: string, props: VirtualMachineProps = {}) {
    super(scope, id, props);
    const ownProps = this._props as VirtualMachineProps;
    this.runStrategy = ownProps.runStrategy ?? RunStrategy.ALWAYS;
    this.instancetype = ownProps.instancetype;
    this.preference = ownProps.preference;
    this.updateVolumesStrategy = ownProps.updateVolumesStrategy;
    this.apiObject = new VirtualMachineObject(this, 'Resource', {
      metadata: ownProps.metadata,
      spec: Lazy.any({ produce: () => this._cached(() => this.renderSpec()) }),
    });
    this._validateOnSynth({
      prefix: 'spec.template.spec',
      body: () => ({ spec: this._cached(() => this.renderSpec()) }),
      locate: (field) => propertyOfVm(field, 'spec', this._origins().templates),
    });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachine' {
    return 'VirtualMachine';
  }

  /**
   * Adds a disk that can be plugged in and unplugged while the guest runs: applying the change to a running VM plugs it
   * in, and removing it later unplugs it. For claims, DataVolumes, and disks that are created together with the VM.
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
   * @param options deadline, and whether the data is kept when the snapshot is deleted
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
   * Migrates the VM's guest to another node when it is applied.
   *
   * @param id id of the new construct within this one
   * @param options nodes that the guest may migrate to
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
