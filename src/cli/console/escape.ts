/** Ctrl+] */
const ESCAPE = 0x1d;

/** What of `input` goes to the guest, and whether the user leaves: the escape may come anywhere in what was typed. */
export function splitAtEscape(input: Buffer): { send: Buffer; leave: boolean } {
  const at = input.indexOf(ESCAPE);
  return at < 0 ? { send: input, leave: false } : { send: input.subarray(0, at), leave: true };
}
