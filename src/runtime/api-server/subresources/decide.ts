import { kinds } from '../../../api/kinds/registry';
import type { VirtualMachine, VirtualMachineInstance, VirtualMachineStateChangeRequest } from '../../../api';
import { isFinal, openRequests, runStrategyOf } from '../../../api/run-state';
import { badRequest, conflict, internalError } from '../status';
import type { Refusal, Subject } from '../status';
import type { RestartOptions, StartOptions, StopOptions } from './options';

/**
 * One write of an action. Patches are merge patches with the resourceVersion of the object that the decision is based on: if
 * the object has changed since, the server answers 409 and the decision is made again. After the first patch of a VM, the
 * next patch of the same decision has the version that the first one returned.
 */
export type Action =
  | { readonly do: 'patchVm'; readonly subresource?: 'status'; readonly patch: VmPatch }
  | { readonly do: 'patchVmi'; readonly patch: object }
  /** Deletes the launcher Pod of this VMI immediately; the controllers do the rest. */
  | { readonly do: 'deleteLauncher'; readonly vmiUid: string; readonly gracePeriodSeconds: number };

interface VmPatch {
  readonly metadata: { readonly resourceVersion?: string };
  readonly spec?: object;
  readonly status?: object;
}

export type Decision = { readonly actions: readonly Action[] } | { readonly refusal: Refusal };

type ChangeRequest = VirtualMachineStateChangeRequest;

const MANUAL_RECOVERY =
  'VM recovery required: Volumes migration failed, leaving some volumes pointing to non-consistent targets; manual ' +
  'intervention is needed to reassign them to their original volumes.';

const subjectOf = (vm: VirtualMachine): Subject => ({
  kind: kinds.VirtualMachine.singular,
  name: vm.metadata.name ?? '',
});
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
  const reject = (why: string, remedy?: string): Decision => ({ refusal: conflict(subjectOf(vm), why, remedy) });
  const phase = vmi?.status?.phase;
  const strategy = runStrategyOf(vm);
  if (vmi && !isFinal(vmi)) {
    // a request is complete as soon as a VMI runs: one that was just created would no longer start paused
    const isDone = !vmi.metadata.deletionTimestamp && (options.paused || (!phase && strategy !== 'Halted'));
    if (isDone || (phase && phase !== 'Unknown')) return reject('VM is already running');
  }
  if (has(vm, 'ManualRecoveryRequired')) return reject(MANUAL_RECOVERY);
  // an edit of a halted VM writes Halted again, which overrides the request
  const paused = { paused: 'true', ...(strategy === 'Halted' && { generation: String(vm.metadata.generation) }) };
  const start: ChangeRequest = { action: 'Start', ...(options.paused ? { data: paused } : {}) };
  switch (strategy) {
    case undefined:
      return noStrategy();
    case 'Halted':
      // a template that starts paused needs no request
      return options.paused && vm.spec.template?.spec?.startStrategy !== 'Paused'
        ? request(vm, vmi, start)
        : { actions: [...callOff(vm), setRunning(vm, true)] };
    case 'Manual':
    case 'RerunOnFailure': {
      if (strategy === 'RerunOnFailure' && phase === 'Failed') {
        return reject(
          'RerunOnFailure does not support starting VM from failed state',
          'it is restarted automatically; the events of the VM show why it fails',
        );
      }
      // an ended VMI blocks the start until it is deleted
      return vmi && isFinal(vmi)
        ? request(vm, vmi, { action: 'Stop', uid: vmi.metadata.uid }, start)
        : request(vm, vmi, start);
    }
    default:
      return reject(
        `${strategy} does not support manual start requests`,
        strategy === 'Always' ? 'it is started automatically' : 'create the VM again, or set another runStrategy',
      );
  }
}

/** `PUT virtualmachines/{name}/stop` */
export function decideStop(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  options: StopOptions,
): Decision {
  const reject = (why: string, remedy?: string): Decision => ({ refusal: conflict(subjectOf(vm), why, remedy) });
  const grace = options.gracePeriod;
  if (grace !== undefined && grace < 0) {
    return { refusal: badRequest('gracePeriod has to be greater or equal to 0') };
  }
  const strategy = runStrategyOf(vm);
  if (!strategy) return noStrategy();
  const live = vmi && !isFinal(vmi) ? vmi : undefined;
  const shorten: Action[] = live && grace !== undefined ? [setGracePeriod(live, grace)] : [];
  if (strategy !== 'Halted' && strategy !== 'Manual' && strategy !== 'RerunOnFailure') {
    return { actions: [...shorten, ...callOff(vm), setRunning(vm, false)] };
  }
  const isToCome = willStart(vm, vmi);
  if (!live) {
    if (!isToCome) return reject('VM is not running');
    // RerunOnFailure starts a failed VMI again unless the stop of that VMI was requested
    if (vmi && strategy === 'RerunOnFailure') return request(vm, vmi, { action: 'Stop', uid: vmi.metadata.uid });
    return { actions: callOff(vm, strategy === 'RerunOnFailure') };
  }
  const old = live.spec.terminationGracePeriodSeconds;
  if (strategy === 'Halted' && !isToCome && (grace === undefined || (old != null && grace >= old))) {
    return reject(
      'Halted only supports manual stop requests with a shorter graceperiod',
      'it is being stopped; use --force --grace-period=0 to stop it immediately',
    );
  }
  const stop = request(vm, vmi, { action: 'Stop', uid: live.metadata.uid });
  return 'refusal' in stop ? stop : { actions: [...shorten, ...stop.actions] };
}

/** Whether another VMI runs than the one that the stop or restart was decided for. */
export const isReplaced = (
  decidedOn: VirtualMachineInstance | undefined,
  now: VirtualMachineInstance | undefined,
): boolean =>
  now !== undefined && now.metadata.uid !== decidedOn?.metadata.uid && !isFinal(now) && !now.metadata.deletionTimestamp;

/** Whether a guest that does not run yet will be started although the strategy does not keep one running. */
function willStart(vm: VirtualMachine, vmi: VirtualMachineInstance | undefined): boolean {
  if (openRequests(vm, vmi).some(({ action }) => action === 'Start')) return true;
  if (runStrategyOf(vm) !== 'RerunOnFailure') return false;
  return vmi?.status?.phase === 'Failed' || vm.status?.runStrategy !== 'RerunOnFailure';
}

/** `PUT virtualmachines/{name}/restart` */
export function decideRestart(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  options: RestartOptions,
): Decision {
  const reject = (why: string, remedy?: string): Decision => ({ refusal: conflict(subjectOf(vm), why, remedy) });
  const grace = options.gracePeriodSeconds;
  if (grace !== undefined && grace > 0) {
    return { refusal: badRequest('For force restart, only gracePeriod=0 is supported for now') };
  }
  if (grace !== undefined && grace < 0) {
    return { refusal: badRequest('gracePeriod has to be greater or equal to 0') };
  }
  if (has(vm, 'ManualRecoveryRequired')) return reject(MANUAL_RECOVERY);
  const strategy = runStrategyOf(vm);
  if (!strategy) return noStrategy();
  if (strategy === 'Halted' || strategy === 'Once' || strategy === 'WaitAsReceiver') {
    return reject(
      // upstream's spelling, which scripts match on
      `RunStategy ${strategy} does not support manual restart requests`,
      strategy === 'Halted' ? 'start it instead' : 'set another runStrategy',
    );
  }
  if (!vmi) return reject('VM is not running: Halted', 'start it instead');
  const uid = vmi.metadata.uid ?? '';
  const restart = request(vm, vmi, { action: 'Stop', uid }, { action: 'Start' });
  if ('refusal' in restart || grace === undefined) return restart;
  // one second is the shortest period in which QEMU flushes its disks
  return { actions: [...restart.actions, { do: 'deleteLauncher', vmiUid: uid, gracePeriodSeconds: 1 }] };
}

/** Requests an action of virt-controller through the status: the strategy is kept. A lone Stop overrides earlier requests. */
function request(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  ...changes: [ChangeRequest, ...ChangeRequest[]]
): Decision {
  const pending = openRequests(vm, vmi).length;
  const onlyStop = changes.length === 1 && changes[0].action === 'Stop';
  if (pending > 0 && !onlyStop) {
    return {
      refusal: internalError(
        'unable to complete request: stop/start already underway',
        'wait until the VM has completed the earlier request',
      ),
    };
  }
  const strategy = runStrategyOf(vm);
  // a stop ends the first run
  const isFirstEnd = onlyStop && strategy === 'RerunOnFailure' && vm.status?.runStrategy !== strategy;
  return {
    actions: [
      patchStatus(vm, {
        stateChangeRequests: changes,
        // started by hand: the wait after failed starts ends
        ...(vm.status?.startFailure ? { startFailure: null } : {}),
        ...(isFirstEnd ? { runStrategy: strategy } : {}),
      }),
    ],
  };
}

/** Removes earlier requests. `hasStarted`: RerunOnFailure counts as having started the VM once. */
function callOff(vm: VirtualMachine, hasStarted = false): Action[] {
  const isRequested = Boolean(vm.status?.stateChangeRequests?.length);
  const isNews = hasStarted && vm.status?.runStrategy !== 'RerunOnFailure';
  if (!isRequested && !isNews) return [];
  return [
    patchStatus(vm, {
      ...(isRequested ? { stateChangeRequests: null } : {}),
      ...(vm.status?.startFailure ? { startFailure: null } : {}),
      ...(isNews ? { runStrategy: 'RerunOnFailure' } : {}),
    }),
  ];
}

function patchStatus({ metadata }: VirtualMachine, status: object): Action {
  const patch = { metadata: { resourceVersion: metadata.resourceVersion }, status };
  return { do: 'patchVm', subresource: 'status', patch };
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
