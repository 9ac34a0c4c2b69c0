/** IP addresses as numbers. Pure. */

/** Number of a valid address. */
export function toNumber(address: string): bigint {
  if (!address.includes(':')) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  // the URL parser writes the last two groups in hexadecimal, too
  const [head, tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const middle = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...middle, ...right].reduce((sum, part) => sum * 65_536n + BigInt(`0x${part}`), 0n);
}

/** Address of a number, in its canonical form. */
export function fromNumber(value: bigint, v6: boolean): string {
  if (!v6) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
