/** The Huffman code of HPACK (RFC 7541, appendix B). It is canonical, so the lengths of its codes say everything. */

/** Bits of the code of each symbol, 0-255 and the end marker, as digits in base 36. */
const LENGTHS =
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6f565' +
  '65666577666567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmnqqkjmnmp' +
  'qqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrqu';

const EOS = 256;
const MAX_BITS = 30;

/** By length: the first code, and the symbols from there on. */
const table = (() => {
  const byLength = Array.from({ length: MAX_BITS + 1 }, () => ({ first: 0, symbols: [] as number[] }));
  [...LENGTHS].forEach((digit, symbol) => byLength[parseInt(digit, 36)]!.symbols.push(symbol));
  let code = 0;
  for (const entry of byLength) {
    entry.first = code;
    code = (code + entry.symbols.length) * 2;
  }
  return byLength;
})();

/** The text that a Huffman-coded string stands for. */
export function decodeHuffman(bytes: Uint8Array): string {
  let text = '';
  let code = 0;
  let length = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      code = code * 2 + ((byte >> bit) & 1);
      length += 1;
      if (length > MAX_BITS) throw new Error('HPACK: a code of more than 30 bits');
      const { first, symbols } = table[length]!;
      const symbol = symbols[code - first];
      if (symbol === undefined) continue;
      if (symbol === EOS) throw new Error('HPACK: the end marker inside a string');
      text += String.fromCharCode(symbol);
      code = 0;
      length = 0;
    }
  }
  // what is left must be the beginning of the end marker: less than a byte of ones
  if (length > 7 || code !== 2 ** length - 1) throw new Error('HPACK: wrong padding');
  return text;
}
