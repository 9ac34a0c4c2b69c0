import { tryParseQuantity, compareQuantities } from '../../../api/quantity';
import { Kind } from '../registry/kind';
import { AnyObject, clone, deepEqual } from '../types';
import { Fields } from '../validation/fields';
import { define } from './define';
import { textPrinter } from './printers';
import { age } from '../table/format';

const MODES: Record<string, string> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const modes = (list: string[] | undefined) => (list ?? []).map((mode) => MODES[mode] ?? mode).join(',');

function validateModes(list: string[] | undefined, fields: Fields): void {
  if (!list?.length) fields.required('at least 1 access mode is required');
  for (const mode of list ?? []) {
    if (!MODES[mode]) fields.notSupported(mode, ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']);
  }
  if (list && list.length > 1 && list.includes('ReadWriteOncePod')) {
    fields.forbidden('may not use ReadWriteOncePod with other access modes');
  }
}

function validateClaim({ spec = {} }: AnyObject, fields: Fields): void {
  const at = fields.child('spec');
  validateModes(spec.accessModes, at.child('accessModes'));
  const storage = spec.resources?.requests?.storage;
  if (storage === undefined) at.child('resources').key('storage').required();
  else {
    const parsed = tryParseQuantity(storage);
    if (parsed && parsed.nanos <= 0n) {
      at.child('resources').key('storage').invalid(storage, 'must be greater than zero');
    }
  }
  if (spec.volumeMode && !['Block', 'Filesystem'].includes(spec.volumeMode)) {
    at.child('volumeMode').notSupported(spec.volumeMode, ['Block', 'Filesystem']);
  }
}

/** Validates an update of a claim's spec: a bound claim may request more, an unbound one may get its volume. */
function validateClaimUpdate(next: AnyObject, old: AnyObject, fields: Fields): void {
  validateClaim(next, fields);
  const spec = clone(next.spec ?? {});
  const before = old.spec ?? {};
  if (!before.volumeName) {
    if (spec.volumeName) delete spec.volumeName;
    if (!before.storageClassName) delete spec.storageClassName;
  }
  if (spec.resources?.requests && before.resources?.requests) {
    const [now, was] = [spec.resources.requests.storage, before.resources.requests.storage];
    if (now !== undefined && was !== undefined && compareQuantities(now, was) < 0) {
      fields.child('spec', 'resources', 'requests', 'storage').forbidden('field can not be less than status.capacity');
    } else if (old.status?.phase === 'Bound') spec.resources.requests.storage = was;
  }
  if (!deepEqual(spec, before)) {
    fields
      .child('spec')
      .forbidden(
        'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
      );
  }
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
  defaults(object) {
    const spec = (object.spec ??= {});
    spec.volumeMode ??= 'Filesystem';
    if (spec.dataSource && !spec.dataSourceRef) spec.dataSourceRef = { ...spec.dataSource };
  },
  prepareForCreate(object) {
    object.status = { phase: 'Pending' };
  },
  validate: validateClaim,
  validateUpdate: validateClaimUpdate,
});

const SOURCES = [
  'gcePersistentDisk',
  'hostPath',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flocker',
  'awsElasticBlockStore',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
];

/** Validates that a volume has exactly one type. */
function validateVolumeSource(spec: AnyObject['spec'], at: Fields): void {
  const given = SOURCES.filter((name) => spec[name]);
  if (!given.length) at.required('must specify a volume type');
  given.slice(1).forEach((name) => at.child(name).forbidden('may not specify more than 1 volume type'));
  for (const name of ['hostPath', 'local']) {
    if (spec[name] && !spec[name].path) at.child(name, 'path').required();
  }
  if (spec.local && !spec.nodeAffinity) at.child('nodeAffinity').required('Local volume requires node affinity');
}

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
  prepareForCreate(object) {
    object.status = { phase: 'Pending' };
  },
  validate({ spec = {} }, fields) {
    const at = fields.child('spec');
    if (spec.accessModes?.length) validateModes(spec.accessModes, at.child('accessModes'));
    else at.child('accessModes').required();
    if (!Object.keys(spec.capacity ?? {}).length) at.child('capacity').required();
    if (!spec.capacity?.storage) at.child('capacity').notSupported(spec.capacity ?? null, ['storage']);
    const policies = ['Delete', 'Recycle', 'Retain'];
    if (!policies.includes(spec.persistentVolumeReclaimPolicy)) {
      at.child('persistentVolumeReclaimPolicy').notSupported(spec.persistentVolumeReclaimPolicy, policies);
    }
    validateVolumeSource(spec, at);
  },
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
  validate({ provisioner, reclaimPolicy, volumeBindingMode }, fields) {
    if (!provisioner) fields.child('provisioner').required(provisioner ?? '');
    if (!['Delete', 'Retain'].includes(reclaimPolicy)) {
      fields.child('reclaimPolicy').notSupported(reclaimPolicy, ['Delete', 'Retain']);
    }
    if (!['Immediate', 'WaitForFirstConsumer'].includes(volumeBindingMode)) {
      fields.child('volumeBindingMode').notSupported(volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']);
    }
  },
  validateUpdate(next, old, fields) {
    for (const field of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']) {
      if (deepEqual(next[field], old[field])) continue;
      if (field === 'parameters' || field === 'provisioner') {
        fields.child(field).forbidden(`updates to ${field} are forbidden.`);
      } else if (field === 'reclaimPolicy') fields.child(field).forbidden('updates to reclaimPolicy are forbidden.');
      else fields.child(field).invalid(next[field], 'field is immutable');
    }
  },
});
