import { Finding, type RuleId } from '../findings';
import type { DataVolumeSpec } from '../generated/cdi-v1beta1';
import type { TypedLocalObjectReference, TypedObjectReference } from '../generated/core-v1';
import { first, refusal } from '../kinds/refusal';
import { semanticDeepEqual } from '../kinds/shape';
import { quantityValue, tryParseQuantity } from '../quantity';
import { contentTypeIsKnown, inside, mistakeAt, oneSource, CdiField, sourceRules } from './sources';

const MIB = 1n << 20n;
const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Returns the first mistake in the spec of a DataVolume: CDI reports only one. */
export function dataVolumeRules(spec: DataVolumeSpec, place: CdiField): Finding[] {
  return first(
    () => oneTarget(spec, place),
    () => size(spec, place),
    () => className(spec, place),
    () => accessModes(spec, place),
    () => contents(spec, place),
  );
}

/** Names of Kubernetes objects have at most 253 characters, and values of labels at most 63. */
export function nameFits(name: string | undefined, most: number, place: CdiField): Finding[] {
  if (name === undefined || Buffer.byteLength(name) <= most) return [];
  const message = `Name cannot be longer than ${most} characters`;
  return [refusal('name-length', place.at, message, 'shorten the name', { value: name, field: place.field })];
}

function oneTarget({ pvc, storage }: DataVolumeSpec, place: CdiField): Finding[] {
  if (!pvc && !storage) {
    return mistakeAt(
      inside(place, ['storage'], 'PVC'),
      'data-volume-storage',
      'Missing Data volume PVC',
      'add storage: {resources: {requests: {storage: 10Gi}}}',
    );
  }
  if (!pvc || !storage) return [];
  return mistakeAt(
    inside(place, ['pvc'], 'PVC.Storage'),
    'data-volume-storage',
    'Duplicate storage definition, both target storage and target pvc defined',
    'keep storage',
  );
}

/** Only a copy may leave out the size. */
function size({ pvc, storage, source, sourceRef }: DataVolumeSpec, place: CdiField): Finding[] {
  const [own, named] = pvc ? (['pvc', 'PVC'] as const) : (['storage', 'Storage'] as const);
  const got = (pvc ?? storage)?.resources?.requests?.storage;
  const no = (message: string): Finding[] =>
    mistakeAt(
      inside(place, [own, 'resources', 'requests', 'storage'], `${named}.resources.requests.size`),
      'data-volume-size',
      `${named} size ${message}`,
      'write at least 1Mi',
      { value: got },
    );
  if (got === undefined) {
    const copied = sourceRef !== undefined || source?.pvc !== undefined || source?.snapshot !== undefined;
    return storage && copied ? [] : no('is missing');
  }
  // a number may have the shape of a quantity, and be too large for one
  if (!tryParseQuantity(got)) return no('is not a quantity');
  const bytes = quantityValue(got);
  if (bytes <= 0n) return no("can't be equal or less than zero");
  return bytes < MIB ? no('should be at least 1MiB') : [];
}

function className({ pvc, storage }: DataVolumeSpec, { at }: CdiField): Finding[] {
  const where = at.at(pvc ? 'pvc' : 'storage', 'storageClassName');
  return nameFits((pvc ?? storage)?.storageClassName, 253, { at: where, field: '' });
}

function accessModes({ pvc, storage }: DataVolumeSpec, place: CdiField): Finding[] {
  const modes: readonly string[] = (pvc ?? storage)?.accessModes ?? [];
  const no = (rule: RuleId, message: string, remedy: string): Finding[] =>
    mistakeAt(inside(place, [pvc ? 'pvc' : 'storage', 'accessModes'], 'PVC.accessModes'), rule, message, remedy, {
      value: modes,
      allowed: MODES,
    });
  if (pvc && modes.length === 0) {
    return no(
      'access-mode',
      'Required value: at least 1 access mode is required',
      'add an access mode, or use storage',
    );
  }
  if (pvc && modes.length > 1) return no('access-mode', 'PVC multiple accessModes', 'keep one, or use storage');
  if (modes.every((mode) => MODES.includes(mode))) return [];
  const supported = MODES.map((mode) => `"${mode}"`).join(', ');
  return no('access-mode', `Unsupported value: "${modes[0]}": supported values: ${supported}`, 'use a supported value');
}

function contents(spec: DataVolumeSpec, place: CdiField): Finding[] {
  const { source, sourceRef, contentType } = spec;
  const { dataSource, dataSourceRef } = (spec.pvc ?? spec.storage) as {
    dataSource?: TypedLocalObjectReference;
    dataSourceRef?: TypedObjectReference;
  };
  if (dataSource || dataSourceRef) return populatedByOthers(spec, place, dataSource, dataSourceRef);
  if ((source === undefined) === (sourceRef === undefined)) {
    return mistakeAt(
      inside(place, ['source']),
      'data-volume-source',
      'Data volume should have either Source or SourceRef, or be externally populated',
      source ? 'keep one' : 'add source, for example blank: {}',
    );
  }
  if (sourceRef) return reference(sourceRef, place);
  return first(
    () => oneSource(source!, 'Data volume', place),
    () => contentTypeIsKnown(contentType, place),
    () => sourceRules(source!, contentType, place),
    () => copied(source?.pvc, 'pvc', 'PVC', place),
    () => copied(source?.snapshot, 'snapshot', 'Snapshot', place),
  );
}

function reference({ kind, name }: { kind: string; name: string }, place: CdiField): Finding[] {
  const at = (own: string, named: string): CdiField => inside(place, ['sourceRef', own], `sourceRef.${named}`);
  if (!kind) return mistakeAt(at('kind', 'Kind'), 'source-ref', 'Missing sourceRef kind', 'write DataSource');
  if (kind !== 'DataSource') {
    const message = `Unsupported sourceRef kind ${kind}, currently only DataSource is supported`;
    return mistakeAt(at('kind', 'Kind'), 'source-ref', message, 'write DataSource', { value: kind });
  }
  return name
    ? []
    : mistakeAt(at('name', 'Name'), 'source-ref', 'Missing sourceRef name', 'write the name of the DataSource');
}

function copied(
  from: { namespace?: string; name?: string } | undefined,
  own: string,
  named: string,
  place: CdiField,
): Finding[] {
  if (!from || (from.namespace && from.name)) return [];
  const where = inside(place, ['source', own], `source.${named}`);
  const what = named === 'PVC' ? 'PVC' : 'snapshot';
  return mistakeAt(where, 'source-copy', `${where.field} source ${what} is not valid`, 'set namespace and name');
}

/** A claim with a data source is filled by another populator. */
function populatedByOthers(
  { source, sourceRef }: DataVolumeSpec,
  place: CdiField,
  dataSource: TypedLocalObjectReference | undefined,
  dataSourceRef: TypedObjectReference | undefined,
): Finding[] {
  const differ = dataSource && dataSourceRef && !semanticDeepEqual(dataSource, dataSourceRef);
  return [
    ...(source || sourceRef
      ? mistakeAt(
          inside(place, ['source']),
          'external-population',
          'External population is incompatible with Source and SourceRef',
          'remove source and sourceRef',
        )
      : []),
    ...(differ
      ? [
          refusal('external-population', place.at, 'DataSourceRef and DataSource must match', 'keep dataSourceRef', {
            field: '',
          }),
        ]
      : []),
    ...(dataSource ? dataSourceRules(dataSource, 'DataSource', inside(place, ['dataSource'])) : []),
    ...(dataSourceRef ? dataSourceRules(dataSourceRef, 'DataSourceRef', inside(place, ['dataSourceRef'])) : []),
  ];
}

function dataSourceRules(
  { apiGroup, kind, name, namespace }: TypedObjectReference,
  named: string,
  place: CdiField,
): Finding[] {
  const no = (own: string, field: string, message: string, remedy: string): Finding[] =>
    mistakeAt(inside(place, [own], field), 'external-population', message, remedy);
  return [
    ...(namespace
      ? no('namespace', 'namespace[]', 'Invalid value: DataSourceRef namespace not supported', 'remove namespace')
      : []),
    ...(name ? [] : no('name', 'name[]', `Required value: ${named} name`, 'write its name')),
    ...(kind ? [] : no('kind', 'kind', `Required value: ${named} kind`, 'write its kind')),
    ...(apiGroup || kind === 'PersistentVolumeClaim'
      ? []
      : no(
          'apiGroup',
          'apiGroup[]',
          `Required value: ${named} apiGroup when kind is not 'PersistentVolumeClaim'`,
          'write its group',
        )),
  ];
}
