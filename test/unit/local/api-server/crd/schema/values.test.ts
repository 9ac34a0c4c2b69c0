import type { JsonSchema } from '../../../../../../src/local/api-server/schema';
import { validateValue } from '../../../../../../src/local/api-server/crd/schema/values';

const fits = (schema: JsonSchema, value: unknown, old?: unknown): boolean =>
  validateValue(value, schema, old === undefined ? undefined : { value: old }).length === 0;

const text: JsonSchema = { type: 'string' };
const named: JsonSchema = { type: 'object', properties: { a: text }, required: ['a'] };

test.each<[JsonSchema, unknown[], unknown[]]>([
  // types
  [{ type: 'string' }, ['', 'a'], [1, true, [], {}, null]],
  [{ type: 'integer' }, [0, -1, 1.0], [1.5, '1', null]],
  [{ type: 'number' }, [1, 1.5], ['1', null]],
  [{ type: 'boolean' }, [true, false], [0, 'true', null]],
  [{ type: 'array' }, [[], [1]], [{}, 'a']],
  [{ type: 'object' }, [{}], [[], 'a']],
  [{ 'x-kubernetes-int-or-string': true }, [1, 'a', '50%'], [1.5, {}, true]],
  [{ type: 'integer', format: 'int32' }, [2 ** 31 - 1, -(2 ** 31)], [2 ** 31, -(2 ** 31) - 1]],
  [{ type: 'integer', format: 'int64' }, [2 ** 53, 2 ** 63 - 1024, -(2 ** 63)], [2 ** 63, -(2 ** 63) - 2048]],
  [{ type: 'string', format: 'ipv4' }, ['10.0.0.1'], ['10.0.0', 'fd00::1']],
  [{ type: 'string', format: 'unheard-of' }, ['anything'], [1]],
  [{ type: 'string', nullable: true }, [null, 'a'], [1]],
  [{}, [null, 1, 'a', {}, []], []],
  // limits: one below, equal, one above
  [{ type: 'string', minLength: 2 }, ['ab', 'abc', '😀😀'], ['a', '😀']],
  [{ type: 'string', maxLength: 2 }, ['a', 'ab', '😀😀'], ['abc']],
  [{ type: 'string', pattern: '^a+$' }, ['a', 'aa'], ['', 'ab']],
  [{ type: 'integer', minimum: 2 }, [2, 3], [1]],
  [{ type: 'integer', minimum: 2, exclusiveMinimum: true }, [3], [1, 2]],
  [{ type: 'integer', maximum: 2 }, [1, 2], [3]],
  [{ type: 'integer', maximum: 2, exclusiveMaximum: true }, [1], [2, 3]],
  [{ type: 'number', minimum: 0.5, maximum: 1.5 }, [0.5, 1.5], [0.4, 1.6]],
  [{ type: 'integer', multipleOf: 4 }, [0, 4, 8], [6, 1]],
  [{ type: 'number', multipleOf: 0.25 }, [0.25, 1.25], [0.3]],
  [{ type: 'array', minItems: 1 }, [[1]], [[]]],
  [{ type: 'array', maxItems: 1 }, [[], [1]], [[1, 2]]],
  [{ type: 'array', uniqueItems: true }, [[1, 2]], [[1, 1]]],
  [{ type: 'array', items: text }, [[], ['a']], [['a', 1]]],
  [{ type: 'object', minProperties: 1 }, [{ a: 1 }], [{}]],
  [{ type: 'object', minProperties: 2, maxProperties: 2 }, [{ a: 1, b: 2 }], [{ a: 1 }, { a: 1, b: 2, c: 3 }]],
  [{ type: 'object', maxProperties: 1 }, [{}, { a: 1 }], [{ a: 1, b: 2 }]],
  [{ type: 'object', additionalProperties: text }, [{}, { a: 'b' }], [{ a: 1 }]],
  [{ type: 'object', additionalProperties: false, properties: { a: text } }, [{}, { a: 'b' }], [{ b: 'c' }]],
  [{ type: 'object', additionalProperties: true }, [{ a: 1 }], []],
  [named, [{ a: 'b' }, { a: 'b', c: 1 }], [{}, { a: 1 }, { c: 1 }]],
  [{ enum: ['a', 1, { b: 2 }] }, ['a', 1, { b: 2 }], ['b', 2, { b: 1 }, null]],
  // alternatives
  [{ anyOf: [{ minimum: 5 }, { maximum: 1 }] }, [5, 1, 0], [3]],
  [{ oneOf: [{ minimum: 2 }, { maximum: 4 }] }, [1, 5], [2, 3, 4]],
  [{ allOf: [{ minimum: 2 }, { maximum: 4 }] }, [2, 4], [1, 5]],
  [{ not: { enum: ['a'] } }, ['b'], ['a']],
])('%j takes %j and not %j', (schema, good, bad) => {
  expect(good.map((value) => fits(schema, value))).toEqual(good.map(() => true));
  expect(bad.map((value) => fits(schema, value))).toEqual(bad.map(() => false));
});

test.each<[string, JsonSchema, unknown, unknown, boolean]>([
  ['a wrong value that stays', text, 1, 1, true],
  ['a wrong value that becomes another', text, 1, 2, false],
  ['a wrong field that stays beside one that changes', named, { a: 1, b: 1 }, { a: 1, b: 2 }, true],
  ['a field that is missing as before beside one that changes', named, { b: 1 }, { b: 2 }, false],
  [
    'a kind that is wrong as before',
    { type: 'object', properties: { kind: text } },
    { kind: 1, b: 1 },
    { kind: 1 },
    false,
  ],
  [
    'a version that is wrong as before',
    { type: 'object', properties: { apiVersion: text } },
    { apiVersion: 1, b: 1 },
    { apiVersion: 1 },
    false,
  ],
  [
    'a kind below the root that is wrong as before',
    { type: 'object', properties: { x: { type: 'object', properties: { kind: text } } } },
    { x: { kind: 1 }, b: 1 },
    { x: { kind: 1 } },
    true,
  ],
])('an update with %s: accepted is %s', (_, schema, value, old, want) => expect(fits(schema, value, old)).toBe(want));

test.each<[JsonSchema, unknown, string]>([
  [{ oneOf: [{ minimum: 2 }, { maximum: 4 }] }, 3, 'Found 2 valid alternatives'],
  [{ oneOf: [{ minimum: 2 }] }, 1, 'Found none valid'],
  [{ allOf: [{ minimum: 2 }, { minimum: 0 }] }, 1, 'must validate all the schemas (allOf)'],
  [{ allOf: [{ minimum: 2 }] }, 1, 'must validate all the schemas (allOf). None validated'],
  [{ anyOf: [{ minimum: 2 }] }, 1, 'must validate at least one schema (anyOf)'],
  [{ not: {} }, 1, 'must not validate the schema (not)'],
  [{ type: 'integer' }, 1.5, 'must be of type integer: "number"'],
  [{ type: 'integer', format: 'int64' }, 1.5, 'must be of type int64: "float64"'],
  [{ minimum: 2 }, 1, 'should be greater than or equal to 2'],
  [{ minimum: 2, exclusiveMinimum: true }, 2, 'should be greater than 2'],
  [{ maximum: 2 }, 3, 'should be less than or equal to 2'],
  [{ multipleOf: 0 }, 3, 'must be positive: 0'],
])('%j reports for %j: %s', (schema, value, want) => {
  const causes = validateValue({ x: value }, { properties: { x: schema } }, undefined);
  expect(causes.map(({ message }) => message)).toContainEqual(expect.stringContaining(want));
});

test('of several alternatives, the best match reports the mistakes', () => {
  const schema: JsonSchema = {
    anyOf: [{ type: 'object', properties: { a: text, b: text, c: { type: 'integer' } } }, { type: 'string' }],
  };
  const fields = validateValue({ x: { a: '', b: '', c: '' } }, { properties: { x: schema } }, undefined).map(
    (c) => c.field,
  );
  expect(fields).toEqual(['<nil>', 'x.c']);
});

test('a mistake that two alternatives share is reported once', () => {
  const schema: JsonSchema = { allOf: [{ minimum: 2 }, { minimum: 2 }] };
  expect(validateValue({ x: 1 }, { properties: { x: schema } }, undefined)).toHaveLength(2);
});
