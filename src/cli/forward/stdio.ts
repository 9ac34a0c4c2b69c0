import { finished } from 'node:stream/promises';
import { endedText, joinGuest } from '../../client/forward';
import type { Connection } from '../connection';
import { CliError } from '../errors';
import type { Forward, Target } from '../target';

/** Connects a port of a guest to standard input and output: the ProxyCommand of ssh. */
export async function forwardStdio(
  connection: Connection,
  guest: Target & { namespace: string },
  { protocol, remote }: Forward,
): Promise<void> {
  const stream = `portforward/${remote}/${protocol}`;
  const { bytes, ended, socket } = await connection.socket(guest.kind, guest.name, stream, guest.namespace);
  joinGuest(process.stdin, process.stdout, bytes);
  const { code, reason } = await ended;
  // wait until the last output is written
  await finished(bytes, { writable: false }).catch(() => undefined);
  socket.terminate();
  if (code !== 1000 && code !== 1005) throw new CliError(endedText(guest, remote, code, reason));
}
