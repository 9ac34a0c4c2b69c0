import { numberOf, poolKeyOf } from '../../../../../src/runtime/controller/pool/observed';
import { all, member, ownerless, pool } from './fixtures';

const bare = all(ownerless, ({ vm }) => void delete vm.metadata.finalizers);

test.each<[string, string | undefined, string | undefined]>([
  ['that owns it', poolKeyOf(member(3).vm), 'n/web'],
  ['whose finalizer it has', poolKeyOf(member(3, ownerless).vm), 'n/web'],
  ['of none', poolKeyOf(member(3, bare).vm), undefined],
])('a VM belongs to the pool %s', (_, key, want) => expect(key).toBe(want));

test.each<[string, number | undefined]>([
  ['web-0', 0],
  ['web-17', 17],
  ['web-017', undefined],
  ['web-', undefined],
  ['web-a', undefined],
  ['other-1', undefined],
  ['web-1-2', undefined],
  ['web-99999999999', undefined],
])('the number of %s is %p', (name, want) => {
  expect(numberOf(pool(), member(0, ({ vm }) => void (vm.metadata.name = name)).vm)).toBe(want);
});
