/** Escape key: Ctrl+] */
const ESCAPE = 0x1d;

/** Splits `input` at the escape key: the part for the guest, and whether the user disconnects. */
export function splitAtEscape(input: Buffer): { send: Buffer; leave: boolean } {
  const at = input.indexOf(ESCAPE);
  return at < 0 ? { send: input, leave: false } : { send: input.subarray(0, at), leave: true };
}
