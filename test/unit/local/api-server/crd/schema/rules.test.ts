import { evaluateCel, JsonSchema, ValidationRule } from '../../../../../../src/local/api-server/schema';
import { compileCrdSchema } from '../../../../../../src/local/api-server/crd/schema/compile';

const withRules = (...rules: ValidationRule[]): JsonSchema => ({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' }, namespace: { type: 'string' } },
      'x-kubernetes-validations': rules,
    },
  },
});

const said = (schema: JsonSchema, spec: object, old?: object) =>
  compileCrdSchema(schema)
    .validate({ spec }, old && { spec: old })
    .map((c) => `${c.field}: ${c.message} [${c.reason}]`);

test.each<[string, ValidationRule, string]>([
  ['the rule itself without a message', { rule: 'self.a < self.b' }, 'spec: Invalid value: failed rule: self.a < self.b [FieldValueInvalid]'],
  ['its message', { rule: 'self.a < self.b', message: 'a below b' }, 'spec: Invalid value: a below b [FieldValueInvalid]'],
  ['an expression', { rule: 'self.a < self.b', messageExpression: '"a is " + string(self.a)' }, 'spec: Invalid value: a is 3 [FieldValueInvalid]'],
  ['a reason and a field', { rule: 'self.a < self.b', message: 'no', reason: 'FieldValueForbidden', fieldPath: '.a' }, 'spec.a: Forbidden: no [FieldValueForbidden]'],
  ['an error', { rule: 'self.a / 0 == 1' }, 'spec: Invalid value: "object": division by zero evaluating rule: self.a / 0 == 1 [FieldValueInvalid]'],
])('a failed rule reports %s', (_, rule, want) => expect(said(withRules(rule), { a: 3, b: 1 })).toEqual([want])); // prettier-ignore

test('a transition rule looks at the stored value, and is silent without one', () => {
  const schema = withRules({ rule: 'self.a >= oldSelf.a', message: 'a must not shrink' });
  expect(said(schema, { a: 1 })).toEqual([]);
  expect(said(schema, { a: 1 }, { a: 2 })).toEqual(['spec: Invalid value: a must not shrink [FieldValueInvalid]']);
});

test('an optional oldSelf lets a rule see creation', () => {
  const schema = withRules({ rule: 'oldSelf.hasValue() || self.a == 1', optionalOldSelf: true, message: 'start at 1' });
  expect(said(schema, { a: 2 })).toHaveLength(1);
  expect(said(schema, { a: 2 }, { a: 1 })).toEqual([]);
});

test('rules wait until the value has the right shape', () => {
  expect(said(withRules({ rule: 'self.a < 5' }), { a: 'x' }).at(-1)).toContain(
    'some validation rules were not checked',
  );
});

test('reserved names are escaped', () => {
  expect(said(withRules({ rule: 'self.__namespace__ == "n"' }), { namespace: 'n' })).toEqual([]);
});

test.each<[string, unknown]>([
  ['quantity("1.5Gi").compareTo(quantity("1536Mi"))', 0n],
  ['quantity("50k").add(20).asInteger()', 50020n],
  ['quantity("0.1").isInteger()', false],
  ['isQuantity("1K")', false],
  ['url("https://u@h.x:8443/p?q=1").getHost()', 'h.x:8443'],
  ['isURL("not a url")', false],
  ['cidr("10.0.0.0/8").containsIP(ip("10.1.2.3"))', true],
  ['string(ip("2001:DB8:0:0:0:0:0:1"))', '2001:db8::1'],
  ['isIP("::ffff:1.2.3.4")', false],
  ['cidr("fd00::1/64").masked() == cidr("fd00::/64")', true],
  ['"a1b22".findAll("[0-9]+").join("-")', '1-22'],
  ['[3, 1, 2].max() + [3, 1, 2].min()', 4n],
  ['[1, 2].isSorted() && ![2, 1].isSorted()', true],
  ['["a", "b"].indexOf("b")', 1n],
  ['sets.equivalent([1, 2], [2, 1])', true],
  ['format.dns1123Label().validate("Not_A_Label").hasValue()', true],
  ['semver("1.2.3").isGreaterThan(semver("1.2.3-rc.1"))', true],
  ['isSemver("v1.0", true)', true],
  ['"abcabc".replace("b", "x", 1)', 'axcabc'],
  ['duration("90m") == duration("1h30m")', true],
  ['{"a": 1}.?b.orValue(5)', 5n],
  ['[1, 2].all(i, x, x == i + 1) && {"a": 1}.exists(k, v, k == "a" && v == 1)', true],
  ['[1, 2, 3].transformList(i, x, i > 0, x * 10)', [20n, 30n]],
  ['{"a": 1}.transformMap(k, v, v + 1)["a"]', 2n],
  ['optional.of(2).optMap(x, x * 2).value() + optional.none().optMap(x, x).orValue(1)', 5n],
])('%s', (expression, want) => expect(evaluateCel(expression, {})).toEqual(want));
