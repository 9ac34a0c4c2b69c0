import { JsonSchema } from '../../../../../../src/local/api-server/schema';
import { compileCrdSchema } from '../../../../../../src/local/api-server/crd/schema/compile';
import fc from '../../../../../support/fast-check';
import { bounded } from '../../../../../support/bounded';

const inSpec = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more } },
});

const said = (schema: JsonSchema, spec: unknown, old?: unknown): string[] =>
  compileCrdSchema(schema)
    .validate({ spec }, old === undefined ? undefined : { spec: old })
    .map((c) => `${c.field}: ${c.message}`);

/** Each text was compared with Kubernetes' own server (scripts/oracle). */
describe('a value that does not fit is rejected in Kubernetes’ words', () => {
  test.each<[string, JsonSchema, unknown, string[]]>([
    ['type', { type: 'integer' }, 'a', ['spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"']],
    ['null', { type: 'string' }, null, ['spec.x: Invalid value: "null": spec.x in body must be of type string: "null"']],
    ['int-or-string', { 'x-kubernetes-int-or-string': true }, {}, ['spec.x: Invalid value: "object": spec.x in body must be of type integer,string: "object"']],
    ['enum', { type: 'string', enum: ['a', 'b'] }, 'c', ['spec.x: Unsupported value: "c": supported values: "a", "b"']],
    ['maxLength', { type: 'string', maxLength: 1 }, 'ab', ['spec.x: Too long: may not be more than 1 byte']],
    ['minLength', { type: 'string', minLength: 2 }, 'a', ['spec.x: Invalid value: "a": spec.x in body should be at least 2 chars long']],
    ['pattern', { type: 'string', pattern: '^[a-z]+$' }, 'A', ["spec.x: Invalid value: \"A\": spec.x in body should match '^[a-z]+$'"]],
    ['format', { type: 'string', format: 'ipv4' }, 'x', ['spec.x: Invalid value: "x": spec.x in body must be of type ipv4: "x"']],
    ['minimum', { type: 'integer', minimum: 1 }, 0, ['spec.x: Invalid value: 0: spec.x in body should be greater than or equal to 1']],
    ['maximum', { type: 'integer', maximum: 1, exclusiveMaximum: true }, 1, ['spec.x: Invalid value: 1: spec.x in body should be less than 1']],
    ['multipleOf', { type: 'integer', multipleOf: 4 }, 6, ['spec.x: Invalid value: 6: spec.x in body should be a multiple of 4']],
    ['int32', { type: 'integer', format: 'int32' }, 2 ** 31, ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x']],
    ['maxItems', { type: 'array', items: { type: 'string' }, maxItems: 1 }, ['a', 'b'], ['spec.x: Too many: 2: must have at most 1 item']],
    ['set', { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }, ['a', 'a'], ['spec.x[1]: Duplicate value: "a"']],
    ['map keys', { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: { type: 'object', properties: { k: { type: 'string' } } } }, [{ k: 'a' }, { k: 'a' }], ['spec.x[1]: Duplicate value: {"k":"a"}']],
    ['oneOf', { type: 'object', properties: { a: { type: 'string' } }, oneOf: [{ required: ['a'] }] }, {}, ['<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found none valid', 'spec.x.a: Required value']],
    ['embedded', { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }, {}, ['spec.x.apiVersion: Required value', 'spec.x.kind: Required value']],
  ])('%s', (_, schema, value, want) => expect(said(inSpec({ x: schema }), { x: value })).toEqual(want)); // prettier-ignore

  test('required', () => expect(said(inSpec({}, { required: ['a'] }), {})).toEqual(['spec.a: Required value']));

  test('a nullable value may be null', () =>
    expect(said(inSpec({ x: { type: 'string', nullable: true } }), { x: null })).toEqual([]));

  test('a status is checked on its own, below its name', () => {
    const crd = compileCrdSchema({
      type: 'object',
      required: ['spec'],
      properties: { status: { type: 'object', properties: { n: { type: 'integer' } } } },
    });
    expect(crd.validate({ status: { n: 'x' } }, {}, 'status')).toEqual([
      {
        reason: 'FieldValueTypeInvalid',
        field: 'status.n',
        message: 'Invalid value: "string": n in body must be of type integer: "string"',
      },
    ]);
  });
});

test('an unchanged mistake is accepted', () => {
  const schema = inSpec({ a: { type: 'string', enum: ['x'] }, b: { type: 'string' } });
  expect(said(schema, { a: 'bad', b: '2' }, { a: 'bad', b: '1' })).toEqual([]);
  expect(said(schema, { a: 'worse' }, { a: 'bad' })).toHaveLength(1);
});

describe('pruning', () => {
  const crd = compileCrdSchema(
    inSpec({
      a: { type: 'string' },
      l: { type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } } },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      any: { 'x-kubernetes-preserve-unknown-fields': true },
    }),
  );

  test('removes unknown fields and nulls, and names the fields', () => {
    const object = {
      kind: 'X',
      metadata: { name: 'n', odd: 1 },
      top: 1,
      spec: { a: null, z: 1, l: [{ b: 'b', c: 1 }], free: { x: { y: 1 } }, any: [{ n: null }] },
    };
    expect(crd.prune(object)).toEqual(['metadata.odd', 'spec.l[0].c', 'spec.z', 'top']);
    expect(object).toEqual({
      kind: 'X',
      metadata: { name: 'n' },
      spec: { l: [{ b: 'b' }], free: { x: { y: 1 } }, any: [{ n: null }] },
    });
  });

  test('pruning twice changes nothing more', () => {
    fc.assert(
      fc.property(fc.object({ key: fc.constantFrom('spec', 'a', 'l', 'b', 'free', 'z') }), (object) => {
        crd.prune(object);
        expect(crd.prune(object)).toEqual([]);
      }),
    );
  });
});

test('defaults fill missing fields at every depth', () => {
  const crd = compileCrdSchema(
    inSpec({
      a: { type: 'string', default: 'x' },
      o: { type: 'object', properties: { n: { type: 'integer', default: 5 } } },
      p: { type: 'object', default: { m: 1 }, properties: { n: { type: 'integer', default: 6 } } },
      l: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer', default: 7 } } } },
    }),
  );
  const object = { spec: { l: [{}, { n: 1 }] } };
  crd.applyDefaults(object);
  expect(object).toEqual({ spec: { a: 'x', p: { m: 1, n: 6 }, l: [{ n: 7 }, { n: 1 }] } });
});

test('the cost of checking the format of a long text is linear', () => {
  const formats = ['email', 'hostname', 'uri', 'ipv6', 'duration', 'date-time', 'mac', 'byte'];
  const schema = inSpec(Object.fromEntries(formats.map((format) => [format, { type: 'string', format }])));
  for (const text of ['a'.repeat(500_000), 'a.'.repeat(250_000), ':'.repeat(500_000), '1'.repeat(500_000)])
    expect(bounded(() => said(schema, Object.fromEntries(formats.map((f) => [f, text])))).length).toBeGreaterThan(0);
});
