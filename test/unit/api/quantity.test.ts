import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  tryParseQuantity,
} from '../../../src/api';
import fc from '../../support/fast-check';

test.each([
  ['1024Mi', '1Gi', 1073741824n],
  ['1.5Gi', '1536Mi', 1610612736n],
  ['1024M', '1024M', 1024000000n],
  ['1000M', '1G', 1000000000n],
  ['.5Mi', '512Ki', 524288n],
  ['0.5', '500m', 1n],
  ['100m', '100m', 1n],
  ['1023', '1023', 1023n],
  ['1023Ki', '1023Ki', 1047552n],
  ['0.5Ki', '512', 512n],
  ['1e3', '1e3', 1000n],
  ['1E', '1E', 10n ** 18n],
  ['1Ei', '1Ei', 2n ** 60n],
  ['-1Gi', '-1Gi', -1073741824n],
  ['0Mi', '0', 0n],
  ['+2', '+2', 2n],
  ['+1Gi', '+1Gi', 1073741824n],
  ['1.Gi', '1.Gi', 1073741824n],
  ['01Gi', '01Gi', 1073741824n],
  ['1.500', '1.500', 2n],
  ['1.5', '1500m', 2n],
  ['1E3', '1E3', 1000n],
  ['1000', '1k', 1000n],
  ['0.1Gi', '107374182400m', 107374183n],
  ['1.1Gi', '1181116006400m', 1181116007n],
  ['100E', '100E', 10n ** 20n],
  ['16Ei', '9223372036854775807', 2n ** 63n - 1n],
  ['0.1n', '1n', 1n],
  ['9223372036854775808', '9223372036854775808', 9223372036854775808n],
  [2048, '2048', 2048n],
])('%s is %s, %s whole units', (text, canonical, value) => {
  expect(canonicalQuantity(text)).toBe(canonical);
  expect(quantityValue(text)).toBe(value);
});

test.each(['', '1Gb', '1 Gi', 'Gi', '1.2.3', '0x10', '1mi', 'NaN', '١', '1e999', null, {}, true])(
  '%p is not a quantity',
  (text) => {
    expect(tryParseQuantity(text)).toBeUndefined();
    expect(canonicalQuantity(text)).toBe(text);
  },
);

test('an error describes the format of a quantity', () => {
  expect(() => parseQuantity('1Gb')).toThrow('"1Gb" is not a quantity: write a number with an optional unit');
});

test('milli values round up, away from zero', () => {
  expect(quantityMilliValue('1.0001')).toBe(1001n);
  expect(quantityMilliValue('-1.0001')).toBe(-1001n);
});

test('a sum keeps the format of its first term', () => {
  expect(addQuantities('1Gi', '512Mi')).toBe('1536Mi');
  expect(addQuantities('0', '1Gi', '1M')).toBe('1074741824');
  expect(addQuantities('100m', '1')).toBe('1100m');
});

const units = ['', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'Ti'];
const quantities = fc
  .tuple(fc.bigInt(-(10n ** 6n), 10n ** 6n), fc.constantFrom(...units))
  .map(([number, unit]) => `${number}${unit}`);

test('the canonical text has the same value and is its own canonical text', () => {
  fc.assert(
    fc.property(quantities, (text) => {
      const canonical = formatQuantity(parseQuantity(text));
      expect(quantityValue(canonical)).toBe(quantityValue(text));
      expect(canonicalQuantity(canonical)).toBe(canonical);
    }),
  );
});

test('adding never loses a byte', () => {
  fc.assert(
    fc.property(quantities, quantities, (a, b) => {
      expect(parseQuantity(a).nanos + parseQuantity(b).nanos).toBe(parseQuantity(addQuantities(a, b)).nanos);
      expect(Math.sign(compareQuantities(a, b))).toBe(-Math.sign(compareQuantities(b, a)) + 0);
    }),
  );
});

test('any text is parsed or throws its own error', () => {
  fc.assert(fc.property(fc.string(), (text) => void tryParseQuantity(text)));
});
