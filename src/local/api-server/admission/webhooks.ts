import { Authorizer } from '../authorization/authorizer';
import { errors, StatusError } from '../errors';
import { goSyntaxError } from '../json/go-json';
import { clone, deepEqual } from '../json/values';
import { jsonPatch, PatchError } from '../patch';
import { gvOf, Kind } from '../registry/kind';
import { KindRegistry } from '../registry/registry';
import { Store } from '../store/store';
import { AnyObject } from '../types';
import { Attributes, Plugin, Round } from './admission';
import { celAuthorizer } from './cel-authorizer';
import { WebhookClient } from './webhook-client';
import { matchesSelectors, matchingKind, meetsConditions, Webhook } from './webhook-match';
import { AdmissionResponse, WebhookFailure } from './webhook-review';

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
      ({ metadata: { name }, webhooks = [] }) =>
        (webhooks as Webhook[]).map((webhook) => ({ ...webhook, configuration: name })),
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
    private readonly client: WebhookClient,
    private readonly authorizer: Authorizer,
    resource: string,
    private readonly mutating: boolean,
  ) {
    this.configurations = new Configurations(store, `${GROUP}/${resource}`);
  }

  protected webhooks({ kind }: Attributes): readonly Webhook[] {
    // A broken webhook must not prevent its own repair.
    return kind.group === GROUP ? [] : this.configurations.all();
  }

  /** Kind in which the webhook sees the request as it is now; undefined if it does not concern the webhook. */
  protected match(webhook: Webhook, attributes: Attributes): Kind | undefined {
    const seenAs = matchingKind(webhook, attributes, this.kinds);
    if (!seenAs || !matchesSelectors(webhook, attributes, this.store)) return undefined;
    const authorizer = celAuthorizer(this.authorizer, attributes, seenAs);
    return meetsConditions(webhook, attributes, authorizer) ? seenAs : undefined;
  }

  /** Response of the webhook; undefined if the call failed and the webhook ignores failures. */
  protected async ask(
    webhook: Webhook,
    attributes: Attributes,
    seenAs: Kind,
    second = false,
  ): Promise<AdmissionResponse | undefined> {
    if (attributes.dryRun && !['None', 'NoneOnDryRun'].includes(webhook.sideEffects)) {
      throw errors.badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
    }
    const response = await this.tolerant(webhook, () => this.client.call(webhook, attributes, seenAs, this.mutating));
    if (!response) {
      const prefix = `failed-open.${this.mutating ? 'mutation' : 'validating'}.webhook.admission.k8s.io`;
      attributes.annotate?.(`${prefix}/${this.position(webhook, attributes, second)}`, webhook.name);
    }
    return response;
  }

  /** Position of a call in the keys of audit annotations. */
  protected position(webhook: Webhook, attributes: Attributes, second: boolean): string {
    return `round_${second ? 1 : 0}_index_${this.webhooks(attributes).indexOf(webhook)}`;
  }

  /** Applies the failure policy to `action`. */
  protected async tolerant<T>(webhook: Webhook, action: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof WebhookFailure)) throw error;
      if (webhook.failurePolicy === 'Ignore') return undefined;
      throw errors.internal(`failed calling webhook ${JSON.stringify(webhook.name)}: ${error.message}`);
    }
  }
}

/** Webhooks with a reinvocation policy, in one request. */
interface Reinvocation {
  /** Webhooks to call again, because the object has changed since. */
  readonly due: Set<Webhook>;
  /** Webhooks that have seen the object as it is. */
  readonly current: Set<Webhook>;
  /** The object after the last webhook. */
  output?: AnyObject;
}

/** Calls MutatingWebhookConfigurations in order; each sees the changes of the previous ones. */
export class MutatingWebhooks extends WebhookPlugin implements Plugin {
  public readonly name = 'MutatingAdmissionWebhook';
  private readonly requests = new WeakMap<Attributes, Reinvocation>();

  public constructor(store: Store, kinds: KindRegistry, client: WebhookClient, authorizer: Authorizer) {
    super(store, kinds, client, authorizer, 'mutatingwebhookconfigurations', true);
  }

  public async mutate(attributes: Attributes, round: Round): Promise<void> {
    const state = this.requests.get(attributes) ?? { due: new Set(), current: new Set() };
    this.requests.set(attributes, state);
    if (round.second && !deepEqual(state.output, attributes.object)) makeDue(state);
    for (const webhook of this.webhooks(attributes)) {
      // The second round only repeats calls.
      if (round.second && !state.due.has(webhook)) continue;
      const seenAs = this.match(webhook, attributes);
      if (!seenAs) continue;
      let mutated = false;
      try {
        mutated = await this.apply(webhook, seenAs, attributes, round.second);
      } finally {
        const key = `mutation.webhook.admission.k8s.io/${this.position(webhook, attributes, round.second)}`;
        const { configuration, name } = webhook;
        attributes.annotate?.(key, JSON.stringify({ configuration, webhook: name, mutated }));
      }
      if (mutated) {
        makeDue(state);
        round.repeat();
      }
      if (webhook.reinvocationPolicy === 'IfNeeded') state.current.add(webhook);
    }
    if (state.current.size) state.output = clone(attributes.object);
  }

  /** @returns whether the webhook changed the object */
  private async apply(webhook: Webhook, seenAs: Kind, attributes: Attributes, second: boolean): Promise<boolean> {
    const response = await this.ask(webhook, attributes, seenAs, second);
    const operations = await this.tolerant(webhook, () => decodePatch(response));
    if (!operations?.length) return false;
    const before = attributes.object;
    if (!before) {
      throw errors.internal(
        `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
      );
    }
    attributes.object = await patched(before, operations, attributes, seenAs);
    return !deepEqual(before, attributes.object);
  }
}

function makeDue({ due, current }: Reinvocation): void {
  for (const webhook of current) due.add(webhook);
  current.clear();
}

function decodePatch({ patch, patchType }: AdmissionResponse = {}): unknown[] {
  if (!patch) return [];
  const text = Buffer.from(patch, 'base64').toString('utf8');
  const wrong = goSyntaxError(text);
  if (wrong) throw new WebhookFailure(`received undecodable patch in webhook response: ${wrong}`);
  const operations: unknown = JSON.parse(text);
  if (!Array.isArray(operations)) {
    throw new WebhookFailure('received undecodable patch in webhook response: it must be a list of operations');
  }
  if (operations.length && patchType !== 'JSONPatch') {
    throw new WebhookFailure(`unsupported patch type ${JSON.stringify(patchType)}`);
  }
  return operations;
}

async function patched(
  before: AnyObject,
  operations: unknown[],
  { objectKind, kind }: Attributes,
  seenAs: Kind,
): Promise<AnyObject> {
  const converts = !objectKind && kind !== seenAs ? kind.conversion : undefined;
  const document = clone(converts ? (await converts.convert([before], gvOf(seenAs)))[0] : before);
  if (!objectKind) document.apiVersion = gvOf(seenAs);
  try {
    const changed = jsonPatch(document, operations) as AnyObject;
    const object = converts ? (await converts.convert([changed], gvOf(kind)))[0] : changed;
    if (!objectKind) {
      object.apiVersion = gvOf(kind);
      kind.decode(object);
    }
    return object;
  } catch (error) {
    if (error instanceof PatchError) throw errors.internal(error.detail ?? error.message);
    // The decoder's text without the prefix for clients.
    if (error instanceof StatusError)
      throw errors.internal(error.message.replace(/^.* cannot be handled as an? \w+: /, ''));
    throw error;
  }
}

/** Calls all ValidatingWebhookConfigurations concurrently; the first rejection in their order is returned. */
export class ValidatingWebhooks extends WebhookPlugin implements Plugin {
  public readonly name = 'ValidatingAdmissionWebhook';

  public constructor(store: Store, kinds: KindRegistry, client: WebhookClient, authorizer: Authorizer) {
    super(store, kinds, client, authorizer, 'validatingwebhookconfigurations', false);
  }

  public async validate(attributes: Attributes): Promise<void> {
    const concerned = this.webhooks(attributes).flatMap((webhook) => {
      const seenAs = this.match(webhook, attributes);
      return seenAs ? [{ webhook, seenAs }] : [];
    });
    const asked = concerned.map(({ webhook, seenAs }) => this.ask(webhook, attributes, seenAs));
    for (const result of await Promise.allSettled(asked)) {
      if (result.status === 'rejected') throw result.reason;
    }
  }
}
