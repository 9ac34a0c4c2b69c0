import { spawn } from 'node:child_process';
import { ClientError, messageOf } from './errors';
import type { LocalPort } from './forward';

/** Options for a login to a guest. */
export interface SshOptions {
  /** User in the guest. Default: ssh's default, usually the current user. */
  readonly user?: string;
  /** Private key file. Default: ssh's default. */
  readonly identityFile?: string;
  /** Port of the guest. Default: 22. */
  readonly port?: number;
  /**
   * File of known host keys, against which the guest is verified. Default: no verification, because the API server
   * authenticates the tunnel, and a recreated VM has new keys.
   */
  readonly knownHostsFile?: string;
  /** Written to the command's standard input. */
  readonly input?: string;
  /** Timeout in milliseconds for login and command. Default: 60,000. */
  readonly timeoutMs?: number;
}

/** Result of a command in a guest. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Exit code of ssh's own errors. */
const SSH_FAILED = 255;
const DEFAULT_TIMEOUT_MS = 60_000;

/** Arguments for OpenSSH's client without interactive prompts. Pure. */
export function sshArguments(
  command: string,
  alias: string,
  local: Pick<LocalPort, 'address' | 'port'>,
  { user, identityFile, knownHostsFile }: SshOptions,
): string[] {
  const checked = knownHostsFile
    ? [`UserKnownHostsFile=${knownHostsFile}`, 'StrictHostKeyChecking=yes']
    : ['UserKnownHostsFile=/dev/null', 'StrictHostKeyChecking=no', 'LogLevel=ERROR'];
  const options = ['BatchMode=yes', `HostKeyAlias=${alias}`, ...checked];
  return [
    ...options.flatMap((option) => ['-o', option]),
    ...(identityFile ? ['-i', identityFile, '-o', 'IdentitiesOnly=yes'] : []),
    ...(user ? ['-l', user] : []),
    '-p',
    String(local.port),
    '--',
    local.address,
    command,
  ];
}

/**
 * Runs a command with the local ssh client.
 *
 * @throws ClientError if ssh is not installed, cannot log in, or exceeds the timeout
 */
export async function runSsh(
  command: string,
  alias: string,
  local: LocalPort,
  options: SshOptions,
): Promise<CommandResult> {
  const { input, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const child = spawn('ssh', sshArguments(command, alias, local, options), { stdio: 'pipe' });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  child.stdout.on('data', (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.stderr.push(chunk));
  // a command that does not read its input is not an error
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  const exitCode = await new Promise<number | null>((done, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'ENOENT' ? 'it is not installed; run: apt-get install openssh-client' : messageOf(error);
      reject(new ClientError(`cannot run ssh: ${why}`));
    });
    child.once('close', (code) => done(code));
  }).finally(() => clearTimeout(timer));
  const [stdout, stderr] = [chunks.stdout, chunks.stderr].map((each) => Buffer.concat(each).toString('utf8'));
  if (exitCode === null) {
    throw new ClientError(`"${command}" in ${alias} did not end within ${timeoutMs / 1000} s; raise timeoutMs`);
  }
  if (exitCode === SSH_FAILED) {
    throw new ClientError(
      `cannot log in to ${alias}: ${stderr.trim() || 'ssh ended with 255'}; check user, identityFile and that the guest ` +
        'runs an ssh server (while it boots, retry after waitFor)',
    );
  }
  return { exitCode, stdout, stderr };
}
