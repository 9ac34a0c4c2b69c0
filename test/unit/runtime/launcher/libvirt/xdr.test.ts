import * as x from '../../../../../src/runtime/launcher/libvirt/xdr';
import fc from '../../../../support/fast-check';

function roundTrip<T>(codec: x.Codec<T>, value: T): T {
  const w = new x.XdrWriter();
  codec.write(w, value);
  const r = new x.XdrReader(w.finish());
  const read = codec.read(r);
  expect(r.rest).toBe(0);
  return read;
}

const sample = x.struct({
  name: x.string(4096),
  maybe: x.optional(x.string(16)),
  count: x.uint,
  big: x.uhyper,
  bytes: x.fixedOpaque(5),
  list: x.array(x.int, 100),
});

test('decodes encoded values of any size', () => {
  const value = fc.record({
    name: fc.string({ maxLength: 1000 }),
    maybe: fc.option(fc.string({ maxLength: 4 })),
    count: fc.nat(),
    big: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    bytes: fc.uint8Array({ minLength: 5, maxLength: 5 }).map((bytes) => Buffer.from(bytes)),
    list: fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 100 }),
  });
  fc.assert(fc.property(value, (v) => expect(roundTrip(sample, v)).toEqual(v)));
});

test('text longer than the protocol allows is rejected on both sides', () => {
  expect(() => roundTrip(x.string(3), 'four')).toThrow('4 bytes exceeds the limit 3');
  expect(() => x.string(3).read(new x.XdrReader(Buffer.from('00000004666f7572', 'hex')))).toThrow(
    'length 4 exceeds the limit 3',
  );
});

test('a message that ends early is an error, not undefined', () => {
  expect(() => sample.read(new x.XdrReader(Buffer.from('00000004', 'hex')))).toThrow(
    /4 bytes wanted at offset 4, the message has 4/,
  );
});

test('an unknown union case names the allowed ones', () => {
  const codec = x.union({ 1: x.int, 7: x.string(9) });
  expect(roundTrip(codec, { type: 7, value: 'seven' })).toEqual({ type: 7, value: 'seven' });
  expect(() => codec.read(new x.XdrReader(Buffer.from('00000002', 'hex')))).toThrow(
    'union case 2 is unknown (allowed: 1, 7)',
  );
});
