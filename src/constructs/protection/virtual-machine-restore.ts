import type { ApiObject, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineRestoreSpec } from '../../api/generated/snapshot-v1beta1';
import { defined } from '../defined';
import { VirtualMachineRestoreObject } from '../generated/snapshot-v1beta1';
import { beside } from '../network/beside';
import type { IVirtualMachine, IVirtualMachineSnapshot } from '../references';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { nameOf } from '../storage/reference';
import { validateOnSynth } from '../validation';
import type { TargetReadinessPolicy, VolumeOwnershipPolicy, VolumeRestorePolicy } from './choices';
import { propertyOfRequest } from './locate';
import { virtualMachine } from './reference';
import { patchTexts } from './text';

/** Settings of one restored claim. */
export interface VolumeRestoreOverride {
  /** Name of the volume in the VM. */
  readonly volumeName: string;
  /**
   * Name of the claim.
   * @default - determined by `volumeRestorePolicy`
   */
  readonly restoreName?: string;
  /**
   * Labels to add.
   * @default - none
   */
  readonly labels?: { readonly [label: string]: string };
  /**
   * Annotations to add.
   * @default - none
   */
  readonly annotations?: { readonly [annotation: string]: string };
}

/** Options of a restore. */
export interface VirtualMachineRestoreOptions extends ResourceProps {
  /**
   * Changes to the VM, for a target that does not exist yet. They may change `/spec`, labels and annotations.
   * @default - none
   */
  readonly patches?: JsonPatch[];
  /**
   * What the restore does if the target is running.
   * @default TargetReadinessPolicy.WAIT_GRACE_PERIOD
   */
  readonly targetReadinessPolicy?: TargetReadinessPolicy;
  /**
   * Names of restored claims.
   * @default VolumeRestorePolicy.RANDOMIZE_NAMES
   */
  readonly volumeRestorePolicy?: VolumeRestorePolicy;
  /**
   * Whether restored claims are deleted together with the VM.
   * @default VolumeOwnershipPolicy.VM
   */
  readonly volumeOwnershipPolicy?: VolumeOwnershipPolicy;
  /**
   * Settings of individual claims.
   * @default - none
   */
  readonly volumeOverrides?: VolumeRestoreOverride[];
}

/** Properties of a restore. */
export interface VirtualMachineRestoreProps extends VirtualMachineRestoreOptions {
  /** Snapshot to restore. */
  readonly snapshot: IVirtualMachineSnapshot;
  /** Virtual machine to restore: the snapshot's VM, or `{ name: 'new-vm' }` to create a new one. */
  readonly target: IVirtualMachine;
}

/**
 * Restores a VM from a snapshot, or creates a new VM from it, once, when the object is applied
 * (`snapshot.kubevirt.io/v1beta1` VirtualMachineRestore).
 *
 * @example
 * const before = vm.snapshot('before-upgrade');
 * new VirtualMachineRestore(chart, 'rollback', { snapshot: before, target: vm });
 */
export class VirtualMachineRestore extends Resource {
  public readonly apiObject: ApiObject;
  /** Name of the snapshot. */
  public readonly snapshotName: string;
  /** Name of the VM. */
  public readonly targetName: string;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props snapshot and target
   */
  constructor(scope: Construct, id: string, props: VirtualMachineRestoreProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { snapshot, target, targetReadinessPolicy, volumeRestorePolicy, volumeOwnershipPolicy } = props;
    this.snapshotName = snapshot.name;
    this.targetName = target.name;
    const kind = 'VirtualMachineSnapshot';
    const spec: VirtualMachineRestoreSpec = defined({
      target: virtualMachine('VirtualMachineRestore: target', target),
      virtualMachineSnapshotName: nameOf('VirtualMachineRestore: snapshot', snapshot, [kind], `give it a ${kind}`),
      patches: patchTexts(props.patches),
      targetReadinessPolicy: targetReadinessPolicy?.value as VirtualMachineRestoreSpec['targetReadinessPolicy'],
      volumeRestorePolicy: volumeRestorePolicy?.value as VirtualMachineRestoreSpec['volumeRestorePolicy'],
      volumeOwnershipPolicy: volumeOwnershipPolicy?.value as VirtualMachineRestoreSpec['volumeOwnershipPolicy'],
      volumeRestoreOverrides: props.volumeOverrides?.map(({ volumeName, restoreName, labels, annotations }) =>
        defined({
          volumeName,
          restoreName,
          labels: labels && { ...labels },
          annotations: annotations && { ...annotations },
        }),
      ),
    });
    this.apiObject = new VirtualMachineRestoreObject(this, 'Resource', {
      metadata: beside(snapshot, props.metadata),
      spec,
    });
    validateOnSynth(this, { body: () => ({ spec }), locate: propertyOfRequest });
  }
}
