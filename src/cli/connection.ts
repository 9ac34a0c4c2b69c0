import { GuestConnection } from '../client/connection';
import { resolveConfig } from '../client/kubeconfig';
import type { ConnectionFlags } from '../client/kubeconfig';
import { userAgent } from './version';

/** Flags of every command. */
export interface GlobalFlags extends ConnectionFlags {
  readonly as?: string;
  readonly asGroup?: string[];
  readonly asUid?: string;
  readonly verbose?: boolean;
}

/** Opens a connection to the cluster, user and namespace of the flags. */
export class Connection extends GuestConnection {
  public static async open(flags: GlobalFlags): Promise<Connection> {
    return new Connection(await resolveConfig(flags), userAgent, impersonation(flags));
  }
}

function impersonation(flags: GlobalFlags): Record<string, string | string[]> {
  return {
    ...(flags.as ? { 'Impersonate-User': flags.as } : {}),
    ...(flags.asUid ? { 'Impersonate-Uid': flags.asUid } : {}),
    ...(flags.asGroup?.length ? { 'Impersonate-Group': flags.asGroup } : {}),
  };
}
