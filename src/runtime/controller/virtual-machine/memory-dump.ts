/**
 * The memory dump that a VM's status requests, in KubeVirt's phases. Its claim is attached to the launcher like a hotplugged
 * volume that is in VM and VMI; virt-handler writes its progress into the volume's status. Pure.
 */
import type { VirtualMachine, VirtualMachineInstance, VirtualMachineMemoryDumpRequest, Volume } from '../../../api';
import { isForLauncher } from '../../../api/hotplug-volumes';
import { reasons } from '../../../api/reasons';
import { isFinal } from '../instance/observed';
import { isoTime } from '../instance/phase';
import type { Effect } from './actions';

export interface DumpDecision {
  /** The request in the next status; undefined if it is removed. */
  readonly request?: VirtualMachineMemoryDumpRequest;
  /** Writes that precede the status. */
  readonly effects: readonly Effect[];
}

/** Phases in which virt-handler has nothing more to do with a volume. */
const ENDED: readonly string[] = ['MemoryDumpCompleted', 'MemoryDumpFailed', 'Detaching', 'UnMountedFromPod'];
/** Value of the claim's annotation, as in KubeVirt. */
const FAILED = 'Memory dump failed';

export function decideMemoryDump(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  now: number,
): DumpDecision {
  const request = vm.status?.memoryDumpRequest;
  if (!request) return { effects: [] };
  const { claimName } = request;
  const isLive = vmi !== undefined && !isFinal(vmi) && !vmi.metadata.deletionTimestamp;
  const place = placeOf(vm, isLive ? vmi : undefined, claimName);
  if (request.remove || request.phase === 'Dissociating') {
    const isGone = !place.inVm && !place.inVmi && !place.status;
    const leaving = { ...request, phase: 'Dissociating' as const };
    return { ...(!isGone && { request: leaving }), effects: [...place.removeFromVmi(), ...place.removeFromVm()] };
  }
  const fail = (message: string): DumpDecision => ({
    request: { ...request, phase: 'Failed', message, endTimestamp: isoTime(now) },
    effects: [
      annotate(claimName, FAILED),
      { do: 'recordEvent', type: 'Warning', reason: reasons.memoryDumpFailed, message },
    ],
  });
  switch (request.phase) {
    case 'Associating':
      if (!isLive) return fail(NO_GUEST);
      // a dump to this claim has ended, and is being detached
      if (ENDED.includes(place.status?.phase ?? '')) return { request, effects: place.removeFromVmi() };
      if (place.inVm && place.inVmi) return { request: { ...request, phase: 'InProgress' }, effects: [] };
      return { request, effects: [...place.addToVm(), ...place.addToVmi()] };
    case 'InProgress': {
      if (!isLive || !place.inVmi) return fail(NO_GUEST);
      const { phase, message, memoryDumpVolume } = place.status ?? {};
      const { startTimestamp, endTimestamp, targetFileName: fileName } = memoryDumpVolume ?? {};
      const seen = { ...request, ...(startTimestamp !== undefined && { startTimestamp }) };
      if (phase === 'MemoryDumpFailed') {
        const failed = fail(message ?? FAILED);
        return { ...failed, request: { ...seen, ...failed.request!, ...(endTimestamp && { endTimestamp }) } };
      }
      if (phase !== 'MemoryDumpCompleted') return { request: { ...seen, ...(message && { message }) }, effects: [] };
      const { message: _, ...done } = seen;
      return {
        request: { ...done, phase: 'Unmounting', fileName, endTimestamp },
        effects: [annotate(claimName, fileName ?? '')],
      };
    }
    case 'Unmounting': {
      if (place.inVmi || place.status) return { request, effects: place.removeFromVmi() };
      const message = `The memory of the guest is in the file ${request.fileName} of the claim ${claimName}`;
      return {
        request: { ...request, phase: 'Completed' },
        effects: [{ do: 'recordEvent', type: 'Normal', reason: reasons.memoryDumpCompleted, message }],
      };
    }
    case 'Failed':
      return { request, effects: place.removeFromVmi() };
    case 'Completed':
      return { request, effects: [] };
  }
}

const NO_GUEST =
  'the guest ended before its memory was dumped; start the VM, and request the memory dump again when it runs';

const annotate = (claim: string, value: string): Effect => ({ do: 'annotateClaim', claim, value });

/** Presence of the claim's volume in VM and VMI, and the writes that change it. */
function placeOf(vm: VirtualMachine, vmi: VirtualMachineInstance | undefined, claimName: string) {
  const isIts = (volume: Volume): boolean => volume.name === claimName && isForLauncher(volume);
  const volume: Volume = { name: claimName, memoryDump: { claimName, hotpluggable: true } };
  const ofVm = vm.spec.template.spec?.volumes ?? [];
  const ofVmi = vmi?.spec.volumes ?? [];
  const [inVm, inVmi] = [ofVm.some(isIts), ofVmi.some(isIts)];
  const disks = vmi?.spec.domain.devices.disks ?? [];
  const toVm = (volumes: Volume[]): Effect[] => [{ do: 'setTemplateVolumes', volumes }];
  const toVmi = (volumes: Volume[]): Effect[] =>
    vmi ? [{ do: 'changeStorage', vmi, change: { volumes, disks } }] : [];
  return {
    inVm,
    inVmi,
    status: vmi?.status?.volumeStatus?.find(({ name, memoryDumpVolume }) => name === claimName && memoryDumpVolume),
    addToVm: () => (inVm ? [] : toVm([...ofVm, volume])),
    addToVmi: () => (inVmi ? [] : toVmi([...ofVmi, volume])),
    removeFromVm: () => (inVm ? toVm(ofVm.filter((each) => !isIts(each))) : []),
    removeFromVmi: () => (inVmi ? toVmi(ofVmi.filter((each) => !isIts(each))) : []),
  };
}
