import { Cell, Kind, Printer } from '../registry/kind';
import { humanDuration } from '../table/format';
import { AnyObject } from '../types';
import { pathSegmentName } from '../validation/names';
import { define, fieldLabelNotSupported } from './define';
import { validateEvent, validateEventUpdate, validateNewEvent } from './event-validation';

const SELECTABLE = [
  'involvedObject.kind',
  'involvedObject.namespace',
  'involvedObject.name',
  'involvedObject.uid',
  'involvedObject.apiVersion',
  'involvedObject.resourceVersion',
  'involvedObject.fieldPath',
  'reason',
  'reportingComponent',
  'source',
  'type',
];

const printer: Printer = {
  columns: [
    { name: 'Last Seen', type: 'string' },
    { name: 'Type', type: 'string' },
    { name: 'Reason', type: 'string' },
    { name: 'Object', type: 'string' },
    { name: 'Subobject', type: 'string', priority: 1 },
    { name: 'Source', type: 'string', priority: 1 },
    { name: 'Message', type: 'string' },
    { name: 'First Seen', type: 'string', priority: 1 },
    { name: 'Count', type: 'string', priority: 1 },
    { name: 'Name', type: 'string', format: 'name', priority: 1 },
  ],
  row(event, now): Cell[] {
    const since = (time: string | null | undefined) => (time ? humanDuration(now - Date.parse(time)) : '<unknown>');
    const first = event.firstTimestamp ?? event.eventTime;
    let last = event.lastTimestamp ?? first;
    let count: number = event.count ?? 0;
    if (event.series) {
      last = event.series.lastObservedTime;
      count = event.series.count;
    } else if (!count) count = 1;
    const target = event.involvedObject?.name
      ? `${String(event.involvedObject.kind ?? '').toLowerCase()}/${event.involvedObject.name}`
      : String(event.involvedObject?.kind ?? '').toLowerCase();
    const source = [event.source?.component || event.reportingComponent, event.source?.host || event.reportingInstance];
    return [
      since(last),
      event.type ?? '',
      event.reason ?? '',
      target,
      event.involvedObject?.fieldPath ?? '',
      source.filter(Boolean).join(', '),
      String(event.message ?? '').trim(),
      since(first),
      count,
      event.metadata.name!,
    ];
  },
};

function fields(event: AnyObject): Record<string, string> {
  const object = event.involvedObject ?? {};
  const named = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((field) => [
    `involvedObject.${field}`,
    object[field] ?? '',
  ]);
  const source = event.source?.component || event.reportingComponent || '';
  return {
    ...Object.fromEntries(named),
    reason: event.reason ?? '',
    reportingComponent: event.reportingComponent ?? '',
    source,
    type: event.type ?? '',
  };
}

export const event: Kind = define({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
  shortNames: ['ev'],
  createOnUpdate: true,
  // Kubernetes accepts any name that fits into a path.
  nameRule: pathSegmentName,
  selectableFields: SELECTABLE,
  unsupportedField: fieldLabelNotSupported,
  fields,
  printer,
  validate: (object, errors) => validateEvent(object, errors, 'reportingComponent'),
});

/** Events in the other API group: `regarding` for `involvedObject`, `note` for `message`. */
export const newEvent: Kind = define({
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
  shortNames: ['ev'],
  storage: '/events',
  errorGroup: '',
  createOnUpdate: true,
  unsupportedField: fieldLabelNotSupported,
  selectableFields: SELECTABLE.map((field) => field.replace('involvedObject', 'regarding')),
  fields: (object) =>
    Object.fromEntries(
      Object.entries(fields(toOld(object))).map(([key, value]) => [key.replace('involvedObject', 'regarding'), value]),
    ),
  printer: { columns: printer.columns, row: (object, now) => printer.row(toOld(object), now) },
  validate(object, errors) {
    const event = toOld(object);
    validateEvent(event, errors, 'reportingController');
    validateNewEvent(event, errors);
  },
  validateUpdate(next, old, errors) {
    validateEvent(toOld(next), errors, 'reportingController');
    validateEventUpdate(toOld(next), toOld(old), errors);
  },
  fromStorage: toNew,
  toStorage: toOld,
});

const RENAMED = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
] as const;

function toNew(object: AnyObject): AnyObject {
  return rename(object, 'events.k8s.io/v1', Object.fromEntries(RENAMED));
}

function toOld(object: AnyObject): AnyObject {
  return rename(object, 'v1', Object.fromEntries(RENAMED.map(([old, now]) => [now, old])));
}

function rename(object: AnyObject, apiVersion: string, names: Record<string, string>): AnyObject {
  if (object.apiVersion === apiVersion) return object;
  const entries = Object.entries(object).map(([key, value]) => [names[key] ?? key, value as unknown]);
  return { ...Object.fromEntries(entries), apiVersion } as AnyObject;
}
