import { errors, StatusError } from '../errors';
import { jsonPatch } from '../patch';
import { gvOf, Kind } from '../registry/kind';
import { KindRegistry } from '../registry/registry';
import { evaluateCel } from '../schema';
import { Store } from '../store/store';
import { AnyObject, clone, deepEqual, KeyPair } from '../types';
import { Attributes, Plugin } from './admission';
import { callWebhook, failedCall, WebhookFailure } from './webhook-client';
import { matchesSelectors, matchingKind, Webhook } from './webhook-match';

const GROUP = 'admissionregistration.k8s.io';

/** Webhooks of one type in calling order: by the name of their configuration. */
class Configurations {
  private webhooks: Webhook[] | undefined;

  public constructor(
    private readonly store: Store,
    private readonly resource: string,
  ) {
    store.subscribe(resource, () => (this.webhooks = undefined));
  }

  public all(): Webhook[] {
    this.webhooks ??= [...this.store.list({ resource: this.resource })].flatMap(
      (configuration) => (configuration.webhooks ?? []) as Webhook[],
    );
    return this.webhooks;
  }
}

/** Base of both kinds of webhooks: matching and failure policy. */
abstract class WebhookPlugin {
  private readonly configurations: Configurations;

  protected constructor(
    protected readonly store: Store,
    protected readonly kinds: KindRegistry,
    private readonly client: KeyPair,
    resource: string,
  ) {
    this.configurations = new Configurations(store, `${GROUP}/${resource}`);
  }

  protected concerned(attributes: Attributes): { webhook: Webhook; seenAs: Kind }[] {
    // A broken webhook must not prevent its own repair.
    if (attributes.kind.group === GROUP) return [];
    return this.configurations.all().flatMap((webhook) => {
      const seenAs = matchingKind(webhook, attributes, this.kinds);
      if (!seenAs || !matchesSelectors(webhook, attributes, this.store)) return [];
      return this.meetsConditions(webhook, attributes) ? [{ webhook, seenAs }] : [];
    });
  }

  private meetsConditions(webhook: Webhook, attributes: Attributes): boolean {
    const conditions = webhook.matchConditions ?? [];
    if (!conditions.length) return true;
    const { object = null, oldObject = null, operation, user, name, namespace, kind, subresource } = attributes;
    const variables = {
      object,
      oldObject,
      request: {
        operation,
        name,
        namespace,
        subResource: subresource,
        kind: { group: kind.group, version: kind.version, kind: kind.kind },
        resource: { group: kind.group, version: kind.version, resource: kind.plural },
        userInfo: user,
        dryRun: attributes.dryRun,
      },
    };
    let failure: unknown;
    for (const { expression } of conditions) {
      try {
        if (evaluateCel(expression, variables) !== true) return false;
      } catch (error) {
        failure = error;
      }
    }
    if (failure === undefined) return true;
    if (webhook.failurePolicy === 'Ignore') return false;
    throw failedCall(webhook, failure instanceof Error ? failure : new Error(String(failure)));
  }

  protected async ask(webhook: Webhook, attributes: Attributes, seenAs: Kind): Promise<readonly unknown[] | undefined> {
    if (attributes.dryRun && !['None', 'NoneOnDryRun'].includes(webhook.sideEffects)) {
      throw errors.badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
    }
    try {
      return (await callWebhook(this.store, this.client, webhook, attributes, seenAs)).patch;
    } catch (error) {
      if (error instanceof StatusError || !(error instanceof WebhookFailure)) throw error;
      if (webhook.failurePolicy === 'Ignore') return undefined;
      throw failedCall(webhook, error);
    }
  }
}

/** Calls MutatingWebhookConfigurations in order; each sees the changes of the previous ones. */
export class MutatingWebhooks extends WebhookPlugin implements Plugin {
  public readonly name = 'MutatingAdmissionWebhook';

  public constructor(store: Store, kinds: KindRegistry, client: KeyPair) {
    super(store, kinds, client, 'mutatingwebhookconfigurations');
  }

  public async mutate(attributes: Attributes): Promise<void> {
    const changedBy = new Map<Webhook, AnyObject | undefined>();
    for (const { webhook, seenAs } of this.concerned(attributes)) {
      await this.apply(webhook, seenAs, attributes);
      if (webhook.reinvocationPolicy === 'IfNeeded') changedBy.set(webhook, clone(attributes.object));
    }
    if (!changedBy.size) return;
    // Webhooks with a reinvocation policy are called again if the object was changed after them.
    for (const { webhook, seenAs } of this.concerned(attributes)) {
      if (!changedBy.has(webhook) || deepEqual(changedBy.get(webhook), attributes.object)) continue;
      await this.apply(webhook, seenAs, attributes);
    }
  }

  private async apply(webhook: Webhook, seenAs: Kind, attributes: Attributes): Promise<void> {
    const patch = await this.ask(webhook, attributes, seenAs);
    if (!patch?.length || !attributes.object) return;
    let patched: AnyObject;
    try {
      const document = clone(attributes.object);
      if (!attributes.objectKind) document.apiVersion = gvOf(seenAs);
      patched = jsonPatch(document, patch as never) as AnyObject;
    } catch (error) {
      throw errors.internal(error instanceof Error ? error.message : String(error));
    }
    if (!attributes.objectKind) {
      patched.apiVersion = gvOf(attributes.kind);
      attributes.kind.decode(patched);
    }
    attributes.object = patched;
  }
}

/** Calls all ValidatingWebhookConfigurations concurrently; the first rejection in their order is returned. */
export class ValidatingWebhooks extends WebhookPlugin implements Plugin {
  public readonly name = 'ValidatingAdmissionWebhook';

  public constructor(store: Store, kinds: KindRegistry, client: KeyPair) {
    super(store, kinds, client, 'validatingwebhookconfigurations');
  }

  public async validate(attributes: Attributes): Promise<void> {
    const asked = this.concerned(attributes).map(({ webhook, seenAs }) => this.ask(webhook, attributes, seenAs));
    for (const result of await Promise.allSettled(asked)) {
      if (result.status === 'rejected') throw result.reason;
    }
  }
}
