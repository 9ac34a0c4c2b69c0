import { JsonSchema } from '../../../src/local/api-server/schema';
import type { Scenario } from '.';

const spec = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more } },
});

const creates = (specs: Record<string, unknown>): Scenario['objects'] =>
  Object.fromEntries(Object.entries(specs).map(([title, s]) => [title, [{ do: 'create', object: { spec: s } }]]));

const formats = [
  'uri', 'email', 'hostname', 'ipv4', 'ipv6', 'cidr', 'mac', 'uuid', 'uuid3', 'uuid4', 'uuid5', 'isbn', 'isbn10',
  'isbn13', 'creditcard', 'ssn', 'hexcolor', 'rgbcolor', 'byte', 'password', 'date', 'duration', 'date-time',
  'k8s-short-name', 'k8s-long-name', 'bsonobjectid', 'unheard-of',
]; // prettier-ignore

const texts = [
  '', 'a', 'A', 'a.b', 'a-b', '-a', 'http://a.b/c?d=e', '/path', 'http://a b', 'mailto:a@b.c', 'a@b.c', 'A B <a@b.c>', '1.2.3.4', '1.2.3',
  '::1', '::ffff:1.2.3.4', 'fe80::1%eth0', '10.0.0.0/8', '10.0.0.0/33', '::/0', '00:11:22:33:44:55', '0011.2233.4455', '00-11-22-33-44-55',
  '00:11', '123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-42d3-a456-426614174000', '123E4567E89B42D3A456426614174000',
  '0321751043', '978-0321751041', '4111 1111 1111 1111', '111-22-3333', '#fff', 'fff', '#ggg', 'rgb(1,2,3)', 'rgb(1,2,300)', 'aGVsbG8=',
  'aGVsbG8', '2026-11-20', '2026-13-20', '2026-02-30', '1h30m', '22 ns', '3 days', '5', '1.5h', '2026-11-20T01:02:03Z', '2026-11-20T01:02:03.5+01:00',
  '2026-11-20 01:02:03', '2026-11-20T25:02:03Z', '507f1f77bcf86cd799439011', 'ab_c', 'xn--a', 'a..b', 'a'.repeat(64), 'localhost', 'a.b.', '1.b', '::1/129',
]; // prettier-ignore

export const validation: Scenario[] = [
  {
    name: 'types',
    schema: spec({
      s: { type: 'string' },
      i: { type: 'integer' },
      i32: { type: 'integer', format: 'int32' },
      i64: { type: 'integer', format: 'int64' },
      n: { type: 'number' },
      d: { type: 'number', format: 'double' },
      b: { type: 'boolean' },
      o: { type: 'object' },
      l: { type: 'array', items: { type: 'string' } },
      m: { type: 'object', additionalProperties: { type: 'integer' } },
      x: { 'x-kubernetes-int-or-string': true },
      date: { type: 'string', format: 'date' },
      any: { 'x-kubernetes-preserve-unknown-fields': true },
      nullable: { type: 'string', nullable: true },
      nullableEnum: { type: 'string', nullable: true, enum: ['a', 'b'] },
    }),
    objects: creates({
      'all good': { s: 'a', i: 1, i32: 2, i64: 3, n: 1.5, d: 2, b: true, o: {}, l: ['a'], m: { a: 1 }, x: 1, any: [1, { a: null }] },
      'strings everywhere': { i: 'a', i32: 'a', n: 'a', b: 'a', o: 'a', l: 'a', m: 'a', x: 'a', date: 'a' },
      'integers everywhere': { s: 1, b: 1, o: 1, l: 1, m: 1, date: 1 },
      'floats everywhere': { s: 1.5, i: 1.5, i32: 1.5, i64: 1.5, b: 1.5, x: 1.5, date: 1.5, l: 1.5 },
      'booleans everywhere': { s: true, i: true, n: true, o: true, l: true, x: true, date: true },
      'objects everywhere': { s: {}, i: {}, n: {}, b: {}, l: {}, x: {}, date: {}, m: { a: {} } },
      'lists everywhere': { s: [], i: [], n: [], b: [], o: [], x: [], date: [], m: [] },
      'nulls everywhere': { s: null, i: null, n: null, b: null, o: null, l: null, x: null, date: null, m: { a: null }, nullable: null },
      'null in a list': { l: [null, 'a'] },
      'null in a nullable enum': { nullableEnum: null },
      'integers out of range': { i32: 2147483648, i: 1 },
      'wrong values deep down': { l: ['a', 1, { b: 1 }], m: { a: 'b', 'c.d': 'e' } },
      'spec is a list': [],
      'spec is a string': 'x',
      'unknown fields': { zzz: 1, o: { y: 1 }, m: { a: 1 }, any: { deep: { er: 1 } } },
      quoting: { i: 'a "quoted"\n<b>\u0007é' },
    }),
  },
  {
    name: 'limits',
    schema: spec(
      {
        s: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
        one: { type: 'string', maxLength: 1 },
        i: { type: 'integer', minimum: 1, maximum: 10, multipleOf: 2 },
        ex: { type: 'integer', minimum: 1, maximum: 10, exclusiveMinimum: true, exclusiveMaximum: true },
        n: { type: 'number', minimum: 0.5, maximum: 2.5, multipleOf: 0.5 },
        e: { type: 'string', enum: ['a', 'b'] },
        ei: { type: 'integer', enum: [1, 2] },
        l: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 },
        m: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1, maxProperties: 1 },
        p: { type: 'string', pattern: '^[[:alpha:]]+(?i:x)?$' },
      },
      { required: ['must'], minProperties: 1 },
    ),
    objects: creates({
      'too small': { s: 'a', i: 0, ex: 1, n: 0, l: [], m: {} },
      'too large': { s: 'abcde', one: 'ab', i: 12, ex: 10, n: 3, l: [1, 2, 3], m: { a: 'b', c: 'd' } },
      'wrong pattern': { s: 'AB', p: '123' },
      'not a multiple': { i: 3, n: 0.7 },
      'not in enum': { e: 'c', ei: 3 },
      empty: {},
      'missing only': { s: 'ab' },
    }),
  },
  {
    name: 'requirements at the root',
    schema: { type: 'object', required: ['spec'], properties: { spec: { type: 'object', required: ['a', 'b'], properties: { a: { type: 'string' }, b: { type: 'object', required: ['c'], properties: { c: { type: 'string' } } } } } } },
    objects: {
      'no spec': [{ do: 'create', object: {} }],
      'spec without fields': [{ do: 'create', object: { spec: {} } }],
      'spec without nested': [{ do: 'create', object: { spec: { b: {} } } }],
    },
  },
  {
    name: 'alternatives',
    schema: spec({
      any: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, anyOf: [{ required: ['a'] }, { required: ['b'], properties: { b: { minimum: 5 } } }] },
      one: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      all: { type: 'integer', allOf: [{ minimum: 5 }, { multipleOf: 2 }] },
      not: { type: 'string', not: { enum: ['forbidden'] } },
      ios: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: '^\\d+%?$' },
    }),
    objects: creates({
      'none of any': { any: {} },
      'none of any, second better': { any: { b: 1 } },
      'none of one': { one: {} },
      'two of one': { one: { a: 'a', b: 'b' } },
      'not all': { all: 3 },
      'none of all': { all: 1 },
      'what must not be': { not: 'forbidden' },
      'int or string': { ios: 'ten' },
      'int or string as object': { ios: {} },
      good: { any: { a: 'x' }, one: { b: 'x' }, all: 6, not: 'x', ios: 7 },
    }),
  },
  {
    name: 'lists',
    schema: spec({
      set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      map: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: { type: 'integer' } } } },
      two: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a', 'b'], items: { type: 'object', properties: { a: { type: 'integer', default: 1 }, b: { type: 'string', default: 'x' } } } },
      nested: { type: 'object', additionalProperties: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } } },
    }),
    objects: creates({
      'repeated in a set': { set: ['a', 'b', 'a', 'a'] },
      'repeated keys': { map: [{ k: 'a', v: 1 }, { k: 'a', v: 2 }] },
      'repeated pairs': { two: [{ a: 1, b: 'x' }, {}, { a: 2 }] },
      'repeated below a map': { nested: { q: [1, 2, 1] } },
      'no key': { map: [{ v: 1 }, { v: 2 }] },
      good: { set: ['a'], map: [{ k: 'a' }, { k: 'b' }], two: [{}, { a: 2 }] },
    }),
  },
  {
    name: 'embedded resources',
    schema: spec({ t: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true, properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } } } }),
    objects: creates({
      'no kind': { t: { metadata: {} } },
      'empty kind': { t: { apiVersion: '', kind: '' } },
      'bad kind': { t: { apiVersion: 'a/b/c', kind: 'A_b' } },
      good: { t: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { a: 'b' } }, spec: { a: 'b', c: 'pruned' }, extra: 1 } },
    }),
  },
  {
    name: 'formats',
    schema: spec(Object.fromEntries(formats.map((format) => [format, { type: 'string', format }]))),
    objects: creates(Object.fromEntries(texts.map((text, i) => [`text ${i}`, Object.fromEntries(formats.map((f) => [f, text]))]))),
  },
  {
    name: 'ratcheting',
    schema: spec({ a: { type: 'string', enum: ['x', 'y'] }, b: { type: 'string' }, l: { type: 'array', items: { type: 'integer', minimum: 5 } } }),
    objects: {
      'a good object becomes bad': [
        { do: 'create', object: { spec: { a: 'x', b: '1', l: [7] } } },
        { do: 'merge', patch: { spec: { a: 'z' } } },
        { do: 'merge', patch: { spec: { l: [7, 1] } } },
        { do: 'merge', patch: { spec: { b: null } } },
        { do: 'json', patch: [{ op: 'replace', path: '/spec/a', value: 'y' }] },
      ],
    },
  },
]; // prettier-ignore
