import { BoundedCache } from '../../../../../src/local/api-server/schema/bounded-cache';
import { CostLimitError, programOf, toCel } from '../../../../../src/local/api-server/schema/cel';
import { pattern } from '../../../../../src/local/api-server/schema/pattern';
import { evaluateCel } from '../../../../../src/local/api-server/schema';
import { compileCrdSchema } from '../../../../../src/local/api-server/crd/schema/compile';

const costOf = (expression: string, self: unknown, limit?: number) =>
  programOf(expression).evaluate({ self: toCel(self, undefined) }, limit);

test.each([
  ['1 == 1', undefined, 1],
  ['self == 1', 1, 2],
  ['self.a.b == 1', { a: { b: 1 } }, 4],
  ['self.all(x, x > 0)', [1, 2], 1 + 2 * (3 + 2)],
  ['self.contains("b")', 'a'.repeat(100), 2 + 10],
])('%s has the cost of its steps', (expression, self, want) => {
  costOf(expression, self);
  expect(costOf(expression, self).cost).toBe(want);
});

test('an evaluation ends at its limit, also inside of operators that ignore errors', () => {
  const list = Array.from({ length: 100 }, (_, i) => i);
  const nested = 'self.exists(x, self.exists(y, y < 0)) || true';
  costOf(nested, list);
  expect(costOf('self.all(x, x >= 0)', list, 501)).toMatchObject({ value: true });
  const { cost } = costOf('self.all(x, x >= 0)', list);
  expect(costOf('self.all(x, x >= 0)', list, cost)).toMatchObject({ value: true });
  expect(costOf('self.all(x, x >= 0)', list, cost - 1).error).toBeInstanceOf(CostLimitError);
  expect(costOf(nested, list, 1000).error).toBeInstanceOf(CostLimitError);
});

test.each([
  ['replace', 'self.replace("a", self).size() > 0'],
  ['join', 'self.split("").map(c, self).join(self).size() > 0'],
])('%s makes no string that is too long', (_, expression) => {
  expect(costOf(expression, 'a'.repeat(20_000), 1e9).error).toBeInstanceOf(CostLimitError);
});

test('a rule that costs too much ends the validation with a message', () => {
  const schema = compileCrdSchema({
    type: 'object',
    properties: {
      l: {
        type: 'array',
        items: { type: 'integer' },
        'x-kubernetes-validations': [{ rule: 'self.all(x, self.all(y, x + y >= 0))' }],
      },
      m: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 5' }] },
    },
  });
  const l = Array.from({ length: 1000 }, () => 1);
  expect(schema.validate({ l, m: 1 }).map((cause) => `${cause.field}: ${cause.message}`)).toEqual([
    `l: Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.all(x, self.all(y, x + y >= 0))`,
  ]);
  expect(schema.validate({ l: [1], m: 1 }).map((cause) => cause.field)).toEqual(['m']);
});

test('the rules of one request share a budget', () => {
  const rules = Array.from({ length: 13 }, () => ({ rule: 'self.contains(self)' }));
  const schema = compileCrdSchema({
    type: 'object',
    properties: { l: { type: 'string', 'x-kubernetes-validations': rules } },
  });
  expect(schema.validate({ l: 'x'.repeat(9000) }).map((cause) => cause.message)).toEqual([
    'Invalid value: "string": validation failed due to running out of cost budget, no further validation rules will be run',
  ]);
});

test.each([
  ['a pattern', (text: string) => pattern('^(a+)+$').test(text)],
  ['matches', (text: string) => evaluateCel('self.matches("^(a+)+$")', { self: text })],
  ['findAll', (text: string) => (evaluateCel('self.findAll("(a+)+$")', { self: text }) as string[]).length > 0],
])('%s takes linear time where backtracking would take exponential time', (_, matches) => {
  expect(matches(`${'a'.repeat(2000)}b`)).toBe(false);
});

test.each([
  ['(', 'missing closing ): `(`'],
  ['a)', 'unexpected ): `a)`'],
  ['[a', 'missing closing ]: `[a`'],
  ['*a', 'missing argument to repetition operator: `*`'],
  ['(?=x)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['a{1001}', 'invalid repeat count: `{1001}`'],
  ['a\\', 'trailing backslash at end of expression: ``'],
])('the pattern %s is rejected in the words of Go', (text, why) => {
  expect(() => pattern(text)).toThrow(`error parsing regexp: ${why}`);
});

test('a bounded cache forgets the value that was not used for the longest time', () => {
  const computed: string[] = [];
  const cache = new BoundedCache(2, (key) => (computed.push(key), key));
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) cache.get(key);
  expect(computed).toEqual(['a', 'b', 'c', 'b']);
  expect(cache.size).toBe(2);
});
