import { JsonSchema } from '../../../src/local/api-server/schema';
import type { Scenario } from '.';

/** Each expression is a rule on an object of its own field, which is set for the object that is named like it. */
const expressions: Record<string, string> = {
  'compares numbers': 'self.a < self.b',
  'has': 'has(self.a) && !has(self.missing)',
  'quantity': 'quantity(self.q).isGreaterThan(quantity("1Gi"))',
  'quantity arithmetic': 'quantity(self.q).add(quantity("1Gi")).compareTo(quantity("3Gi")) == 0',
  'bad quantity': 'quantity(self.s).isInteger()',
  'url': 'isURL(self.u) && url(self.u).getHost() == "a.b:80" && url(self.u).getEscapedPath() == "/c d"',
  'url parts': 'url(self.u).getScheme() == "https" && url(self.u).getPort() == "80" && url(self.u).getHostname() == "a.b"',
  'ip': 'isIP(self.ip) && ip(self.ip).family() == 4 && cidr("10.0.0.0/8").containsIP(self.ip)',
  'find': 'self.s.find("[a-z]+") == "abc" && self.s.findAll("[0-9]").size() == 3',
  'lists': 'self.l.sum() == 6 && self.l.min() == 1 && self.l.isSorted() && self.l.indexOf(2) == 1',
  'all': 'self.l.all(x, x > 0) && self.l.exists(x, x == 2) && self.l.map(x, x * 2).sum() == 12',
  'false all': 'self.l.all(x, x > 1)',
  'strings': 'self.s.startsWith("abc") && self.s.matches("^[a-c0-9]+$") && self.s.size() == 6 && self.s.upperAscii() == "ABC123"',
  'format': '!format.dns1123Label().validate(self.s).hasValue()',
  'semver': 'isSemver(self.v) && semver(self.v).isLessThan(semver("2.0.0"))',
  'duration': 'self.d > duration("1m") && self.t < timestamp("2030-01-01T00:00:00Z")',
  'int or string': 'type(self.x) == int ? self.x == 5 : self.x == "5%"',
  'division by zero': 'self.a / 0 == 1',
  'index out of range': 'self.l[5] == 1',
  'no such key': 'self.m["nope"] == "a"',
  'in a map': '"k" in self.m && self.m.k == "v"',
  'map keys': 'self.m.all(key, self.m[key] == "v")',
  'optional': 'self.?missing.orValue("none") == "none"',
  'escaped names': 'self.__namespace__ == "n" && self.a__dash__b == 1',
  'sets': 'sets.contains([1, 2, 3], [1, 2])',
  'ternary': 'self.a == 1 ? true : false',
  'string conversions': 'self.s + "x" == "abc123x" && int("5") == 5 && string(5) == "5"',
  'exists one': 'self.l.exists_one(x, x == 2) && self.l.filter(x, x > 1).size() == 2',
  'membership': '2 in self.l && !("z" in self.m) && self.s in ["abc123", "b"]',
  'nested has': 'has(self.m.k) && !has(self.m.q)',
  'size functions': 'size(self.l) == 3 && size(self.s) == 6 && self.m.size() == 1',
  'list arithmetic': 'self.l + [4] == [1, 2, 3, 4]',
  'indexed': 'self.l[0] == 1 && self.m["k"] == "v"',
  'substrings': 'self.s.substring(0, 3) == "abc" && self.s.charAt(0) == "a" && self.s.split("c").size() == 2 && "a-b".replace("-", "+") == "a+b"',
  'optional map': 'self.?missing.optMap(x, x.size()).orValue(9) == 9',
  'optional present': 'self.?s.optMap(x, x.size()).orValue(0) == 6',
  'optional index': 'self.l[?5].orValue(7) == 7 && self.m[?"k"].hasValue()',
  'two variables': 'self.l.all(i, x, x == i + 1)',
  'two variables of a map': 'self.m.exists(k, v, k == "k" && v == "v")',
  'transform list': 'self.l.transformList(i, x, x + i) == [1, 3, 5]',
  'transform map': 'self.m.transformMap(k, v, v + "!")["k"] == "v!"',
  'mixed numbers': 'self.a < 1.5 && self.f > 1',
  'integer overflow': '9223372036854775807 + self.a > 0',
  'modulo': '7 % 3 == 1 && -7 / 2 == -3',
  'bytes': 'b"abc".size() == 3',
  'types': 'type(self.a) == int && type(self.s) == string && type(self.l) == list',
  'conditional or error': 'self.a == 1 || self.a / 0 == 1',
  'timestamps': 'self.t.getFullYear() == 2026 && self.t + duration("24h") > self.t',
  'distinct and sort': '[3, 1, 3].distinct().sort() == [1, 3]',
  'raw regexp': 'self.s.matches(r"^[a-z]+\\d{3}$")',
  'double': 'self.f > 1.4 && self.f < 2.0',
}; // prettier-ignore

const fields: Record<string, JsonSchema> = {
  a: { type: 'integer' },
  b: { type: 'integer' },
  f: { type: 'number' },
  q: { type: 'string', maxLength: 30 },
  s: { type: 'string', maxLength: 30 },
  u: { type: 'string', maxLength: 30 },
  ip: { type: 'string', maxLength: 30 },
  v: { type: 'string', maxLength: 30 },
  d: { type: 'string', format: 'duration', maxLength: 30 },
  t: { type: 'string', format: 'date-time', maxLength: 30 },
  x: { 'x-kubernetes-int-or-string': true },
  l: { type: 'array', maxItems: 10, items: { type: 'integer' } },
  m: { type: 'object', maxProperties: 10, additionalProperties: { type: 'string', maxLength: 30 } },
  missing: { type: 'string', maxLength: 30 },
  namespace: { type: 'string', maxLength: 30 },
  'a-b': { type: 'integer' },
};

const good = { a: 1, b: 2, f: 1.5, q: '2Gi', s: 'abc123', u: 'https://a.b:80/c%20d?e=f', ip: '10.1.2.3', v: '1.2.3', d: '1h', t: '2026-11-20T00:00:00Z', x: 5, l: [1, 2, 3], m: { k: 'v' }, namespace: 'n', 'a-b': 1 }; // prettier-ignore

const camel = (title: string): string => title.replace(/ (\w)/g, (_, c: string) => c.toUpperCase());

export const rules: Scenario[] = [
  {
    name: 'expressions',
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(expressions).map(([title, rule]) => [
          camel(title),
          { type: 'object', properties: fields, 'x-kubernetes-validations': [{ rule, ...(title === 'false all' ? { message: 'all must be large' } : {}) }] },
        ]),
      ),
    },
    objects: Object.fromEntries(
      Object.keys(expressions).map((title) => [title, [{ do: 'create', object: { [camel(title)]: good } }]]),
    ),
  },
  {
    name: 'rules',
    schema: {
      type: 'object',
      'x-kubernetes-validations': [{ rule: 'self.metadata.name.startsWith("a")', message: 'name must start with a' }],
      properties: {
        spec: {
          type: 'object',
          'x-kubernetes-validations': [
            { rule: 'self.min <= self.max', messageExpression: '"min is above max" + (has(self.fixed) ? " for " + self.fixed : "")', fieldPath: '.min', reason: 'FieldValueForbidden' },
            { rule: '!has(oldSelf.fixed) || self.fixed == oldSelf.fixed', message: 'fixed cannot change' },
          ],
          properties: {
            min: { type: 'integer', default: 0 },
            max: { type: 'integer', default: 10 },
            fixed: { type: 'string', maxLength: 10 },
            name: { type: 'string', maxLength: 10, 'x-kubernetes-validations': [{ rule: 'self != "bad"', reason: 'FieldValueDuplicate' }, { rule: 'self == oldSelf', message: 'name is immutable' }] },
            opt: { type: 'string', maxLength: 10, 'x-kubernetes-validations': [{ rule: 'oldSelf.hasValue() || self == "first"', optionalOldSelf: true, message: 'must be first at first' }] },
            l: { type: 'array', maxItems: 5, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: { type: 'object', required: ['k'], properties: { k: { type: 'string', maxLength: 5 }, v: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'must not shrink' }] } } } },
          },
        },
      },
    },
    objects: {
      'a good one': [
        { do: 'create', object: { spec: { min: 1, fixed: 'x', name: 'n', l: [{ k: 'a', v: 5 }] } } },
        { do: 'merge', patch: { spec: { fixed: 'y' } } },
        { do: 'merge', patch: { spec: { name: 'm' } } },
        { do: 'merge', patch: { spec: { l: [{ k: 'b', v: 1 }, { k: 'a', v: 4 }] } } },
        { do: 'merge', patch: { spec: { l: [{ k: 'b', v: 1 }, { k: 'a', v: 6 }] } } },
        { do: 'merge', patch: { spec: { min: 20 } } },
      ],
      'bad name': [{ do: 'create', object: { spec: {} } }],
      'a name that is bad': [{ do: 'create', object: { spec: { name: 'bad' } } }],
      'a wrong type too': [{ do: 'create', object: { spec: { min: 'x', name: 'bad' } } }],
      'a second at first': [{ do: 'create', object: { spec: { opt: 'second' } } }],
      'a first then second': [{ do: 'create', object: { spec: { opt: 'first' } } }, { do: 'merge', patch: { spec: { opt: 'second' } } }],
    },
  },
]; // prettier-ignore
