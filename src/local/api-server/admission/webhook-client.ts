import { CallError, WebhookTransport } from '../network/webhook-transport';
import { Kind } from '../registry/kind';
import { AnyObject } from '../types';
import { oneFromStored } from '../verbs/convert';
import { Attributes } from './admission';
import { denial } from './webhook-errors';
import { Webhook } from './webhook-match';
import { AdmissionResponse, responseIn, reviewOf, WebhookFailure } from './webhook-review';

/** The objects of a request in the version that a webhook registered for. @throws StatusError */
async function convertedTo(seenAs: Kind, attributes: Attributes): Promise<Attributes> {
  const { object, oldObject, objectKind } = attributes;
  if (!seenAs.conversion || objectKind) return attributes;
  const convert = async (given: AnyObject | undefined) => given && (await oneFromStored(seenAs, given));
  return { ...attributes, object: await convert(object), oldObject: await convert(oldObject) };
}

/** Calls admission webhooks. */
export class WebhookClient {
  public constructor(private readonly transport: WebhookTransport) {}

  /**
   * @returns the verified response; it allows the request
   * @throws StatusError if the webhook denies the request, WebhookFailure if the call fails
   */
  public async call(
    webhook: Webhook,
    attributes: Attributes,
    seenAs: Kind,
    mutating: boolean,
  ): Promise<AdmissionResponse> {
    const seen = await convertedTo(seenAs, attributes);
    const review = reviewOf(seen, seenAs, webhook.admissionReviewVersions);
    const response = responseIn(await this.ask(webhook, review), review, mutating);
    for (const warning of response.warnings ?? []) {
      // A header cannot contain control characters; Kubernetes drops such warnings.
      if (typeof warning === 'string' && !/[\0-\x1f\x7f]/.test(warning)) attributes.warn(warning);
    }
    for (const [key, value] of Object.entries(response.auditAnnotations ?? {})) {
      if (typeof value === 'string') attributes.annotate?.(`${webhook.name}/${key}`, value);
    }
    if (!response.allowed) throw denial(webhook.name, response.status);
    return response;
  }

  private async ask(webhook: Webhook, review: object): Promise<Record<string, unknown>> {
    try {
      return await this.transport.post(webhook.clientConfig, review, webhook.timeoutSeconds ?? 10);
    } catch (error) {
      if (error instanceof CallError) throw new WebhookFailure(`failed to call webhook: ${error.message}`);
      throw error;
    }
  }
}
