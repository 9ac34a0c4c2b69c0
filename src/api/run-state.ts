import type { VirtualMachine, VirtualMachineInstance, VirtualMachineStateChangeRequest } from './generated/kubevirt-v1';

export type RunStrategy = NonNullable<VirtualMachine['spec']['runStrategy']>;

/** Returns `runStrategy`, or the strategy that corresponds to the older `running`. */
export function runStrategyOf({ spec: { runStrategy, running } }: VirtualMachine): RunStrategy | undefined {
  if (runStrategy) return runStrategy;
  return running == null ? undefined : running ? 'Always' : 'Halted';
}

/** Whether the guest has ended. */
export const isFinal = ({ status }: VirtualMachineInstance): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';

/**
 * Returns the pending requests in the VM's status, given its current instance. virt-api and virt-controller must agree
 * on them: virt-controller executes what virt-api accepts. Only the first request counts; the next one is read
 * when the first is done.
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
 * Whether the spec overrules a Start: Halted means no guest, regardless of earlier requests. Only `start --paused`
 * starts a halted VM with a request.
 */
function isOverruled(vm: VirtualMachine, { action, data }: VirtualMachineStateChangeRequest): boolean {
  if (action !== 'Start') return false;
  const strategy = runStrategyOf(vm);
  if (strategy === 'WaitAsReceiver') return true;
  return strategy === 'Halted' && !(data?.paused === 'true' && isOfThisSpec(vm, data.generation));
}

/**
 * Whether the request belongs to the current spec: it has the generation of its spec, and a later generation overrules it.
 * Requests of earlier versions have no generation; they count while the spec is the one that virt-controller last saw halted.
 */
function isOfThisSpec({ metadata, status }: VirtualMachine, named: string | null | undefined): boolean {
  if (named != null) return named === String(metadata.generation);
  return status?.runStrategy === 'Halted' && status.observedGeneration === metadata.generation;
}
