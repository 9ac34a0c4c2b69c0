import { isLauncherOf } from '../../../../src/api/launcher-name';
import { claimedOwner } from '../../../../src/runtime/controller/launcher-pod';
import type { Pod } from '../../../../src/runtime/controller/pod';
import { pod, vmi } from './fixtures';

const owner = (p: Pod) => p.metadata.ownerReferences![0];

test.each<[string, (pod: Pod) => void, boolean]>([
  ['the Pod that the controller made', () => {}, true],
  [
    'a Pod of another name with a copied ownerReference',
    (p) => (p.metadata.name = 'virt-launcher-fedora-aaaaa'),
    false,
  ],
  ['a Pod of the name in another namespace', (p) => (p.metadata.namespace = 'other'), false],
  ['a Pod of the name that belongs to an earlier VMI', (p) => (owner(p).uid = 'old-uid'), false],
  ['a Pod of the name whose owner does not control it', (p) => (owner(p).controller = false), false],
  ['a Pod of the name that belongs to another kind', (p) => (owner(p).kind = 'ReplicaSet'), false],
  ['a Pod of the name that belongs to the kind of another group', (p) => (owner(p).apiVersion = 'x.io/v1'), false],
  ['a Pod of the name without an owner', (p) => delete p.metadata.ownerReferences, false],
])('%s: launcher %#', (_, change, want) => expect(isLauncherOf(vmi(), pod({}, change))).toBe(want));

test('the VMI that a Pod refers to as its owner is woken, with any name of the Pod', () => {
  expect(claimedOwner(pod({}, (p) => (p.metadata.name = 'x')))).toBe('web/fedora');
  expect(claimedOwner(pod({}, (p) => (owner(p).kind = 'ReplicaSet')))).toBeUndefined();
  expect(claimedOwner(pod({}, (p) => (owner(p).controller = false)))).toBeUndefined();
});
