/** Probes of the guest through its agent. The guest's answers are displayed, never trusted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../../../api/error-text';
import { plainText } from '../../../api/plain-text';

/** Executes a guest agent command; returns the answer's `return`. */
export type Ask = (command: string, args?: object, timeoutSeconds?: number) => Promise<unknown>;

export interface Verdict {
  /** 0: healthy. */
  code: number;
  /** One line; empty if healthy. */
  cause: string;
}

export interface Execution {
  exitCode: number;
  stdout: string;
  stderr: string;
}

const HEALTHY: Verdict = { code: 0, cause: '' };
const MAX_CAUSE = 512;
const MAX_OUTPUT = 64 * 1024;
const POLL_MS = { first: 50, max: 500 };

export const unhealthy = (cause: string, code = 1): Verdict => ({
  code,
  cause: plainText(cause, MAX_CAUSE),
});

const decoded = (base64: unknown): string =>
  typeof base64 === 'string' ? Buffer.from(base64.slice(0, MAX_OUTPUT), 'base64').toString() : '';

/** Runs a program in the guest, without a shell, and waits for its end. It is not killed if it takes too long. */
export async function execInGuest(ask: Ask, argv: readonly string[], timeoutSeconds: number): Promise<Execution> {
  const deadline = performance.now() + timeoutSeconds * 1000;
  const [path, ...arg] = argv;
  const started = await ask('guest-exec', { path, arg, 'capture-output': true }, timeoutSeconds);
  const { pid } = (started ?? {}) as { pid?: unknown };
  for (let wait = POLL_MS.first; ; wait = Math.min(wait * 2, POLL_MS.max)) {
    const left = Math.max(1, Math.ceil((deadline - performance.now()) / 1000));
    const status = ((await ask('guest-exec-status', { pid }, left)) ?? {}) as Record<string, unknown>;
    if (status.exited === true) {
      const { exitcode, signal } = status;
      const exitCode = typeof exitcode === 'number' ? exitcode : typeof signal === 'number' ? 128 + signal : 1;
      return { exitCode, stdout: decoded(status['out-data']), stderr: decoded(status['err-data']) };
    }
    if (performance.now() + wait > deadline) throw new Error(`${path} did not end within ${timeoutSeconds} s`);
    await sleep(wait);
  }
}

/** Health of the guest according to the exit of a program. */
function verdictOf(program: string, { exitCode, stdout, stderr }: Execution): Verdict {
  if (exitCode === 0) return HEALTHY;
  const [output = ''] = (stderr.trim() || stdout.trim()).split('\n');
  // an exit code has 8 bits, but the agent may report more
  const code = Number.isInteger(exitCode) && exitCode > 0 && exitCode < 256 ? exitCode : 1;
  return unhealthy(`${program} ended with ${exitCode}${output && `: ${output}`}`, code);
}

/** Handles a request of virt-probe: `guest-ping SECONDS` or `exec SECONDS PROGRAM ARGUMENT...`. Never throws. */
export async function probe(ask: Ask, [kind, seconds = '', ...argv]: readonly string[]): Promise<Verdict> {
  const timeout = /^[1-9]\d{0,4}$/.test(seconds) ? Number(seconds) : undefined;
  if (!timeout) return unhealthy(`timeout "${seconds}" is not valid (allowed: 1-99999 seconds)`, 2);
  const known = kind === 'guest-ping' || (kind === 'exec' && argv[0]);
  if (!known) return unhealthy('the request must be "guest-ping SECONDS" or "exec SECONDS PROGRAM ARGUMENT..."', 2);
  const late = new AbortController();
  try {
    return await Promise.race([
      kind === 'exec'
        ? execInGuest(ask, argv, timeout).then((execution) => verdictOf(argv[0]!, execution))
        : ask('guest-ping', undefined, timeout).then(() => HEALTHY),
      sleep(timeout * 1000, unhealthy(`the guest agent did not answer within ${timeout} s`), { signal: late.signal }),
    ]);
  } catch (error) {
    return unhealthy(errorText(error));
  } finally {
    late.abort();
  }
}
