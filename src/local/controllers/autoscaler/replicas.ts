import { quantityMilliValue, quantityOf } from '../../../api/quantity';
import type { Pod } from '../../core-v1';
import { readyCondition } from '../pods';

/** Usage of one container at one time. */
export interface ContainerUsage {
  readonly name: string;
  readonly usage: Readonly<Record<string, string>>;
}

/** Metrics of one Pod. */
export interface PodUsage {
  readonly name: string;
  readonly timestamp: string;
  /** Time over which the usage was measured. */
  readonly windowMs: number;
  readonly containers: readonly ContainerUsage[];
}

export interface Question {
  readonly resource: string;
  /** Only this container. */
  readonly container?: string;
  readonly target: { readonly utilization: number } | { readonly value: string };
  readonly currentReplicas: number;
  readonly tolerance: Tolerance;
  readonly pods: readonly Pod[];
  readonly usage: readonly PodUsage[];
  readonly now: number;
}

/** Relative difference to the target that is ignored. */
export interface Tolerance {
  readonly up: number;
  readonly down: number;
}

export interface Answer {
  readonly replicas: number;
  readonly utilization?: number;
  /** Average usage in thousandths. */
  readonly average: number;
}

/** Time in which the CPU usage of a new Pod says little about its later usage. */
const START_MS = 300_000;
const FIRST_READY_MS = 30_000;

const milli = (quantity: unknown): number => Number(quantityMilliValue(quantity));

/** Computes the number of replicas that brings the usage to its target. Pure. @throws Error if it cannot be computed */
export function replicasFor(question: Question): Answer {
  const { resource, container, pods, target, currentReplicas } = question;
  if (!pods.length) throw new Error('no pods returned by selector while calculating replica count');
  const usage = usageByPod(question);
  const { ready, unready, missing, ignored } = group(question, usage);
  for (const name of [...ignored, ...unready]) usage.delete(name);
  if (!usage.size) throw new Error('did not receive metrics for targeted pods (pods might be unready)');
  const requests = 'utilization' in target ? requestsOf(pods, resource, container) : undefined;
  const first = ratioOf(usage, question, requests);
  const { ratio } = first;
  const answer = (replicas: number): Answer => ({
    replicas,
    average: first.average,
    ...(first.utilization === undefined ? {} : { utilization: first.utilization }),
  });
  const startsMore = unready.length > 0 && ratio > 1;
  if (!startsMore && !missing.length) {
    return answer(isWithin(ratio, question.tolerance) ? currentReplicas : Math.ceil(ratio * ready));
  }
  // Pods without metrics count so that they make a change smaller.
  for (const name of missing) {
    if (ratio < 1) usage.set(name, pessimistic(question, requests?.get(name)));
    else if (ratio > 1) usage.set(name, 0);
  }
  if (startsMore) for (const name of unready) usage.set(name, 0);
  const { ratio: next } = ratioOf(usage, question, requests);
  const turned = (ratio < 1 && next > 1) || (ratio > 1 && next < 1);
  if (isWithin(next, question.tolerance) || turned) return answer(currentReplicas);
  const replicas = Math.ceil(next * usage.size);
  const opposite = (next < 1 && replicas > currentReplicas) || (next > 1 && replicas < currentReplicas);
  return answer(opposite ? currentReplicas : replicas);
}

const isWithin = (ratio: number, { up, down }: Tolerance): boolean => 1 - down <= ratio && ratio <= 1 + up;

function pessimistic({ target }: Question, request = 0): number {
  if ('value' in target) return milli(target.value);
  return Math.trunc((request * Math.max(100, target.utilization)) / 100);
}

function usageByPod({ resource, container, usage }: Question): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { name, containers } of usage) {
    const counted = container === undefined ? containers : containers.filter((item) => item.name === container);
    if (!counted.length) throw new Error(`container ${container} not present in metrics for pod ${name}`);
    // a Pod without the usage of one container counts as a Pod without metrics
    if (counted.some((item) => item.usage[resource] === undefined)) continue;
    sums.set(
      name,
      counted.reduce((sum, item) => sum + milli(item.usage[resource]), 0),
    );
  }
  return sums;
}

function group({ pods, resource, usage, now }: Question, known: ReadonlyMap<string, number>) {
  const unready: string[] = [];
  const missing: string[] = [];
  const ignored: string[] = [];
  let ready = 0;
  const samples = new Map(usage.map((sample) => [sample.name, sample]));
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata;
    if (deletionTimestamp || pod.status?.phase === 'Failed') ignored.push(name);
    else if (pod.status?.phase === 'Pending') unready.push(name);
    else if (!known.has(name)) missing.push(name);
    else if (resource === 'cpu' && isStarting(pod, samples.get(name)!, now)) unready.push(name);
    else ready++;
  }
  return { ready, unready, missing, ignored };
}

/** Whether the CPU usage of a Pod is still that of its start. */
function isStarting(pod: Pod, sample: PodUsage, now: number): boolean {
  const condition = readyCondition(pod);
  const started = Date.parse(pod.status?.startTime ?? '');
  if (!condition || Number.isNaN(started)) return true;
  const changed = Date.parse(condition.lastTransitionTime ?? '');
  if (started + START_MS > now) {
    return condition.status === 'False' || Date.parse(sample.timestamp) < changed + sample.windowMs;
  }
  return condition.status === 'False' && started + FIRST_READY_MS > changed;
}

/** Requests of each Pod in thousandths. @throws Error if a container has none */
function requestsOf(pods: readonly Pod[], resource: string, only?: string): Map<string, number> {
  return new Map(
    pods.map(({ metadata, spec }) => {
      const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
      const counted = [...spec.containers, ...sidecars].filter(({ name }) => only === undefined || name === only);
      const sum = counted.reduce((total, { name, resources }) => {
        const request = (resources?.requests as Record<string, unknown> | undefined)?.[resource];
        if (request === undefined) {
          throw new Error(`missing request for ${resource} in container ${name} of Pod ${metadata.name}`);
        }
        return total + milli(request);
      }, 0);
      return [metadata.name ?? '', sum];
    }),
  );
}

function ratioOf(
  usage: ReadonlyMap<string, number>,
  { target }: Question,
  requests: ReadonlyMap<string, number> | undefined,
): { ratio: number; utilization?: number; average: number } {
  const counted = [...usage].filter(([name]) => !requests || requests.has(name));
  const total = counted.reduce((sum, [, value]) => sum + value, 0);
  const average = Math.trunc(total / counted.length);
  if ('value' in target) return { ratio: average / milli(target.value), average };
  const requested = counted.reduce((sum, [name]) => sum + (requests!.get(name) ?? 0), 0);
  if (!requested) throw new Error('no metrics returned matched known pods');
  const utilization = Math.trunc((total * 100) / requested);
  return { ratio: utilization / target.utilization, utilization, average };
}

/** Thousandths as a quantity: memory in binary units. */
export function quantityText(resource: string, thousandths: number): string {
  if (thousandths % 1000) return `${thousandths}m`;
  return quantityOf(BigInt(thousandths / 1000), resource === 'memory' ? 'BinarySI' : 'DecimalSI');
}
