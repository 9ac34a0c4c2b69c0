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
import { ofKind } from './reference';
import { patchTexts } from './text';

/** What a clone is made from. An object that tells another kind is refused. */
export class CloneSource {
  /**
   * A VM. A snapshot of it is taken, and deleted when the clone is there.
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
   * A snapshot.
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

/** What is different in a clone. */
export interface VirtualMachineCloneOptions extends ResourceProps {
  /**
   * Name of the VM that is made.
   * @default - made of the source's name and a random ending
   */
  readonly targetName?: string;
  /**
   * Which labels of the VM are copied: names or beginnings with `*`, in order; `!` in front leaves out.
   * @default - all
   */
  readonly labelFilters?: string[];
  /**
   * Which annotations of the VM are copied, as for labels.
   * @default - all
   */
  readonly annotationFilters?: string[];
  /**
   * Which labels of the VM's instance are copied, as for labels.
   * @default - all
   */
  readonly templateLabelFilters?: string[];
  /**
   * Which annotations of the VM's instance are copied, as for labels.
   * @default - all
   */
  readonly templateAnnotationFilters?: string[];
  /**
   * MAC addresses by name of the interface.
   * @default - new ones
   */
  readonly newMacAddresses?: { readonly [networkName: string]: string };
  /**
   * Serial number in the SMBIOS.
   * @default - a new one
   */
  readonly newSmbiosSerial?: string;
  /**
   * Further changes of the VM.
   * @default - none
   */
  readonly patches?: JsonPatch[];
  /**
   * How its claims are called.
   * @default VolumeNamePolicy.RANDOMIZE_NAMES
   */
  readonly volumeNamePolicy?: VolumeNamePolicy;
}

/** What a clone takes. */
export interface VirtualMachineCloneProps extends VirtualMachineCloneOptions {
  /** What it is made from. */
  readonly source: CloneSource;
}

/**
 * Makes a VM like another one, or like a snapshot (`clone.kubevirt.io/v1beta1` VirtualMachineClone). Happens once.
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
  /** Name of the VM that is made, if it was said. */
  public readonly targetName?: string;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
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
  return /^spec\.((?:labelFilters|annotationFilters|newMacAddresses|patches).*)$/.exec(field)?.[1];
}
