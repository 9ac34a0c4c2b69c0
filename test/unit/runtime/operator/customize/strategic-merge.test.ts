import { strategicMergePatch } from '../../../../../src/local/api-server/patch/strategic-merge';
import { builtinSchema } from '../../../../../src/local/api-server/schema';
import { strategicMerge } from '../../../../../src/runtime/operator/customize/strategic-merge';
import fc from '../../../../support/fast-check';

const container = (name: string, rest: object = {}): object => ({ name, ...rest });
const before = {
  spec: {
    replicas: 2,
    containers: [container('a', { image: 'a:1', args: ['--x'] }), container('b', { image: 'b:1' })],
    tolerations: [{ key: 'a' }],
    nodeSelector: { os: 'linux' },
  },
};
const merged = (spec: object): object => (strategicMerge(before, { spec }) as { spec: object }).spec;

describe('a patch', () => {
  test.each<[string, object, object]>([
    ['merges maps', { nodeSelector: { arch: 'amd64' } }, { nodeSelector: { os: 'linux', arch: 'amd64' } }],
    ['removes a field with null', { nodeSelector: { os: null } }, { nodeSelector: {} }],
    ['replaces lists without a merge key', { tolerations: [] }, { tolerations: [] }],
    [
      'merges elements of lists with a merge key',
      { containers: [{ name: 'b', image: 'b:2' }] },
      { containers: [container('a', { image: 'a:1', args: ['--x'] }), container('b', { image: 'b:2' })] },
    ],
    [
      'replaces lists within elements',
      { containers: [{ name: 'a', args: ['--y'] }] },
      { containers: [container('a', { image: 'a:1', args: ['--y'] }), container('b', { image: 'b:1' })] },
    ],
    [
      'removes an element',
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [container('b', { image: 'b:1' })] },
    ],
    ['replaces a list', { containers: [{ $patch: 'replace' }, container('c')] }, { containers: [container('c')] }],
    ['replaces a map', { nodeSelector: { $patch: 'replace', arch: 'arm64' } }, { nodeSelector: { arch: 'arm64' } }],
    ['empties a map', { nodeSelector: { $patch: 'delete' } }, { nodeSelector: {} }],
    ['adds a list', { initContainers: [container('i', { image: null })] }, { initContainers: [container('i')] }],
  ])('%s', (_, spec, want) => expect(merged(spec)).toMatchObject(want));

  test('puts new elements first, so that a new init container runs before the others', () => {
    const { containers } = merged({ containers: [container('c')] }) as { containers: { name: string }[] };
    expect(containers.map(({ name }) => name)).toEqual(['c', 'a', 'b']);
  });

  test('leaves the original as it is', () => {
    const copy = structuredClone(before);
    merged({ containers: [{ name: 'a', image: 'a:2' }], nodeSelector: { os: null } });
    expect(before).toEqual(copy);
  });

  test.each<[string, object, string]>([
    ['an element without its key', { containers: [{ image: 'a' }] }, 'an element of containers has no "name"'],
    ['an element that is not a map', { containers: ['a'] }, 'an element of containers is not a map'],
    ['an unknown directive', { containers: [{ name: 'a', $patch: 'merge' }] }, '$patch: "merge" is not'],
    ['an unknown directive of a map', { nodeSelector: { $patch: 5 } }, '$patch: 5 is not "delete" or "replace"'],
    [
      'a directive that would become a field',
      { '$setElementOrder/containers': [{ name: 'a' }] },
      'the directive $setElementOrder/containers is not supported; use $patch',
    ],
  ])('with %s is rejected', (_, spec, want) => expect(() => merged(spec)).toThrow(want));
});

test.each([
  ['a Service by their port', { ports: [{ port: 443, name: 'a' }] }, { ports: [{ port: 443, nodePort: 1 }] }],
  [
    'a container by theirs',
    { ports: [{ containerPort: 1, name: 'a' }] },
    { ports: [{ containerPort: 1, nodePort: 1 }] },
  ],
])('ports merge in %s', (_, original, patch) => {
  expect(strategicMerge(original, patch)).toEqual({ ports: [{ ...original.ports[0], ...patch.ports[0] }] });
});

describe('is the same as in Kubernetes', () => {
  const schema = builtinSchema('apps', 'v1', 'Deployment')!;
  const names = fc.constantFrom('a', 'b', 'c', 'd');
  const text = fc.constantFrom('x', 'y');
  const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
  const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
    fc.oneof({ arbitrary: maybe(value), weight: 6 }, { arbitrary: fc.constant(null), weight: 1 });
  const unique = (by: string, element: fc.Arbitrary<object>): fc.Arbitrary<object[]> =>
    fc.uniqueArray(element, { selector: (each) => (each as Record<string, unknown>)[by], maxLength: 3 });
  const clean = (value: unknown): object => JSON.parse(JSON.stringify(value)) as object;

  /** Part of a Deployment, or of a patch, in which any field may be null and elements may have directives. */
  const deployment = (isPatch: boolean): fc.Arbitrary<object> => {
    const field = isPatch ? orNull : maybe;
    const directive = isPatch ? { $patch: maybe(fc.constantFrom('delete')) } : {};
    const env = unique('name', fc.record({ name: names, value: field(text), ...directive }));
    const volumeMounts = unique('mountPath', fc.record({ mountPath: names, name: field(text), ...directive }));
    const ports = unique(
      'containerPort',
      fc.record({ containerPort: fc.integer({ min: 1, max: 3 }), name: field(text) }),
    );
    const containers = unique(
      'name',
      fc.record({
        ...{ name: names, image: field(text), args: field(fc.array(text, { maxLength: 2 })) },
        ...{ env: field(env), volumeMounts: field(volumeMounts), ports: field(ports), ...directive },
      }),
    );
    const marker = fc.constant({ $patch: 'replace' });
    const list = isPatch
      ? fc.oneof(
          containers,
          fc.tuple(marker, containers).map(([first, rest]) => [first, ...rest]),
        )
      : containers;
    const selector = fc.record({
      a: field(text),
      b: field(text),
      ...(isPatch ? { $patch: maybe(fc.constant('replace')) } : {}),
    });
    const pod = fc.record({
      ...{ nodeSelector: field(selector), initContainers: field(list), containers: field(list) },
      tolerations: field(fc.array(fc.record({ key: names }), { maxLength: 2 })),
    });
    return fc
      .record({ replicas: field(fc.integer({ min: 0, max: 2 })), template: field(fc.record({ spec: field(pod) })) })
      .map((spec) => clean({ spec }));
  };

  test('for Deployments', () => {
    const outcome = (merge: () => unknown): unknown => {
      try {
        return clean(merge());
      } catch {
        return 'rejected';
      }
    };
    fc.assert(
      fc.property(deployment(false), deployment(true), (original, patch) => {
        expect(outcome(() => strategicMerge(original, patch))).toEqual(
          outcome(() => strategicMergePatch(original, patch, schema)),
        );
      }),
    );
  });
});
