import { admissionOf } from '../../../src/api';
import type { KubeObject } from '../../../src/api';
import crds from '../../../src/api/generated/crds.json';
import { root } from '../../../src/api/findings';
import type { Finding } from '../../../src/api/findings';
import { MOST_MISTAKES, mistakesOf } from '../../../src/api/mistakes';
import type { Crd } from '../../support/filled';
import { itemOf, placesOf, within } from '../../support/places';
import { context } from './kinds/fixtures';

const wrong = (i: number): Finding => ({ rule: 'label', path: root.at(i), cause: 'is wrong', remedy: 'correct it' });

test.each([
  ['no items', 0, 1, 0, 0],
  ['items without mistakes', 1000, 0, 1000, 0],
  ['one mistake less than the most', MOST_MISTAKES - 1, 1, MOST_MISTAKES - 1, MOST_MISTAKES - 1],
  ['the most mistakes', MOST_MISTAKES, 1, MOST_MISTAKES, MOST_MISTAKES],
  ['one mistake more', MOST_MISTAKES + 1, 1, MOST_MISTAKES, MOST_MISTAKES],
  ['an item with too many', 2, MOST_MISTAKES + 1, 1, MOST_MISTAKES],
])('of a list with %s', (_, items, each, validated, reported) => {
  const rule = jest.fn((item: number) => Array.from({ length: each }, () => wrong(item)));
  const errors = mistakesOf(
    Array.from({ length: items }, (__, i) => i),
    rule,
  );
  expect([rule.mock.calls.length, errors.length]).toEqual([validated, reported]);
});

/** Kinds with rules, and every list of their schemas. */
const lists = (crds as unknown as Crd[]).flatMap(({ spec: { group, names, versions } }) => {
  const version = versions.find(({ storage }) => storage) ?? versions[0]!;
  const of = { apiVersion: `${group}/${version.name}`, kind: names.kind };
  const schema = version.schema.openAPIV3Schema;
  return admissionOf(of) ? [{ of, schema, places: placesOf(schema, ({ type }) => type === 'array') }] : [];
});

test.each(lists.map((list) => [list.of.kind, list] as const))('no list of a %s has endless mistakes', (_, list) => {
  const { of, schema, places } = list;
  const rules = admissionOf(of)!;
  const many = places.flatMap((place) => {
    const items = Array.from({ length: 8 * MOST_MISTAKES }, () => itemOf(place.schema.items ?? {}, 'Not A Name'));
    const body = within(schema, place.path, () => items) as object;
    const object = { metadata: { name: 'x', namespace: 'default' }, ...body, ...of } as KubeObject;
    // a list may break a few rules
    return rules.create(object, context()).length > 4 * MOST_MISTAKES ? [place.path.join('.')] : [];
  });
  expect(many).toEqual([]);
});
