import { documentsOf } from '../../../../src/cli/manifests/documents';

const objectsOf = (text: string): unknown[] => documentsOf(text).map(({ object }) => object);

test.each([
  ['yes and on are true, as in YAML 1.1', 'a: yes\nb: on\nc: off', { a: true, b: true, c: false }],
  ['0644 is octal', 'mode: 0644', { mode: 420 }],
  ['e1000 is a network card, 1e3 a number', 'a: e1000\nb: 1e3\nc: .5e1', { a: 'e1000', b: 1000, c: 5 }],
  ['a MAC of digits is a text, not a sexagesimal number', 'mac: 02:00:00:00:00:01', { mac: '02:00:00:00:00:01' }],
  ['a date is a text', 'at: 2026-11-20', { at: '2026-11-20' }],
  ['keys are texts', 'y: 1\n1: 2', { y: 1, '1': 2 }],
  ['merge keys are merged', 'a: &a {x: 1}\nb: {<<: *a, y: 2}', { a: { x: 1 }, b: { x: 1, y: 2 } }],
  ['JSON is YAML', '{\n\t"a": [1, 2]\n}', { a: [1, 2] }],
  ['Windows line ends are line ends', 'a: 1\r\nb: |\r\n  x\r\n', { a: 1, b: 'x\n' }],
  ['a byte order mark is ignored', '\ufeffa: 1', { a: 1 }],
])('%s', (_, text, want) => {
  expect(objectsOf(text)).toEqual([want]);
});

test('empty documents and comments are skipped', () => {
  expect(objectsOf('# nothing\n---\n---\na: 1\n---\n# nor here\n')).toEqual([{ a: 1 }]);
});

test('a document knows its number in the file', () => {
  expect(documentsOf('a: 1\n---\nb: 2\n').map(({ index }) => index)).toEqual([0, 1]);
  expect(documentsOf('---\na: 1\n').map(({ index }) => index)).toEqual([0]);
});

test('a List is its items, each with its own place', () => {
  const [first, second] = documentsOf('apiVersion: v1\nkind: List\nitems:\n- kind: A\n- kind: B\n  x: {y: 1}\n');
  expect([first?.object, second?.object]).toEqual([{ kind: 'A' }, { kind: 'B', x: { y: 1 } }]);
  expect(second?.locate(['x', 'y'])).toEqual({ line: 6, column: 10 });
});

test('a value is found by its path, and a missing one by its nearest parent', () => {
  const [document] = documentsOf('a: 1\n---\nspec:\n  disks:\n    - name: root\n      disk: {}\n').slice(1);
  expect(document?.locate(['spec', 'disks', 0, 'name'])).toEqual({ line: 5, column: 13 });
  expect(document?.locate(['spec', 'disks', 0, 'serial'])).toEqual({ line: 5, column: 7 });
  expect(document?.locate(['spec', 'disks', 3])).toEqual({ line: 4, column: 3 });
  expect(document?.locate(['status'])).toEqual({ line: 3, column: 1 });
});

test('a mapping of 100,000 keys is read in linear time', () => {
  const text = Array.from({ length: 100_000 }, (_, i) => `k${i}: v`).join('\n');
  expect(Object.keys(documentsOf(text)[0]?.object ?? {})).toHaveLength(100_000);
});

const problemOf = (text: string): string[] =>
  documentsOf(text).flatMap(({ problem }) =>
    problem ? [`${problem.at.line}:${problem.at.column} ${problem.cause}; ${problem.remedy}`] : [],
  );

test.each<[string, string, RegExp | undefined]>([
  [
    'reports a placeholder of Helm at its place',
    'a: 1\nb: {{ .Values.b }}',
    /^2:4 {{ \.Values\.b }} is a placeholder.*helm template/,
  ],
  ['reports a statement of a template', '{%- if x %}\na: 1\n{%- endif %}', /^1:1 {%- if x %} is a placeholder/],
  ['reports a placeholder behind a comment with another', '# {{ a }}\nb: {{ c }}', /^2:4 {{ c }} is/],
  ['accepts a placeholder in a text', 'a: "{{ b }}"\nc: |\n  {{ d }}', undefined],
  ['reports an error beside a text with a placeholder as a placeholder', 'a: "{{ b }}"\nc: [', /{{ b }}/],
  [
    'reports an alias of an earlier document',
    'a: &x 1\n---\nb: 2\nc: *x',
    /^4:4 the alias \*x has no anchor &x .*anchors end at ---/,
  ],
  ['reports an unquoted wildcard', 'host: *.example', /^1:7 the alias \*\.example .*into quotes/],
  ['reports an alias before its anchor', 'a: *x\nb: &x 1', /^1:4 the alias/],
  ['accepts an alias behind its anchor', 'a: &x {y: 1}\nb: *x\nc: {<<: *x}', undefined],
  [
    'reports a missing document mark',
    'kind: A\nspec: {}\nkind: B',
    /^3:1 the key "kind" appears twice; put a line with ---/,
  ],
  ['reports a key that appears twice', 'kind: A\nspec: {kind: B, kind: C}', /"kind" appears twice; keep one/],
  [
    'reports a merge conflict',
    'a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n',
    /^2:1 the file contains a merge conflict/,
  ],
  ['reports an open quote at its begin', 'a: "b"\nc: "d\ne: f\n', /^2:4 the quote is not closed/],
  ['reports a key without a colon', 'a\n  b: c\n', /^1:1 a key has no colon/],
  ['reports an item that is not aligned', 'a:\n- b: 1\n c: 2\n', /align it with its siblings/],
  ['reports an unquoted reserved character', 'password: @dmin', /put the value into quotes/],
])('%s', (_, text, want) => {
  const [problem] = problemOf(text);
  if (want) expect(problem).toMatch(want);
  else expect(problem).toBeUndefined();
});

test('the items of a typed list get its kind', () => {
  const [first, second] = documentsOf(
    'apiVersion: kubevirt.io/v1\nkind: VirtualMachineList\nitems:\n- metadata: {name: a}\n- {kind: VirtualMachine}\n',
  );
  expect(first?.object).toEqual({ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: { name: 'a' } });
  expect(second?.object).toMatchObject({ kind: 'VirtualMachine' });
});

test('a line of a literal text is found, and other texts by their begin', () => {
  const [, document] = documentsOf(
    'a: 1\n---\nuser: |  # text\n    #cloud-config\n\n    runcmd: x\nfolded: >\n  a\n  b\n',
  );
  expect(document?.locate(['user'], 1)).toEqual({ line: 4, column: 5 });
  expect(document?.locate(['user'], 3)).toEqual({ line: 6, column: 5 });
  expect(document?.locate(['user'], 9)).toEqual({ line: 3, column: 7 });
  expect(document?.locate(['user'])).toEqual({ line: 3, column: 7 });
  expect(document?.locate(['folded'], 2)).toEqual({ line: 7, column: 9 });
});
