import { Kind } from '../registry/kind';
import { AnyObject, UserInfo } from '../types';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** One request, as admission plugins and webhooks see it. */
export interface Attributes {
  readonly operation: Operation;
  readonly kind: Kind;
  /** Of `object`, where a subresource takes another kind than its resource's. */
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

/** One admission plugin. Refusals are StatusErrors. */
export interface Plugin {
  readonly name: string;
  mutate?(attributes: Attributes): Promise<void> | void;
  validate?(attributes: Attributes): Promise<void> | void;
}

/** The plugins, in their order. */
export class Admission {
  public constructor(private readonly plugins: readonly Plugin[]) {}

  public async mutate(attributes: Attributes): Promise<void> {
    for (const plugin of this.plugins) await plugin.mutate?.(attributes);
  }

  public async validate(attributes: Attributes): Promise<void> {
    for (const plugin of this.plugins) await plugin.validate?.(attributes);
  }
}
