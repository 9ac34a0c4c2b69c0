import { namesOfKind } from '../api/kinds/registry';
import type { Kind } from '../client/connection';
import { CliError } from './errors';

export type { Kind };

/** Target of a command: `vm/NAME[/NAMESPACE]`. */
export interface Target {
  readonly kind: Kind;
  readonly name: string;
  readonly namespace?: string;
}

const KINDS = new Map<string, Kind>([
  ...namesOfKind('VirtualMachine').map((name) => [name, 'vm'] as const),
  ...namesOfKind('VirtualMachineInstance').map((name) => [name, 'vmi'] as const),
]);

export function parseKind(text: string): Kind {
  const kind = KINDS.get(text.toLowerCase());
  if (!kind) throw new CliError(`unsupported resource type '${text}' (allowed: vm, vmi)`);
  return kind;
}

/** Parses `type/name[/namespace]`. */
export function parseTarget(text: string): Target {
  const [kind, name, namespace, ...rest] = text.split('/');
  if (name === undefined) {
    throw new CliError(`target "${text}" must contain type and name separated by '/', as in vm/${text || 'NAME'}`);
  }
  if (rest.length > 0) throw new CliError(`target "${text}" is not valid with more than two '/'`);
  if (name === '' || namespace === '') throw new CliError(`target "${text}": name and namespace cannot be empty`);
  return { kind: parseKind(kind), name, ...(namespace === undefined ? {} : { namespace }) };
}

/** Parses a target of `ssh` and `scp`: `[user@]type/name[/namespace]`. */
export function parseSshTarget(text: string): Target & { readonly user?: string } {
  const at = text.lastIndexOf('@');
  if (at < 0) return parseTarget(text);
  const user = text.slice(0, at);
  if (!user) throw new CliError(`target "${text}" has an empty user name before "@"`);
  // ssh would parse it as an option
  if (user.startsWith('-')) throw new CliError(`target "${text}": a user name cannot begin with "-"`);
  return { ...parseTarget(text.slice(at + 1)), user };
}

/** A port to forward. */
export interface Forward {
  readonly protocol: 'tcp' | 'udp';
  /** Local port; 0 is any free port. */
  readonly local: number;
  readonly remote: number;
}

/** Parses `[protocol/]local[:target]`. */
export function parseForward(text: string): Forward {
  const match = /^(?:([A-Za-z]+)\/)?(\d+)(?::(\d+))?$/.exec(text);
  const [, protocol = 'tcp', local, remote = local] = match ?? [];
  const lower = protocol.toLowerCase();
  if (!match) throw new CliError(`port "${text}" is not of the form [protocol/]localPort[:targetPort]`);
  if (lower !== 'tcp' && lower !== 'udp') {
    throw new CliError(`port "${text}": protocol "${protocol}" is not supported (allowed: tcp, udp)`);
  }
  if (Number(local) > 65535) throw new CliError(`port "${text}": ${local} is not a port (allowed: 0 to 65535)`);
  if (Number(remote) < 1 || Number(remote) > 65535) {
    throw new CliError(`port "${text}": ${remote} is not a port of a guest (allowed: 1 to 65535)`);
  }
  return { protocol: lower, local: Number(local), remote: Number(remote) };
}
