import {
  Budget,
  checkSocketPath,
  decodeStatusMessage,
  Deframer,
  encodeStatusMessage,
  formatTimeout,
  frame,
  parseTimeout,
} from '../../../../../src/runtime/protocol/grpc/wire';
import fc from '../../../../support/fast-check';

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

test('a message that announces more than allowed is rejected before it is read', () => {
  const head = Buffer.from([0, 0x7f, 0xff, 0xff, 0xff]); // 2 GiB announced, nothing sent
  expect(() => new Deframer(1_024).push(head)).toThrow('RESOURCE_EXHAUSTED: message of 2147483647 bytes');
});

test.each([
  ['one below the limit', 99, true],
  ['at the limit', 100, true],
  ['one above the limit', 101, false],
])('a message %s', (_, size, allowed) => {
  const push = (): unknown => new Deframer(100).push(frame(Buffer.alloc(size)));
  if (allowed) expect(push()).toHaveLength(1);
  else expect(push).toThrow('message of 101 bytes is larger than the 100 allowed');
});

test('bytes that come one by one cost at most twice their number, and a message keeps no other bytes alive', () => {
  const deframer = new Deframer(1 << 20);
  const bytes = frame(Buffer.alloc(100_000, 7));
  let messages: Buffer[] = [];
  let worst = 0;
  for (let at = 0; at < bytes.length; at++) {
    // what a socket reads is large, however little of it is the message's
    const read = Buffer.allocUnsafeSlow(64);
    read[0] = bytes[at];
    messages = deframer.push(read.subarray(0, 1));
    worst = Math.max(worst, deframer.capacity / (at + 1));
  }
  expect(worst).toBeLessThanOrEqual(2);
  expect(messages).toEqual([Buffer.alloc(100_000, 7)]);
  expect(deframer.capacity).toBe(0);
  expect(messages[0].buffer.byteLength).toBe(100_000);
});

test('a budget allows exactly its limit, and returned bytes can be taken again', () => {
  const budget = new Budget(10);
  budget.take(9);
  expect(() => budget.take(2)).toThrow('RESOURCE_EXHAUSTED: the calls under way hold more than 10 bytes');
  budget.take(1);
  expect(() => budget.take(1)).toThrow('more than 10 bytes');
  budget.give(4);
  budget.take(4);
  expect(() => budget.take(1)).toThrow('more than 10 bytes');
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

test('a formatted timeout is never shorter than the given one', () => {
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

test('a socket path that the kernel would cut is rejected with a remedy', () => {
  expect(() => checkSocketPath('/'.padEnd(108, 'x'))).toThrow(/108 bytes \(allowed: 107\).*\/proc\/self\/fd/);
});
