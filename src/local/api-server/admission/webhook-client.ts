import { randomUUID } from 'node:crypto';
import { Status } from '../../../api/meta';
import { errors, StatusError } from '../errors';
import { call, Peer } from '../network/https-client';
import { resolveService } from '../network/service-resolver';
import { gvOf, Kind } from '../registry/kind';
import { Store } from '../store/store';
import { AnyObject, KeyPair } from '../types';
import { Attributes } from './admission';
import { Webhook } from './webhook-match';

export interface WebhookResponse {
  readonly patch?: readonly unknown[];
}

interface AdmissionResponse {
  uid: string;
  allowed: boolean;
  status?: Partial<Status>;
  patch?: string;
  patchType?: string;
  warnings?: string[];
}

/** Error of a webhook call or an invalid response; failurePolicy decides about the request. */
export class WebhookFailure extends Error {}

function peerOf(store: Store, { clientConfig }: Webhook): { peer: Peer; path: string; shown: string } {
  const ca = clientConfig.caBundle ? Buffer.from(clientConfig.caBundle, 'base64').toString('utf8') : undefined;
  if (clientConfig.url) {
    const url = new URL(clientConfig.url);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const path = url.pathname + url.search;
    return { peer: { host, port: Number(url.port || 443), ca }, path, shown: clientConfig.url };
  }
  const { namespace, name, path = '/', port = 443 } = clientConfig.service!;
  const serverName = `${name}.${namespace}.svc`;
  const [address] = resolveService(store, { namespace, name, port });
  const rooted = path.startsWith('/') ? path : `/${path}`;
  return { peer: { ...address, serverName, ca }, path: rooted, shown: `https://${serverName}:${port}${rooted}` };
}

/** Objects in the version of the webhook's registration; objects of a subresource are not converted. */
function inVersion(object: AnyObject | undefined, kind: Kind, asIs: boolean): AnyObject | null {
  if (asIs) return object ?? null;
  return object ? { ...object, apiVersion: gvOf(kind), kind: kind.kind } : null;
}

function review(attributes: Attributes, seenAs: Kind, version: string): object {
  const {
    kind,
    subresource,
    namespace,
    name: objectName,
    operation,
    user,
    object,
    oldObject,
    options,
    dryRun,
  } = attributes;
  const gvk = (item: Kind) => {
    const { group, version: itemVersion, kind: name } = attributes.objectKind ?? item;
    return { group, version: itemVersion, kind: name };
  };
  const asIs = attributes.objectKind !== undefined;
  const gvr = (item: Kind) => ({ group: item.group, version: item.version, resource: item.plural });
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: {
      uid: randomUUID(),
      kind: gvk(seenAs),
      resource: gvr(seenAs),
      ...(subresource ? { subResource: subresource } : {}),
      requestKind: gvk(kind),
      requestResource: gvr(kind),
      ...(subresource ? { requestSubResource: subresource } : {}),
      ...(objectName ? { name: objectName } : {}),
      ...(namespace ? { namespace } : {}),
      operation,
      userInfo: { ...user },
      object: inVersion(object, seenAs, asIs),
      oldObject: inVersion(oldObject, seenAs, asIs),
      dryRun,
      options,
    },
  };
}

/**
 * Calls a webhook, with a client certificate if it requests one.
 * @param client identity of this server towards webhooks
 * @throws StatusError if it denies the request, WebhookFailure if the call fails
 */
export async function callWebhook(
  store: Store,
  client: KeyPair,
  webhook: Webhook,
  attributes: Attributes,
  seenAs: Kind,
): Promise<WebhookResponse> {
  const version = webhook.admissionReviewVersions.find((item) => item === 'v1' || item === 'v1beta1') ?? 'v1';
  const body = review(attributes, seenAs, version) as { request: { uid: string } };
  const response = await ask(store, client, webhook, body);
  if (response.uid !== body.request.uid) {
    throw new WebhookFailure(
      `expected response.uid=${JSON.stringify(body.request.uid)}, got ${JSON.stringify(response.uid)}`,
    );
  }
  for (const warning of response.warnings ?? []) attributes.warn(warning);
  if (!response.allowed) throw denial(webhook.name, response.status);
  if (!response.patch) return {};
  if (response.patchType !== 'JSONPatch') {
    throw new WebhookFailure(
      `webhook response patchType must be "JSONPatch", got ${JSON.stringify(response.patchType)}`,
    );
  }
  try {
    return { patch: JSON.parse(Buffer.from(response.patch, 'base64').toString('utf8')) as unknown[] };
  } catch (error) {
    throw new WebhookFailure(String(error));
  }
}

async function ask(store: Store, client: KeyPair, webhook: Webhook, body: object): Promise<AdmissionResponse> {
  const timeout = webhook.timeoutSeconds ?? 10;
  let shown = '';
  try {
    const target = peerOf(store, webhook);
    shown = target.shown;
    const path = `${target.path}${target.path.includes('?') ? '&' : '?'}timeout=${timeout}s`;
    const answer = await call({ ...target.peer, ...client }, 'POST', path, {
      body: JSON.stringify(body),
      timeoutMs: timeout * 1000,
    });
    if (answer.code !== 200) {
      throw new WebhookFailure(answer.body.trim() || `the server responded with the status code ${answer.code}`);
    }
    const { response } = JSON.parse(answer.body) as { response?: AdmissionResponse };
    if (!response) throw new WebhookFailure('webhook response was absent');
    return response;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof WebhookFailure) throw error;
    throw new WebhookFailure(shown ? `failed to call webhook: Post "${shown}?timeout=${timeout}s": ${why}` : why);
  }
}

function denial(name: string, given: Partial<Status> | undefined): StatusError {
  const by = `admission webhook ${JSON.stringify(name)} denied the request`;
  const why = given?.message || given?.reason;
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    ...(given ?? {}),
    status: 'Failure',
    message: why ? `${by}: ${why}` : `${by} without explanation`,
    code: given?.code && given.code >= 400 ? given.code : 400,
  });
}

/** Error for the client if the call of a webhook with failurePolicy Fail fails. */
export function failedCall(webhook: Webhook, failure: Error): StatusError {
  return errors.internal(`failed calling webhook ${JSON.stringify(webhook.name)}: ${failure.message}`);
}
