import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { IPodTarget, PodPeer, PodSelection } from '../network/pod-selection';
import { labelOfGuest, selectionOf } from '../network/pod-target';
import { ExposeViaIngressOptions, VmIngress } from '../network/vm-ingress';
import { ExposeViaServiceOptions, IServiceTarget, VmService } from '../network/vm-service';
import { SnapshotSchedule, SnapshotScheduleOptions } from '../protection/snapshot-schedule';
import { CloneSource, VirtualMachineClone, VirtualMachineCloneOptions } from '../protection/virtual-machine-clone';
import { ExportSource, VirtualMachineExport, VirtualMachineExportOptions } from '../protection/virtual-machine-export';
import {
  VirtualMachineInstanceMigration,
  VirtualMachineInstanceMigrationOptions,
} from '../protection/virtual-machine-instance-migration';
import { VirtualMachineSnapshot, VirtualMachineSnapshotOptions } from '../protection/virtual-machine-snapshot';
import { IVirtualMachine } from '../references';
import { checkPlace } from '../signatures';
import { IGuestPods } from './pods';

/** Namespace and host name of a VM that is declared elsewhere. */
export interface ImportedVirtualMachineOptions {
  /**
   * Namespace of the VM.
   * @default - namespace of the chart
   */
  readonly namespace?: string;
  /**
   * Host name of the guest, if it differs from the name of the VM.
   * @default - name of the VM
   */
  readonly hostname?: string;
}

/**
 * Reference to a VM that exists or is declared elsewhere: `VirtualMachine.fromName`.
 *
 * @example
 * const legacy = VirtualMachine.fromName(chart, 'legacy', 'legacy');
 * legacy.exposeViaService('ssh', { ports: [VmPort.SSH] });
 */
export class ImportedVirtualMachine
  extends Construct
  implements IVirtualMachine, IPodTarget, IGuestPods, IServiceTarget
{
  /** Name of the VM. */
  public readonly name: string;
  /** `VirtualMachine`. */
  public readonly kind = 'VirtualMachine' as const;
  /** `kubevirt.io/v1`. */
  public readonly apiVersion: string = 'kubevirt.io/v1';
  /** Labels that only the Pod of this VM's guest has. */
  public readonly podLabels?: { readonly [label: string]: string };
  /** Name of the VM, and its namespace if known. */
  public readonly metadata: ApiObjectMetadata;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param name name of the VM
   * @param options namespace and host name, if they differ from the defaults
   * @internal
   */
  public constructor(scope: Construct, id: string, name: string, options: ImportedVirtualMachineOptions = {}) {
    checkPlace(scope, id);
    super(scope, id);
    this.name = name;
    const { namespace } = options;
    this.metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
    this.podLabels = labelOfGuest(name, options.hostname);
  }

  /**
   * Creates a Service that sends traffic to the guest, on whichever node it runs.
   *
   * @param id id of the new construct within this one
   * @param options ports and type of the Service
   */
  public exposeViaService(id: string, options: ExposeViaServiceOptions): VmService {
    return new VmService(this, id, { ...options, target: this });
  }

  /**
   * Creates an Ingress that sends traffic to the guest, and the Service that the Ingress requires.
   *
   * @param id id of the new construct within this one
   * @param options host, path and TLS of the Ingress
   */
  public exposeViaIngress(id: string, options: ExposeViaIngressOptions = {}): VmIngress {
    return VmIngress._exposing(this, id, this, options);
  }

  /** Returns the selector of the guest's Pod, for Services, NetworkPolicies and scheduling rules of cdk8s-plus. */
  public toPodSelectorConfig(): PodSelection {
    return selectionOf(this.podLabels ?? {}, this.metadata.namespace);
  }

  /** Returns the guest's Pod as the peer of a cdk8s-plus NetworkPolicy. */
  public toNetworkPolicyPeerConfig(): PodPeer {
    return { podSelector: this.toPodSelectorConfig() };
  }

  /** Returns this construct, as the selector of the guest's Pod. */
  public toPodSelector(): IPodTarget | undefined {
    return this;
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
}
