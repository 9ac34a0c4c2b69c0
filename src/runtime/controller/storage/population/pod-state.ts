/** State that the Pod of a population reports, in the words of CDI's annotations. Pure. */
import type { ImportReport } from '../../../../api/cdi/import-request';
import type { ContainerStatus, Pod } from '../../pod';

export interface PodState {
  readonly phase: string;
  readonly isRunning: boolean;
  readonly reason: string;
  readonly message: string;
  readonly restarts: number;
  /** Digest that a poll reports. */
  readonly digest?: string;
}

/** Longest message of an untrusted importer that reaches an object. */
const MOST = 1024;

/** Reason of a container whose Pod waits for its network and volumes. */
export const STARTING = 'ContainerCreating';

/** Reason of a container that waits for an init container. */
const INITIALIZING = 'PodInitializing';

export function podState({ spec, status }: Pod): PodState {
  const [container] = status?.containerStatuses ?? [];
  const restarts = container?.restartCount ?? 0;
  const phase = status?.phase ?? 'Pending';
  const init = brokenInit(status);
  if (init?.state?.running) {
    return { phase, restarts, isRunning: false, reason: INITIALIZING, message: earlierFailure(init) };
  }
  if (init) return { phase, restarts, ...runningOf(phase, init, status, spec.volumes) };
  return { phase, restarts, ...runningOf(phase, container, status, spec.volumes) };
}

/** Init container that fails or cannot start: the others report only that they wait for it. */
function brokenInit(status: Pod['status']): ContainerStatus | undefined {
  return status?.initContainerStatuses?.find(({ state, lastState }) => {
    if (state?.terminated) return state.terminated.exitCode !== 0;
    const { reason = INITIALIZING } = state?.waiting ?? {};
    return Boolean(lastState?.terminated?.exitCode) || ![INITIALIZING, STARTING].includes(reason);
  });
}

function runningOf(
  phase: string,
  container: ContainerStatus | undefined,
  status: Pod['status'],
  volumes: Pod['spec']['volumes'],
): Pick<PodState, 'isRunning' | 'reason' | 'message' | 'digest'> {
  const { running, waiting, terminated } = container?.state ?? {};
  if (running) return { isRunning: true, reason: 'Pod is running', message: earlierFailure(container) };
  const ended = terminated ?? container?.lastState?.terminated;
  if (phase === 'Succeeded') {
    const { message, digest } = reportOf(ended?.message);
    return { isRunning: false, reason: 'Completed', message, ...(digest !== undefined && { digest }) };
  }
  if (ended && ended.exitCode !== 0) return failureOf(ended);
  if (waiting) {
    const message = waiting.message ?? (waiting.reason === STARTING ? needed(volumes) : '');
    return { isRunning: false, reason: waiting.reason ?? 'Waiting', message: message.slice(0, MOST) };
  }
  const unscheduled = status?.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
  const reason = status?.reason ?? unscheduled?.reason ?? phase;
  return { isRunning: false, reason, message: (status?.message ?? unscheduled?.message ?? '').slice(0, MOST) };
}

/** Objects of the user that must exist before the Pod can start. Only the node knows which one is missing. */
function needed(volumes: Pod['spec']['volumes']): string {
  const names = (volumes ?? []).flatMap(({ secret, configMap }) => [
    ...(secret ? [`Secret "${secret.secretName}"`] : []),
    ...(configMap ? [`ConfigMap "${configMap.name}"`] : []),
  ]);
  return names.length ? `the Pod starts when its volumes are ready; these must exist: ${names.join(', ')}` : '';
}

/** The time between two attempts is too short to be seen; the next one of an upload begins when its user has the cause. */
function earlierFailure(container: ContainerStatus | undefined): string {
  const ended = container?.lastState?.terminated;
  if (!ended || ended.exitCode === 0) return '';
  return `the attempt before this one failed: ${failureOf(ended).message}`.slice(0, MOST);
}

function failureOf(ended: NonNullable<NonNullable<ContainerStatus['state']>['terminated']>) {
  // the kernel ended the program before it could report
  if (ended.reason === 'OOMKilled') {
    const message =
      'the importer needed more memory than its limit; raise it in CDIConfig.spec.podResourceRequirements';
    return { isRunning: false, reason: 'OOMKilled', message };
  }
  const { problem, message, remedy } = reportOf(ended.message);
  const text = [message || `the importer ended with exit code ${ended.exitCode}`, remedy].filter(Boolean).join('; ');
  return { isRunning: false, reason: problem ?? ended.reason ?? 'Error', message: text.slice(0, MOST) };
}

/** Parses the termination message of an importer, which may be any text. */
function reportOf(text = ''): ImportReport {
  try {
    const report = JSON.parse(text) as Partial<Record<keyof ImportReport, unknown>> | null;
    const field = (name: keyof ImportReport): string | undefined =>
      typeof report?.[name] === 'string' ? report[name] : undefined;
    const problem = field('problem');
    const isWord = problem !== undefined && /^[A-Z][A-Za-z]{0,62}$/.test(problem);
    return {
      message: field('message') ?? '',
      remedy: field('remedy'),
      digest: field('digest'),
      ...(isWord && { problem }),
    };
  } catch {
    return { message: text };
  }
}
