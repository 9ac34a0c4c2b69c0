import type { ClusterConfig } from '../cluster-config';
import type { FieldError, Path } from '../field-error';
import type { VirtualMachineSpec } from '../generated/kubevirt-v1';
import { mistake, notOneOf } from './rule';

const runStrategies = ['Always', 'RerunOnFailure', 'Manual', 'Halted', 'Once'] as const;

/** Either the old switch or a strategy. */
export function runStrategy(spec: VirtualMachineSpec, at: Path, config: ClusterConfig): FieldError[] {
  const allowed = [...runStrategies, ...(config.hasGate('DecentralizedLiveMigration') ? ['WaitAsReceiver'] : [])];
  const path = at.at('running');
  if (spec.running !== undefined && spec.runStrategy !== undefined) {
    return mistake(
      'run-strategy-one',
      path,
      'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead',
      'remove running',
    );
  }
  if (spec.running === undefined && spec.runStrategy === undefined) {
    return mistake(
      'run-strategy-required',
      path,
      'One of Running or RunStrategy must be specified',
      'set runStrategy, for example to Always',
      {
        allowed,
      },
    );
  }
  return notOneOf(
    'run-strategy',
    at.at('runStrategy'),
    spec.runStrategy,
    allowed,
    `Invalid RunStrategy (${spec.runStrategy})`,
    {
      type: 'FieldValueInvalid',
    },
  );
}

/** Disks that are made for this VM, and used by it. */
export function dataVolumeTemplates(spec: VirtualMachineSpec, at: Path): FieldError[] {
  const volumes = spec.template.spec?.volumes ?? [];
  return (spec.dataVolumeTemplates ?? []).flatMap((template, i) => {
    if (!template) return [];
    const path = at.at('dataVolumeTemplates', i);
    const name = (template.metadata as { name?: string } | null | undefined)?.name;
    if (!name) {
      return mistake(
        'data-volume-name',
        path.at('name'),
        `'name' field must not be empty for DataVolumeTemplate entry ${path}.`,
        'name it',
        {
          type: 'FieldValueRequired',
        },
      );
    }
    const errors: FieldError[] = [];
    const { pvc, storage, source, sourceRef } = template.spec ?? {};
    if (!pvc && !storage) {
      errors.push(
        ...mistake(
          'data-volume-storage',
          path.at('spec'),
          'Missing Data volume PVC or Storage',
          'add storage: {resources: {requests: {storage: 10Gi}}}',
        ),
      );
    }
    if (pvc && storage) {
      errors.push(
        ...mistake(
          'data-volume-storage',
          path.at('spec'),
          'Duplicate storage definition, both target storage and target pvc defined',
          'keep storage',
        ),
      );
    }
    if (!source && !sourceRef) {
      errors.push(
        ...mistake(
          'data-volume-source',
          path.at('spec'),
          'Data volume should have either Source or SourceRef, or be externally populated',
          'add source, for example blank: {}',
        ),
      );
    }
    if (source && sourceRef) {
      errors.push(
        ...mistake(
          'data-volume-source',
          path.at('spec'),
          'Data volume should have either Source or SourceRef, not both',
          'keep one',
        ),
      );
    }
    const used = volumes.some(
      ({ dataVolume, persistentVolumeClaim }) => dataVolume?.name === name || persistentVolumeClaim?.claimName === name,
    );
    if (!used) {
      errors.push(
        ...mistake(
          'data-volume-used',
          path,
          `DataVolumeTemplate entry ${path} must be referenced in the VMI template's 'volumes' list`,
          `add a volume with dataVolume: {name: ${name}}`,
          { got: name },
        ),
      );
    }
    return errors;
  });
}

/** Sizing by reference is not served yet: saying so now beats a VM that never starts. */
export function matchersAreServed(spec: VirtualMachineSpec, at: Path): FieldError[] {
  return (['instancetype', 'preference'] as const).flatMap((field) =>
    spec[field]
      ? mistake(
          `${field}-served`,
          at.at(field),
          `${field} is not supported by this version`,
          'write the fields into spec.template.spec instead',
          {
            type: 'FieldValueNotSupported',
          },
        )
      : [],
  );
}

export function updateVolumesStrategy(spec: VirtualMachineSpec, at: Path): FieldError[] {
  const got = spec.updateVolumesStrategy;
  return notOneOf(
    'update-volumes-strategy',
    at.at('updateVolumesStrategy'),
    got,
    ['Replacement', 'Migration'],
    `Invalid updateVolumesStrategy (${got})`,
    {
      type: 'FieldValueInvalid',
    },
  );
}
