import { brief, describe, root } from '../../../api';
import { DEEPEST, MOST_VALUES, tooManyValues } from '../../../api/kinds/bounded';
import type { Finding, KubeObject, Status, StatusCause } from '../../../api';
import { refusal as sizeRefusal } from '../../../api/kinds/refusal';
import { badRequest, printable } from '../status';
import { malformedField } from './envelope';
import { jsonSize } from './json-size';
import type { JsonPart, Stretch } from './json-size';
import { patchBetween } from './patch';

/** The fields of an AdmissionRequest (`admission.k8s.io/v1`) that rules read. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly userInfo: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly object: KubeObject | null;
  readonly oldObject?: KubeObject | null;
  readonly dryRun?: boolean;
  /** Reason why the objects are not validated and null here: they are too large. */
  readonly excess?: Finding;
  /**
   * Whether the objects were stored although they are too large to validate, and are now deleted or keep their spec.
   * Their spec and status are left out.
   */
  readonly outlined?: boolean;
  /** Whether the omitted status of an outlined object changes. */
  readonly statusChanges?: boolean;
}

/** Findings of a rule set about one request. */
export type Verdict =
  /** Allowed. `object` is the result of the mutation, if there is one. */
  | { readonly object?: KubeObject; readonly warnings?: readonly string[] }
  /** Rejected because of these findings. */
  | { readonly errors: readonly Finding[]; readonly warnings?: readonly string[] }
  /** Rejected for a reason other than a field; the client may retry. */
  | { readonly refused: { readonly code: number; readonly reason: string; readonly message: string } };

/** Handler of one webhook path. Dry runs and repeated calls change nothing. After `signal`, the verdict is not used. */
export type Admit = (request: AdmissionRequest, signal?: AbortSignal) => Promise<Verdict>;

interface AdmissionResponse {
  uid: string;
  allowed: boolean;
  patchType?: 'JSONPatch';
  patch?: string;
  status?: Partial<Status>;
  warnings?: string[];
}

export interface AdmissionReview {
  apiVersion: 'admission.k8s.io/v1';
  kind: 'AdmissionReview';
  response: AdmissionResponse;
}

/** Kubernetes cuts longer warnings. */
const MAX_WARNING = 256;

/** Default limit of etcd, which stores no larger object. */
export const MOST_BYTES = 1.5 * 1024 * 1024;
/** Fields and items of a review besides its objects: the groups of a user, options. */
const MOST_OTHER_VALUES = 5000;
/** Limit for stored objects that are larger than a new one may be: up to this size they can shrink and be deleted. */
export const MOST_STORED_VALUES = 4 * MOST_VALUES;
/** A map may have as many keys as an object has values. A review contains two objects, so its depth is doubled. */
const REVIEW_LIMITS = { keys: MOST_VALUES, depth: 2 * DEEPEST, values: 20 * MOST_VALUES };

/**
 * Parses the body of a webhook call; throws a 400 if it is not a v1 AdmissionReview. Objects are measured
 * before they are parsed. Objects that are too large are left out, and so are managed fields, which no rule reads.
 */
export function parseReview(body: Buffer): AdmissionRequest {
  const { values, parts, excess: limit } = jsonSize(body, REVIEW_LIMITS);
  const other = values > MOST_OTHER_VALUES && `more than ${MOST_OTHER_VALUES} fields and items besides its objects`;
  const twice = new Set(parts.map(({ name }) => name)).size < parts.length && 'an object twice';
  const problem = limit ?? (other || twice);
  if (problem) throw badRequest(`the AdmissionReview cannot be validated: it has ${problem}`, 'split the object');
  const part = (name: string): JsonPart | undefined => parts.find((each) => each.name === name);
  const [now, before] = [part('object'), part('oldObject')];
  const outlined = before && (now ? keepsLargeSpec(body, now, before) : isLargeDeleted(before));
  const excess = outlined ? undefined : excessOf(now, before);
  const unread = parts.flatMap(({ managed, fields }) => [
    ...(managed ? [{ ...managed, instead: '' }] : []),
    ...(outlined ? fields.map((field) => ({ ...field, instead: 'null' })) : []),
  ]);
  let review: { apiVersion?: string; kind?: string; request?: Partial<AdmissionRequest> } | null;
  try {
    review = JSON.parse(replaced(body, excess ? parts.map((each) => ({ ...each, instead: 'null' })) : unread));
  } catch (error) {
    throw badRequest(`the body is not JSON: ${(error as Error).message}`);
  }
  if (review?.kind !== 'AdmissionReview' || review.apiVersion !== 'admission.k8s.io/v1') {
    throw badRequest('the body is not an AdmissionReview of admission.k8s.io/v1');
  }
  const { request } = review;
  const malformed = malformedField(request);
  if (malformed) throw badRequest(`the AdmissionReview is not whole: "${malformed}" is absent or of another type`);
  const outline = outlined && { outlined, statusChanges: !sameField(body, 'status', now, before) };
  return { userInfo: {}, ...request, ...(excess && { excess }), ...outline } as AdmissionRequest;
}

/** Whether an object that was stored too large keeps its spec, and changes only labels, finalizers and the like. */
function keepsLargeSpec(body: Buffer, now: JsonPart, before: JsonPart): boolean {
  if (!isTooLarge(now) || !isTooLarge(before)) return false;
  return Math.max(outside(now), outside(before)) <= MOST_VALUES && sameField(body, 'spec', now, before);
}

/** Whether a deleted object is too large to be read, with little besides its spec and status. */
const isLargeDeleted = (before: JsonPart): boolean =>
  before.values > MOST_STORED_VALUES && outside(before) <= MOST_VALUES;

/** Number of values of an object outside its spec and status. */
const outside = ({ values, fields }: JsonPart): number => fields.reduce((left, field) => left - field.values, values);

/** Whether a field that is an object or a list has the same bytes in both, or is in neither. */
function sameField(body: Buffer, field: string, ...parts: readonly (JsonPart | undefined)[]): boolean {
  const [now, before] = parts.map((part) => {
    const { start, end } = part?.fields.find(({ name }) => name === field) ?? { start: 0, end: 0 };
    return body.subarray(start, end);
  });
  return now.equals(before);
}

/** Whether the status or the rest exceeds the limit. Each has its own, so that a large spec leaves room for the status. */
function isTooLarge({ values, fields }: JsonPart): boolean {
  const status = fields.find(({ name }) => name === 'status')?.values ?? 0;
  return Math.max(status, values - status) > MOST_VALUES;
}

/** Returns why an object is too large to be validated. */
function excessOf(object: JsonPart | undefined, before: JsonPart | undefined): Finding | undefined {
  if (object && isTooLarge(object)) return tooManyValues(MOST_VALUES);
  if (before && before.values > MOST_STORED_VALUES) return tooManyValues(MOST_STORED_VALUES);
  if (!object || bytesOf(object) <= Math.max(MOST_BYTES, bytesOf(before))) return undefined;
  const message = `the object has more than ${MOST_BYTES} bytes, which is etcd's limit`;
  const extra = { type: 'FieldValueTooLong', field: '' } as const;
  return sizeRefusal('object-bytes', root, message, 'split the object into smaller ones', extra);
}

const bytesOf = (part: Stretch | undefined): number => (part ? part.end - part.start : 0);

/** Returns the text with replaced ranges. */
function replaced(text: Buffer, stretches: readonly (Stretch & { readonly instead: string })[]): string {
  const inOrder = [...stretches].sort((a, b) => a.start - b.start);
  const pieces = inOrder.map(
    ({ start, instead }, i) => text.toString('utf8', inOrder[i - 1]?.end ?? 0, start) + instead,
  );
  return pieces.join('') + text.toString('utf8', inOrder.at(-1)?.end ?? 0);
}

/** Calls the rules and converts their verdict to the form that the API server expects. */
export async function review(request: AdmissionRequest, admit: Admit, signal?: AbortSignal): Promise<AdmissionReview> {
  const verdict: Verdict = request.excess ? { errors: [request.excess] } : await admit(request, signal);
  const response = { uid: request.uid, ...responseTo(request, verdict) };
  if ('warnings' in verdict && verdict.warnings?.length) {
    response.warnings = verdict.warnings.slice(0, MAX_CAUSES).map((warning) => {
      const text = printable(warning);
      return text.length > MAX_WARNING ? `${text.slice(0, MAX_WARNING - 1)}…` : text;
    });
  }
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}

function responseTo(request: AdmissionRequest, verdict: Verdict): Omit<AdmissionResponse, 'uid'> {
  if ('refused' in verdict) {
    const message = printable(brief(verdict.refused.message));
    return { allowed: false, status: { status: 'Failure', ...verdict.refused, message } };
  }
  if ('errors' in verdict) {
    return verdict.errors.length > 0 ? { allowed: false, status: refusal(request, verdict.errors) } : { allowed: true };
  }
  return { allowed: true, ...patchOf(request, verdict.object) };
}

function patchOf(request: AdmissionRequest, after: KubeObject | undefined): Partial<AdmissionResponse> {
  if (!after || !request.object) return {};
  const operations = patchBetween(request.object, after);
  if (operations.length === 0) return {};
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
}

/** Maximum number of mistakes in a response. The others are only counted, because the response would get too long to read. */
const MAX_CAUSES = 50;

/** Status 422 with a cause for each field. kubectl prints the causes, other clients print the message, so both name the fields. */
export function refusal(request: AdmissionRequest, errors: readonly Finding[]): Partial<Status> {
  const causes: StatusCause[] = errors.slice(0, MAX_CAUSES).map((error) => ({
    reason: error.type ?? 'FieldValueInvalid',
    message: printable(describe(error)),
    field: printable(brief(error.field ?? String(error.path))),
  }));
  const located = errors.slice(0, MAX_CAUSES).map(({ field, path }, i) => {
    const place = printable(brief(field || String(path)));
    return place ? `${place}: ${causes[i].message}` : causes[i].message;
  });
  const rest = errors.length > MAX_CAUSES ? [`and ${errors.length - MAX_CAUSES} more`] : [];
  const { metadata } = request.object ?? request.oldObject ?? {};
  return {
    status: 'Failure',
    message: [...located, ...rest].join(', '),
    reason: 'Invalid',
    code: 422,
    details: {
      name: request.name || metadata?.name || metadata?.generateName,
      group: request.kind.group,
      kind: request.kind.kind,
      causes,
    },
  };
}
