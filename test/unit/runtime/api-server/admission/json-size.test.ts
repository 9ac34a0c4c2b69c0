import type { KubeObject } from '../../../../../src/api';
import { jsonSize } from '../../../../../src/runtime/api-server/admission/json-size';
import type { JsonSize } from '../../../../../src/runtime/api-server/admission/json-size';
import fc from '../../../../support/fast-check';

const limits = { keys: 3, depth: 4, values: 8 };
const sizeOf = (text: string, most = limits): JsonSize => jsonSize(Buffer.from(text), most);
const keys = 'an object with more than 3 fields';
const depth = 'more than 4 nested objects and lists';

test.each<[string, string, number, string | undefined]>([
  ['nothing', '', 1, undefined],
  ['a number', '1', 1, undefined],
  ['an empty list', '[ ]', 1, undefined],
  ['a list', '[1,2,3]', 4, undefined],
  ['values in objects in a list', '[{},{"a":1},{"a":[]}]', 6, undefined],
  ['white space', ' { "a" : [ 1 , { } ] } ', 4, undefined],
  ['the most keys', '{"a":1,"b":2,"c":3}', 4, undefined],
  ['one key more', '{"a":1,"b":2,"c":3,"d":4}', 5, keys],
  ['the most values', '[1,2,3,4,5,6,7]', 8, undefined],
  ['one value more', '[1,2,3,4,5,6,7,8]', 9, 'more than 8 fields and items'],
  ['the deepest', '[[[{}]]]', 4, undefined],
  ['one deeper', '[[[{"a":[]}]]]', 5, depth],
  ['adjacent objects are not nested', '[[],[],[],[],[]]', 6, undefined],
  ['the content of a text does not count', '"[[[[{{{{,,,,,,,,,"', 1, undefined],
  ['a quote that is escaped ends no text', '"\\",,,,,,,,,"', 1, undefined],
  ['a backslash that is escaped does not escape', '["\\\\",1,2,3,4]', 6, undefined],
  ['three backslashes and a quote', '"\\\\\\",,,,,,,,"', 1, undefined],
  ['a text without an end', '[",,,,,,,,,', 2, undefined],
  ['a comma alone', ',', 2, undefined],
  ['more ends than beginnings', ']]]][[[[[', 5, depth],
])('%s', (_, text, values, excess) => {
  // what is deeper or wider than it may be is not counted to its end
  const { values: counted, ...rest } = sizeOf(text);
  expect(rest).toEqual({ parts: [], ...(excess === undefined ? {} : { excess }) });
  expect(counted).toBe(values);
});

test.each([30, 31, 32, 33, 34, 64, 100].flatMap((length) => ['', '\\\\', '\\"'].map((end) => [length, end] as const)))(
  'a text of %d characters ends after %j',
  (length, end) => {
    const text = `${'a'.repeat(length - end.length)}${end}`;
    expect(sizeOf(`["${text}",1]`).values).toBe(3);
    expect(sizeOf(`["${'\\"'.repeat(length)}${text}",1]`).values).toBe(3);
  },
);

const most = { keys: 1000, depth: 100, values: 10_000 };
const reviewOf = (request: object): string => JSON.stringify({ kind: 'AdmissionReview', request });

test('the objects of a review are counted separately', () => {
  const text = reviewOf({
    uid: 'u',
    object: { spec: { disks: [1, 2] } },
    oldObject: { spec: 1 },
    options: { object: {} },
  });
  const { values, parts } = sizeOf(text, most);
  expect(values).toBe(8);
  expect(parts.map(({ name, values: of, start, end }) => [name, of, text.slice(start, end)])).toEqual([
    ['object', 4, '{"spec":{"disks":[1,2]}}'],
    ['oldObject', 1, '{"spec":1}'],
  ]);
});

test('spec and status of an object are stretches of their own', () => {
  const text = reviewOf({ object: { status: {}, spec: { a: [1, 2] }, x: { spec: {} }, list: [{ spec: {} }] } });
  const [part] = sizeOf(text, most).parts;
  expect(part!.fields.map(({ name, values, start, end }) => [name, values, text.slice(start, end)])).toEqual([
    ['status', 0, '{}'],
    ['spec', 3, '{"a":[1,2]}'],
  ]);
});

test.each<[string, string, string]>([
  ['first', '{"managedFields":[{"a":{}}],"name":"x"}', '{"name":"x"}'],
  ['between', '{"name":"x","managedFields":[{"a":{}}],"uid":"y"}', '{"name":"x","uid":"y"}'],
  ['last', '{"name":"x", "managedFields" : [{"a":{}}] }', '{"name":"x" }'],
  ['alone', '{ "managedFields":[] }', '{  }'],
])('managed fields that come %s are a separate range', (_, metadata, want) => {
  const text = `{"request":{"object":{"metadata":${metadata},"spec":1}}}`;
  const [part] = sizeOf(text, most).parts;
  const { start, end } = part!.managed!;
  expect(`${text.slice(0, start)}${text.slice(end)}`).toBe(`{"request":{"object":{"metadata":${want},"spec":1}}}`);
  expect(part!.values).toBe(2 + Object.keys(JSON.parse(want) as object).length);
});

const many = `[${'1,'.repeat(500)}1]`;
test.each<[string, string]>([
  ['besides the objects', `{"request":{"options":${many}}}`],
  ['in a name that is escaped', `{"request":{"\\u006fbject":{"a":${many}}}}`],
  ['in another request', `{"other":{"object":{"a":${many}}}}`],
  ['in a list of requests', `{"request":[{"object":{"a":${many}}}]}`],
  ['in managed fields elsewhere', `{"request":{"object":{"spec":{"managedFields":${many}}}}}`],
  ['in managed fields of other metadata', `{"request":{"object":{"spec":{"metadata":{"managedFields":${many}}}}}}`],
  ['in managed fields again', `{"request":{"object":{"metadata":{"managedFields":[],"managedFields":${many}}}}}`],
  ['in a list after managed fields', `{"request":{"object":{"metadata":{"managedFields":[]},"metadata":[[${many}]]}}}`],
  ['in an object that does not end', `{"request":{"object":{"a":${many.slice(0, -1)}`],
  ['in managed fields that do not end', `{"request":{"object":{"metadata":{"managedFields":${many.slice(0, -1)}`],
  ['in an object that comes twice', `{"request":{"object":{"a":${many}},"object":{}}}`],
])('values %s are counted', (_, text) => {
  const { values, parts } = sizeOf(text, most);
  expect(values + parts.reduce((sum, part) => sum + part.values, 0)).toBeGreaterThan(500);
});

/** Fields and items, without those of managed fields. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inner.reduce<number>((sum, each) => sum + 1 + valuesOf(each), 0);
}

test('any object is counted, and without managed fields the rest is the same JSON', () => {
  const json = fc.jsonValue({ maxDepth: 5 });
  const objects = fc.record({
    metadata: fc.record({ name: json, managedFields: fc.array(json), uid: json }),
    spec: json,
  });
  fc.assert(
    fc.property(objects, json, fc.boolean(), (object, options, isWide) => {
      const review = { kind: 'AdmissionReview', request: { object, options } };
      const text = Buffer.from(JSON.stringify(review, null, isWide ? 2 : 0));
      const { values, parts } = jsonSize(text, most);
      const { managedFields: _theirs, ...metadata } = object.metadata;
      const rest = { ...object, metadata };
      expect(parts).toHaveLength(1);
      expect(parts[0]!.values).toBe(valuesOf(rest));
      expect(values).toBe(1 + valuesOf({ ...review, request: { object: 1, options } }));
      const { start, end } = parts[0]!.managed!;
      const left = `${text.toString('utf8', 0, start)}${text.toString('utf8', end)}`;
      const parsed = JSON.parse(left) as { request: { object: KubeObject } };
      expect(parsed.request.object).toEqual(JSON.parse(JSON.stringify(rest)));
    }),
  );
});
