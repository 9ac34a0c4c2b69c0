import type { VirtualMachineInstance, VolumeStatus } from '../../../../../src/api';
import { attachmentPodName } from '../../../../../src/api/attachment-name';
import { decideHotplug } from '../../../../../src/runtime/controller/hotplug/decide';
import { decide } from '../../../../../src/runtime/controller/instance/decide';
import type { Observed } from '../../../../../src/runtime/controller/instance/observed';
import type { ClaimInfo, Pod } from '../../../../../src/runtime/controller/pod';
import { condition, dataVolumes, onNode, pod, running, seen, vmi as made } from '../fixtures';

const launcher = pod({ phase: 'Running' }, onNode);
const name = attachmentPodName('pod-uid', [{ name: 'data', claimName: 'c' }]);
const wanting = (
  status: Partial<VolumeStatus>[] = [],
  kind: 'claim' | 'dataVolume' = 'claim',
): VirtualMachineInstance =>
  running((each) => {
    each.spec.volumes!.push(
      kind === 'claim'
        ? { name: 'data', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } }
        : { name: 'data', dataVolume: { name: 'c', hotpluggable: true } },
    );
    each.spec.domain.devices.disks!.push({ name: 'data', disk: { bus: 'scsi' } });
    each.status!.volumeStatus = status.map((known) => ({ name: 'data', target: '', hotplugVolume: {}, ...known }));
  });
const leaves = (phase: VolumeStatus['phase']): VirtualMachineInstance =>
  running((each) => {
    const persistentVolumeClaimInfo = { claimName: 'c' };
    each.status!.volumeStatus = [{ name: 'data', target: 'sda', phase, hotplugVolume: {}, persistentVolumeClaimInfo }];
  });
const attachment = (phase: 'Pending' | 'Running' | 'Failed', more: object = {}): Pod =>
  ({
    metadata: { name, namespace: 'web', uid: 'a-uid', ...more },
    spec: { containers: [], nodeName: 'n1' },
    status: { phase },
  }) as unknown as Pod;
const bound: ClaimInfo = { uid: 'c-uid', isBound: true, accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } };
const claims = new Map([['c', bound]]);

const result = (vmi: VirtualMachineInstance, more: Partial<Observed> = {}) => {
  const { actions, volumeStatus } = decideHotplug(seen(vmi, { claims, ...more }), launcher);
  const status = volumeStatus?.find((each) => each.name === 'data');
  return { does: actions.map((action) => action.do), phase: status?.phase, reason: status?.reason, status };
};

test('creates a Pod for a wanted volume, on the node of the launcher', () => {
  expect(result(wanting())).toMatchObject({
    does: ['createAttachment', 'recordEvent'],
    phase: 'Bound',
    status: { hotplugVolume: { attachPodName: name }, persistentVolumeClaimInfo: { claimName: 'c' } },
  });
  const { actions } = decideHotplug(seen(wanting(), { claims }), launcher);
  expect(actions[0]).toMatchObject({ pod: { metadata: { name, ownerReferences: [{ uid: 'pod-uid' }] } } });
});

test.each<[string, VirtualMachineInstance, Partial<Observed>, object]>([
  ['a claim is missing', wanting(), { claims: new Map() }, { does: [], phase: 'Pending', reason: 'FailedPvcNotFound' }],
  [
    'a DataVolume has no claim yet',
    wanting([], 'dataVolume'),
    { claims: new Map(), dataVolumes: dataVolumes('ImportInProgress', 'u', 'c') },
    { does: [], phase: 'Pending', reason: 'DataVolumePending' },
  ],
  [
    'a DataVolume is being imported',
    wanting([], 'dataVolume'),
    {
      claims: new Map([['c', { ...bound, dataVolume: { name: 'c', uid: 'u', saysFilled: false } }]]),
      dataVolumes: dataVolumes('ImportInProgress', 'u', 'c'),
    },
    { does: [], phase: 'Pending', reason: 'DataVolumePending' },
  ],
  [
    'another VM uses the claim',
    wanting(),
    { claimUsers: new Map([['c', 'other']]) },
    { does: [], phase: 'Pending', reason: 'ClaimInUse' },
  ],
  [
    'its Pod starts',
    wanting([{ phase: 'Pending' }]),
    { attachments: [attachment('Pending')] },
    { does: [], phase: 'Bound' },
  ],
  [
    'its Pod runs',
    wanting([{ phase: 'Bound' }]),
    { attachments: [attachment('Running')] },
    { does: [], phase: 'AttachedToNode', status: { hotplugVolume: { attachPodUID: 'a-uid' } } },
  ],
  [
    'virt-handler has it',
    wanting([{ phase: 'Ready' }]),
    { attachments: [attachment('Running')] },
    { does: [], phase: 'Ready' },
  ],
  [
    'its Pod was deleted while it is in use',
    wanting([{ phase: 'Ready' }]),
    {},
    { does: ['createAttachment', 'recordEvent'], phase: 'Ready' },
  ],
  [
    'its Pod has ended',
    wanting([{ phase: 'Ready' }]),
    { attachments: [attachment('Failed')] },
    { does: ['deleteAttachment'], phase: 'Ready' },
  ],
])('%s', (_, vmi, more, expected) => {
  expect(result(vmi, more)).toMatchObject(expected);
});

test.each<[string, VolumeStatus['phase'], Pod[], string[], number | undefined]>([
  ['keeps the Pod of a volume that the guest has', 'Detaching', [attachment('Running')], [], undefined],
  [
    'deletes the Pod of a released volume',
    'UnMountedFromPod',
    [attachment('Running')],
    ['deleteAttachment'],
    undefined,
  ],
  ['waits for its end', 'UnMountedFromPod', [attachment('Running', { deletionTimestamp: 'now' })], [], undefined],
  ['removes its status when the Pod is gone', 'UnMountedFromPod', [], [], 0],
])('%s', (_, phase, attachments, does, left) => {
  const { actions, volumeStatus } = decideHotplug(seen(leaves(phase), { claims, attachments }), launcher);
  expect([actions.map((action) => action.do), volumeStatus?.length]).toEqual([does, left]);
});

test('does nothing for a guest that does not run yet, or that has no such volumes', () => {
  expect(decideHotplug(seen(running()), launcher)).toEqual({ actions: [] });
  const early = made({ phase: 'Scheduled' }, ({ spec }) => spec.volumes!.push(wanting().spec.volumes!.at(-1)!));
  expect(decideHotplug(seen(early, { claims }), launcher)).toEqual({ actions: [] });
});

test('does not write a status that it has written', () => {
  const first = decideHotplug(seen(wanting(), { claims }), launcher).volumeStatus!;
  const again = wanting();
  again.status!.volumeStatus = first;
  expect(decideHotplug(seen(again, { claims, attachments: [attachment('Pending')] }), launcher)).toEqual({
    actions: [],
  });
});

test('leaves the condition for a missing claim to virt-handler until the claim exists', () => {
  const waiting = wanting();
  waiting.status!.volumeStatus = decideHotplug(seen(waiting, { claims: new Map() }), launcher).volumeStatus;
  const { reason, message } = waiting.status!.volumeStatus![0];
  const ready = waiting.status!.conditions!;
  waiting.status!.conditions = [...ready, condition('Synchronized', 'False', reason, message)];
  const written = (more: Partial<Observed>): object[] =>
    decide(seen(waiting, { pod: launcher, ...more })).filter((action) => action.do === 'patchStatus');
  expect(written({ claims: new Map() })).toEqual([]);
  expect(written({ claims })).toEqual([{ do: 'patchStatus', status: expect.objectContaining({ conditions: ready }) }]);
});
