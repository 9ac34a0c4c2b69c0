import { errors, StatusError } from '../errors';
import { Kind, subjectOf } from '../registry/kind';
import { AnyObject, UserInfo } from '../types';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** Request for admission plugins and webhooks. */
export interface Attributes {
  readonly operation: Operation;
  readonly kind: Kind;
  /** Kind of `object`, if a subresource has another kind than its resource. */
  readonly objectKind?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Plugins that mutate replace it. Undefined on DELETE. */
  object?: AnyObject;
  readonly oldObject?: AnyObject;
  readonly options: Record<string, unknown>;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  warn(message: string): void;
  /** Adds an annotation to the request's line in the audit log. */
  annotate?(key: string, value: string): void;
}

/** Whether the request concerns this resource or one of its subresources. */
export const isResource = ({ kind }: Attributes, group: string, plural: string): boolean =>
  kind.plural === plural && kind.group === group;

/** Rejection of the request by a plugin. A name that is still to be generated is shown as its prefix. */
export function forbid({ kind, name, object }: Attributes, why: string): StatusError {
  const shown = name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
  return errors.forbidden(subjectOf(kind), shown, why);
}

/** One of at most two rounds of mutation. */
export interface Round {
  readonly second: boolean;
  /** Requests a second round, because a webhook changed the object after other plugins. */
  repeat(): void;
}

/** Admission plugin. Throws a StatusError to reject a request. */
export interface Plugin {
  readonly name: string;
  mutate?(attributes: Attributes, round: Round): Promise<void> | void;
  validate?(attributes: Attributes): Promise<void> | void;
}

/** Plugins in their order. */
export class Admission {
  public constructor(private readonly plugins: readonly Plugin[]) {}

  public async mutate(attributes: Attributes): Promise<void> {
    let repeat = false;
    const first = { second: false, repeat: () => (repeat = true) };
    for (const plugin of this.plugins) await plugin.mutate?.(attributes, first);
    if (!repeat) return;
    for (const plugin of this.plugins) await plugin.mutate?.(attributes, { second: true, repeat: () => {} });
  }

  public async validate(attributes: Attributes): Promise<void> {
    for (const plugin of this.plugins) await plugin.validate?.(attributes);
  }
}
