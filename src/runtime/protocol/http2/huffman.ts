/** HPACK's Huffman code (RFC 7541, appendix B), which is canonical: the lengths of its 257 codes define it. */

/** Length of each symbol's code, base 36; the last symbol ends a string. */
const LENGTHS =
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6f565' +
  '65666577666567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmnqqkjmnmp' +
  'qqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrqu';

const END_OF_STRING = 256;

/** A binary tree: entries 2n and 2n+1 are the children of node n; a negative child is a symbol, as its complement. */
const tree = buildTree();

function buildTree(): Int16Array {
  const lengths = [...LENGTHS].map((digit) => parseInt(digit, 36));
  const symbols = lengths.map((_, symbol) => symbol).sort((a, b) => lengths[a] - lengths[b] || a - b);
  const nodes = new Int16Array(2 * 256);
  let size = 1;
  let code = 0;
  let length = lengths[symbols[0]];
  for (const symbol of symbols) {
    code *= 2 ** (lengths[symbol] - length);
    length = lengths[symbol];
    let node = 0;
    for (let bit = length - 1; bit > 0; bit--) {
      const at = 2 * node + (Math.floor(code / 2 ** bit) & 1);
      node = nodes[at] ||= size++;
    }
    nodes[2 * node + (code & 1)] = ~symbol;
    code++;
  }
  return nodes;
}

/** Decodes a string; undefined if it is invalid: it contains the end code, or its padding is not a prefix of that code. */
export function decodeHuffman(bytes: Uint8Array): string | undefined {
  let text = '';
  let node = 0;
  let bits = 0; // since the last symbol
  let ones = true; // all of them
  for (const byte of bytes) {
    for (let shift = 7; shift >= 0; shift--) {
      const bit = (byte >> shift) & 1;
      const next = tree[2 * node + bit];
      bits++;
      ones &&= bit === 1;
      if (next >= 0) {
        node = next;
        continue;
      }
      if (~next === END_OF_STRING) return undefined;
      text += String.fromCharCode(~next);
      node = 0;
      bits = 0;
      ones = true;
    }
  }
  return bits < 8 && ones ? text : undefined;
}
