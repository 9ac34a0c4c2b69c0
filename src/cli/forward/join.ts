import type { Duplex, Readable, Writable } from 'node:stream';

/** Input has ended: answers are awaited until there are none for this long. A websocket cannot be closed by halves. */
const QUIET_MS = 5_000;

/** Joins a local stream, or two, with a guest's port. The end of the guest's side is the caller's to await. */
export function joinGuest(input: Readable, output: Writable, guest: Duplex): void {
  input.pipe(guest, { end: false });
  guest.pipe(output);
  input.once('end', () => {
    const timer = setTimeout(() => guest.end(), QUIET_MS);
    guest.on('data', () => timer.refresh());
    guest.once('close', () => clearTimeout(timer));
  });
  output.on('error', () => guest.destroy());
}
