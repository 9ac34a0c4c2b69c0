import { jsonPatch, mergePatch, PatchError, strategicMergePatch } from '../../../../../src/local/api-server/patch';
import { builtinSchema, TypeSchema } from '../../../../../src/local/api-server/schema';
import fc from '../../../../support/fast-check';

const codeOf = (run: () => unknown): number => {
  try {
    run();
  } catch (error) {
    if (error instanceof PatchError) return error.code;
    throw error;
  }
  return 200;
};

describe('JSON patch', () => {
  test.each([
    ['adds to a list', [{ op: 'add', path: '/l/-', value: 2 }], { a: 1, l: [1, 2] }],
    ['replaces the whole document', [{ op: 'replace', path: '', value: { b: 2 } }], { b: 2 }],
    ['moves and copies', [{ op: 'copy', from: '/a', path: '/c' }, { op: 'move', from: '/a', path: '/d' }], { c: 1, d: 1, l: [1] }], // prettier-ignore
    [
      'tests before it changes',
      [
        { op: 'test', path: '/a', value: 1 },
        { op: 'remove', path: '/l' },
      ],
      { a: 1 },
    ],
    [
      'replaces a missing key, as the real server does',
      [{ op: 'replace', path: '/b', value: 2 }],
      { a: 1, b: 2, l: [1] },
    ],
    ['adds null without a value', [{ op: 'add', path: '/b' }], { a: 1, b: null, l: [1] }],
    ['copies a missing value as null', [{ op: 'copy', from: '/x', path: '/b' }], { a: 1, b: null, l: [1] }],
    ['counts negative positions from the end', [{ op: 'add', path: '/l/-1', value: 0 }], { a: 1, l: [1, 0] }],
  ])('%s', (_, ops, want) => expect(jsonPatch({ a: 1, l: [1] }, ops)).toEqual(want));

  test.each([
    ['a failed test', [{ op: 'test', path: '/a', value: 2 }], 422],
    ['a missing path', [{ op: 'remove', path: '/nope' }], 422],
    ['an index beyond the list', [{ op: 'add', path: '/l/9', value: 1 }], 422],
    ['an unknown operation', [{ op: 'nudge', path: '/a' }], 422],
    ['an operation without a path', [{ op: 'add', value: 1 }], 422],
    ['a move without a source', [{ op: 'move', path: '/b' }], 422],
    ['a move into itself', [{ op: 'move', from: '/l', path: '/l/x' }], 422],
    ['a replacement below a missing parent', [{ op: 'replace', path: '/b/c', value: 1 }], 422],
    ['a replacement of a missing element', [{ op: 'replace', path: '/l/1', value: 2 }], 422],
    ['a scalar as the document', [{ op: 'replace', path: '', value: 1 }], 422],
    ['an operation that is a number', [{ op: 1, path: '/a' }], 400],
    ['no list', { op: 'add' }, 400],
  ])('%s is rejected', (_, ops, code) => expect(codeOf(() => jsonPatch({ a: 1, l: [1] }, ops))).toBe(code));

  test('leaves the document alone', () => {
    const doc = { a: { b: 1 } };
    jsonPatch(doc, [{ op: 'remove', path: '/a/b' }]);
    expect(doc).toEqual({ a: { b: 1 } });
  });
});

describe('merge patch', () => {
  const json = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, fc.string(), fc.integer(), fc.array(fc.integer()), tie('map')),
    map: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { noNullPrototype: true }),
  })).map;

  test('null removes, maps merge, everything else replaces', () => {
    expect(mergePatch({ a: 1, b: { c: 1, d: 2 }, l: [1] }, { a: null, b: { c: 3 }, l: [] })).toEqual({
      b: { c: 3, d: 2 },
      l: [],
    });
  });

  test('an empty patch changes nothing, and applying a patch twice has no further effect', () => {
    fc.assert(
      fc.property(json, json, (doc, patch) => {
        expect(mergePatch(doc, {})).toEqual(doc);
        const once = mergePatch(doc, patch);
        expect(mergePatch(once, patch)).toEqual(once);
      }),
    );
  });
});

describe('strategic merge patch', () => {
  const schema = builtinSchema('', 'v1', 'Pod') as TypeSchema;
  const pod = {
    spec: {
      containers: [
        { name: 'a', image: '1', args: ['x'], ports: [{ containerPort: 80, name: 'http' }] },
        { name: 'b', image: '2' },
      ],
      tolerations: [{ key: 'k' }],
      volumes: [{ name: 'v', emptyDir: {} }],
    },
    metadata: { labels: { l: '1' }, finalizers: ['x/a', 'x/b'] },
  };
  const spec = (patch: object): Record<string, unknown> =>
    (strategicMergePatch(pod, { spec: patch }, schema) as { spec: Record<string, unknown> }).spec;

  test('elements merge by key, new ones are added', () => {
    expect(spec({ containers: [{ name: 'b', image: '3' }, { name: 'c' }] }).containers).toEqual([
      pod.spec.containers[0],
      { name: 'b', image: '3' },
      { name: 'c' },
    ]);
  });

  test('lists without a strategy are replaced', () => {
    expect(spec({ tolerations: [{ key: 'j' }] }).tolerations).toEqual([{ key: 'j' }]);
    const [first] = spec({ containers: [{ name: 'a', args: ['y'] }] }).containers as { args: string[] }[];
    expect(first?.args).toEqual(['y']);
  });

  test('$patch: delete removes an element, $patch: replace the list', () => {
    expect(spec({ containers: [{ name: 'a', $patch: 'delete' }] }).containers).toEqual([{ name: 'b', image: '2' }]);
    expect(spec({ containers: [{ $patch: 'replace' }, { name: 'z' }] }).containers).toEqual([{ name: 'z' }]);
    expect(strategicMergePatch(pod, { metadata: { $patch: 'replace', name: 'n' } }, schema)).toMatchObject({
      metadata: { name: 'n' },
    });
  });

  test('$setElementOrder sets the order and keeps the positions of items that only the server has', () => {
    const order = { '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }], containers: [{ name: 'c' }] };
    expect((spec(order).containers as { name: string }[]).map((c) => c.name)).toEqual(['c', 'a', 'b']);
  });

  test('$retainKeys drops the other members of a union', () => {
    const change = { volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'c' } }] };
    expect(spec(change).volumes).toEqual([{ name: 'v', configMap: { name: 'c' } }]);
  });

  test('$deleteFromPrimitiveList removes values of a set', () => {
    const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': ['x/a'], finalizers: ['x/c'] } };
    const { metadata } = strategicMergePatch(pod, patch, schema) as { metadata: { finalizers: string[] } };
    expect([...metadata.finalizers].sort()).toEqual(['x/b', 'x/c']);
  });

  test('null removes', () => expect(spec({ volumes: null })).not.toHaveProperty('volumes'));

  test.each([
    ['an element without its key', { containers: [{ image: 'x' }] }, 500],
    ['an unknown directive', { $patch: 'burn' }, 500],
    ['keys that are not retained', { $retainKeys: ['a'], b: 1 }, 400],
    ['an order that the patch breaks', { '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'z' }] }, 500], // prettier-ignore
  ])('%s is rejected', (_, patch, code) => expect(codeOf(() => spec(patch))).toBe(code));

  test('applying a patch twice has no further effect', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const container = fc.record({ name, image: fc.option(fc.string(), { nil: undefined }) });
    const containers = fc.uniqueArray(container, { selector: (c) => c.name, minLength: 1 });
    fc.assert(
      fc.property(containers, containers, (live, change) => {
        const doc = { spec: { containers: live } };
        const once = strategicMergePatch(doc, { spec: { containers: change } }, schema);
        expect(strategicMergePatch(once, { spec: { containers: change } }, schema)).toEqual(once);
      }),
    );
  });
});
