import { deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { isDns1123Subdomain, isQualifiedName } from '../validation/names';

const MAX_INSTANCE = 128;
const MAX_ACTION = 128;
const MAX_REASON = 128;
const MAX_NOTE = 1024;

/** Validates an Event in its old form, as both versions do. `controller` is the name of the reporting controller's field. */
export function validateEvent(event: AnyObject, errors: Fields, controller: string): void {
  const involved: string = event.involvedObject?.namespace ?? '';
  const { namespace = '' } = event.metadata;
  const differs = (): void => {
    errors.child('involvedObject', 'namespace').invalid(involved, 'does not match event.namespace');
  };
  // Events of cluster-scoped objects are in namespace `default`.
  if (!event.eventTime) {
    if (involved ? involved !== namespace : namespace !== 'default') differs();
    return;
  }
  if (!involved && namespace !== 'default' && namespace !== 'kube-system') differs();
  const reporter: string = event.reportingComponent ?? '';
  if (!reporter) errors.child(controller).required();
  errors.child(controller).invalidEach(reporter, isQualifiedName(reporter));
  const limited = (field: string, max: number, required: boolean): void => {
    const text: string = event[field] ?? '';
    if (required && !text) errors.child(field).required();
    if (Buffer.byteLength(text) > max) errors.child(field).invalid('', `can have at most ${max} characters`);
  };
  limited('reportingInstance', MAX_INSTANCE, true);
  limited('action', MAX_ACTION, true);
  limited('reason', MAX_REASON, true);
  limited('message', MAX_NOTE, false);
  errors.child('namespace').invalidEach(namespace, isDns1123Subdomain(namespace));
}

/** Validates what only the new version requires of a new Event, which is in its old form. */
export function validateNewEvent(event: AnyObject, errors: Fields): void {
  validateSeries(event, errors);
  if (!event.eventTime) errors.child('eventTime').required();
  const { type = '' } = event;
  if (type !== 'Normal' && type !== 'Warning') errors.child('type').invalid('', `has invalid value: ${type}`);
  for (const field of ['firstTimestamp', 'lastTimestamp', 'count']) {
    if (event[field]) errors.child(field).invalid('', 'needs to be unset');
  }
  if (event.source?.component || event.source?.host) errors.child('source').invalid('', 'needs to be unset');
}

function validateSeries({ series }: AnyObject, errors: Fields): void {
  if (!series) return;
  if ((series.count ?? 0) < 2) errors.child('series', 'count').invalid('', 'should be at least 2');
  if (!series.lastObservedTime) errors.child('series', 'lastObservedTime').required();
}

/** Fields that the new version does not change, with Go's zero value of each. Kubernetes compares the reason twice. */
const IMMUTABLE: readonly (readonly [field: string, zero: unknown])[] = [
  ['involvedObject', {}],
  ['reason', ''],
  ['message', ''],
  ['source', {}],
  ['firstTimestamp', null],
  ['lastTimestamp', null],
  ['count', 0],
  ['reason', ''],
  ['type', ''],
  ['eventTime', null],
  ['action', ''],
  ['related', null],
];
const REPORTER: readonly (readonly [field: string, shown: string])[] = [
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

/** Validates what the new version allows to change: only the series. Both Events are in their old form. */
export function validateEventUpdate(next: AnyObject, old: AnyObject, errors: Fields): void {
  if (!deepEqual(next.series, old.series)) validateSeries(next, errors);
  for (const [field, zero] of IMMUTABLE) {
    const [now, before] = [next[field] ?? zero, old[field] ?? zero];
    if (!deepEqual(now, before)) errors.child(field).invalid(shown(field, now), 'field is immutable');
  }
  for (const [field, name] of REPORTER) {
    const [now, before] = [next[field] ?? '', old[field] ?? ''];
    if (now !== before) errors.child(name).invalid(now, 'field is immutable');
  }
}

const REFERENCE = ['Kind', 'Namespace', 'Name', 'UID', 'APIVersion', 'ResourceVersion', 'FieldPath'];

/** A rejected value as Go prints it: references with the names of their Go fields. */
function shown(field: string, value: unknown): unknown {
  if ((field !== 'involvedObject' && field !== 'related') || value === null) return value;
  const reference = value as Record<string, string>;
  const key = (name: string): string => (name === 'UID' ? 'uid' : name[0].toLowerCase() + name.slice(1));
  return Object.fromEntries(
    REFERENCE.map((name) => [name, reference[name === 'APIVersion' ? 'apiVersion' : key(name)] ?? '']),
  );
}
