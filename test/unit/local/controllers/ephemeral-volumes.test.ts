import { decide } from '../../../../src/local/controllers/ephemeral-volumes/decide';
import type { PersistentVolumeClaim, Pod, Volume } from '../../../../src/local/core-v1';

const spec = { storageClassName: 'local', accessModes: ['ReadWriteOnce'] };
const template = { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, spec };
const pod = (volumes: Volume[], metadata = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ns', uid: 'u', ...metadata },
  spec: { containers: [], volumes },
});
const scratch: Volume = { name: 'scratch', ephemeral: { volumeClaimTemplate: template } };
const claim = (uid: string, controller = true): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    name: 'p-scratch',
    namespace: 'ns',
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid, controller }],
  },
});
const conflict = { volume: 'scratch', message: 'PVC ns/p-scratch was not created for pod ns/p (pod is not owner)' };

test.each<[string, Pod, PersistentVolumeClaim | undefined, object]>([
  ['no volume', pod([]), undefined, { create: [] }],
  ['other volumes', pod([{ name: 'e', emptyDir: {} }, { name: 'c', persistentVolumeClaim: { claimName: 'x' } }]), undefined, { create: [] }],
  ['an existing claim of the Pod', pod([scratch]), claim('u'), { create: [] }],
  ['a claim of an earlier Pod', pod([scratch]), claim('old'), { conflict }],
  ['a claim that the Pod owns without controlling it', pod([scratch]), claim('u', false), { conflict }],
  ['a deleted Pod', pod([scratch], { deletionTimestamp: 'now' }), undefined, { create: [] }],
])('%s needs no new claim', (_, given, known, plan) => expect(decide(given, () => known)).toEqual(plan)); // prettier-ignore

test('a missing claim is created from the template and belongs to the Pod', () => {
  const plan = decide(pod([scratch]), () => undefined);
  expect(plan).toEqual({
    create: [
      {
        volume: 'scratch',
        claim: {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: {
            name: 'p-scratch',
            namespace: 'ns',
            labels: { a: 'b' },
            annotations: { c: 'd' },
            ownerReferences: [
              { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', controller: true, blockOwnerDeletion: true },
            ],
          },
          spec,
        },
      },
    ],
  });
});
