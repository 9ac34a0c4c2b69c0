import { createPatch } from 'rfc6902';
import { describe } from '../../../api';
import type { FieldError, KubeObject, Status, StatusCause } from '../../../api';
import { badRequest } from '../status';

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

/** One webhook path. Dry runs and repeated calls change nothing. */
export type Admit = (request: AdmissionRequest) => Promise<Verdict>;

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

/** Reads the body of a webhook call; throws the 400 for one that is no AdmissionReview of v1. */
export function parseReview(body: string): AdmissionRequest {
  let review: { apiVersion?: string; kind?: string; request?: Partial<AdmissionRequest> } | null;
  try {
    review = JSON.parse(body);
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
export async function review(request: AdmissionRequest, admit: Admit): Promise<AdmissionReview> {
  const verdict = await admit(request);
  const response = { uid: request.uid, ...responseTo(request, verdict) };
  if ('warnings' in verdict && verdict.warnings?.length) {
    response.warnings = verdict.warnings.map((text) =>
      text.length > MAX_WARNING ? `${text.slice(0, MAX_WARNING - 1)}…` : text,
    );
  }
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}

function responseTo(request: AdmissionRequest, verdict: Verdict): Omit<AdmissionResponse, 'uid'> {
  if ('refused' in verdict) return { allowed: false, status: { status: 'Failure', ...verdict.refused } };
  if ('errors' in verdict) {
    return verdict.errors.length > 0 ? { allowed: false, status: refusal(request, verdict.errors) } : { allowed: true };
  }
  return { allowed: true, ...('object' in verdict ? patchOf(request, verdict.object) : {}) };
}

function patchOf(request: AdmissionRequest, after: KubeObject | undefined): Partial<AdmissionResponse> {
  if (!after || !request.object) return {};
  const operations = createPatch(request.object, after);
  if (operations.length === 0) return {};
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
}

/** 422 with a cause for each field. kubectl prints the causes; other clients the message, so it names the fields too. */
export function refusal(request: AdmissionRequest, errors: readonly FieldError[]): Partial<Status> {
  const causes: StatusCause[] = errors.map((error) => ({
    reason: error.type ?? 'FieldValueInvalid',
    message: describe(error),
    field: error.field ?? String(error.path),
  }));
  const message = errors.map((error) => told(error.field || String(error.path), describe(error))).join(', ');
  const { metadata } = request.object ?? request.oldObject ?? {};
  return {
    status: 'Failure',
    message,
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

const told = (field: string, text: string): string => (field ? `${field}: ${text}` : text);
