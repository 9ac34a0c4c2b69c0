import { brief, describe } from '../../../api';
import { DEEPEST, MOST_KEYS, MOST_VALUES } from '../../../api/kinds/bounded';
import type { FieldError, KubeObject, Status, StatusCause } from '../../../api';
import { badRequest, printable } from '../status';
import { jsonExcess } from './json-size';
import { patchBetween } from './patch';

/** The parts of `admission.k8s.io/v1` AdmissionRequest that rules look at. */
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
}

/** What a rule set says of one request. */
export type Verdict =
  /** Allowed; `object` is what it shall become, when that differs. */
  | { readonly object?: KubeObject; readonly warnings?: readonly string[] }
  /** Refused because of these fields. */
  | { readonly errors: readonly FieldError[]; readonly warnings?: readonly string[] }
  /** Refused for now. */
  | { readonly refused: { readonly code: number; readonly reason: string; readonly message: string } };

/** One webhook path. Dry runs and repeated calls change nothing. After `signal`, nobody waits for the verdict. */
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

/**
 * The object twice, as it is and as it was: each may have five times what an object may be created with (`MOST_VALUES`,
 * reported with its field), since whatever was stored before must be able to shrink and to lose its finalizers. A map has as
 * many keys as an object may have values; lists and objects in each other are those of an object, with managed fields.
 */
const REVIEW_LIMITS = { values: 2 * 5 * MOST_VALUES, keys: 20 * MOST_KEYS, depth: 2 * DEEPEST };

/** Reads the body of a webhook call; throws the 400 for one that is no AdmissionReview of v1. */
export function parseReview(body: Buffer): AdmissionRequest {
  const excess = jsonExcess(body, REVIEW_LIMITS);
  if (excess) throw badRequest(`the object is too large to be judged: it has ${excess}`, 'split it into smaller ones');
  let review: { apiVersion?: string; kind?: string; request?: Partial<AdmissionRequest> } | null;
  try {
    review = JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw badRequest(`the body is not JSON: ${(error as Error).message}`);
  }
  if (review?.kind !== 'AdmissionReview' || review.apiVersion !== 'admission.k8s.io/v1') {
    throw badRequest(
      `expected an AdmissionReview of admission.k8s.io/v1, got ${review?.kind ?? 'nothing'} of ${review?.apiVersion}`,
    );
  }
  const request = review.request;
  if (!request?.uid || !request.kind || !request.resource || !request.operation || !('object' in request)) {
    throw badRequest('the AdmissionReview has no whole request (uid, kind, resource, operation, object)');
  }
  return { userInfo: {}, ...request } as AdmissionRequest;
}

/** Asks the rules and words their verdict as the API server expects it. */
export async function review(request: AdmissionRequest, admit: Admit, signal?: AbortSignal): Promise<AdmissionReview> {
  const verdict = await admit(request, signal);
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

/** More mistakes than this are only counted: nobody reads them, and the answer would be as long as the object. */
const MAX_CAUSES = 50;

/** 422 with a cause for each field. kubectl prints the causes; other clients the message, so it names the fields too. */
export function refusal(request: AdmissionRequest, errors: readonly FieldError[]): Partial<Status> {
  const causes: StatusCause[] = errors.slice(0, MAX_CAUSES).map((error) => ({
    reason: error.type ?? 'FieldValueInvalid',
    message: printable(describe(error)),
    field: printable(brief(error.field ?? String(error.path))),
  }));
  const told = errors.slice(0, MAX_CAUSES).map(({ field, path }, i) => {
    const place = printable(brief(field || String(path)));
    return place ? `${place}: ${causes[i].message}` : causes[i].message;
  });
  const rest = errors.length > MAX_CAUSES ? [`and ${errors.length - MAX_CAUSES} more`] : [];
  const { metadata } = request.object ?? request.oldObject ?? {};
  return {
    status: 'Failure',
    message: [...told, ...rest].join(', '),
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
