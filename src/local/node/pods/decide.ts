import type { Container, Pod, PodPhase } from '../../core-v1';
import type { ContainerRecord } from './record';

/** Decides the next actions for a Pod from its observed state. Pure: no clock, no runtime. */

/** Ephemeral containers are added to a running Pod. They run once, and the Pod does not wait for them. */
export type ContainerKind = 'init' | 'sidecar' | 'main' | 'ephemeral';

export interface ContainerView {
  readonly spec: Container;
  readonly kind: ContainerKind;
  /** Latest attempt; an init container's of an earlier sandbox does not count. */
  readonly record?: ContainerRecord;
  /** Whether its startup probe has succeeded, or it runs without one. */
  readonly started: boolean;
  readonly ready: boolean;
  /** Whether a liveness or startup probe has failed. */
  readonly unhealthy?: string;
  /** Whether it is being started or stopped. */
  readonly busy: boolean;
  /** Earliest time of the next attempt, in milliseconds. */
  readonly notBefore?: number;
}

export interface Observed {
  readonly pod: Pod;
  readonly views: readonly ContainerView[];
  readonly now: number;
  /** Whether the Pod must end: deleted, past its deadline or evicted. */
  readonly ending?: string;
}

export type Action =
  | { readonly do: 'start'; readonly container: string }
  | { readonly do: 'kill'; readonly container: string; readonly because: string }
  | { readonly do: 'recheck'; readonly afterMs: number };

const runs = ({ record }: ContainerView): boolean => record?.startedAt !== undefined && !record.exit;
const exited = ({ record }: ContainerView): boolean => record?.exit !== undefined;
const succeeded = ({ record }: ContainerView): boolean => record?.exit?.code === 0;

export const kindOfInit = ({ restartPolicy }: Container): ContainerKind =>
  restartPolicy === 'Always' ? 'sidecar' : 'init';

/** All containers of a Pod with their kinds, in the order of the spec. */
export function containersOf({ spec }: Pod): { container: Container; kind: ContainerKind }[] {
  const { initContainers = [], containers, ephemeralContainers = [] } = spec;
  return [
    ...initContainers.map((container) => ({ container, kind: kindOfInit(container) })),
    ...containers.map((container) => ({ container, kind: 'main' as const })),
    ...ephemeralContainers.map((container) => ({ container, kind: 'ephemeral' as const })),
  ];
}

export function decide(observed: Observed): Action[] {
  const { pod, views, ending } = observed;
  if (ending || isOver(pod, views)) return endAll(views, ending ?? 'Pod has completed');
  const actions: Action[] = [];
  for (const view of views.filter(({ unhealthy }) => unhealthy)) {
    if (runs(view) && !view.busy) {
      actions.push({ do: 'kill', container: view.spec.name, because: view.unhealthy ?? '' });
    }
  }
  // regardless of the others, so that an init container that fails can be debugged
  actions.push(...views.filter(({ kind }) => kind === 'ephemeral').flatMap((view) => startIfDown(view, observed)));
  for (const view of views.filter(({ kind }) => kind === 'init' || kind === 'sidecar')) {
    if (view.kind === 'sidecar') {
      actions.push(...startIfDown(view, observed));
      // the next container waits until this one has started once; later restarts do not delay it
      if (!view.started && !laterHasStarted(view, views)) return actions;
      continue;
    }
    if (succeeded(view) || laterHasStarted(view, views)) continue;
    if (!runs(view)) actions.push(...startIfDown(view, observed));
    return actions;
  }
  for (const view of views.filter(({ kind }) => kind === 'main')) {
    if (!runs(view)) actions.push(...startIfDown(view, observed));
  }
  return actions;
}

function startIfDown(view: ContainerView, { pod, now }: Observed): Action[] {
  if (view.busy || runs(view)) return [];
  if (exited(view) && !restarts(pod, view)) return [];
  if (view.notBefore !== undefined && view.notBefore > now) return [{ do: 'recheck', afterMs: view.notBefore - now }];
  return [{ do: 'start', container: view.spec.name }];
}

/** Whether an ended container must be restarted. */
export function restarts(pod: Pod, view: ContainerView): boolean {
  if (view.kind === 'sidecar') return true;
  if (view.kind === 'ephemeral') return false;
  const policy = pod.spec.restartPolicy ?? 'Always';
  if (view.kind === 'init') return !succeeded(view) && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && !succeeded(view));
}

function laterHasStarted(view: ContainerView, views: readonly ContainerView[]): boolean {
  const later = views.slice(views.indexOf(view) + 1);
  return later.some(({ kind, record }) => kind !== 'ephemeral' && record !== undefined);
}

/** Whether no container will run again: the main containers are done, or an init container failed permanently. */
export function isOver(pod: Pod, views: readonly ContainerView[]): boolean {
  const final = (view: ContainerView): boolean => exited(view) && !restarts(pod, view);
  if (views.some((view) => view.kind === 'init' && final(view) && !succeeded(view))) return true;
  const main = views.filter(({ kind }) => kind === 'main');
  return main.length > 0 && main.every(final);
}

/** Stops main, init and ephemeral containers together, then sidecars in reverse order of their start. */
function endAll(views: readonly ContainerView[], because: string): Action[] {
  const kill = (view: ContainerView): Action[] =>
    runs(view) && !view.busy ? [{ do: 'kill', container: view.spec.name, because }] : [];
  const others = views.filter(({ kind }) => kind !== 'sidecar');
  if (others.some((view) => runs(view) || view.busy)) return others.flatMap(kill);
  for (const view of views.filter(({ kind }) => kind === 'sidecar').reverse()) {
    if (runs(view) || view.busy) return kill(view);
  }
  return [];
}

/** Whether all processes of the Pod have ended. */
export const allEnded = (views: readonly ContainerView[]): boolean => views.every((view) => !runs(view) && !view.busy);

export function phaseOf({ pod, views, ending }: Observed): PodPhase {
  if (
    isOver(pod, views) ||
    (ending && allEnded(views) && views.some(({ kind, record }) => kind !== 'ephemeral' && record))
  ) {
    const all = views.filter(({ kind }) => kind === 'main');
    // its sidecars must still end
    if (!allEnded(views)) return 'Running';
    return all.every(succeeded) ? 'Succeeded' : 'Failed';
  }
  const known = pod.status?.phase;
  if (known === 'Succeeded' || known === 'Failed') return known;
  const initialized = views.every((view) => view.kind !== 'init' || succeeded(view) || laterHasStarted(view, views));
  const main = views.filter(({ kind }) => kind === 'main');
  const anyStarted = main.some(({ record }) => record?.startedAt !== undefined);
  const waiting = main.some(({ record }) => record?.startedAt === undefined);
  return initialized && anyStarted && !waiting ? 'Running' : 'Pending';
}

const FIRST_BACKOFF_MS = 10_000;
const MAX_BACKOFF_MS = 300_000;
const FORGIVEN_AFTER_MS = 600_000;

/** Delay before the next attempt of an ended container: doubles, and is reset after ten minutes of running. */
export class Backoff {
  private readonly waits = new Map<string, number>();

  /** Delay after an end at `finishedAt`; the first restart is immediate. */
  public next(key: string, ranMs: number): number {
    const last = this.waits.get(key);
    const wait =
      last === undefined || ranMs > FORGIVEN_AFTER_MS
        ? 0
        : Math.min(last === 0 ? FIRST_BACKOFF_MS : last * 2, MAX_BACKOFF_MS);
    this.waits.set(key, wait);
    return wait;
  }

  /** Last computed delay, for messages. */
  public current(key: string): number {
    return this.waits.get(key) ?? 0;
  }

  public forget(prefix: string): void {
    for (const key of this.waits.keys()) if (key.startsWith(prefix)) this.waits.delete(key);
  }
}

/** Formats a duration like Go: `10s`, `1m20s`. */
export function goDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return `${h ? `${h}h` : ''}${h || m ? `${m}m` : ''}${s}s`;
}
