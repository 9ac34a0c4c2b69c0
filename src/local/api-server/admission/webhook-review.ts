import { randomUUID } from 'node:crypto';
import { Status } from '../../../api/meta';
import { gvOf, Kind } from '../registry/kind';
import { AnyObject } from '../types';
import { Attributes } from './admission';
import { requestFields } from './request-fields';

/** Question to a webhook. */
export interface Review {
  readonly apiVersion: string;
  readonly request: { readonly uid: string };
}

/** Answer of a webhook. */
export interface AdmissionResponse {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: Partial<Status>;
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, unknown>>;
}

/** Error of a webhook call or an invalid response; failurePolicy decides about the request. */
export class WebhookFailure extends Error {}

/** Objects in the version of the webhook's registration; objects of a subresource are not converted. */
function inVersion(object: AnyObject | undefined, kind: Kind, asIs: boolean): AnyObject | null {
  if (asIs) return object ?? null;
  return object ? { ...object, apiVersion: gvOf(kind), kind: kind.kind } : null;
}

/** The question about a request, in the newest version of AdmissionReview that the webhook accepts. */
export function reviewOf(attributes: Attributes, seenAs: Kind, accepted: readonly string[]): Review {
  const { user, object, oldObject } = attributes;
  const version = accepted.find((item) => item === 'v1' || item === 'v1beta1');
  if (!version) {
    throw new WebhookFailure(
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    );
  }
  const asIs = attributes.objectKind !== undefined;
  const request = {
    uid: randomUUID(),
    ...requestFields(attributes, seenAs),
    userInfo: { ...user },
    object: inVersion(object, seenAs, asIs),
    oldObject: inVersion(oldObject, seenAs, asIs),
  };
  const review = { kind: 'AdmissionReview', apiVersion: `admission.k8s.io/${version}`, request };
  return review;
}

const invalid = (why: string) => new WebhookFailure(`received invalid webhook response: ${why}`);

function verifyPatch({ patch, patchType }: AdmissionResponse, mutating: boolean): void {
  if (!mutating) {
    if (patch) throw invalid('validating webhook may not return response.patch');
    if (patchType !== undefined) throw invalid('validating webhook may not return response.patchType');
    return;
  }
  if (patch && patchType === undefined) throw invalid('webhook returned response.patch but not response.patchType');
  if (!patch && patchType !== undefined) throw invalid('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw invalid('webhook returned invalid response.patchType of ""');
}

/** The response in the body of an answer to `review`. @throws WebhookFailure if it is not valid */
export function responseIn(body: Record<string, unknown>, review: Review, mutating: boolean): AdmissionResponse {
  const { apiVersion = '', kind = '' } = body as { apiVersion?: string; kind?: string };
  const known = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'].includes(apiVersion) && kind === 'AdmissionReview';
  if ((apiVersion || kind) && !known) {
    throw new WebhookFailure(
      `failed to call webhook: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"`,
    );
  }
  if (known && apiVersion !== review.apiVersion) {
    const [got, accepted] = [apiVersion, review.apiVersion].map((version) => version.split('/')[1]);
    throw new WebhookFailure(
      `failed to call webhook: converting (${got}.AdmissionReview) to (${accepted}.AdmissionReview): unknown conversion`,
    );
  }
  const response = body.response as AdmissionResponse | undefined;
  if (!response) throw invalid('webhook response was absent');
  // Version v1beta1 did not require any of this.
  if (review.apiVersion !== 'admission.k8s.io/v1') return { ...response, patchType: response.patch && 'JSONPatch' };
  const { uid } = review.request;
  if (response.uid !== uid) {
    throw invalid(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`);
  }
  if (apiVersion !== review.apiVersion) {
    const got = `${apiVersion || '/'}, Kind=${kind}`;
    throw invalid(`expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${got}`);
  }
  verifyPatch(response, mutating);
  return response;
}
