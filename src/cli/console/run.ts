import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../connection';
import { CliError } from '../errors';
import type { Ending, GuestSocket } from '../../client/guest-socket';
import { splitAtEscape } from './escape';
import { rawTerminal } from './terminal';
import { openWhenReady } from './wait';

interface Options {
  readonly connection: Connection;
  readonly name: string;
  readonly namespace: string;
  readonly timeoutMs: number;
  readonly program: string;
}

/** Time without output after which the command exits, once piped input has ended … */
const QUIET_MS = 500;
/** … or after this time. */
const MAX_DRAIN_MS = 10_000;

/** Connects this terminal or pipe to the serial console of the guest until one side disconnects. */
export async function runConsole(options: Options): Promise<void> {
  const { name } = options;
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  let guest: GuestSocket;
  try {
    guest = await openWhenReady({ ...options, stream: 'console', signal: interrupt.signal });
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    // exit code of a command that was ended by Ctrl+C
    process.stderr.write('\n');
    throw new CliError('interrupted', 130);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
  process.stderr.write(`Successfully connected to ${name} console. Press Ctrl+] or Ctrl+5 to exit console.\n`);
  const restore = rawTerminal(process.stdin);
  try {
    const ending = await Promise.race([guest.ended, userLeaves(guest)]);
    if (ending !== 'left') report(ending, name);
  } finally {
    restore();
    guest.socket.close(1000);
    guest.bytes.destroy();
    process.stdin.pause();
  }
}

/** Resolves when the user disconnects: by the escape key, or by the end of piped input. */
async function userLeaves(guest: GuestSocket): Promise<'left'> {
  let lastHeard = Date.now();
  guest.bytes.on('data', (chunk: Buffer) => {
    lastHeard = Date.now();
    // wait for a slow terminal
    if (!process.stdout.write(chunk)) {
      guest.bytes.pause();
      process.stdout.once('drain', () => guest.bytes.resume());
    }
  });
  const left = await new Promise<'escape' | 'end'>((resolve) => {
    process.stdin.on('data', (input: Buffer) => {
      const { send, leave } = splitAtEscape(input);
      if (send.length > 0 && !guest.bytes.write(send)) {
        process.stdin.pause();
        guest.bytes.once('drain', () => process.stdin.resume());
      }
      if (leave) resolve('escape');
    });
    process.stdin.once('end', () => resolve('end'));
  });
  if (left === 'escape') return 'left';
  const until = Date.now() + MAX_DRAIN_MS;
  lastHeard = Date.now();
  while (Date.now() < until && Date.now() - lastHeard < QUIET_MS) await sleep(50);
  return 'left';
}

/** Reports why the console was closed. Only the end of the guest is not an error. */
function report({ code, reason }: Ending, name: string): void {
  // 1005: closed without a reason
  if (code === 1000 || code === 1005) {
    process.stderr.write('\r\nThe console was closed: the virtual machine was stopped or restarted.\r\n');
    return;
  }
  const why =
    reason ||
    `one of: another user connected to the console of ${name}, the machine was stopped or restarted, network issues`;
  process.stderr.write('\r\n');
  throw new CliError(`You were disconnected from the console: ${why} (${code})`);
}
