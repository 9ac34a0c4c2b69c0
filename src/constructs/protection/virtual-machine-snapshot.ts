import type { ApiObject, Duration } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineSnapshotSpec } from '../../api/generated/snapshot-v1beta1';
import { defined } from '../defined';
import { VirtualMachineSnapshotObject } from '../generated/snapshot-v1beta1';
import { beside } from '../network/beside';
import type { IVirtualMachine, IVirtualMachineSnapshot } from '../references';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth } from '../validation';
import type { SnapshotDeletionPolicy } from './choices';
import { virtualMachine } from './reference';
import { durationText } from './text';

/** What a snapshot has beyond its VM. */
export interface VirtualMachineSnapshotOptions extends ResourceProps {
  /**
   * Whether what it holds goes with it.
   * @default SnapshotDeletionPolicy.DELETE
   */
  readonly deletionPolicy?: SnapshotDeletionPolicy;
  /**
   * Unfinished after this time, it has failed; zero waits for ever.
   * @default - 5 minutes
   */
  readonly failureDeadline?: Duration;
}

/** What a snapshot takes. */
export interface VirtualMachineSnapshotProps extends VirtualMachineSnapshotOptions {
  /** The VM. It may run: with the guest agent its file systems are frozen meanwhile. */
  readonly source: IVirtualMachine;
}

/**
 * A VM and its disks as they are at one moment (`snapshot.kubevirt.io/v1beta1` VirtualMachineSnapshot). Disks whose
 * storage makes no snapshots are left out; the status names them.
 *
 * Its spec cannot be changed once it is applied: another snapshot is another object.
 *
 * @example
 * new VirtualMachineSnapshot(chart, 'before-upgrade', { source: vm });
 */
export class VirtualMachineSnapshot extends Resource implements IVirtualMachineSnapshot {
  public readonly apiObject: ApiObject;
  /** Name of the VM. */
  public readonly sourceName: string;
  /** Whether what it holds goes with it, if it was said. */
  public readonly deletionPolicy?: SnapshotDeletionPolicy;
  /** Unfinished after this time, it has failed, if it was said. */
  public readonly failureDeadline?: Duration;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props VM and deadline of the snapshot
   */
  constructor(scope: Construct, id: string, props: VirtualMachineSnapshotProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { source, deletionPolicy, failureDeadline } = props;
    this.sourceName = source.name;
    this.deletionPolicy = deletionPolicy;
    this.failureDeadline = failureDeadline;
    const spec: VirtualMachineSnapshotSpec = defined({
      source: virtualMachine('VirtualMachineSnapshot', source),
      deletionPolicy: deletionPolicy?.value as VirtualMachineSnapshotSpec['deletionPolicy'],
      failureDeadline: failureDeadline && durationText(failureDeadline),
    });
    this.apiObject = new VirtualMachineSnapshotObject(this, 'Resource', {
      metadata: beside(source, props.metadata),
      spec,
    });
    validateOnSynth(this, { body: () => ({ spec }) });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachineSnapshot' {
    return 'VirtualMachineSnapshot';
  }
}
