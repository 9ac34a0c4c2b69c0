import { Kind } from '../registry/kind';
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
}

/** Admission plugin. Throws a StatusError to reject a request. */
export interface Plugin {
  readonly name: string;
  mutate?(attributes: Attributes): Promise<void> | void;
  validate?(attributes: Attributes): Promise<void> | void;
}

/** Plugins in their order. */
export class Admission {
  public constructor(private readonly plugins: readonly Plugin[]) {}

  public async mutate(attributes: Attributes): Promise<void> {
    for (const plugin of this.plugins) await plugin.mutate?.(attributes);
  }

  public async validate(attributes: Attributes): Promise<void> {
    for (const plugin of this.plugins) await plugin.validate?.(attributes);
  }
}
