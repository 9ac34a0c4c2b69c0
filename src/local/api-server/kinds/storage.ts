import { Kind } from '../registry/kind';
import { deepEqual } from '../json/values';
import { AnyObject, timestamp } from '../types';
import { Fields } from '../validation/fields';
import { isQualifiedName } from '../validation/names';
import { claimWarnings, validateCapacity, validateClaimSpec, validateClaimUpdate } from './claim-validation';
import { define } from './define';
import { textPrinter } from './printers';
import { age } from '../table/format';
import { validateVolume, validateVolumeUpdate, volumeWarnings } from './volume-validation';

const MODES: Record<string, string> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const modes = (list: string[] | undefined) => (list ?? []).map((mode) => MODES[mode] ?? mode).join(',');

/** A source that can be restored is a claim or belongs to another group; Kubernetes drops others. */
export function defaultClaim(object: AnyObject): void {
  const spec = (object.spec ??= {});
  spec.volumeMode ??= 'Filesystem';
}

/** Drops sources that no volume can be restored from, and copies the source to the field that has none. */
function prepareSource(spec: AnyObject['spec'], before: AnyObject['spec'] = {}): void {
  // Sources in other namespaces are not supported.
  if (spec.dataSourceRef?.namespace) delete spec.dataSourceRef;
  const { dataSource } = spec;
  const isClaim = dataSource?.kind === 'PersistentVolumeClaim' && !dataSource.apiGroup;
  const isSnapshot = dataSource?.kind === 'VolumeSnapshot' && dataSource.apiGroup === 'snapshot.storage.k8s.io';
  if (dataSource && !isClaim && !isSnapshot && !spec.dataSourceRef && !before.dataSource) delete spec.dataSource;
  if (spec.dataSource && !spec.dataSourceRef) spec.dataSourceRef = { ...spec.dataSource };
  else if (spec.dataSourceRef && !spec.dataSource) spec.dataSource = { ...spec.dataSourceRef };
}

export const persistentVolumeClaim: Kind = define({
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  namespaced: true,
  shortNames: ['pvc'],
  status: true,
  returnsDeleted: true,
  printer: textPrinter(
    {
      Status: ({ status, metadata }) => (metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? '')),
      Volume: ({ spec }) => spec?.volumeName ?? '',
      Capacity: ({ spec, status }) => (spec?.volumeName ? (status?.capacity?.storage ?? '') : ''),
      'Access Modes': ({ spec, status }) => (spec?.volumeName ? modes(status?.accessModes) : ''),
      StorageClass: ({ spec, metadata }) =>
        metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? '',
      VolumeAttributesClass: ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>',
    },
    { VolumeMode: ({ spec }) => spec?.volumeMode ?? '<unset>' },
  ),
  defaults: defaultClaim,
  prepareForCreate(object, context) {
    object.status = { phase: 'Pending' };
    prepareSource(object.spec);
    claimWarnings(object).forEach((warning) => context.warn(warning));
  },
  prepareForUpdate(object, old, context) {
    prepareSource(object.spec, old.spec);
    claimWarnings(object).forEach((warning) => context.warn(warning));
  },
  validateStatus: ({ status }, _old, fields) => validateCapacity(status?.capacity, fields.child('status', 'capacity')),
  validate: ({ spec }, fields) => validateClaimSpec(spec, fields.child('spec')),
  validateUpdate: validateClaimUpdate,
});

export const persistentVolume: Kind = define({
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  namespaced: false,
  shortNames: ['pv'],
  status: true,
  returnsDeleted: true,
  printer: textPrinter(
    {
      Capacity: ({ spec }) => spec?.capacity?.storage ?? '',
      'Access Modes': ({ spec }) => modes(spec?.accessModes),
      'Reclaim Policy': ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? '',
      Status: ({ status, metadata }) => (metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? '')),
      Claim: ({ spec }) => (spec?.claimRef ? `${spec.claimRef.namespace}/${spec.claimRef.name}` : ''),
      StorageClass: ({ spec }) => spec?.storageClassName ?? '',
      VolumeAttributesClass: ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>',
      Reason: ({ status }) => status?.reason ?? '',
    },
    { VolumeMode: ({ spec }) => spec?.volumeMode ?? '<unset>' },
  ),
  defaults(object) {
    const spec = (object.spec ??= {});
    spec.persistentVolumeReclaimPolicy ||= 'Retain';
    spec.volumeMode ??= 'Filesystem';
    if (spec.hostPath) spec.hostPath.type ??= '';
  },
  prepareForCreate(object, context) {
    object.status = { phase: 'Pending', lastPhaseTransitionTime: timestamp() };
    volumeWarnings(object).forEach((warning) => context.warn(warning));
  },
  prepareForUpdate(object, _old, context) {
    volumeWarnings(object).forEach((warning) => context.warn(warning));
  },
  prepareStatus(object, old) {
    if (!object.status || object.status.phase === old.status?.phase) return;
    if (object.status.lastPhaseTransitionTime === old.status?.lastPhaseTransitionTime) {
      object.status.lastPhaseTransitionTime = timestamp();
    }
  },
  validate: validateVolume,
  validateUpdate: validateVolumeUpdate,
});

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

export const isDefaultClass = ({ metadata }: AnyObject): boolean => metadata.annotations?.[DEFAULT_CLASS] === 'true';

export const storageClass: Kind = define({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
  shortNames: ['sc'],
  returnsDeleted: true,
  printer: {
    columns: [
      { name: 'Name', type: 'string', format: 'name' },
      { name: 'Provisioner', type: 'string' },
      { name: 'ReclaimPolicy', type: 'string' },
      { name: 'VolumeBindingMode', type: 'string' },
      { name: 'AllowVolumeExpansion', type: 'string' },
      { name: 'Age', type: 'string' },
    ],
    row: (object, now) => [
      object.metadata.name! + (isDefaultClass(object) ? ' (default)' : ''),
      object.provisioner ?? '',
      object.reclaimPolicy ?? 'Delete',
      object.volumeBindingMode ?? 'Immediate',
      object.allowVolumeExpansion ?? false,
      age(object.metadata.creationTimestamp, now),
    ],
  },
  defaults(object) {
    object.reclaimPolicy ??= 'Delete';
    object.volumeBindingMode ??= 'Immediate';
  },
  validate({ provisioner, reclaimPolicy, volumeBindingMode, parameters, allowedTopologies }, fields) {
    const name = String(provisioner ?? '').toLowerCase();
    if (name) fields.child('provisioner').invalidEach(name, isQualifiedName(name));
    else fields.child('provisioner').required(provisioner ?? '');
    for (const key of Object.keys(parameters ?? {})) {
      if (!key) fields.child('parameters').invalid(key, 'field can not be empty.');
    }
    if (reclaimPolicy && !['Delete', 'Retain'].includes(reclaimPolicy)) {
      fields.child('reclaimPolicy').notSupported(reclaimPolicy, ['Delete', 'Retain']);
    }
    if (!['Immediate', 'WaitForFirstConsumer'].includes(volumeBindingMode)) {
      fields.child('volumeBindingMode').notSupported(volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']);
    }
    validateTopologies(allowedTopologies ?? [], fields.child('allowedTopologies'));
  },
  validateUpdate(next, old, fields) {
    this.validate!(next, fields);
    for (const [field, zero] of [
      ['parameters', {}],
      ['provisioner', ''],
      ['reclaimPolicy', null],
      ['volumeBindingMode', null],
    ] as const) {
      if (deepEqual(next[field] ?? {}, old[field] ?? {})) continue;
      fields.child(field).invalid(next[field] ?? zero, 'field is immutable');
    }
  },
});

interface Topology {
  readonly matchLabelExpressions?: readonly { readonly key?: string; readonly values?: readonly string[] }[];
}

function validateTopologies(terms: readonly Topology[], at: Fields): void {
  // Kubernetes compares each term also with as many empty ones as there are terms.
  const earlier: unknown[] = terms.map(() => ({}));
  terms.forEach(({ matchLabelExpressions = [] }, i) => {
    const here = at.index(i).child('matchLabelExpressions');
    const values = new Map<string, string[]>();
    matchLabelExpressions.forEach(({ key = '', values: list = [] }, j) => {
      if (!list.length) here.index(j).child('values').required();
      list.forEach((value, k) => {
        if (list.indexOf(value) < k) here.index(j).child('values').index(k).duplicate(value);
      });
      here.index(j).child('key').invalidEach(key, isQualifiedName(key));
      if (values.has(key)) here.index(j).child('key').duplicate(key);
      values.set(key, [...new Set(list)].sort());
    });
    const known = Object.fromEntries(values);
    for (const other of earlier) if (deepEqual(known, other)) here.duplicate('');
    earlier.push(known);
  });
}
