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
import { virtualMachine } from './reference';
import { patchTexts } from './text';

/** What differs in one restored claim. */
export interface VolumeRestoreOverride {
  /** Name of the volume in the VM. */
  readonly volumeName: string;
  /**
   * Name of the claim.
   * @default - as `volumeRestorePolicy` says
   */
  readonly restoreName?: string;
  /**
   * Labels that are added.
   * @default - none
   */
  readonly labels?: { readonly [label: string]: string };
  /**
   * Annotations that are added.
   * @default - none
   */
  readonly annotations?: { readonly [annotation: string]: string };
}

/** What a restore has beyond its snapshot and VM. */
export interface VirtualMachineRestoreOptions extends ResourceProps {
  /**
   * Changes of the VM, for a target that does not exist yet: below `/spec`, and of labels and annotations.
   * @default - none
   */
  readonly patches?: JsonPatch[];
  /**
   * What it does while the target runs.
   * @default TargetReadinessPolicy.WAIT_GRACE_PERIOD
   */
  readonly targetReadinessPolicy?: TargetReadinessPolicy;
  /**
   * How restored claims are called.
   * @default VolumeRestorePolicy.RANDOMIZE_NAMES
   */
  readonly volumeRestorePolicy?: VolumeRestorePolicy;
  /**
   * Whether restored claims go with the VM.
   * @default VolumeOwnershipPolicy.VM
   */
  readonly volumeOwnershipPolicy?: VolumeOwnershipPolicy;
  /**
   * What differs in single claims.
   * @default - nothing
   */
  readonly volumeOverrides?: VolumeRestoreOverride[];
}

/** What a restore takes. */
export interface VirtualMachineRestoreProps extends VirtualMachineRestoreOptions {
  /** The snapshot. */
  readonly snapshot: IVirtualMachineSnapshot;
  /** The VM that is put back: the one of the snapshot, or `{ name: 'new-vm' }`, which is made. */
  readonly target: IVirtualMachine;
}

/**
 * Puts a VM back to a snapshot, or makes a new VM from one (`snapshot.kubevirt.io/v1beta1` VirtualMachineRestore). It
 * happens once, when the object is applied.
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
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
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
    validateOnSynth(this, {
      body: () => ({ spec }),
      locate: (field) => /^spec\.(patches\[\d+\])/.exec(field)?.[1] ?? overrideOf(field),
    });
  }
}

const overrideOf = (field: string): string | undefined => {
  const item = /^spec\.volumeRestoreOverrides(.*)$/.exec(field)?.[1];
  return item === undefined ? undefined : `volumeOverrides${item}`;
};
