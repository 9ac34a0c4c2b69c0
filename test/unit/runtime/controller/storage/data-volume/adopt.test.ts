import { decide, type DataVolume } from '../../../../../../src/runtime/controller/storage/data-volume/decide';
import { claim } from '../fixtures';

const dataVolume = {
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  metadata: { name: 'root', namespace: 'n', uid: 'dv-uid' },
  spec: { source: { blank: {} }, storage: {} },
} as unknown as DataVolume;
const cluster = { find: () => undefined, list: () => [] };
const gated = { find: () => ({ spec: { featureGates: ['DataVolumeClaimAdoption'] } }) as never, list: () => [] };
const ALLOW = 'cdi.kubevirt.io/allowClaimAdoption';
const POPULATED = 'cdi.kubevirt.io/storage.populatedFor';
const owner = (controller: boolean) => [{ apiVersion: 'v1', kind: 'Other', name: 'o', uid: 'o', controller }];
const owned = (given: Record<string, string>, controller?: boolean) => {
  const made = claim(given);
  return controller === undefined
    ? made
    : { ...made, metadata: { ...made.metadata, ownerReferences: owner(controller) } };
};

test.each([
  ['one that was filled for it', owned({ [POPULATED]: 'root' }), true],
  ['one that a restore still owns', owned({ [POPULATED]: 'root' }, false), true],
  ['not one of another controller', owned({ [POPULATED]: 'root' }, true), false],
  ['not one that was filled for another', owned({ [POPULATED]: 'other' }), false],
  ['not one of unknown content', owned({}), false],
])('a DataVolume adopts a claim of its name: %s', (_, existing, isAdopted) => {
  const { actions, status } = decide({ dataVolume, claim: existing, cluster, now: 0 });
  expect(actions).toEqual(
    isAdopted ? [{ do: 'adoptClaim', object: existing, owner: expect.objectContaining({ uid: 'dv-uid' }) }] : [],
  );
  expect(status.conditions?.some(({ reason }) => reason === 'ErrClaimExists')).toBe(!isAdopted);
});

test.each([
  ['its annotation allows it', cluster, 'true', undefined, true],
  ['its annotation forbids it', gated, 'false', undefined, false],
  ['the gate is on', gated, undefined, undefined, true],
  ['the gate is off', cluster, undefined, undefined, false],
  ['another object owns the claim, without controlling it', cluster, 'true', false, true],
  ['another object controls the claim', cluster, 'true', true, false],
])('a DataVolume adopts a claim of unknown content only if it may: %s', (_, where, answer, controller, isAdopted) => {
  const asking = {
    ...dataVolume,
    metadata: { ...dataVolume.metadata, ...(answer && { annotations: { [ALLOW]: answer } }) },
  };
  const { actions } = decide({ dataVolume: asking, claim: owned({}, controller), cluster: where, now: 0 });
  expect(actions.map((action) => action.do)).toEqual(isAdopted ? ['adoptClaim'] : []);
});
