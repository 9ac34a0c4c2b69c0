import { CliError } from './errors';
import { parseSshTarget } from './target';
import type { Target } from './target';

/** Arguments for the local OpenSSH clients. Pure. */

export interface SshFlags {
  readonly username?: string;
  readonly identityFile?: string;
  readonly knownHosts?: string;
  readonly port: number;
  readonly localSshOpts?: readonly string[];
}

export type Guest = Target & { readonly namespace: string; readonly user?: string };

/** Command that opens the connection; target and port are appended. */
export type ProxyCommand = readonly string[];

function common(guest: Guest, flags: SshFlags, proxy: ProxyCommand): string[] {
  const target = `${guest.kind}/${guest.name}/${guest.namespace}`;
  const command = [...proxy, 'port-forward', '--stdio=true', target, String(flags.port)];
  return [
    '-o',
    // ssh expands % and passes the rest to a shell
    `ProxyCommand=${command.map(shellQuote).join(' ').replaceAll('%', '%%')}`,
    ...(flags.knownHosts ? ['-o', `UserKnownHostsFile=${flags.knownHosts}`] : []),
    ...(flags.localSshOpts ?? []),
    ...(flags.identityFile ? ['-i', flags.identityFile] : []),
  ];
}

/** Name of the guest in known_hosts. */
function hostOf(guest: Guest, flags: SshFlags): string {
  const user = guest.user ?? flags.username;
  return `${user ? `${user}@` : ''}${guest.kind}.${guest.name}.${guest.namespace}`;
}

export function buildSshArguments(guest: Guest, flags: SshFlags & { command?: string }, proxy: ProxyCommand): string[] {
  return [...common(guest, flags, proxy), '--', hostOf(guest, flags), ...(flags.command ? [flags.command] : [])];
}

export interface ScpTargets<G = Target & { user?: string }> {
  readonly remote: G;
  readonly remotePath: string;
  readonly localPath: string;
  readonly upload: boolean;
}

/** Finds out which of the two is in the guest. A local path with a colon needs a slash before it: `./a:b`. */
export function parseScpTargets(source: string, destination: string): ScpTargets {
  const remotes = [source, destination].map((text) => /^([^:]*\/[^:]*):(.*)$/s.exec(text)).map(unlessLocal);
  const [from, to] = remotes;
  if (from && to) {
    throw new CliError(`copying from one guest to another is not supported ("${source}" to "${destination}")`);
  }
  const remote = from ?? to;
  if (!remote) {
    throw new CliError(
      `neither "${source}" nor "${destination}" is in a guest; name one as [user@]vm/NAME[/NAMESPACE]:PATH`,
    );
  }
  return {
    remote: parseSshTarget(remote[1]),
    remotePath: remote[2],
    localPath: from ? destination : source,
    upload: !from,
  };
}

const unlessLocal = (match: RegExpExecArray | null): RegExpExecArray | null =>
  match && /^[./~]/.test(match[1]) ? null : match;

export function buildScpArguments(
  targets: ScpTargets<Guest>,
  flags: SshFlags & { recursive?: boolean; preserve?: boolean },
  proxy: ProxyCommand,
): string[] {
  const remote = `${hostOf(targets.remote, flags)}:${targets.remotePath}`;
  return [
    ...common(targets.remote, flags, proxy),
    ...(flags.recursive ? ['-r'] : []),
    ...(flags.preserve ? ['-p'] : []),
    '--',
    ...(targets.upload ? [targets.localPath, remote] : [remote, targets.localPath]),
  ];
}

/** Quotes a text as one word for a POSIX shell. */
export function shellQuote(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
