import type { Chain, ListedTable } from '../../../../../src/runtime/handler/network/nft';
import { hasTable, replaceTable } from '../../../../../src/runtime/handler/network/nft';
import { listedBy } from './listed';

const chains: Chain[] = [
  { name: 'guard', type: 'filter', hook: 'prerouting', priority: -300, rules: ['drop', 'accept'] },
  { name: 'local', type: 'nat', hook: 'output', priority: -100, rules: [] },
];

const listed = (): ListedTable => listedBy(replaceTable(chains));
const without = (index: number): ListedTable => ({ nftables: listed().nftables.filter((_, i) => i !== index) });
const changed = (index: number, to: object): ListedTable => ({
  nftables: listed().nftables.map((item, i) => (i === index ? to : item)),
});
const guard = { name: 'guard', type: 'filter', hook: 'prerouting', prio: -300 };

test('a table is replaced in one transaction, also the first time', () => {
  expect(replaceTable(chains).split('\n').slice(0, 3)).toEqual([
    'table inet virt8s',
    'delete table inet virt8s',
    'table inet virt8s {',
  ]);
});

test.each<[string, ListedTable | undefined, boolean]>([
  ['the same table', listed(), true],
  ['no table', undefined, false],
  ['a missing rule', without(3), false],
  ['a missing chain', without(4), false],
  ['a rule without a comment, as the previous version made them', changed(3, { rule: { chain: 'guard' } }), false],
  ['a rule made from something else', changed(3, { rule: { chain: 'guard', comment: 'beef' } }), false],
  ['rules in another order', changed(2, listed().nftables[3]!), false],
  ['one rule more', { nftables: [...listed().nftables, { rule: { chain: 'local', comment: 'x' } }] }, false],
  ['one chain more', { nftables: [...listed().nftables, { chain: { name: 'x' } }] }, false],
  ['another chain in the place of one', changed(4, { chain: { ...guard, name: 'x' } }), false],
  ['another hook', changed(1, { chain: { ...guard, hook: 'input' } }), false],
  ['another type', changed(1, { chain: { ...guard, type: 'nat' } }), false],
  ['another priority', changed(1, { chain: { ...guard, prio: -299 } }), false],
  ['the same chain', changed(1, { chain: guard }), true],
])('%s', (_, table, want) => expect(hasTable(chains, table)).toBe(want));
