import { isDeepStrictEqual } from 'node:util';
import { validateInstanceSpec } from './admission/instance';
import { reservedLabels, validateInstanceMetadata, validateObjectName } from './admission/metadata';
import { mistake } from './admission/rule';
import {
  dataVolumeTemplates,
  matchersAreServed,
  runStrategy,
  updateVolumesStrategy,
} from './admission/virtual-machine';
import type { ClusterConfig } from './cluster-config';
import { FieldError, root } from './field-error';
import type { VirtualMachine, VirtualMachineInstance } from './generated/kubevirt-v1';
import type { Requester } from './kinds/kind';
import type { ObjectMeta } from './meta';
import { validateSchema, withoutNulls } from './schema';

const user: Requester = { trusted: false };
const spec = root.at('spec');

/** Every mistake in a VM that is to be created, or written by hand. Empty when it may be stored. */
export function validateVirtualMachineCreate(vm: VirtualMachine, config: ClusterConfig, by = user): FieldError[] {
  return [...validateObjectName(vm.metadata ?? {}), ...validateVirtualMachine(vm, config, by)];
}

export function validateVirtualMachineUpdate(
  vm: VirtualMachine,
  old: VirtualMachine,
  config: ClusterConfig,
  by = user,
): FieldError[] {
  // nothing about an object on its way out may keep it there
  if (vm.metadata.deletionTimestamp || isDeepStrictEqual(vm.spec, old.spec)) return [];
  return [...lockedBySnapshot(vm, old), ...validateVirtualMachine(vm, config, by)];
}

function validateVirtualMachine(given: VirtualMachine, config: ClusterConfig, by: Requester): FieldError[] {
  const vm = withoutNulls(given);
  const shape = shapeErrors(vm);
  if (shape.some(breaksRules)) return shape;
  return withoutRepeats([...shape, ...virtualMachineRules(vm, config, by)]);
}

function virtualMachineRules(vm: VirtualMachine, config: ClusterConfig, by: Requester): FieldError[] {
  const { template } = vm.spec;
  const at = spec.at('template');
  if (!template.spec) {
    return mistake('template-spec', at.at('spec'), 'missing virtual machine template.', 'add spec.template.spec', {
      type: 'FieldValueRequired',
    });
  }
  return [
    ...runStrategy(vm.spec, spec, config),
    ...matchersAreServed(vm.spec, spec),
    ...updateVolumesStrategy(vm.spec, spec),
    ...dataVolumeTemplates(vm.spec, spec),
    ...validateInstanceMetadata((template.metadata ?? {}) as ObjectMeta, at.at('metadata'), config, by.trusted),
    ...validateInstanceSpec(template.spec, at.at('spec'), config),
  ];
}

/** A VM whose disks are being copied or restored keeps its spec. */
function lockedBySnapshot(vm: VirtualMachine, old: VirtualMachine): FieldError[] {
  const snapshot = old.status?.snapshotInProgress;
  if (snapshot) {
    return mistake(
      'snapshot-lock',
      spec,
      `Cannot update VM spec until snapshot "${snapshot}" completes`,
      'wait for the snapshot, or delete it',
      {
        type: 'FieldValueNotSupported',
      },
    );
  }
  const restore = old.status?.restoreInProgress;
  if (restore && (vm.spec.running || ['Always', 'Once'].includes(vm.spec.runStrategy ?? ''))) {
    return mistake(
      'restore-lock',
      spec,
      `Cannot start VM until restore "${restore}" completes`,
      'wait for the restore, or delete it',
      {
        type: 'FieldValueNotSupported',
      },
    );
  }
  return [];
}

/** Every mistake in a VMI that is to be created. */
export function validateVirtualMachineInstanceCreate(
  given: VirtualMachineInstance,
  config: ClusterConfig,
  by = user,
): FieldError[] {
  const vmi = withoutNulls(given);
  const shape = shapeErrors(vmi);
  if (shape.some(breaksRules)) return shape;
  return withoutRepeats([
    ...shape,
    ...validateObjectName(vmi.metadata),
    ...validateInstanceMetadata(vmi.metadata, root.at('metadata'), config, by.trusted),
    ...validateInstanceSpec(vmi.spec, spec, config),
  ]);
}

/** A VMI mirrors a running guest: only the platform changes its spec, or the labels by which it finds it. */
export function validateVirtualMachineInstanceUpdate(
  vmi: VirtualMachineInstance,
  old: VirtualMachineInstance,
  by = user,
): FieldError[] {
  if (by.trusted) return [];
  const errors: FieldError[] = [];
  if (!isDeepStrictEqual(vmi.spec, old.spec)) {
    errors.push(
      ...mistake(
        'instance-immutable',
        spec,
        'update of VMI object is restricted',
        'change the VirtualMachine that owns it, or use its subresources',
        {
          type: 'FieldValueNotSupported',
        },
      ),
    );
  }
  const changed = reservedLabels.filter((label) => vmi.metadata.labels?.[label] !== old.metadata.labels?.[label]);
  if (changed.length > 0) {
    errors.push(
      ...mistake(
        'reserved-label',
        root.at('metadata', 'labels'),
        'modification of the following reserved kubevirt.io/ labels on a VMI object is prohibited',
        `leave ${changed.join(', ')} as it was`,
        { type: 'FieldValueNotSupported', got: changed },
      ),
    );
  }
  return errors;
}

/** Rules read fields without asking for their types. Misspelt fields and bad values do not disturb them. */
function breaksRules({ rule }: FieldError): boolean {
  return rule === 'schema-type' || rule === 'schema-required';
}

/** A field whose shape was told wrong is not told again by a rule. */
function withoutRepeats(errors: FieldError[]): FieldError[] {
  const told = new Set(errors.filter(({ rule }) => rule.startsWith('schema-')).map(({ path }) => `${path}`));
  return errors.filter(({ rule, path }) => rule.startsWith('schema-') || !told.has(`${path}`));
}

/** What users write has the right shape. Status is the platform's own, and the API server's schema checks it. */
function shapeErrors(object: VirtualMachine | VirtualMachineInstance): FieldError[] {
  return validateSchema(object).filter(({ path }) => !/^status\b/.test(`${path}`));
}
