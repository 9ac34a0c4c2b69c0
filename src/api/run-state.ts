import type { VirtualMachine, VirtualMachineInstance, VirtualMachineStateChangeRequest } from './generated/kubevirt-v1';

export type RunStrategy = NonNullable<VirtualMachine['spec']['runStrategy']>;

/** `runStrategy`, or the strategy that the older `running` means. */
export function runStrategyOf({ spec: { runStrategy, running } }: VirtualMachine): RunStrategy | undefined {
  if (runStrategy) return runStrategy;
  return running == null ? undefined : running ? 'Always' : 'Halted';
}

/** The guest has ended. */
export const isFinal = ({ status }: VirtualMachineInstance): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';

/**
 * Requests in the VM's status that still ask for something, given its present instance. virt-api and virt-controller
 * must agree on this: what the one accepts, the other has to do. Only the first request counts; the next one is looked
 * at when that is done.
 */
export function openRequests(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
): VirtualMachineStateChangeRequest[] {
  const isRunning = vmi !== undefined && !vmi.metadata.deletionTimestamp && !isFinal(vmi);
  const isDone = ({ action, uid }: VirtualMachineStateChangeRequest): boolean =>
    action === 'Stop' ? !vmi || uid !== vmi.metadata.uid : isRunning;
  const requests = (vm.status?.stateChangeRequests ?? []).filter((request) => !isOverruled(vm, request));
  const first = requests.findIndex((request) => !isDone(request));
  return first < 0 ? [] : requests.slice(first);
}

/**
 * A Start that the spec overrules: whoever set Halted wants no guest, whatever was asked before. Only `start --paused`
 * asks a halted VM by a request.
 */
function isOverruled(vm: VirtualMachine, { action, data }: VirtualMachineStateChangeRequest): boolean {
  if (action !== 'Start') return false;
  const strategy = runStrategyOf(vm);
  if (strategy === 'WaitAsReceiver') return true;
  return strategy === 'Halted' && !(data?.paused === 'true' && isOfThisSpec(vm, data.generation));
}

/**
 * The request names the generation of the spec that it was asked of: a later generation says Halted again. Earlier
 * versions named none; such a request counts while the spec is the one that virt-controller last saw halted.
 */
function isOfThisSpec({ metadata, status }: VirtualMachine, named: string | null | undefined): boolean {
  if (named != null) return named === String(metadata.generation);
  return status?.runStrategy === 'Halted' && status.observedGeneration === metadata.generation;
}
