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

/** Source side of a migration to another namespace or cluster. */
export interface MigrationSendTo {
  /** ID of the migration, which must be the same on both sides. */
  readonly migrationId: string;
  /** Address of the target's synchronization controller: `192.0.2.1:9185`. */
  readonly connectUrl: string;
}

/** Target side of a migration from another namespace or cluster. */
export interface MigrationReceive {
  /** ID of the migration, which must be the same on both sides. */
  readonly migrationId: string;
}

/** Options of a migration. */
export interface VirtualMachineInstanceMigrationOptions extends ResourceProps {
  /**
   * Labels that the target node must have, in addition to the instance's own node selector.
   * @default - none
   */
  readonly addedNodeSelector?: { readonly [label: string]: string };
  /**
   * Priority in the queue. Only the platform's own components may set it.
   * @default - lower than any priority
   */
  readonly priority?: MigrationPriority;
  /**
   * Target of a migration to another namespace or cluster; makes this object the source side.
   * @default - a migration inside the namespace
   */
  readonly sendTo?: MigrationSendTo;
  /**
   * Migration from another namespace or cluster to accept; makes this object the target side.
   * @default - a migration inside the namespace
   */
  readonly receive?: MigrationReceive;
}

/** Properties of a migration. */
export interface VirtualMachineInstanceMigrationProps extends VirtualMachineInstanceMigrationOptions {
  /** Guest to migrate: a VirtualMachineInstance, or the VM that runs it, which has the same name. */
  readonly instance: IVirtualMachineInstance;
}

/**
 * Migrates a running guest to another node once, when the object is applied (`kubevirt.io/v1`
 * VirtualMachineInstanceMigration).
 *
 * @example
 * new VirtualMachineInstanceMigration(chart, 'move', { instance: vm });
 */
export class VirtualMachineInstanceMigration extends Resource {
  public readonly apiObject: ApiObject;
  /** Name of the instance. */
  public readonly instanceName: string;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props guest and target of the migration
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
