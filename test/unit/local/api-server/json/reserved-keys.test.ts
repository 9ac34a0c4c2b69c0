import { duplicateFields } from '../../../../../src/local/api-server/json/go-json';
import { parseJson, parseYaml, ReservedKeyError } from '../../../../../src/local/api-server/json/parse';
import { decodeBody } from '../../../../../src/local/api-server/http/body';
import { jsonPatch, mergePatch, strategicMergePatch } from '../../../../../src/local/api-server/patch';
import { decodeProtobuf } from '../../../../../src/local/api-server/protobuf/decode';
import { evaluateCel, unknownFields } from '../../../../../src/local/api-server/schema';
import { compileCrdSchema } from '../../../../../src/local/api-server/crd/schema/compile';

const EVIL = '{"__proto__":{"polluted":true}}';
const evil = JSON.parse(EVIL) as unknown;
const any = { kind: 'any' } as const;

/** A ConfigMap in protobuf with `data: {[key]: x}`. */
function configMap(key: string): Buffer {
  const field = (number: number, content: Buffer | string) =>
    Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), Buffer.from(content)]);
  const type = Buffer.concat([field(1, 'v1'), field(2, 'ConfigMap')]);
  const entry = Buffer.concat([field(1, key), field(2, 'x')]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, field(2, entry))]);
}

afterEach(() => {
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test.each<[string, () => unknown]>([
  ['JSON', () => parseJson(EVIL)],
  ['JSON with an escaped key', () => parseJson(String.raw`{"a":[{"\u005f_proto__":1}]}`)],
  ['YAML', () => parseYaml('a:\n  - __proto__: {polluted: true}')],
  ['a JSON body', () => decodeBody(Buffer.from(EVIL), 'application/json', 'ConfigMap')],
  ['a YAML body', () => decodeBody(Buffer.from('__proto__: {}'), 'application/yaml', 'ConfigMap')],
  ['a protobuf map', () => decodeProtobuf(configMap('__proto__'))],
  ['a merge patch', () => mergePatch({}, evil)],
  ['a strategic merge patch', () => strategicMergePatch({}, evil, any)],
  ['$setElementOrder', () => strategicMergePatch({}, { '$setElementOrder/__proto__': [1] }, any)],
  ['$deleteFromPrimitiveList', () => strategicMergePatch({}, { '$deleteFromPrimitiveList/__proto__': [1] }, any)],
  ['the path of a JSON patch', () => jsonPatch({}, [{ op: 'add', path: '/__proto__/polluted', value: true }])],
  ['the source of a JSON patch', () => jsonPatch({}, [{ op: 'copy', from: '/__proto__', path: '/a' }])],
])('%s with the key __proto__ is rejected', (_, enter) => {
  expect(enter).toThrow(ReservedKeyError);
});

const data = { constructor: 'a', prototype: { b: 1 }, hasOwnProperty: [1] };

test.each<[string, () => unknown, unknown]>([
  ['JSON', () => parseJson(JSON.stringify(data)), data],
  ['a merge patch', () => mergePatch({}, data), data],
  [
    'a strategic merge patch',
    () => strategicMergePatch({}, data, { kind: 'map', fields: {}, preserveUnknown: true }),
    data,
  ],
  [
    'a JSON patch',
    () =>
      jsonPatch({}, [
        { op: 'add', path: '/constructor', value: { a: 1 } },
        { op: 'add', path: '/constructor/prototype', value: 2 },
        { op: 'remove', path: '/constructor/a' },
      ]),
    { constructor: { prototype: 2 } },
  ],
  ['a protobuf map', () => decodeProtobuf(configMap('constructor')).data, { constructor: 'x' }],
  ['CEL', () => evaluateCel('self.constructor + self["constructor"]', { self: data }), 'aa'],
  ['the check for unknown fields', () => unknownFields(data, { kind: 'map', fields: {} }), Object.keys(data)],
  ['the check for duplicate keys', () => duplicateFields('{"constructor":1,"constructor":2}'), ['constructor']],
  [
    'pruning',
    () => {
      const object = { spec: structuredClone(data) };
      return [compileCrdSchema({ type: 'object', properties: { spec: { type: 'object' } } }).prune(object), object];
    },
    [['spec.constructor', 'spec.hasOwnProperty', 'spec.prototype'], { spec: {} }],
  ],
])('%s treats the names of inherited properties as data', (_, act, want) => {
  expect(act()).toEqual(want);
});

test('a JSON patch removes nothing that the object inherits', () => {
  expect(() => jsonPatch({}, [{ op: 'remove', path: '/constructor' }])).toThrow('the server rejected our request');
});

test('copies of a JSON patch are limited in their total size', () => {
  const bomb = Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '', path: `/k${i}` }));
  expect(() => jsonPatch({ a: 'x'.repeat(1000) }, bomb)).toThrow('the server rejected our request');
  expect(Object.keys(jsonPatch({ a: 'x'.repeat(1000) }, bomb.slice(0, 5)) as object)).toHaveLength(6);
});
