import { KubeList } from '../../../api/meta';
import { errors } from '../errors';
import { syntaxError } from '../http/body';
import { FieldSelector, parseFieldSelector } from '../registry/field-selector';
import { LabelMatcher, parseLabelSelector } from '../registry/label-selector';
import { gvOf, Kind, subjectOf } from '../registry/kind';
import { HistoryError, keyText } from '../store/store';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { Core, read, Target } from './core';

export interface Selection {
  readonly labels: LabelMatcher;
  readonly fields: FieldSelector;
  readonly any: boolean;
}

/** @throws StatusError 404 */
export function get(core: Core, { kind, namespace, name }: Target, resourceVersion?: string | null): AnyObject {
  requireVersion(core, parseGetVersion(resourceVersion));
  const object = read(core, kind, namespace, name);
  if (!object) throw errors.notFound(subjectOf(kind), name);
  return object;
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

/** As `parseVersion`; Kubernetes reports this one without a reason. */
const parseGetVersion = (text: string | null | undefined): number | undefined => versionOf(text, errors.unknown);

/** Parses numeric query parameters. @throws StatusError 400 with the message of Go's parser */
function parseNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  if (text === '') return 0;
  if (/^[-+]?\d+$/.test(text)) return Number(text);
  throw errors.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** @throws StatusError 504 if the requested version is newer than the store */
export function requireVersion(core: Core, version: number | undefined): void {
  if (version === undefined || version <= core.store.rv) return;
  throw errors.timeout(
    `Too large resource version: ${version}, current: ${core.store.rv}`,
    [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    1,
  );
}

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
export function list(core: Core, { kind, namespace, name }: Target, query: URLSearchParams): KubeList<AnyObject> {
  validateListOptions(query);
  const selected = selection(kind, query, name);
  const limit = parseNumber(query, 'limit');
  const token = query.get('continue');
  const asked = parseVersion(query.get('resourceVersion'));
  if (token && asked) {
    throw errors.badRequest('specifying resource version is not allowed when using continue');
  }
  const from = token ? parseContinue(token) : undefined;
  requireVersion(core, asked);
  const exact = query.get('resourceVersionMatch') === 'Exact' ? asked : undefined;
  const at = from?.rv ?? exact ?? core.store.rv;
  const inNamespace = namespace || selected.fields.exact('metadata.namespace') || '';
  const items: AnyObject[] = [];
  let more: string | undefined;
  try {
    for (const stored of core.store.list({
      resource: kind.storage,
      namespace: kind.namespaced ? inNamespace : '',
      after: from?.start,
      at,
    })) {
      if (limit && items.length === limit) {
        const last = items[items.length - 1].metadata;
        more = keyText(last.namespace ?? '', last.name!);
        break;
      }
      const object = kind.fromStorage(stored);
      if (selects(kind, selected, object)) items.push(object);
    }
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    throw errors.expired(from ? INCONSISTENT : `too old resource version: ${error.asked} (${error.oldest})`);
  }
  const remaining =
    more !== undefined && selected.any ? core.store.count(kind.storage, kind.namespaced ? inNamespace : '', more) : 0;
  return {
    kind: kind.listKind,
    apiVersion: gvOf(kind),
    metadata: {
      resourceVersion: String(at),
      ...(more === undefined
        ? kind.custom
          ? { continue: '' }
          : {}
        : { continue: encodeContinue({ v: 'meta.k8s.io/v1', rv: at, start: more }) }),
      ...(remaining ? { remainingItemCount: remaining } : {}),
    },
    items,
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
