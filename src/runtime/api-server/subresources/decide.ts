import type { VirtualMachine, VirtualMachineInstance, VirtualMachineStateChangeRequest } from '../../../api';
import { badRequest, conflict, internalError } from '../status';
import type { Refusal, Subject } from '../status';
import type { RestartOptions, StartOptions, StopOptions } from './options';

/**
 * One write that an action asks for. Patches are merge patches that carry the resourceVersion on which the decision was
 * made: if the object has changed since, the server answers 409 and the decision is made again.
 */
export type Action =
  | { readonly do: 'patchVm'; readonly subresource?: 'status'; readonly patch: object }
  | { readonly do: 'patchVmi'; readonly patch: object }
  /** Ends the launcher Pod of this VMI at once; the controllers see the rest through. */
  | { readonly do: 'deleteLauncher'; readonly vmiUid: string; readonly gracePeriodSeconds: number };

export type Decision = { readonly actions: readonly Action[] } | { readonly refusal: Refusal };

export type RunStrategy = NonNullable<VirtualMachine['spec']['runStrategy']>;
type ChangeRequest = VirtualMachineStateChangeRequest;

const MANUAL_RECOVERY =
  'VM recovery required: Volumes migration failed, leaving some volumes pointing to non-consistent targets; manual ' +
  'intervention is needed to reassign them to their original volumes.';

/** `runStrategy`, or what the older `running` stands for. */
export function runStrategyOf(vm: VirtualMachine): RunStrategy | undefined {
  const { runStrategy, running } = vm.spec;
  if (runStrategy) return runStrategy;
  return running == null ? undefined : running ? 'Always' : 'Halted';
}

/** The guest has ended. */
export const isFinal = (vmi: VirtualMachineInstance | undefined): boolean =>
  vmi?.status?.phase === 'Succeeded' || vmi?.status?.phase === 'Failed';

const subjectOf = (vm: VirtualMachine): Subject => ({ kind: 'virtualmachine', name: vm.metadata.name ?? '' });
const has = (vm: VirtualMachine, type: string): boolean =>
  vm.status?.conditions?.some((condition) => condition?.type === type && condition.status === 'True') ?? false;
const noStrategy = (): Decision => ({
  refusal: internalError('one of RunStrategy or Running must be specified', 'set spec.runStrategy of the VM'),
});

/** `PUT virtualmachines/{name}/start` */
export function decideStart(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  options: StartOptions,
): Decision {
  const refuse = (why: string, remedy?: string): Decision => ({ refusal: conflict(subjectOf(vm), why, remedy) });
  const phase = vmi?.status?.phase;
  if (vmi && !isFinal(vmi) && phase && phase !== 'Unknown') return refuse('VM is already running');
  if (has(vm, 'ManualRecoveryRequired')) return refuse(MANUAL_RECOVERY);
  const strategy = runStrategyOf(vm);
  const start: ChangeRequest = { action: 'Start', ...(options.paused ? { data: { paused: 'true' } } : {}) };
  switch (strategy) {
    case undefined:
      return noStrategy();
    case 'Halted':
      // a template that starts paused anyway needs no request
      return options.paused && vm.spec.template?.spec?.startStrategy !== 'Paused'
        ? request(vm, start)
        : { actions: [setRunning(vm, true)] };
    case 'Manual':
    case 'RerunOnFailure': {
      if (strategy === 'RerunOnFailure' && phase === 'Failed') {
        return refuse(
          'RerunOnFailure does not support starting VM from failed state',
          'it is started again by itself; see the events of the VM for what fails',
        );
      }
      // an ended VMI is in the way until it is removed
      return vmi && isFinal(vmi) ? request(vm, { action: 'Stop', uid: vmi.metadata.uid }, start) : request(vm, start);
    }
    default:
      return refuse(
        `${strategy} does not support manual start requests`,
        strategy === 'Always' ? 'it is started by itself' : 'create it anew, or set another runStrategy',
      );
  }
}

/** `PUT virtualmachines/{name}/stop` */
export function decideStop(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  options: StopOptions,
): Decision {
  const refuse = (why: string, remedy?: string): Decision => ({ refusal: conflict(subjectOf(vm), why, remedy) });
  const grace = options.gracePeriod;
  if (grace !== undefined && grace < 0) {
    return { refusal: badRequest('gracePeriod has to be greater or equal to 0') };
  }
  const strategy = runStrategyOf(vm);
  if (!strategy) return noStrategy();
  const live = vmi && !isFinal(vmi) ? vmi : undefined;
  const shorten: Action[] = live && grace !== undefined ? [setGracePeriod(live, grace)] : [];
  if (strategy === 'Halted' || strategy === 'Manual' || strategy === 'RerunOnFailure') {
    if (!live) return refuse('VM is not running');
    const old = live.spec.terminationGracePeriodSeconds;
    if (strategy === 'Halted' && (grace === undefined || (old != null && grace >= old))) {
      return refuse(
        'Halted only supports manual stop requests with a shorter graceperiod',
        'it is being stopped; ask for --force --grace-period=0 to end it now',
      );
    }
    const stop = request(vm, { action: 'Stop', uid: live.metadata.uid });
    return 'refusal' in stop ? stop : { actions: [...shorten, ...stop.actions] };
  }
  return { actions: [...shorten, setRunning(vm, false)] };
}

/** `PUT virtualmachines/{name}/restart` */
export function decideRestart(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  options: RestartOptions,
): Decision {
  const refuse = (why: string, remedy?: string): Decision => ({ refusal: conflict(subjectOf(vm), why, remedy) });
  const grace = options.gracePeriodSeconds;
  if (grace !== undefined && grace > 0) {
    return { refusal: badRequest('For force restart, only gracePeriod=0 is supported for now') };
  }
  if (grace !== undefined && grace < 0) {
    return { refusal: badRequest('gracePeriod has to be greater or equal to 0') };
  }
  if (has(vm, 'ManualRecoveryRequired')) return refuse(MANUAL_RECOVERY);
  const strategy = runStrategyOf(vm);
  if (!strategy) return noStrategy();
  if (strategy === 'Halted' || strategy === 'Once') {
    return refuse(
      // upstream's spelling, which scripts match on
      `RunStategy ${strategy} does not support manual restart requests`,
      strategy === 'Halted' ? 'start it instead' : 'set another runStrategy',
    );
  }
  if (!vmi) return refuse('VM is not running: Halted', 'start it instead');
  const uid = vmi.metadata.uid ?? '';
  const restart = request(vm, { action: 'Stop', uid }, { action: 'Start' });
  if ('refusal' in restart || grace === undefined) return restart;
  // one second is the shortest period in which QEMU still flushes its disks
  return { actions: [...restart.actions, { do: 'deleteLauncher', vmiUid: uid, gracePeriodSeconds: 1 }] };
}

/** Asks virt-controller, through the status: the strategy stays as it is. A lone Stop overrides what was asked before. */
function request(vm: VirtualMachine, ...changes: ChangeRequest[]): Decision {
  const pending = vm.status?.stateChangeRequests?.length ?? 0;
  const onlyStop = changes.length === 1 && changes[0].action === 'Stop';
  if (pending > 0 && !onlyStop) {
    return {
      refusal: internalError(
        'unable to complete request: stop/start already underway',
        'wait until the VM has done what was asked before',
      ),
    };
  }
  return {
    actions: [
      {
        do: 'patchVm',
        subresource: 'status',
        patch: {
          metadata: { resourceVersion: vm.metadata.resourceVersion },
          status: {
            stateChangeRequests: changes,
            // asked by hand: no more waiting after failed starts
            ...(vm.status?.startFailure ? { startFailure: null } : {}),
          },
        },
      },
    ],
  };
}

function setRunning(vm: VirtualMachine, running: boolean): Action {
  const spec = vm.spec.runStrategy ? { runStrategy: running ? 'Always' : 'Halted' } : { running };
  return { do: 'patchVm', patch: { metadata: { resourceVersion: vm.metadata.resourceVersion }, spec } };
}

function setGracePeriod(vmi: VirtualMachineInstance, seconds: number): Action {
  const { resourceVersion } = vmi.metadata;
  return {
    do: 'patchVmi',
    patch: { metadata: { resourceVersion }, spec: { terminationGracePeriodSeconds: seconds } },
  };
}
