import { duplicateFields, goSyntaxError } from '../../../../../src/local/api-server/json/go-json';

test.each([
  ['', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['{"a":1', 'unexpected end of JSON input'],
  ['x', "invalid character 'x' looking for beginning of value"],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['[1 2]', "invalid character '2' after array element"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['{} {}', "invalid character '{' after top-level value"],
  ['tru', 'unexpected end of JSON input'],
  ['trux', "invalid character 'x' in literal true (expecting 'e')"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
])('%j is reported in the words of Go', (text, message) => {
  expect(goSyntaxError(text)).toBe(message);
});

test('valid JSON has no findings', () => {
  expect(goSyntaxError(' {"a": [1, -2.5e+3, true, null, "\\u00e9\\n"], "b": {}} ')).toBeUndefined();
});

test('finds duplicate keys and their paths', () => {
  const text = '{"a":1,"a":2,"b":{"c":[{"d":1,"d":1},{"d":1}],"c":1},"e":{"a":1}}';
  expect(duplicateFields(text)).toEqual(['a', 'b.c[0].d', 'b.c']);
});
