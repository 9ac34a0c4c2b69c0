import { tryParseQuantity } from '../../../api/quantity';
import { deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { isDns1123Label, isDns1123Subdomain } from '../validation/names';
import { validateAmount, validateModes } from './claim-validation';
import { goDiff } from './go-diff';
import { internalForm } from './internal-form';
import { validateNodeSelector } from './pod-placement';
import { HOST_PATH_TYPES } from './pod-volumes';

type Spec = AnyObject['spec'];

/** Types of volumes in the order in which Kubernetes validates them. */
const SOURCES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
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

/** Rules of the types that this cluster or its drivers use. */
const RULES: Readonly<Record<string, (source: Spec, at: Fields) => void>> = {
  hostPath({ path = '', type }, at) {
    if (!path) at.child('path').required();
    else {
      validatePath(path, at.child('path'));
      if (type !== undefined && !HOST_PATH_TYPES.includes(type)) at.child('type').notSupported(type, HOST_PATH_TYPES);
    }
  },
  local({ path = '' }, at) {
    if (path) validatePath(path, at.child('path'));
    else at.child('path').required();
  },
  nfs({ server = '', path = '' }, at) {
    if (!server) at.child('server').required();
    if (!path) at.child('path').required();
    if (!path.startsWith('/')) at.child('path').invalid(path, 'must be an absolute path');
  },
  csi(csi, at) {
    const driver: string = csi.driver ?? '';
    if (!driver) at.child('driver').required();
    else {
      if (driver.length > 63) at.child('driver').tooLong(63);
      at.child('driver').invalidEach(driver, isDns1123Subdomain(driver.toLowerCase()));
    }
    if (!csi.volumeHandle) at.child('volumeHandle').required();
    for (const name of ['controllerPublish', 'controllerExpand', 'nodePublish', 'nodeExpand']) {
      const reference = csi[`${name}SecretRef`];
      if (reference) validateSecret(reference, at.child(`${name}SecretRef`));
    }
  },
};

function validatePath(path: string, at: Fields): void {
  if (path.split('/').includes('..')) at.invalid(path, "must not contain '..'");
}

function validateSecret({ name = '', namespace = '' }: { name?: string; namespace?: string }, at: Fields): void {
  if (name) at.child('name').invalidEach(name, isDns1123Subdomain(name));
  else at.child('name').required();
  if (namespace) at.child('namespace').invalidEach(namespace, isDns1123Label(namespace));
  else at.child('namespace').required();
}

/** Validates that a volume has exactly one type, and the fields of that type. */
function validateSource(spec: Spec, at: Fields): void {
  const [first, ...others] = SOURCES.filter((name) => spec[name]);
  if (first) RULES[first]?.(spec[first], at.child(first));
  if (first === 'local' && !spec.nodeAffinity) at.child('nodeAffinity').required('Local volume requires node affinity');
  others.forEach((name) =>
    at.child(name === 'cephfs' ? 'cephFS' : name).forbidden('may not specify more than 1 volume type'),
  );
  if (!first) at.required('must specify a volume type');
}

function validateCapacity(capacity: Record<string, string>, at: Fields): void {
  const names = Object.keys(capacity);
  if (!names.length) at.required();
  if (capacity.storage === undefined || names.length > 1) at.notSupported(names.length ? capacity : null, ['storage']);
  for (const [name, value] of Object.entries(capacity)) {
    validateAmount(value, at.key(name));
    if ((tryParseQuantity(value)?.nanos ?? 1n) <= 0n) at.key(name).invalid(value, 'must be greater than zero');
  }
}

export function validateVolume({ spec = {} }: AnyObject, fields: Fields): void {
  const at = fields.child('spec');
  validateModes(spec.accessModes, at.child('accessModes'));
  validateCapacity(spec.capacity ?? {}, at.child('capacity'));
  const policy: string = spec.persistentVolumeReclaimPolicy ?? '';
  const policies = ['Delete', 'Recycle', 'Retain'];
  if (policy && !policies.includes(policy)) at.child('persistentVolumeReclaimPolicy').notSupported(policy, policies);
  if (spec.nodeAffinity) {
    const { required } = spec.nodeAffinity;
    const here = at.child('nodeAffinity', 'required');
    if (required) validateNodeSelector(required, here);
    else here.required('must specify required node constraints');
  }
  validateSource(spec, at);
  if (/^\/+$/.test(spec.hostPath?.path ?? '') && policy === 'Recycle') {
    at.child('persistentVolumeReclaimPolicy').forbidden("may not be 'recycle' for a hostPath mount of '/'");
  }
  const className: string = spec.storageClassName ?? '';
  if (className) at.child('storageClassName').invalidEach(className, isDns1123Subdomain(className));
  const modes = ['Block', 'Filesystem'];
  if (!modes.includes(spec.volumeMode)) at.child('volumeMode').notSupported(spec.volumeMode, modes);
  const attributes: string | undefined = spec.volumeAttributesClassName;
  if (attributes === undefined) return;
  const here = at.child('volumeAttributesClassName');
  if (attributes) here.invalidEach(attributes, isDns1123Subdomain(attributes));
  else here.required('an empty string is disallowed');
  if (!spec.csi) at.child('csi').required('has to be specified when using volumeAttributesClassName');
}

/** Validates an update of a volume: its source, its mode and the nodes that reach it are fixed. */
export function validateVolumeUpdate(next: AnyObject, old: AnyObject, fields: Fields): void {
  validateVolume(next, fields);
  const [now, before] = [next.spec ?? {}, old.spec ?? {}];
  const sourceOf = (spec: Spec): Spec => Object.fromEntries(SOURCES.map((name) => [name, spec[name] as unknown]));
  const [source, had] = [sourceOf(now), sourceOf(before)];
  // The secret for expansions may be added.
  if (source.csi && had.csi && !had.csi.controllerExpandSecretRef) {
    const { controllerExpandSecretRef: _, ...csi } = source.csi;
    source.csi = csi;
  }
  if (!deepEqual(source, had)) {
    const why = 'spec.persistentvolumesource is immutable after creation';
    const at = fields.child('spec', 'persistentvolumesource');
    at.forbidden(`${why}\n${goDiff(had, source, 'PersistentVolumeSource')}`);
  }
  if (now.volumeMode !== before.volumeMode) fields.child('volumeMode').invalid(now.volumeMode, 'field is immutable');
  if (before.nodeAffinity && !deepEqual(now.nodeAffinity, before.nodeAffinity)) {
    const shown = now.nodeAffinity ? internalForm(now.nodeAffinity, 'VolumeNodeAffinity') : null;
    fields.child('nodeAffinity').invalid(shown, 'field is immutable, except for updating from beta label to GA');
  }
  if (before.volumeAttributesClassName !== undefined && now.volumeAttributesClassName === undefined) {
    fields.child('spec', 'volumeAttributesClassName').forbidden('update from non-nil value to nil is forbidden');
  }
}

const OUTDATED: Readonly<Record<string, string>> = {
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

export function volumeWarnings({ spec = {} }: AnyObject): string[] {
  const recycle =
    'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  const sources = Object.entries(OUTDATED).filter(([name]) => spec[name]);
  return [
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle' ? [recycle] : []),
    ...sources.map(([name, why]) => `spec.${name === 'storageos' ? 'storageOS' : name}: ${why}`),
  ];
}
