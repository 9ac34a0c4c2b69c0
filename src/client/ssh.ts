import { spawn } from 'node:child_process';
import { ClientError, messageOf } from './errors';
import type { LocalPort } from './forward';

/** How to log in to a guest. */
export interface SshOptions {
  /** User in the guest. Default: as ssh does, the user who runs this. */
  readonly user?: string;
  /** Private key file. Default: as ssh does. */
  readonly identityFile?: string;
  /** Port of the guest. Default: 22. */
  readonly port?: number;
  /**
   * File of known host keys, against which the guest is checked. Default: it is not, since the API server vouches for
   * the tunnel, and a new VM under an old name has new keys.
   */
  readonly knownHostsFile?: string;
  /** Written to the command's standard input. */
  readonly input?: string;
  /** Milliseconds for all of it. Default: 60,000. */
  readonly timeoutMs?: number;
}

/** What a command in a guest said. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Exit code by which ssh says that it is its own, not that of the command. */
const SSH_FAILED = 255;
const DEFAULT_TIMEOUT_MS = 60_000;

/** The arguments for OpenSSH's client: nobody is there to answer a question. Pure. */
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
 * Runs a command by this machine's ssh.
 *
 * @throws ClientError when ssh is not installed, cannot log in, or takes too long
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
  // a command that does not read its input is no failure
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
        'runs an ssh server (waitFor and another try help while it boots)',
    );
  }
  return { exitCode, stdout, stderr };
}
