import { compareQuantities, tryParseQuantity } from '../../../api/quantity';
import { clone, deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { validateLabelSelector } from '../validation/label-selector';
import { isDns1123Label, isDns1123Subdomain } from '../validation/names';
import { goDiff } from './go-diff';

const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class';

/** Validates access modes of a claim or a volume. `required` is the detail of the error for an empty list. */
export function validateModes(list: readonly string[] = [], at: Fields, required = ''): void {
  if (!list.length) at.required(required);
  for (const mode of list) if (!MODES.includes(mode)) at.notSupported(mode, MODES);
  const others = list.filter((mode) => mode !== 'ReadWriteOncePod' && MODES.includes(mode));
  if (others.length && list.includes('ReadWriteOncePod')) {
    at.forbidden('may not use ReadWriteOncePod with other access modes');
  }
}

interface Source {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

function validateSource({ apiGroup = '', kind = '', name = '', namespace }: Source, at: Fields): void {
  if (!name) at.child('name').required();
  if (!kind) at.child('kind').required();
  if (!apiGroup && kind !== 'PersistentVolumeClaim') {
    at.invalid(kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  if (apiGroup) at.child('apiGroup').invalidEach(apiGroup, isDns1123Subdomain(apiGroup));
  if (namespace) at.child('namespace').invalidEach(namespace, isDns1123Label(namespace));
}

/** Validates a claim's spec, also as part of a template. */
export function validateClaimSpec(spec: AnyObject['spec'] = {}, at: Fields): void {
  const { dataSource, dataSourceRef } = spec;
  if (!spec.accessModes?.length) at.child('accessModes').required('at least 1 access mode is required');
  validateLabelSelector(spec.selector, at.child('selector'));
  if (spec.accessModes?.length) validateModes(spec.accessModes, at.child('accessModes'));
  const storage = spec.resources?.requests?.storage;
  if (storage === undefined) at.child('resources').key('storage').required();
  else {
    const parsed = tryParseQuantity(storage);
    if (parsed && parsed.nanos <= 0n) {
      at.child('resources').key('storage').invalid(storage, 'must be greater than zero');
    }
  }
  const className: string = spec.storageClassName ?? '';
  if (className) at.child('storageClassName').invalidEach(className, isDns1123Subdomain(className));
  if (spec.volumeMode !== undefined && !['Block', 'Filesystem'].includes(spec.volumeMode)) {
    at.child('volumeMode').notSupported(spec.volumeMode, ['Block', 'Filesystem']);
  }
  if (dataSource) validateSource(dataSource, at.child('dataSource'));
  if (dataSourceRef) validateSource(dataSourceRef, at.child('dataSourceRef'));
  if (dataSource && dataSourceRef) {
    // Kubernetes shows an empty value here.
    const same = ['apiGroup', 'kind', 'name'].every((field) => dataSource[field] === dataSourceRef[field]);
    if (dataSourceRef.namespace) at.invalid({}, 'may not be specified when dataSourceRef.namespace is specified');
    else if (!same) at.invalid({}, 'must match dataSourceRef');
  }
  const attributes: string = spec.volumeAttributesClassName ?? '';
  if (attributes) at.child('volumeAttributesClassName').invalidEach(attributes, isDns1123Subdomain(attributes));
}

const IMMUTABLE =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** Validates an update of a claim: a bound claim may request more, an unbound one may get its volume. */
export function validateClaimUpdate(next: AnyObject, old: AnyObject, fields: Fields): void {
  validateClaimSpec(next.spec, fields.child('spec'));
  const spec = clone(next.spec ?? {});
  const before = clone(old.spec ?? {});
  const bound = next.status?.phase === 'Bound';
  if (!before.volumeName && spec.volumeName) before.volumeName = spec.volumeName;
  const [betaNow, betaBefore] = [next, old].map(({ metadata }) => metadata.annotations?.[BETA_CLASS] ?? '');
  const moved = before.storageClassName === undefined && !!spec.storageClassName;
  if (moved && betaBefore === spec.storageClassName && (!betaNow || betaNow === betaBefore)) {
    delete spec.storageClassName;
  } else {
    if (betaNow !== betaBefore) {
      fields.child('metadata', 'annotations', BETA_CLASS).invalid(betaNow, 'field is immutable');
    }
    // A claim that waits for a default class may get one.
    if (moved && !betaBefore) delete spec.storageClassName;
  }
  const requests = spec.resources?.requests;
  const was = before.resources?.requests?.storage as string | undefined;
  const now = requests?.storage as string | undefined;
  if (bound && requests && was !== undefined) requests.storage = was;
  if (bound) {
    delete spec.volumeAttributesClassName;
    if (before.volumeAttributesClassName !== undefined) {
      spec.volumeAttributesClassName = before.volumeAttributesClassName;
    }
  }
  if (!deepEqual(spec, before)) {
    fields.child('spec').forbidden(`${IMMUTABLE}\n${goDiff(before, spec, 'PersistentVolumeClaimSpec')}`);
  }
  validateShrink(now, was, (old.status?.capacity?.storage as string | undefined) ?? '0', fields);
  const [mode, modeBefore] = [next.spec?.volumeMode, old.spec?.volumeMode];
  if (mode !== modeBefore) fields.child('volumeMode').invalid(mode, 'field is immutable');
}

/** After a failed expansion, a claim may shrink, but not to what its volume has. */
function validateShrink(now = '0', was = '0', capacity: string, fields: Fields): void {
  if (compareQuantities(now, was) >= 0 || compareQuantities(now, capacity) > 0) return;
  fields.child('spec', 'resources', 'requests', 'storage').forbidden('field can not be less than status.capacity');
}

/** Validates amounts, which Kubernetes shows as numbers. */
export function validateCapacity(capacity: Record<string, string> | undefined, at: Fields): void {
  for (const [name, value] of Object.entries(capacity ?? {})) validateAmount(value, at.key(name));
}

export function validateAmount(value: string, at: Fields): void {
  const parsed = tryParseQuantity(value);
  if (parsed && parsed.nanos < 0n) {
    at.invalid(Number(parsed.nanos / 1_000_000_000n), 'must be a valid resource quantity');
  }
}

/** Warnings about an old annotation, and about requests for parts of bytes. */
export function claimWarnings({ metadata, spec }: AnyObject): string[] {
  const { limits = {}, requests = {} } = spec?.resources ?? {};
  const beta = metadata.annotations?.[BETA_CLASS] !== undefined;
  const fractional = Object.entries({ requests, limits } as Record<string, Record<string, string>>).flatMap(
    ([list, amounts]) => {
      const value = amounts.storage;
      const parsed = tryParseQuantity(value);
      if (!parsed || parsed.nanos % 1_000_000_000n === 0n) return [];
      const text = `fractional byte value ${JSON.stringify(value)} is invalid, must be an integer`;
      return [`spec.resources.${list}[storage]: ${text}`];
    },
  );
  const old = `metadata.annotations[${BETA_CLASS}]: deprecated since v1.8; use "storageClassName" attribute instead`;
  return [...(beta ? [old] : []), ...fractional];
}
