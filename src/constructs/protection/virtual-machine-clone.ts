import type { ApiObject, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineCloneSpec } from '../../api/generated/clone-v1beta1';
import type { TypedLocalObjectReference } from '../../api/generated/core-v1';
import { defined } from '../defined';
import { VirtualMachineCloneObject } from '../generated/clone-v1beta1';
import { beside } from '../network/beside';
import type { IVirtualMachine, IVirtualMachineSnapshot } from '../references';
import { INamedObject, Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth } from '../validation';
import type { VolumeNamePolicy } from './choices';
import { propertyOfRequest } from './locate';
import { ofKind } from './reference';
import { patchTexts } from './text';

/** Source of a clone. An object of another kind is rejected. */
export class CloneSource {
  /**
   * Clones a VM. The platform takes a snapshot of it, and deletes the snapshot after the clone is complete.
   *
   * @param vm VirtualMachine
   * @example
   * new VirtualMachineClone(chart, 'copy', {
   *   source: CloneSource.virtualMachine(vm),
   *   targetName: 'copy',
   * });
   */
  public static virtualMachine(vm: IVirtualMachine): CloneSource {
    return new CloneSource(ofKind('CloneSource.virtualMachine', 'VirtualMachine', vm), vm);
  }

  /**
   * Clones a VM from a snapshot.
   *
   * @param snapshot VirtualMachineSnapshot
   * @example
   * const before = vm.snapshot('before-upgrade');
   * new VirtualMachineClone(chart, 'copy', {
   *   source: CloneSource.snapshot(before),
   *   targetName: 'copy',
   * });
   */
  public static snapshot(snapshot: IVirtualMachineSnapshot): CloneSource {
    return new CloneSource(ofKind('CloneSource.snapshot', 'VirtualMachineSnapshot', snapshot), snapshot);
  }

  private constructor(
    /** @internal */
    public readonly _reference: TypedLocalObjectReference,
    /** The object that is cloned, for its namespace. @internal */
    public readonly _object: INamedObject,
  ) {}
}

/** Differences between a clone and its source. */
export interface VirtualMachineCloneOptions extends ResourceProps {
  /**
   * Name of the new VM.
   * @default - the source's name and a random suffix
   */
  readonly targetName?: string;
  /**
   * Labels of the VM to copy: names, or prefixes followed by `*`, in order. A leading `!` excludes matching labels.
   * @default - all labels
   */
  readonly labelFilters?: string[];
  /**
   * Annotations of the VM to copy, as in `labelFilters`.
   * @default - all annotations
   */
  readonly annotationFilters?: string[];
  /**
   * Labels of the VM's instance template to copy, as in `labelFilters`.
   * @default - all labels
   */
  readonly templateLabelFilters?: string[];
  /**
   * Annotations of the VM's instance template to copy, as in `labelFilters`.
   * @default - all annotations
   */
  readonly templateAnnotationFilters?: string[];
  /**
   * MAC addresses, by interface name.
   * @default - new addresses
   */
  readonly newMacAddresses?: { readonly [networkName: string]: string };
  /**
   * Serial number in the SMBIOS.
   * @default - a new one
   */
  readonly newSmbiosSerial?: string;
  /**
   * Additional changes to the VM.
   * @default - none
   */
  readonly patches?: JsonPatch[];
  /**
   * Names of the clone's claims.
   * @default VolumeNamePolicy.RANDOMIZE_NAMES
   */
  readonly volumeNamePolicy?: VolumeNamePolicy;
}

/** Properties of a clone. */
export interface VirtualMachineCloneProps extends VirtualMachineCloneOptions {
  /** Source of the clone. */
  readonly source: CloneSource;
}

/**
 * Clones a VM or a snapshot once, when the object is applied (`clone.kubevirt.io/v1beta1` VirtualMachineClone).
 *
 * @example
 * new VirtualMachineClone(chart, 'copy', {
 *   source: CloneSource.virtualMachine(vm),
 *   targetName: 'copy',
 *   newSmbiosSerial: 'copy-0001',
 * });
 */
export class VirtualMachineClone extends Resource {
  public readonly apiObject: ApiObject;
  /** Name of the new VM, if set. */
  public readonly targetName?: string;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props source and changes of the clone
   */
  constructor(scope: Construct, id: string, props: VirtualMachineCloneProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    this.targetName = props.targetName;
    const { source, targetName, newMacAddresses, volumeNamePolicy, labelFilters, annotationFilters } = props;
    const { templateLabelFilters, templateAnnotationFilters } = props;
    const template = defined({
      labelFilters: templateLabelFilters && [...templateLabelFilters],
      annotationFilters: templateAnnotationFilters && [...templateAnnotationFilters],
    });
    const spec: VirtualMachineCloneSpec = defined({
      source: { ...source._reference },
      target:
        targetName === undefined ? undefined : { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: targetName },
      labelFilters: labelFilters && [...labelFilters],
      annotationFilters: annotationFilters && [...annotationFilters],
      template: Object.keys(template).length > 0 ? template : undefined,
      newMacAddresses: newMacAddresses && { ...newMacAddresses },
      newSMBiosSerial: props.newSmbiosSerial,
      patches: patchTexts(props.patches),
      volumeNamePolicy: volumeNamePolicy?.value as VirtualMachineCloneSpec['volumeNamePolicy'],
    });
    this.apiObject = new VirtualMachineCloneObject(this, 'Resource', {
      metadata: beside(source._object, props.metadata),
      spec,
    });
    validateOnSynth(this, { body: () => ({ spec }), locate });
  }
}

function locate(field: string): string | undefined {
  const inner = /^spec\.template\.(label|annotation)(Filters.*)$/.exec(field);
  if (inner) return `template${inner[1] === 'label' ? 'Label' : 'Annotation'}${inner[2]}`;
  if (field === 'spec.target.name') return 'targetName';
  return propertyOfRequest(field);
}
