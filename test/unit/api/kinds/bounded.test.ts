import { admissionOf } from '../../../../src/api';
import type { KubeObject } from '../../../../src/api';
import { DEEPEST, MOST_KEYS, MOST_VALUES, tooLarge } from '../../../../src/api/kinds/bounded';
import { validVm, validVmi } from '../fixtures';
import { context, type Loose, named, object, updated } from './fixtures';

const of = (more: object): KubeObject => ({ apiVersion: 'v1', kind: 'X', metadata: {}, ...more });
/** apiVersion, kind, metadata, spec. */
const OWN_VALUES = 4;
const list = (length: number): number[] => Array.from({ length }, () => 1);
const keys = (count: number): object => Object.fromEntries(list(count).map((value, i) => [`k${i}`, `${value}`]));
/** `depth` lists in each other; the innermost is empty. */
const nested = (depth: number): unknown => (depth === 1 ? [] : [nested(depth - 1)]);

test.each<[string, KubeObject, string[]]>([
  ['an ordinary VM', validVm(), []],
  ['one value below the most', of({ spec: list(MOST_VALUES - OWN_VALUES - 1) }), []],
  ['the most values', of({ spec: list(MOST_VALUES - OWN_VALUES) }), []],
  ['one value more', of({ spec: list(MOST_VALUES - OWN_VALUES + 1) }), ['object-size  as nothing']],
  ['one value below the most in the status', of({ status: { x: list(MOST_VALUES - 2) } }), []],
  ['the most values in the status', of({ status: { x: list(MOST_VALUES - 1) } }), []],
  ['one value more in the status', of({ status: { x: list(MOST_VALUES) } }), ['object-size  as nothing']],
  [
    'the most values, and a status',
    of({ spec: list(MOST_VALUES - OWN_VALUES - 1), status: { x: list(MOST_VALUES - 1) } }),
    [],
  ],
  [
    'one value more, and a status',
    of({ spec: list(MOST_VALUES - OWN_VALUES), status: {} }),
    ['object-size  as nothing'],
  ],
  ['one key more in the status', of({ status: { x: keys(MOST_KEYS + 1) } }), ['object-keys status.x']],
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

const TOO_WIDE = 'object-keys metadata.annotations';
const RESERVED = 'reserved-label metadata.labels as nothing';
/** A VMI on a node, with this many annotations. */
function wide(node: string, annotations: number): Loose {
  const vmi = validVmi() as Loose;
  const labels = { 'kubevirt.io/nodeName': node };
  return { ...vmi, metadata: { ...vmi.metadata, labels, annotations: keys(annotations) } };
}

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

  test.each<[string, Loose, Loose, boolean, string[]]>([
    ['grows too large by its annotations', wide('n1', MOST_KEYS + 1), wide('n1', MOST_KEYS), false, [TOO_WIDE]],
    ['takes another node as well', wide('n2', MOST_KEYS + 1), wide('n1', 1), false, [TOO_WIDE]],
    ['was too large, and takes another node', wide('n2', MOST_KEYS + 1), wide('n1', MOST_KEYS + 1), false, [RESERVED]],
    [
      'was too large, and gets another node of a component',
      wide('n2', MOST_KEYS + 1),
      wide('n1', MOST_KEYS + 1),
      true,
      [],
    ],
    ['was too large, and grows', wide('n1', MOST_KEYS + 2), wide('n1', MOST_KEYS + 1), false, []],
    ['has the most keys, and takes another node', wide('n2', MOST_KEYS), wide('n1', MOST_KEYS + 1), false, [RESERVED]],
  ])('a VMI that %s', (_, now, before, trusted, want) => {
    expect(updated(now, before, { by: { trusted } })).toEqual(want);
  });

  test('a migration that was too large keeps the label by which controllers find it', () => {
    const of = (vmi: string): Loose =>
      object(
        'kubevirt.io/v1',
        'VirtualMachineInstanceMigration',
        { vmiName: 'a' },
        {
          labels: { 'kubevirt.io/vmi-name': vmi },
          annotations: keys(MOST_KEYS + 1),
        },
      );
    expect(updated(of('a'), of('a'))).toEqual([]);
    expect(updated(of('b'), of('a'))).toEqual([expect.stringMatching(/^migration-label /)]);
  });

  test('too deep is not compared with what was stored', () => {
    const deep = vm({ x: nested(DEEPEST + 1) });
    expect(named(rules.update!(deep, deep, context()))).toEqual([expect.stringMatching(/^object-depth spec\.x/)]);
  });
});

test('a list that is too long is not validated by its items', () => {
  const vmi = validVmi() as Loose;
  const volumes = (length: number): Loose => ({
    ...vmi,
    spec: { ...vmi.spec, volumes: list(length).map((_, i) => ({ name: `v${i}`, nonsense: true })) },
  });
  const reported = (length: number): string[] =>
    admissionOf(vmi)!
      .create(volumes(length), context())
      .map(({ rule }) => rule);
  expect(reported(257)).toEqual(['schema-items']);
  expect(new Set(reported(256))).toEqual(new Set(['schema-unknown-field', 'schema-more']));
});
