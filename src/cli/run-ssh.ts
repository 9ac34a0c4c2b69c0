import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import type { GlobalFlags } from './connection';
import { CliError, messageOf } from './errors';
import type { ProxyCommand } from './open-ssh';

/** Command line of this program with the same API server and user. */
export function proxyCommand(flags: GlobalFlags): ProxyCommand {
  const passed: [string, string | undefined][] = [
    ['kubeconfig', flags.kubeconfig && resolve(flags.kubeconfig)],
    ['context', flags.context],
    ['cluster', flags.cluster],
    ['user', flags.user],
    ['server', flags.server],
    ['certificate-authority', flags.certificateAuthority && resolve(flags.certificateAuthority)],
    ['client-certificate', flags.clientCertificate && resolve(flags.clientCertificate)],
    ['client-key', flags.clientKey && resolve(flags.clientKey)],
    ['tls-server-name', flags.tlsServerName],
    ['as', flags.as],
    ['as-uid', flags.asUid],
    ...(flags.asGroup ?? []).map((group): [string, string] => ['as-group', group]),
    // other users of this machine can read it in the process list, as with every --token
    ['token', flags.token],
  ];
  return [
    process.execPath,
    ...process.execArgv,
    process.argv[1],
    ...passed.flatMap(([name, value]) => (value ? [`--${name}=${value}`] : [])),
    ...(flags.insecureSkipTlsVerify ? ['--insecure-skip-tls-verify'] : []),
  ];
}

/** Runs a local client on this terminal and ends with its exit code. */
export async function runClient(client: 'ssh' | 'scp', args: string[]): Promise<void> {
  const child = spawn(client, args, { stdio: 'inherit' });
  // the terminal sends Ctrl+C to both processes: only the client reacts
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  const code = await new Promise<number>((done, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'ENOENT' ? 'it is not installed; run: apt-get install openssh-client' : messageOf(error);
      reject(new CliError(`cannot run ${client}: ${why}`));
    });
    child.once('exit', (exitCode, signal) => done(exitCode ?? 128 + (signal ? constants.signals[signal] : 0)));
  }).finally(() => process.off('SIGINT', ignore));
  process.exitCode = code;
}
