import { claimKeys, stateKeys } from '../../../../src/runtime/controller/context';
import { definitionKeys } from '../../../../src/runtime/controller/pod';
import { slimClaim } from '../../../../src/runtime/controller/trim';
import { vmi } from './fixtures';

/** Who is woken by what: an instance that waits for an object is found by that object's key. */
test('an instance waits for the claims and DataVolumes of its volumes', () => {
  const of = vmi({}, (v) => {
    v.spec.volumes = [
      { name: 'a', persistentVolumeClaim: { claimName: 'claim' } },
      { name: 'b', dataVolume: { name: 'volume' } },
      { name: 'c', ephemeral: { persistentVolumeClaim: { claimName: 'backing' } } },
      { name: 'd', containerDisk: { image: 'disk:1' } },
    ];
  });
  expect(claimKeys(of)).toEqual(['web/claim', 'web/volume', 'web/backing']);
  expect(claimKeys(vmi({}, (v) => delete v.spec.volumes))).toEqual([]);
});

test('an instance waits for the NetworkAttachmentDefinitions of its networks, in any namespace', () => {
  const of = vmi({}, (v) => {
    v.spec.networks!.push({ name: 'a', multus: { networkName: 'net' } }, { name: 'b', multus: { networkName: 'x/y' } });
  });
  expect(definitionKeys(of)).toEqual(['web/net', 'x/y']);
});

test.each<[string, object, string[]]>([
  ['by its label', { name: 'any', labels: { 'persistent-state-for': 'fedora' } }, ['web/fedora']],
  ['by its usual name', { name: 'persistent-state-for-fedora' }, ['web/fedora']],
  ['not by another name', { name: 'fedora' }, []],
])('a claim for state wakes its instance: %s', (_, metadata, want) => {
  const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { namespace: 'web', ...metadata } };
  expect(stateKeys(slimClaim(claim))).toEqual(want);
});
