import { goSyntaxError } from '../../../../../src/local/api-server/json/go-json';
import {
  hasTooManyValues,
  isTooDeep,
  isValueTooDeep,
  MAX_DEPTH,
  MAX_VALUES,
} from '../../../../../src/local/api-server/json/depth';
import { parseJson, parseYaml } from '../../../../../src/local/api-server/json/parse';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

test.each([
  ['one below', MAX_DEPTH - 1, false],
  ['at', MAX_DEPTH, false],
  ['one above', MAX_DEPTH + 1, true],
])('nesting %s the limit', (_, depth, deep) => {
  for (const text of [nested(depth), objects(depth)]) {
    expect(isTooDeep(text)).toBe(deep);
    expect(isValueTooDeep(JSON.parse(text))).toBe(deep);
  }
});

test.each([
  ['brackets in strings', `["${'['.repeat(2000)}"]`],
  ['escaped quotes', `["${'\\"['.repeat(2000)}"]`],
  ['siblings', `[${'[],'.repeat(2000)}1]`],
  ['an unfinished string', `["${'['.repeat(2000)}`],
])('%s do not nest', (_, text) => expect(isTooDeep(text)).toBe(false));

test.each([
  ['one below the limit', MAX_VALUES - 1, false],
  ['at the limit', MAX_VALUES, false],
  ['one above the limit', MAX_VALUES + 1, true],
])('a body with a number of values %s', (_, count, many) => {
  // the array itself is a value
  const text = JSON.stringify(Array.from({ length: count - 1 }, () => 'a,b'));
  expect(hasTooManyValues(text)).toBe(many);
  if (many) expect(() => parseJson(text)).toThrow('limit is 50000 values in a body');
  else expect(parseJson(text)).toHaveLength(count - 1);
});

test('3 MiB of nested JSON is rejected before a value is built', () => {
  const text = nested(1.5 * 1024 * 1024);
  expect(() => parseJson(text)).toThrow('exceeded max depth');
  expect(() => parseYaml(`${text}\n`)).toThrow('exceeded max depth');
  expect(goSyntaxError(text)).toBe("invalid character '[' exceeded max depth");
});

test.each([
  ['YAML with many open brackets', `a: ${'[a, '.repeat(MAX_DEPTH + 1)}`],
  ['YAML with nested lists', `a:\n  ${'- '.repeat(200)}b`],
  ['YAML over the limit of size', `a: ${'b'.repeat(256 * 1024)}\n`],
  ['duplicate keys', 'a: 1\na: 2\n'],
])('%s is rejected', (_, text) => expect(() => parseYaml(text)).toThrow());

test('JSON that is sent as YAML may have the size of JSON', () => {
  expect(parseYaml(JSON.stringify({ a: 'b'.repeat(1024 * 1024) }))).toHaveProperty('a');
});

test('YAML with many keys takes linear time', () => {
  const keys = 20_000;
  const text = Array.from({ length: keys }, (_, i) => `k${i}: 1`).join('\n');
  // quadratic time would be 200 million comparisons
  expect(Object.keys(parseYaml(text) as object)).toHaveLength(keys);
});
