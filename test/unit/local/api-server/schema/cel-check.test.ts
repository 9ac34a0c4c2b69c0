import { policyScope } from '../../../../../src/local/api-server/admission/policy/scope';
import { checkCel } from '../../../../../src/local/api-server/schema';
import { INT, typeName } from '../../../../../src/local/api-server/schema/cel/types';

const scope = policyScope({ params: false });

/** Type of a valid expression, or the first line of its error. */
const verdict = (expression: string, used = scope): string => {
  const checked = checkCel(expression, used);
  return 'type' in checked
    ? typeName(checked.type)
    : checked.error.split('\n')[0].replace('compilation failed: ERROR: <input>:', '');
};

test.each([
  ['object.spec.replicas <= 5', 'bool'],
  ['object.metadata.name', 'dyn'],
  ['request.userInfo.groups', 'list(string)'],
  ['request.userInfo.groups.map(g, size(g))', 'list(int)'],
  ['namespaceObject.metadata.labels', 'map(string, string)'],
  ['object.?a.orValue(1)', 'dyn'],
  ['"a" in request.userInfo.groups', 'bool'],
  ['1 < 1.0', 'bool'],
  ['sets.contains([1], [1])', 'bool'],
  ['authorizer.group("").resource("pods").check("get").allowed()', 'bool'],
  ['authorizer.requestResource.check("get").reason()', 'string'],
  ['object.l.all(k, v, k == v)', 'bool'],
  ['optional.of(1).optMap(x, x + 1)', 'optional_type(int)'],
  ['type(object) == string', 'bool'],
])('%s has the type %s', (expression, type) => expect(verdict(expression)).toBe(type));

test.each([
  ['foo', "1:1: undeclared reference to 'foo' (in container '')"],
  ['params.x', "1:1: undeclared reference to 'params' (in container '')"],
  ['request.foo', "1:8: undefined field 'foo'"],
  ['1 + "a"', "1:3: found no matching overload for '_+_' applied to '(int, string)'"],
  ['(1) == "a"', "1:5: found no matching overload for '_==_' applied to '(int, string)'"],
  ['size(1)', "1:5: found no matching overload for 'size' applied to '(int)'"],
  ['object.a.startsWith(1)', "1:20: found no matching overload for 'startsWith' applied to 'dyn.(int)'"],
  ['"a".foo()', "1:8: undeclared reference to 'foo' (in container '')"],
  ['"a".size', "1:4: type 'string' does not support field selection"],
  ['true && 1', "1:9: expected type 'bool' but found 'int'"],
  ['[1, "a"]', "1:5: expected type 'int' but found 'string'"],
  ['object.l.all(x, y)', "1:17: undeclared reference to 'y' (in container '')"],
  [
    '1.all(x, true)',
    "1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
  ],
  ['has(object)', '1:5: invalid argument to has() macro'],
  ['"a".matches("(")', '1:13: invalid matches argument'],
  ['duration("x")', '1:10: invalid duration argument'],
  ['a b', "1:3: Syntax error: extraneous input 'b' expecting <EOF>"],
  ['true\n  && 1', "2:6: expected type 'bool' but found 'int'"],
])('%s is rejected', (expression, error) => expect(verdict(expression)).toBe(error));

test('an error shows its place, and all errors are reported', () => {
  expect(checkCel('foo == bar', scope)).toEqual({
    error: [
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')",
      ' | foo == bar',
      ' | ^',
      "ERROR: <input>:1:8: undeclared reference to 'bar' (in container '')",
      ' | foo == bar',
      ' | .......^',
    ].join('\n'),
  });
});

test('variables have the types of their expressions', () => {
  const typed = policyScope({ params: true, variables: { n: INT } });
  expect(verdict('variables.n + 1', typed)).toBe('int');
  expect(verdict('params.x', typed)).toBe('dyn');
  expect(verdict('variables.m', typed)).toBe("1:10: undefined field 'm'");
});
