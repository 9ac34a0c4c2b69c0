import type {
  ContainerState,
  ContainerStatus,
  Pod,
  PodCondition,
  PodPhase,
  PodStatus,
  StateTerminated,
  StateWaiting,
} from '../../core-v1';
import type { ContainerView } from './decide';
import type { ContainerRecord } from './record';
import { mountStatus } from './mounts';
import { qosClassOf } from './qos';

/** Computes a Pod's status from its observed state. Pure. */

export interface StatusInput {
  readonly pod: Pod;
  readonly views: readonly ContainerView[];
  /** Attempt before the latest, by container name. */
  readonly previous: ReadonlyMap<string, ContainerRecord>;
  /** Reasons why containers do not run yet. */
  readonly waiting: ReadonlyMap<string, StateWaiting>;
  readonly phase: PodPhase;
  readonly podIPs: readonly string[];
  readonly hostIPs: readonly string[];
  /** Time at which the sandbox (namespaces and addresses) was ready. */
  readonly sandboxReady: boolean;
  /** Reason for a failure of the whole Pod: DeadlineExceeded, Evicted … */
  readonly reason?: string;
  readonly message?: string;
  readonly now: string;
}

export function podStatus(input: StatusInput): PodStatus {
  const { pod, views, phase, podIPs, hostIPs, reason, message } = input;
  const init = views.filter(isInit);
  const ephemeral = views.filter(({ kind }) => kind === 'ephemeral');
  const main = views.filter(({ kind }) => kind === 'main');
  const status: PodStatus = {
    phase,
    ...(reason ? { reason } : {}),
    ...(message ? { message } : {}),
    conditions: conditionsOf(input),
    hostIP: hostIPs[0],
    hostIPs: hostIPs.map((ip) => ({ ip })),
    ...(podIPs.length ? { podIP: podIPs[0], podIPs: podIPs.map((ip) => ({ ip })) } : {}),
    startTime: pod.status?.startTime ?? input.now,
    qosClass: qosClassOf(pod),
    ...(init.length ? { initContainerStatuses: init.map((view) => containerStatus(view, input)) } : {}),
    containerStatuses: main.map((view) => containerStatus(view, input)),
    ...(ephemeral.length ? { ephemeralContainerStatuses: ephemeral.map((view) => containerStatus(view, input)) } : {}),
    ...(pod.metadata.generation !== undefined ? { observedGeneration: pod.metadata.generation } : {}),
  };
  return status;
}

const isInit = ({ kind }: ContainerView): boolean => kind === 'init' || kind === 'sidecar';

function containerStatus(view: ContainerView, input: StatusInput): ContainerStatus {
  const { spec, record, kind } = view;
  const waiting = input.waiting.get(spec.name);
  const previous = input.previous.get(spec.name);
  let state: ContainerState;
  let last: ContainerRecord | undefined = previous;
  if (record?.exit && waiting) {
    // it will run again: `state` is the reason for waiting, `lastState` its end
    state = { waiting };
    last = record;
  } else if (record?.exit) {
    state = { terminated: terminated(record) };
  } else if (record?.startedAt) {
    state = { running: { startedAt: seconds(record.startedAt) } };
  } else {
    const initializing = kind === 'main' && !isInitialized(input);
    const creating = { reason: initializing ? 'PodInitializing' : 'ContainerCreating' };
    state = { waiting: waiting ?? creating };
    // the record belongs to an attempt that has not started
    last = previous;
  }
  const shown = record ?? previous;
  return {
    name: spec.name,
    state,
    lastState: last?.exit ? { terminated: terminated(last) } : {},
    ready: kind === 'init' ? record?.exit?.code === 0 : kind !== 'ephemeral' && view.ready,
    ...(kind === 'ephemeral' ? {} : { started: kind === 'init' ? Boolean(state.running) : view.started }),
    restartCount: record?.attempt ?? previous?.attempt ?? 0,
    image: shown?.image ?? spec.image ?? '',
    imageID: shown?.imageId ?? '',
    ...(shown ? { containerID: `crun://${shown.id}` } : {}),
    ...(spec.volumeMounts?.length ? { volumeMounts: spec.volumeMounts.map(mountStatus) } : {}),
  };
}

function terminated(record: ContainerRecord): StateTerminated {
  const { exit, startedAt, id } = record;
  return {
    exitCode: exit?.code ?? 0,
    ...(exit?.signal ? { signal: exit.signal } : {}),
    reason: exit?.reason,
    ...(exit?.message ? { message: exit.message } : {}),
    startedAt: startedAt ? seconds(startedAt) : null,
    finishedAt: exit ? seconds(exit.finishedAt) : null,
    containerID: `crun://${id}`,
  };
}

/** metav1.Time has no fractions. */
export const seconds = (time: string): string => time.replace(/\.\d+Z$/, 'Z');

function isInitialized({ views }: StatusInput): boolean {
  return views.every(
    (view) =>
      !isInit(view) ||
      (view.kind === 'sidecar' ? view.started : view.record?.exit?.code === 0) ||
      views.slice(views.indexOf(view) + 1).some(({ kind, record }) => kind === 'main' && record !== undefined),
  );
}

type Verdict = { status: 'True' | 'False'; reason?: string; message?: string };
const yes: Verdict = { status: 'True' };
const no = (reason: string, message?: string): Verdict => ({ status: 'False', reason, message });

function conditionsOf(input: StatusInput): PodCondition[] {
  const { pod, views, phase, sandboxReady } = input;
  const over = phase === 'Succeeded' || phase === 'Failed';
  const names = (list: readonly ContainerView[]): string => `[${list.map(({ spec }) => spec.name).join(' ')}]`;
  const init = views.filter(isInit);
  const undone = init.filter((view) => (view.kind === 'sidecar' ? !view.started : view.record?.exit?.code !== 0));
  const initialized = isInitialized(input) || phase === 'Succeeded';
  const initVerdict = initialized
    ? { ...yes, ...(phase === 'Succeeded' ? { reason: 'PodCompleted' } : {}) }
    : no('ContainersNotInitialized', `containers with incomplete status: ${names(undone)}`);

  const serving = views.filter(({ kind }) => kind === 'main' || kind === 'sidecar');
  const unready = serving.filter(({ ready }) => !ready);
  const ready: Verdict = over
    ? no(phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed')
    : unready.length
      ? no('ContainersNotReady', `containers with unready status: ${names(unready)}`)
      : yes;

  const gates = (pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const found = pod.status?.conditions?.find(({ type }) => type === conditionType);
    if (!found) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (found.status !== 'True') {
      return [`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`];
    }
    return [];
  });
  const podReady = ready.status === 'True' && gates.length ? no('ReadinessGatesNotReady', gates.join(', ')) : ready;

  return [
    condition(input, 'PodReadyToStartContainers', sandboxReady && !over ? yes : no('')),
    condition(input, 'Initialized', initVerdict),
    condition(input, 'Ready', podReady),
    condition(input, 'ContainersReady', ready),
    condition(input, 'PodScheduled', yes),
  ];
}

function condition({ pod, now }: StatusInput, type: string, { status, reason, message }: Verdict): PodCondition {
  const known = pod.status?.conditions?.find((entry) => entry.type === type);
  const same = known?.status === status;
  return {
    type,
    status,
    lastProbeTime: null,
    lastTransitionTime: (same && known?.lastTransitionTime) || now,
    ...(reason ? { reason } : {}),
    ...(message ? { message } : {}),
    ...(pod.metadata.generation !== undefined ? { observedGeneration: pod.metadata.generation } : {}),
  };
}
