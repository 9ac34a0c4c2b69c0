import { readCel } from '../../../../src/api/cel-syntax';
import { created, type Loose, object, updated, withGates } from './fixtures';

const plugin = (spec: object): Loose => object('plugin.kubevirt.io/v1alpha1', 'Plugin', spec);
const gates = { config: withGates(['Plugins']) };
const socket = (socketPath: string): Loose => plugin({ domainHooks: [{ sidecar: { socketPath } }] });
const node = (condition: string): object => ({ condition, permittedHooks: ['PreVMStart'], socket: 'a' });

test.each<[string, boolean]>([
  ['/run/a.sock', true],
  ['a/b', true],
  ['../a', true],
  ['/a/../b', false],
  ['/a//b', false],
  ['/a/', false],
  ['./a', false],
])("a plugin's socket %s is accepted: %s", (path, accepted) => {
  const want = accepted ? [] : ['plugin-socket spec.domainHooks[0].sidecar.socketPath'];
  expect(created(socket(path), gates)).toEqual(want);
  expect(updated(socket(path), plugin({}))).toEqual(want);
  expect(created(socket(path))).toEqual(['gate-plugins  as nothing']);
});

test.each<[string, object, string[]]>([
  ['a condition', { condition: 'vmi.Spec.Architecture == "amd64"' }, []],
  ['half a condition', { condition: '1 +' }, ['plugin-cel spec.condition']],
  ['a number for a condition', { condition: '1' }, ['plugin-cel spec.condition']],
  ["the handler's fields for the launcher's", { condition: 'vmi.metadata.name == "x"' }, ['plugin-cel spec.condition']],
  ['an unknown variable', { condition: 'node.name == "x"' }, ['plugin-cel spec.condition']],
  ['a mutation', { domainHooks: [{ cel: { expression: 'Domain{Title: "a"}' } }] }, []],
  [
    'a truth for a mutation',
    { domainHooks: [{ cel: { expression: 'true' } }] },
    ['plugin-cel spec.domainHooks[0].cel.expression'],
  ],
  ['a condition of a hook', { domainHooks: [{ condition: 'foo(' }] }, ['plugin-cel spec.domainHooks[0].condition']],
  ['a condition of a node', { nodeHooks: [node('vmi.spec.domain.cpu.cores > 2')] }, []],
  [
    "the launcher's fields for the handler's",
    { nodeHooks: [node('vmi.Spec.Hostname == ""')] },
    ['plugin-cel spec.nodeHooks[0].condition'],
  ],
])('a plugin with %s', (_, spec, want) => expect(created(plugin(spec), gates)).toEqual(want));

test.each([
  ['a && b || !c', 'bool'],
  ['a ? 1 : 2', 'other'],
  ['a ? "x" : true', 'unknown'],
  ['-1 * (2 + 3) % 4', 'other'],
  ['a.b[0].c(d, "e")', 'unknown'],
  ['x in [1, 2, 3]', 'bool'],
  ['{"a": 1, b: [2,],}', 'other'],
  ['a.b.C{d: 1}', 'message a.b.C'],
  ['items.exists(i, i.x == 1)', 'unknown'],
  ["r'\\d' + b\"x\" + '''y\nz'''", 'other'],
  ['0x1F + 1u + 1.5e3 + .5 // and more', 'other'],
  ['a.?b[?"c"].orValue(1)', 'unknown'],
])('%s is CEL of %s value', (text, value) => expect(readCel(text)).toMatchObject({ value }));

test.each(['', 'a b', '(', 'a.', 'a[1', '"x', '{a}', '?', 'a ? b', '1 +', '#', '!'.repeat(3), '('.repeat(5000)])(
  '%j is not CEL',
  (text) => expect(readCel(text)).toHaveProperty('problem'),
);

test('a variable of a macro is defined only inside the macro', () => {
  const reading = readCel('vmi.Spec.Volumes.all(v, v.Name != other) && v');
  expect('references' in reading && reading.references.map(({ name }) => name)).toEqual(['vmi', 'other', 'v']);
});

const LONGEST = 100_000;
const condition = (length: number): string => 'true'.padEnd(length);

test.each([
  ['one character less than the most', LONGEST - 1, undefined],
  ['the most characters', LONGEST, undefined],
  ['one character more', LONGEST + 1, 'expression code point size exceeds limit: limit 100000'],
])('an expression of %s', (_, length, problem) => expect(readCel(condition(length)).problem).toBe(problem));

test('the length of an expression is counted in characters, not bytes', () => {
  const text = (length: number): string => `"${'😀'.repeat(length - 2)}"`;
  expect([readCel(text(LONGEST)).problem, readCel(text(LONGEST + 1)).problem]).toEqual([
    undefined,
    expect.stringContaining('exceeds limit'),
  ]);
});

test.each<[string, number, string[]]>([
  ['one character less than the most', LONGEST - 1, []],
  ['the most characters', LONGEST, []],
  ['one character more', LONGEST + 1, ['plugin-cel spec']],
])('a plugin whose expressions have %s together', (_, length, want) => {
  const rest = length - 4 * 1000;
  const spec = {
    condition: condition(1000),
    domainHooks: [{ condition: condition(1000) }, { condition: condition(1000) }],
    nodeHooks: [node(condition(1000)), node(condition(rest))],
  };
  expect(created(plugin(spec), gates)).toEqual(want);
});
