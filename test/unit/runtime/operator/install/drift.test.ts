import { driftOf } from '../../../../../src/runtime/operator/install/drift';

describe('an object differs', () => {
  test.each<[string, unknown, unknown, string | undefined]>([
    ['not if it is equal', { a: { b: [1] } }, { a: { b: [1] } }, undefined],
    ['not if the API server adds defaults', { spec: { a: 1 } }, { spec: { a: 1, b: 2 }, status: {} }, undefined],
    ['in a value', { spec: { a: 1 } }, { spec: { a: 2 } }, 'spec.a'],
    ['in a missing field', { spec: { a: 1 } }, { spec: {} }, 'spec.a'],
    ['in a missing map', { spec: { a: { b: 1 } } }, { spec: {} }, 'spec.a'],
    ['in a map that is something else', { a: { b: 1 } }, { a: 'text' }, 'a'],
    ['in a value that became a map', { a: 1 }, { a: {} }, 'a'],
    ['in a type', { a: '1' }, { a: 1 }, 'a'],
    ['in a null that became a value', { a: null }, { a: 1 }, 'a'],
  ])('%s', (_, desired, actual, want) => expect(driftOf(desired, actual)).toBe(want));

  test.each([[''], [false], [0], [null], [undefined], [{}], [[]]])('not in %j, which the API server omits', (empty) =>
    expect(driftOf({ a: empty }, {})).toBeUndefined(),
  );

  test.each([[''], [false], [0], [[]]])('in %j if there is another value', (empty) =>
    expect(driftOf({ a: empty }, { a: 'x' })).toBe('a'),
  );
});

describe('a list that is merged by name', () => {
  const container = (name: string, image = 'a'): object => ({ name, image });
  const spec = (...containers: object[]): object => ({ spec: { containers } });

  test.each<[string, object, object, string | undefined]>([
    ['may have further elements', spec(container('a')), spec(container('x'), container('a')), undefined],
    ['may have another order', spec(container('a'), container('b')), spec(container('b'), container('a')), undefined],
    ['must have every element', spec(container('a'), container('b')), spec(container('a')), 'spec.containers[b]'],
    ['is compared element by element', spec(container('a')), spec(container('a', 'b')), 'spec.containers[a].image'],
    ['must exist', spec(container('a')), { spec: {} }, 'spec.containers'],
    ['that should be empty has no elements', { env: [] }, { env: [container('a')] }, 'env'],
  ])('%s', (_, desired, actual, want) => expect(driftOf(desired, actual)).toBe(want));

  test.each(['initContainers', 'env', 'volumes', 'imagePullSecrets', 'webhooks', 'matchConditions'])('is %s', (field) =>
    expect(driftOf({ [field]: [{ name: 'a' }] }, { [field]: [{ name: 'b' }, { name: 'a' }] })).toBeUndefined(),
  );
});

describe('another list', () => {
  test.each<[string, unknown[], unknown[], string | undefined]>([
    ['must have the same values', ['a', 'b'], ['a', 'b'], undefined],
    ['must have the same order', ['a', 'b'], ['b', 'a'], 'list[0]'],
    ['must not have further elements', ['a'], ['a', 'b'], 'list'],
    ['must have every element', ['a', 'b'], ['a'], 'list'],
    ['that is empty stays empty', [], ['a'], 'list'],
    ['may have defaults in its elements', [{ port: 1 }], [{ port: 1, protocol: 'TCP' }], undefined],
  ])('%s', (_, desired, actual, want) => expect(driftOf({ list: desired }, { list: actual })).toBe(want));

  test('of subjects must not have further elements, although they have names', () => {
    const subjects = [{ kind: 'ServiceAccount', name: 'kubevirt-handler', namespace: 'kubevirt' }];
    const more = [...subjects, { kind: 'User', name: 'mallory' }];
    expect(driftOf({ subjects }, { subjects: more })).toBe('subjects');
  });

  test('of columns must not lose an element, nor get another one', () => {
    const columns = (...names: string[]): object => ({
      versions: [{ name: 'v1', additionalPrinterColumns: names.map((name) => ({ name })) }],
    });
    expect(driftOf(columns('Age', 'Phase'), columns('Age'))).toBe('versions[0].additionalPrinterColumns');
    expect(driftOf(columns('Age'), columns('Age', 'Phase'))).toBe('versions[0].additionalPrinterColumns');
  });
});
