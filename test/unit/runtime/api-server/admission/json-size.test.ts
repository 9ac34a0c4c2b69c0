import { jsonExcess } from '../../../../../src/runtime/api-server/admission/json-size';

const limits = { values: 5, keys: 3, depth: 2 };
const tell = (text: string): string | undefined => jsonExcess(Buffer.from(text), limits);
const values = 'more than 5 fields and items';
const keys = 'an object with more than 3 fields';
const depth = 'more than 2 objects and lists in each other';

test.each<[string, string, string | undefined]>([
  ['nothing', '', undefined],
  ['a number', '1', undefined],
  ['one value less than the most', '[1,2,3]', undefined],
  ['the most values', '[1,2,3,4]', undefined],
  ['one value more', '[1,2,3,4,5]', values],
  ['values in objects in a list', '[{},{},{}]', values],
  ['the most keys', '{"a":1,"b":2,"c":3}', undefined],
  ['one key more', '{"a":1,"b":2,"c":3,"d":4}', keys],
  ['the deepest', '[{}]', undefined],
  ['one deeper', '[{"a":[]}]', depth],
  ['beside each other is not in each other', '[[],[]]', undefined],
  ['what a text contains does not count', '"[[[[{{{{,,,,,,,,,"', undefined],
  ['a quote that is escaped ends no text', '"\\",,,,,,,,,"', undefined],
  ['a backslash that is escaped does not escape', '["\\\\",1,2,3,4]', values],
  ['three backslashes and a quote', '"\\\\\\",,,,,,,,"', undefined],
  ['a text without an end', '[",,,,,,,,,', undefined],
  ['a comma alone', ',', undefined],
  ['more ends than beginnings', ']]]][[[', depth],
])('%s', (_, text, want) => expect(tell(text)).toBe(want));
