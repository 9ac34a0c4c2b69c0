import { KubeList } from '../../../api/meta';
import { errors, StatusError } from '../errors';
import { syntaxError } from '../json/go-json';
import { FieldSelector, parseFieldSelector } from '../registry/field-selector';
import { LabelMatcher, parseLabelSelector } from '../registry/label-selector';
import { gvOf, Kind, subjectOf } from '../registry/kind';
import { decode, prefixOf } from '../store/encoding';
import { HistoryError, Row } from '../store/store';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { fromStored, oneFromStored } from './convert';
import { Core, keyOf, Target } from './core';

export interface Selection {
  readonly labels: LabelMatcher;
  readonly fields: FieldSelector;
  readonly any: boolean;
}

/** @throws StatusError 404 */
export async function get(
  core: Core,
  { kind, namespace, name }: Target,
  resourceVersion?: string | null,
): Promise<AnyObject> {
  requireVersion(core, parseVersionOr500(resourceVersion), 1);
  const stored = core.store.getCommitted(keyOf(kind, namespace, name));
  if (!stored) throw errors.notFound(subjectOf(kind), name);
  return oneFromStored(kind, stored);
}

/** Selectors of a list, watch or deletecollection request. @throws StatusError 400 */
export function selection(kind: Kind, query: URLSearchParams, name = ''): Selection {
  const labelText = query.get('labelSelector');
  const fieldText = query.get('fieldSelector');
  const fields = parseFieldSelector(fieldText, kind.selectableFields, kind.unsupportedField);
  if (name) {
    const pinned = fields.exact('metadata.name');
    if (fields.terms.length && pinned !== name) {
      throw errors.badRequest("fieldSelector metadata.name doesn't match requested name");
    }
    const named = parseFieldSelector(`metadata.name=${name}`, kind.selectableFields);
    return { labels: parseLabelSelector(labelText), fields: named, any: false };
  }
  return { labels: parseLabelSelector(labelText), fields, any: !labelText && !fieldText };
}

export function selects(kind: Kind, selected: Selection, object: AnyObject): boolean {
  if (selected.any) return true;
  if (!selected.labels(object.metadata.labels)) return false;
  if (!selected.fields.terms.length) return true;
  return selected.fields.matches({
    ...kind.fields(object),
    'metadata.name': object.metadata.name ?? '',
    'metadata.namespace': object.metadata.namespace ?? '',
  });
}

/** Parses a resource version. @throws StatusError 400 if it is not valid */
export function parseVersion(text: string | null | undefined): number | undefined {
  return versionOf(text, (problem) => errors.badRequest(`invalid resource version: ${problem}`));
}

function versionOf(text: string | null | undefined, error: (problem: string) => Error): number | undefined {
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const fields = Fields.root('resourceVersion').invalid(
    text,
    `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
  const [cause] = fields.causes;
  throw error(`${cause.field}: ${cause.message}`);
}

/** As `parseVersion`, for GET and watches: Kubernetes reports 500 without a reason. */
export const parseVersionOr500 = (text: string | null | undefined): number | undefined =>
  versionOf(text, errors.unknown);

/** Parses numeric query parameters. @throws StatusError 400 with the message of Go's parser */
export function parseNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  if (text === '') return 0;
  if (/^[-+]?\d+$/.test(text)) return Number(text);
  throw errors.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** @throws StatusError 504 if the requested version is newer than the store */
function requireVersion(core: Core, version: number | undefined, retryAfterSeconds?: number): void {
  if (version !== undefined && version > core.store.rv)
    throw tooLargeVersion(version, core.store.rv, retryAfterSeconds);
}

export const tooLargeVersion = (version: number, current: number, retryAfterSeconds?: number): StatusError =>
  errors.timeout(
    `Too large resource version: ${version}, current: ${current}`,
    [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds,
  );

interface Continue {
  v: string;
  rv: number;
  start: string;
}

function parseContinue(text: string): Continue {
  const fail = (why: string) => errors.badRequest(`invalid continue token: continue key is not valid: ${why}`);
  let token: Continue;
  const bad = /[^\w-]/.exec(text);
  if (bad ?? text.length % 4 === 1) throw fail(`illegal base64 data at input byte ${bad?.index ?? text.length - 1}`);
  try {
    token = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Continue;
  } catch (error) {
    throw fail(syntaxError(Buffer.from(text, 'base64url').toString('latin1'), error));
  }
  if (token.v !== 'meta.k8s.io/v1') throw fail('server does not recognize this encoded version');
  return token;
}

const INCONSISTENT =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.';

/** LIST. @throws StatusError */
export async function list(core: Core, target: Target, query: URLSearchParams): Promise<KubeList<AnyObject>> {
  const { kind } = target;
  const { rows, metadata } = await selectConverted(core, target, query);
  const items = rows.map(({ row, object }) => object ?? kind.fromStorage(decode(row.data)));
  return { kind: kind.listKind, apiVersion: gvOf(kind), metadata, items };
}

/**
 * LIST as JSON, from the stored texts: those that need no change are copied without parsing.
 * Items of built-in kinds have neither apiVersion nor kind. @throws StatusError
 */
export async function listText(core: Core, target: Target, query: URLSearchParams): Promise<string> {
  const { kind } = target;
  const { rows, metadata } = await selectConverted(core, target, query);
  const prefix = prefixOf(gvOf(kind), kind.kind);
  const items = rows.map(({ row, object }) => {
    if (kind.verbatim && row.data.startsWith(prefix))
      return kind.custom ? row.data : `{${row.data.slice(prefix.length)}`;
    const item = object ?? kind.fromStorage(decode(row.data));
    return JSON.stringify(kind.custom ? item : { ...item, apiVersion: undefined, kind: undefined });
  });
  const head = JSON.stringify({ kind: kind.listKind, apiVersion: gvOf(kind), metadata });
  return `${head.slice(0, -1)},"items":[${items.join(',')}]}`;
}

interface Selected {
  /** Rows of the page; with their object if the selectors needed it or a webhook converted it. */
  readonly rows: SelectedRow[];
  readonly metadata: KubeList<AnyObject>['metadata'];
}

interface SelectedRow {
  readonly row: Row;
  readonly object?: AnyObject;
}

/** As `select`, in the version of the kind. @throws StatusError */
async function selectConverted(core: Core, target: Target, query: URLSearchParams): Promise<Selected> {
  const { kind } = target;
  if (!kind.conversion) return select(core, target, query);
  const selected = selection(kind, query, target.name);
  // Selectors match the converted objects, whose labels the webhook may change.
  const objects = selected.any ? undefined : await convertedRows(core, target);
  const { rows, metadata } = select(core, target, query, (row) => objects?.get(row.key));
  const raw = rows.filter(({ row, object }) => !object && !row.data.startsWith(prefixOf(gvOf(kind), kind.kind)));
  const converted = await fromStored(
    kind,
    raw.map(({ row }) => decode(row.data)),
  );
  const found = new Map(raw.map(({ row }, i) => [row, converted[i]]));
  return { rows: rows.map(({ row, object }) => ({ row, object: object ?? found.get(row) })), metadata };
}

/** All objects of a resource, converted, by their keys in the store. */
async function convertedRows(core: Core, { kind, namespace }: Target): Promise<Map<string, AnyObject>> {
  const rows = [...core.store.rows({ resource: kind.storage, namespace })];
  const objects = await fromStored(
    kind,
    rows.map(({ data }) => decode(data)),
  );
  return new Map(rows.map(({ key }, i) => [key, objects[i]]));
}

/** Selects the objects of a list request. `objectOf`: known objects of rows. @throws StatusError */
function select(
  core: Core,
  { kind, namespace, name }: Target,
  query: URLSearchParams,
  objectOf: (row: Row) => AnyObject | undefined = () => undefined,
): Selected {
  validateListOptions(query);
  const selected = selection(kind, query, name);
  const limit = parseNumber(query, 'limit');
  const token = query.get('continue');
  const asked = parseVersion(query.get('resourceVersion'));
  if (token && asked) {
    throw errors.badRequest('specifying resource version is not allowed when using continue');
  }
  const from = token ? parseContinue(token) : undefined;
  const exact = query.get('resourceVersionMatch') === 'Exact' ? asked : undefined;
  // Kubernetes' watch cache asks for a retry, etcd does not.
  requireVersion(core, asked, exact === undefined && !limit ? 1 : undefined);
  const at = from?.rv ?? exact ?? core.store.rv;
  const inNamespace = kind.namespaced ? namespace || selected.fields.exact('metadata.namespace') || '' : '';
  const rows: Selected['rows'] = [];
  let more: string | undefined;
  try {
    for (const row of core.store.rows({ resource: kind.storage, namespace: inNamespace, after: from?.start, at })) {
      if (limit && rows.length === limit) {
        more = rows[rows.length - 1].row.key;
        break;
      }
      if (selected.any) {
        rows.push({ row });
        continue;
      }
      const object = objectOf(row) ?? kind.fromStorage(decode(row.data));
      if (selects(kind, selected, object)) rows.push({ row, object });
    }
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    throw errors.expired(from ? INCONSISTENT : 'The resourceVersion for the provided list is too old.');
  }
  const remaining = more !== undefined && selected.any ? core.store.count(kind.storage, inNamespace, more) : 0;
  return {
    rows,
    metadata: {
      resourceVersion: String(at),
      ...(more === undefined
        ? kind.custom
          ? { continue: '' }
          : {}
        : { continue: encodeContinue({ v: 'meta.k8s.io/v1', rv: at, start: more }) }),
      ...(remaining ? { remainingItemCount: remaining } : {}),
    },
  };
}

function encodeContinue(token: Continue): string {
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

function validateListOptions(query: URLSearchParams): void {
  const fields = Fields.root();
  const match = query.get('resourceVersionMatch');
  if (match) {
    const at = fields.child('resourceVersionMatch');
    if (!query.get('resourceVersion'))
      at.forbidden('resourceVersionMatch is forbidden unless resourceVersion is provided');
    if (query.get('continue')) at.forbidden('resourceVersionMatch is forbidden when continue is provided');
    if (match !== 'Exact' && match !== 'NotOlderThan') at.notSupported(match, ['Exact', 'NotOlderThan', '']);
    if (match === 'Exact' && query.get('resourceVersion') === '0') {
      at.forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
    }
  }
  if (query.has('sendInitialEvents')) {
    fields.child('sendInitialEvents').forbidden('sendInitialEvents is forbidden for list');
  }
  if (fields.causes.length) throw errors.invalid('meta.k8s.io', 'ListOptions', '', fields.causes);
}
