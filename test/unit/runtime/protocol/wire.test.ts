import {
  checkSocketPath,
  decodeStatusMessage,
  Deframer,
  encodeStatusMessage,
  formatTimeout,
  frame,
  parseTimeout,
} from '../../../../src/runtime/protocol/grpc/wire';
import fc from '../../../support/fast-check';

test('messages survive any way of cutting the stream into chunks', () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 6 }), fc.array(fc.integer({ min: 1, max: 40 })), (messages, cuts) => {
      let rest = Buffer.concat(messages.map(frame));
      const deframer = new Deframer(1_000);
      const got: Buffer[] = [];
      for (const cut of [...cuts, Infinity]) {
        got.push(...deframer.push(rest.subarray(0, cut)));
        rest = rest.subarray(cut);
      }
      deframer.end();
      expect(got.map((m) => [...m])).toEqual(messages.map((m) => [...m]));
    }),
  );
});

test('a message that announces more than allowed is refused before it is read', () => {
  const head = Buffer.from([0, 0x7f, 0xff, 0xff, 0xff]); // 2 GiB announced, nothing sent
  expect(() => new Deframer(1_024).push(head)).toThrow('RESOURCE_EXHAUSTED: message of 2147483647 bytes');
});

test('compressed and cut messages are errors', () => {
  expect(() => new Deframer(9).push(Buffer.from([1, 0, 0, 0, 0]))).toThrow('compressed');
  const cut = new Deframer(9);
  cut.push(Buffer.from([0, 0, 0, 0, 3, 65]));
  expect(() => cut.end()).toThrow('in the middle of a message');
});

test.each([
  ['1m', 1],
  ['2S', 2_000],
  ['3M', 180_000],
  ['1H', 3_600_000],
  ['500u', 0.5],
  ['123456789m', undefined],
  ['5', undefined],
  [undefined, undefined],
])('grpc-timeout %s is %s ms', (header, ms) => expect(parseTimeout(header)).toBe(ms));

test('a timeout that was formatted is never shorter than asked', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (ms) => {
      expect(formatTimeout(ms)).toMatch(/^\d{1,8}[HSm]$/);
      expect(parseTimeout(formatTimeout(ms))).toBeGreaterThanOrEqual(ms);
    }),
  );
});

test('a status message keeps its text through an ASCII header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const encoded = encodeStatusMessage(text);
      expect(encoded).toMatch(/^[\x20-\x7e]*$/);
      expect(decodeStatusMessage(encoded)).toBe(text);
    }),
  );
  expect(decodeStatusMessage('50% of %zz')).toBe('50% of %zz');
});

test('a socket path that the kernel would cut is refused with the way out', () => {
  expect(() => checkSocketPath('/'.padEnd(108, 'x'))).toThrow(/108 bytes \(allowed: 107\).*\/proc\/self\/fd/);
});
