import { Cell, Printer } from '../registry/kind';
import { age, humanDuration } from '../table/format';
import { AnyObject } from '../types';

interface State {
  waiting?: { reason?: string };
  running?: object;
  terminated?: { reason?: string; exitCode?: number; signal?: number; finishedAt?: string };
}

interface ContainerStatus {
  name: string;
  ready?: boolean;
  started?: boolean;
  restartCount?: number;
  state?: State;
  lastState?: State;
}

interface Condition {
  type: string;
  status: string;
  reason?: string;
}

const exitText = ({ signal, exitCode }: NonNullable<State['terminated']>) =>
  signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`;

/** The init containers' part of the STATUS column; undefined when they are through. */
function initializing(pod: AnyObject, sidecars: Set<string>): string | undefined {
  const statuses: ContainerStatus[] = pod.status?.initContainerStatuses ?? [];
  const total = pod.spec?.initContainers?.length ?? 0;
  for (const [i, { name, state = {}, started }] of statuses.entries()) {
    const { terminated, waiting } = state;
    if (terminated?.exitCode === 0) continue;
    if (sidecars.has(name) && started) continue;
    if (terminated) return `Init:${terminated.reason || exitText(terminated)}`;
    if (waiting?.reason && waiting.reason !== 'PodInitializing') return `Init:${waiting.reason}`;
    return `Init:${i}/${total}`;
  }
  return undefined;
}

/** The STATUS column, restarts and readiness, as `kubectl get pods` shows them. */
export function podSummary(pod: AnyObject): {
  ready: number;
  total: number;
  status: string;
  restarts: number;
  last?: string;
} {
  const conditions: Condition[] = pod.status?.conditions ?? [];
  const init: ContainerStatus[] = pod.status?.initContainerStatuses ?? [];
  const main: ContainerStatus[] = pod.status?.containerStatuses ?? [];
  const sidecars = new Set<string>(
    ((pod.spec?.initContainers ?? []) as { name: string; restartPolicy?: string }[])
      .filter((container) => container.restartPolicy === 'Always')
      .map((container) => container.name),
  );
  let status: string = pod.status?.reason || pod.status?.phase || '';
  if (conditions.some((item) => item.type === 'PodScheduled' && item.reason === 'SchedulingGated'))
    status = 'SchedulingGated';
  const running = init.filter((item) => sidecars.has(item.name));
  const ready = [...running, ...main].filter((item) => item.ready && item.state?.running !== undefined).length;
  const total = (pod.spec?.containers?.length ?? 0) + sidecars.size;
  const initText = initializing(pod, sidecars);
  const counted = initText !== undefined ? init : [...running, ...main];
  if (initText !== undefined) status = initText;
  if (initText === undefined || isInitialized(conditions)) {
    let anyRunning = false;
    for (const { state = {}, ready: isReady } of [...main].reverse()) {
      const { waiting, terminated } = state;
      if (waiting?.reason) status = waiting.reason;
      else if (terminated) status = terminated.reason || exitText(terminated);
      else if (isReady && state.running) anyRunning = true;
    }
    if (status === 'Completed' && anyRunning) {
      const isReady = conditions.some((item) => item.type === 'Ready' && item.status === 'True');
      status = isReady ? 'Running' : 'NotReady';
    }
  }
  if (pod.metadata.deletionTimestamp) {
    if (pod.status?.reason === 'NodeLost') status = 'Unknown';
    else if (!['Succeeded', 'Failed'].includes(pod.status?.phase)) status = 'Terminating';
  }
  const restarts = counted.reduce((sum, item) => sum + (item.restartCount ?? 0), 0);
  const ends = counted.map((item) => item.lastState?.terminated?.finishedAt).filter(Boolean) as string[];
  return { ready, total, status, restarts, last: ends.sort().pop() };
}

const isInitialized = (conditions: Condition[]) =>
  conditions.some((item) => item.type === 'Initialized' && item.status === 'True');

function gates(pod: AnyObject): string {
  const wanted: { conditionType: string }[] = pod.spec?.readinessGates ?? [];
  if (!wanted.length) return '<none>';
  const conditions: Condition[] = pod.status?.conditions ?? [];
  const met = wanted.filter(({ conditionType }) =>
    conditions.some((item) => item.type === conditionType && item.status === 'True'),
  );
  return `${met.length}/${wanted.length}`;
}

export const podPrinter: Printer = {
  columns: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Ready', type: 'string' },
    { name: 'Status', type: 'string' },
    { name: 'Restarts', type: 'string' },
    { name: 'Age', type: 'string' },
    { name: 'IP', type: 'string', priority: 1 },
    { name: 'Node', type: 'string', priority: 1 },
    { name: 'Nominated Node', type: 'string', priority: 1 },
    { name: 'Readiness Gates', type: 'string', priority: 1 },
  ],
  row(pod, now): Cell[] {
    const { ready, total, status, restarts, last } = podSummary(pod);
    return [
      pod.metadata.name!,
      `${ready}/${total}`,
      status,
      restarts && last ? `${restarts} (${humanDuration(now - Date.parse(last))} ago)` : String(restarts),
      age(pod.metadata.creationTimestamp, now),
      pod.status?.podIPs?.[0]?.ip || pod.status?.podIP || '<none>',
      pod.spec?.nodeName || '<none>',
      pod.status?.nominatedNodeName || '<none>',
      gates(pod),
    ];
  },
};
