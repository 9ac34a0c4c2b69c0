import { canonicalQuantity } from '../quantity';

/**
 * Scalars whose empty value (0, "", false) differs from their absence: pointers in KubeVirt's own types,
 * and fields that are always written. Every other empty scalar, list and map means absence in KubeVirt, and is missing
 * from the objects that its webhooks return.
 */
const spoken = new Set(
  // boolean
  (
    'autoattachGraphicsDevice autoattachInputDevice autoattachMemBalloon autoattachPodInterface ' +
    'autoattachSerialConsole autoattachVSOCK blockMultiQueue blockOwnerDeletion changedBlockTracking controller ' +
    'dedicatedIOThread enabled encryptedState logSerialConsole networkInterfaceMultiqueue optional persistent ' +
    'preallocation present running secureBoot shareable shared useSerial useVirtioTransitional ' +
    // number
    'bootOrder deletionGracePeriodSeconds discardGranularity end maxSkew minDomains mode offsetSeconds option port ' +
    'spinlocks start supplementalPoolThreadCount terminationGracePeriodSeconds tolerationSeconds weight ' +
    // text
    'errorPolicy evictionStrategy inferFromVolumeFailurePolicy ioThreadsPolicy memLock nodeAffinityPolicy ' +
    'nodeTaintsPolicy rebootPolicy resourceClaimName resourceClaimTemplateName runStrategy startStrategy ' +
    'storageClassName timezone topologyKey updateVolumesStrategy volumeMode whenUnsatisfiable'
  ).split(' '),
);

/** Lists that are written even when they are empty. */
const keptLists = new Set(['nodeSelectorTerms', 'users']);

/** Maps with keys of the user's choice: their values are kept, an empty map means absence. */
const maps = new Set(['annotations', 'labels', 'limits', 'matchLabels', 'nodeSelector', 'requests']);

/**
 * Fields that are always written, by the field that contains their object (or its list). A missing field has its
 * empty value.
 */
const named: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  binding: { name: '' },
  container: { image: '' },
  containerDisk: { image: '' },
  containerPath: { path: '' },
  dataVolume: { name: '' },
  disks: { name: '' },
  features: { name: '' },
  fieldRef: { fieldPath: '' },
  fields: { path: '' },
  filesystems: { name: '' },
  gpus: { name: '' },
  hostDevices: { name: '' },
  hostDisk: { path: '', type: '', capacity: '0' },
  httpHeaders: { name: '', value: '' },
  inputs: { name: '', type: '' },
  interfaces: { name: '' },
  machine: { type: '' },
  matchExpressions: { key: '', operator: '' },
  matchFields: { key: '', operator: '' },
  memoryDump: { claimName: '' },
  multus: { networkName: '' },
  networks: { name: '' },
  persistentVolumeClaim: { claimName: '' },
  portRanges: { protocol: '', start: 0, end: 0 },
  ports: { port: 0 },
  privateOptions: { option: 0, value: '' },
  resourceClaims: { name: '' },
  resourceFieldRef: { resource: '', divisor: '0' },
  sound: { name: '' },
  utilityVolumes: { name: '', claimName: '' },
  volumes: { name: '' },
  watchdog: { name: '' },
  volumeStatus: { name: '', target: '' },
};

/** Quantities, which are written in Kubernetes' canonical form. */
const quantities = new Set(['addedOverhead', 'capacity', 'guest', 'maxGuest']);

/**
 * Returns a copy as KubeVirt's webhooks return it: without empty fields, with canonical quantities. `null` means absence.
 * Items of lists stay.
 */
export function canonicalForm<T>(value: T): T {
  return copy(value, '', '') as T;
}

function copy(value: unknown, key: string, parent: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copy(item, key, parent));
  if (maps.has(key)) return copyMap(value as Record<string, unknown>, key);
  const copied: Record<string, unknown> = {};
  for (const field of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[field];
    if (inner === null || inner === undefined) continue;
    if (typeof inner === 'object') {
      if (Array.isArray(inner) ? inner.length === 0 && !keptLists.has(field) : maps.has(field) && isEmpty(inner)) {
        continue;
      }
      copied[field] = copy(inner, field, key);
    } else if (quantities.has(field)) {
      copied[field] = canonicalQuantity(inner);
    } else if (inner || spoken.has(field) || isSpokenBy(key, field)) {
      copied[field] = inner;
    }
  }
  // the features of a CPU are a list, those of a domain are not
  const always = Object.hasOwn(named, key) && !(key === 'features' && parent === 'domain') ? named[key] : undefined;
  for (const field in always) copied[field] ??= always[field];
  return copied;
}

/** Whether the field is a pointer in this owner; other owners have a plain value of the same name. */
function isSpokenBy(owner: string, field: string): boolean {
  if (field === 'readonly') return owner === 'cdrom';
  if (field === 'readOnly') return owner === 'containerPath';
  if (field === 'value') return owner === 'options';
  return field === 'model' && owner === 'panicDevices';
}

function copyMap(map: Record<string, unknown>, key: string): Record<string, unknown> {
  const amounts = key === 'requests' || key === 'limits';
  // a key may have the name `__proto__`
  const kept = Object.entries(map).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(kept.map(([name, value]) => [name, amounts ? canonicalQuantity(value) : value]));
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
