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
import { propertyOfRequest } from './locate';
import { virtualMachine } from './reference';
import { durationText } from './text';

/** Options of a snapshot. */
export interface VirtualMachineSnapshotOptions extends ResourceProps {
  /**
   * Whether deleting the snapshot also deletes its content.
   * @default SnapshotDeletionPolicy.DELETE
   */
  readonly deletionPolicy?: SnapshotDeletionPolicy;
  /**
   * Time after which an unfinished snapshot is marked as failed. Zero disables the limit.
   * @default - 5 minutes
   */
  readonly failureDeadline?: Duration;
}

/** Properties of a snapshot. */
export interface VirtualMachineSnapshotProps extends VirtualMachineSnapshotOptions {
  /**
   * Virtual machine to snapshot. It may be running: with a guest agent, its file systems are frozen for the snapshot.
   */
  readonly source: IVirtualMachine;
}

/**
 * Point-in-time copy of a VM and its disks (`snapshot.kubevirt.io/v1beta1` VirtualMachineSnapshot). Disks whose storage
 * does not support snapshots are left out; the status names them.
 *
 * The spec is immutable: to take another snapshot, create another object.
 *
 * @example
 * new VirtualMachineSnapshot(chart, 'before-upgrade', { source: vm });
 */
export class VirtualMachineSnapshot extends Resource implements IVirtualMachineSnapshot {
  public readonly apiObject: ApiObject;
  /** Name of the VM. */
  public readonly sourceName: string;
  /** Whether deleting the snapshot also deletes its content, if set. */
  public readonly deletionPolicy?: SnapshotDeletionPolicy;
  /** Time after which an unfinished snapshot is marked as failed, if set. */
  public readonly failureDeadline?: Duration;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
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
    validateOnSynth(this, { body: () => ({ spec }), locate: propertyOfRequest });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachineSnapshot' {
    return 'VirtualMachineSnapshot';
  }
}
