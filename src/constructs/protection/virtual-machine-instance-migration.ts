import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineInstanceMigrationSpec } from '../../api/generated/kubevirt-v1';
import { defined } from '../defined';
import { VirtualMachineInstanceMigrationObject } from '../generated/kubevirt-v1';
import { beside } from '../network/beside';
import type { IVirtualMachineInstance } from '../references';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { nameOf } from '../storage/reference';
import { validateOnSynth } from '../validation';
import type { MigrationPriority } from './choices';

/** The source's side of a move to another namespace or cluster. */
export interface MigrationSendTo {
  /** Name that both sides have for the move. */
  readonly migrationId: string;
  /** Where the target's synchronization controller is: `192.0.2.1:9185`. */
  readonly connectUrl: string;
}

/** The target's side of a move from another namespace or cluster. */
export interface MigrationReceive {
  /** Name that both sides have for the move. */
  readonly migrationId: string;
}

/** What a migration has beyond its instance. */
export interface VirtualMachineInstanceMigrationOptions extends ResourceProps {
  /**
   * Labels that the target node must have, besides those that the instance asks for.
   * @default - none
   */
  readonly addedNodeSelector?: { readonly [label: string]: string };
  /**
   * Rank in the queue. Only the platform's own components may set it.
   * @default - behind all that have one
   */
  readonly priority?: MigrationPriority;
  /**
   * This is the source's side of a move to another namespace or cluster.
   * @default - the move is inside the namespace
   */
  readonly sendTo?: MigrationSendTo;
  /**
   * This is the target's side of a move from another namespace or cluster.
   * @default - the move is inside the namespace
   */
  readonly receive?: MigrationReceive;
}

/** What a migration takes. */
export interface VirtualMachineInstanceMigrationProps extends VirtualMachineInstanceMigrationOptions {
  /** Whose guest moves: a VirtualMachineInstance, or the VM that runs it, which has the same name. */
  readonly instance: IVirtualMachineInstance;
}

/**
 * Moves a running guest to another node (`kubevirt.io/v1` VirtualMachineInstanceMigration). It happens once, when the
 * object is applied.
 *
 * @example
 * new VirtualMachineInstanceMigration(chart, 'move', { instance: vm });
 */
export class VirtualMachineInstanceMigration extends Resource {
  public readonly apiObject: ApiObject;
  /** Name of the instance. */
  public readonly instanceName: string;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props guest, and where it moves to
   */
  constructor(scope: Construct, id: string, props: VirtualMachineInstanceMigrationProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { instance, priority, addedNodeSelector, sendTo, receive } = props;
    this.instanceName = instance.name;
    const kinds = ['VirtualMachineInstance', 'VirtualMachine'];
    const spec: VirtualMachineInstanceMigrationSpec = defined({
      vmiName: nameOf('VirtualMachineInstanceMigration: instance', instance, kinds, 'give it a VM or its instance'),
      priority: priority?.value as VirtualMachineInstanceMigrationSpec['priority'],
      addedNodeSelector: addedNodeSelector && { ...addedNodeSelector },
      sendTo: sendTo && { migrationID: sendTo.migrationId, connectURL: sendTo.connectUrl },
      receive: receive && { migrationID: receive.migrationId },
    });
    this.apiObject = new VirtualMachineInstanceMigrationObject(this, 'Resource', {
      metadata: beside(instance, props.metadata),
      spec,
    });
    validateOnSynth(this, { body: () => ({ spec }) });
  }
}
