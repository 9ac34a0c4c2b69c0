import { admissionOf } from '../../../../src/api';
import type { KubeObject } from '../../../../src/api';
import { DEEPEST, MOST_KEYS, MOST_VALUES, tooLarge } from '../../../../src/api/kinds/bounded';
import { validVm, validVmi } from '../fixtures';
import { context, type Loose, named } from './fixtures';

const of = (more: object): KubeObject => ({ apiVersion: 'v1', kind: 'X', metadata: {}, ...more });
/** apiVersion, kind, metadata, spec. */
const OWN_VALUES = 4;
const list = (length: number): number[] => Array.from({ length }, () => 1);
const keys = (count: number): object => Object.fromEntries(list(count).map((value, i) => [`k${i}`, value]));
/** `depth` lists in each other; the innermost is empty. */
const nested = (depth: number): unknown => (depth === 1 ? [] : [nested(depth - 1)]);

test.each<[string, KubeObject, string[]]>([
  ['an ordinary VM', validVm(), []],
  ['one value below the most', of({ spec: list(MOST_VALUES - OWN_VALUES - 1) }), []],
  ['the most values', of({ spec: list(MOST_VALUES - OWN_VALUES) }), []],
  ['one value more', of({ spec: list(MOST_VALUES - OWN_VALUES + 1) }), ['object-size  as nothing']],
  ['the most keys', of({ spec: { labels: keys(MOST_KEYS) } }), []],
  ['one key more', of({ spec: { labels: keys(MOST_KEYS + 1) } }), ['object-keys spec.labels']],
  ['the deepest lists', of({ spec: nested(DEEPEST) }), []],
  ['lists one deeper', of({ spec: nested(DEEPEST + 1) }), [`object-depth spec${'[0]'.repeat(DEEPEST)}`]],
  [
    'lists that no recursion can follow',
    of({ spec: JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)) as unknown }),
    [`object-depth spec${'[0]'.repeat(DEEPEST)}`],
  ],
  ['many managed fields', of({ metadata: { managedFields: [keys(MOST_VALUES + 1)] } }), []],
  ['many labels', of({ metadata: { labels: keys(MOST_KEYS + 1) } }), ['object-keys metadata.labels']],
])('%s', (_, object, want) => expect(named(tooLarge(object))).toEqual(want));

describe('an object that is too large', () => {
  const vm = (more: object = {}): Loose => {
    const given = validVm() as Loose;
    return { ...given, spec: { ...given.spec, ...more } };
  };
  const large = vm({ dataVolumeTemplates: list(MOST_VALUES) });
  const rules = admissionOf(large)!;

  test('is not looked into', () => {
    expect(named(rules.create(large, context()))).toEqual(['object-size  as nothing']);
    expect(named(rules.update!(large, vm(), context()))).toEqual(['object-size  as nothing']);
    expect(rules.mutate!(large, context())).toBe(large);
    expect(rules.warnings!(large, context())).toEqual([]);
  });

  test('can still lose a finalizer when it was stored before', () => {
    const freed = { ...large, metadata: { ...large.metadata, finalizers: [] } };
    expect(rules.update!(freed, large, context())).toEqual([]);
  });

  test('too deep is not compared with what was stored', () => {
    const deep = vm({ x: nested(DEEPEST + 1) });
    expect(named(rules.update!(deep, deep, context()))).toEqual([expect.stringMatching(/^object-depth spec\.x/)]);
  });
});

test('a list that is too long is not judged by its items', () => {
  const vmi = validVmi() as Loose;
  const volumes = (length: number): Loose => ({
    ...vmi,
    spec: { ...vmi.spec, volumes: list(length).map((_, i) => ({ name: `v${i}`, nonsense: true })) },
  });
  const told = (length: number): string[] =>
    admissionOf(vmi)!
      .create(volumes(length), context())
      .map(({ rule }) => rule);
  expect(told(257)).toEqual(['schema-items']);
  expect(new Set(told(256))).toEqual(new Set(['schema-unknown-field', 'schema-more']));
});
