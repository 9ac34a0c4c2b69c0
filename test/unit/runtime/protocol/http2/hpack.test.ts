import { encodeHeaders, HpackDecoder, HpackError } from '../../../../../src/runtime/protocol/http2/hpack';
import { decodeHuffman } from '../../../../../src/runtime/protocol/http2/huffman';
import fc from '../../../../support/fast-check';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

// RFC 7541, appendix C.4: three requests on one connection, with Huffman codes and the dynamic table
test('decodes the requests of the RFC, each with the table that the previous ones left', () => {
  const decoder = new HpackDecoder();
  expect({ ...decoder.decode(hex('8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff')) }).toEqual({
    ':method': 'GET',
    ':scheme': 'http',
    ':path': '/',
    ':authority': 'www.example.com',
  });
  expect({ ...decoder.decode(hex('8286 84be 5886 a8eb 1064 9cbf')) }).toMatchObject({
    ':authority': 'www.example.com',
    'cache-control': 'no-cache',
  });
  expect({ ...decoder.decode(hex('8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf')) }).toEqual({
    ':method': 'GET',
    ':scheme': 'https',
    ':path': '/index.html',
    ':authority': 'www.example.com',
    'custom-key': 'custom-value',
  });
});

test('decodes what it encodes', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,30}$/);
  const value = fc.stringMatching(/^[ -~]{0,300}$/);
  fc.assert(
    fc.property(fc.dictionary(name, value), (headers) => {
      expect({ ...new HpackDecoder().decode(encodeHeaders(headers)) }).toEqual(headers);
    }),
  );
});

test.each([
  ['an index that is in no table', 'ff ff 03'],
  ['index 0', '80'],
  ['a string that ends after its block', '00 05 61'],
  ['an integer without end', 'ff ff ff ff ff ff ff ff'],
  ['a table larger than allowed', '3f e2 3f'],
  ['a Huffman string with the code for its end', '00 84 ff ff ff ff 00'],
  ['a header without value', '00 01 61'],
])('%s is an error', (_, block) => expect(() => new HpackDecoder().decode(hex(block))).toThrow(HpackError));

test('headers that unfold to more than allowed are an error', () => {
  const decoder = new HpackDecoder();
  decoder.decode(hex('40 01 61 01 78'));
  expect(() => decoder.decode(Buffer.concat(Array(40_000).fill(hex('be'))))).toThrow('too large');
});

test('any bytes are decoded or rejected', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (blocks) => {
      const decoder = new HpackDecoder();
      for (const block of blocks) {
        try {
          decoder.decode(Buffer.from(block));
        } catch (error) {
          expect(error).toBeInstanceOf(HpackError);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('padding that is not a prefix of the end-of-string symbol is rejected', () => {
  expect(decodeHuffman(hex('1f'))).toBe('a'); // 00011 111
  expect(decodeHuffman(hex('18'))).toBeUndefined(); // 00011 000
  expect(decodeHuffman(hex('1f ff'))).toBeUndefined(); // more than seven bits
  expect(decodeHuffman(hex(''))).toBe('');
});
