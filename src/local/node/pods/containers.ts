import type { Container, Pod, StateWaiting } from '../../core-v1';
import type { ReadyVolume } from '../volumes/volumes';
import type { Log } from '../../log';
import type { NodeContext } from './context';
import { Backoff, containersOf, goDuration, restarts } from './decide';
import type { Action, ContainerView } from './decide';
import type { PodFacts } from './environment';
import { finishContainer, freeContainer } from './exit';
import { killContainer, waitFor } from './killer';
import { Prober, tryHandler } from './probe';
import { newContainerId } from './record';
import type { ContainerExit, ContainerRecord } from './record';
import type { Sandbox } from './sandbox';
import { resumeContainer, StartError, startContainer } from './starter';
import type { ImagePuller } from './starter';

/** In-memory facts of one container; everything that must survive is in its record. */
interface Live {
  prober?: Prober;
  started: boolean;
  ready: boolean;
  unhealthy?: string;
  busy: boolean;
  waiting?: StateWaiting;
  notBefore?: number;
}

/** Functions of the Pod that its containers need. */
export interface PodHost {
  readonly puller: ImagePuller;
  readonly log: Log;
  pod(): Pod;
  sandbox(): Sandbox | undefined;
  volumes(): ReadonlyMap<string, ReadyVolume> | undefined;
  facts(): PodFacts;
  /** Time at which the containers of a terminating Pod are killed. */
  endBy(): number | undefined;
  /** Whether the Pod is Succeeded or Failed in the API. */
  isDone(): boolean;
  /** Requests another pass over the Pod. */
  poke(): void;
}

/** Starts and stops the containers of a Pod, concurrently with passes over the Pod, and tracks their state. */
export class PodContainers {
  private readonly live = new Map<string, Live>();
  private readonly backoff = new Backoff();
  private readonly tasks = new Set<Promise<void>>();
  private changed = Promise.withResolvers<void>();
  private closed = false;

  public constructor(
    private readonly context: NodeContext,
    private readonly host: PodHost,
  ) {}

  /** Current state of each container, in the order of the spec. */
  public views(): ContainerView[] {
    return containersOf(this.pod).map(({ container: spec, kind }): ContainerView => {
      const live = this.liveOf(spec.name);
      const last = this.recordsOf(spec.name).at(-1);
      const sandbox = this.host.sandbox();
      // init containers run again in new namespaces
      const stale = kind === 'init' && last?.exit && sandbox && last.sandbox !== sandbox.id && !this.host.isDone();
      const record = stale ? undefined : last;
      const { started, ready, unhealthy, busy, notBefore } = live;
      return { spec, kind, record, started, ready, unhealthy, busy, notBefore };
    });
  }

  /** Attempt before the latest, by container name. */
  public previous(): Map<string, ContainerRecord> {
    return new Map(
      this.specs.flatMap(({ name }) => {
        const before = this.recordsOf(name).at(-2);
        return before ? [[name, before] as const] : [];
      }),
    );
  }

  /** Reasons why containers do not run; `all` is a reason of the whole Pod. */
  public waiting(all: StateWaiting | undefined): Map<string, StateWaiting> {
    return new Map(
      this.specs.flatMap(({ name }) => {
        const why = this.liveOf(name).waiting ?? all;
        return why ? [[name, why] as const] : [];
      }),
    );
  }

  /** Starts an action; later views show its result. */
  public perform(action: Exclude<Action, { do: 'recheck' }>): void {
    const view = this.views().find(({ spec }) => spec.name === action.container);
    if (!view) return;
    if (action.do === 'kill') this.task(view.spec.name, () => this.kill(view, action.because));
    else this.task(view.spec.name, () => this.start(view));
  }

  /** Wakes functions that wait for the end of a container. */
  public wake(): void {
    const { resolve } = this.changed;
    this.changed = Promise.withResolvers<void>();
    resolve();
  }

  /** Stops watching; the containers keep running. */
  public async close(): Promise<void> {
    this.closed = true;
    for (const { prober } of this.live.values()) prober?.stop();
    this.changed.resolve();
    await Promise.allSettled(this.tasks);
  }

  private get pod(): Pod {
    return this.host.pod();
  }

  private get uid(): string {
    return this.pod.metadata.uid ?? '';
  }

  private get specs(): Container[] {
    return containersOf(this.pod).map(({ container }) => container);
  }

  private liveOf(name: string): Live {
    let live = this.live.get(name);
    if (!live) {
      live = { started: false, ready: false, busy: false };
      this.live.set(name, live);
    }
    return live;
  }

  private recordsOf(name: string): ContainerRecord[] {
    return this.context.records.ofPod(this.uid).filter((record) => record.name === name);
  }

  /** Records containers that ended since the last pass, and resumes those that an earlier engine started. */
  public async collectExits(): Promise<void> {
    for (const container of this.specs) {
      const live = this.liveOf(container.name);
      const record = this.recordsOf(container.name).at(-1);
      if (!record || record.exit || live.busy) continue;
      if (!record.startedAt && !(await resumeContainer(this.context, record))) {
        // it was never started, or a reboot ended it: the attempt does not count
        await freeContainer(this.context, record.id);
        await this.context.records.forget(record.id);
        continue;
      }
      const exit = await this.context.records.findExit(record);
      if (exit) await this.noteExit(container, record, exit);
      else if (!live.prober) Object.assign(live, lastHealth(this.pod, container, record.id));
    }
  }

  /** Starts the probes of resumed containers. They need the addresses of the Pod. */
  public resumeProbes(): void {
    if (!this.host.sandbox()) return;
    for (const container of this.specs) {
      const record = this.recordsOf(container.name).at(-1);
      if (record?.startedAt && !this.liveOf(container.name).busy) this.watchHealth(container, record);
    }
  }

  private async noteExit(
    container: Container,
    record: ContainerRecord,
    exit: NonNullable<ContainerRecord['exit']>,
  ): Promise<void> {
    const live = this.liveOf(container.name);
    live.prober?.stop();
    Object.assign(live, { prober: undefined, ready: false, started: false, unhealthy: undefined });
    await finishContainer(this.context, this.pod, container, record, exit);
    const old = this.recordsOf(container.name).slice(0, -2);
    for (const { id } of old) await this.context.records.forget(id);
    const view = this.views().find(({ spec }) => spec.name === container.name);
    if (!view || this.host.endBy() !== undefined || !restarts(this.pod, view)) return;
    const ran = Date.parse(exit.finishedAt) - Date.parse(record.startedAt ?? exit.finishedAt);
    const wait = this.backoff.next(container.name, ran);
    if (!wait) return;
    const { namespace, name } = this.pod.metadata;
    live.notBefore = Date.now() + wait;
    live.waiting = {
      reason: 'CrashLoopBackOff',
      message: `back-off ${goDuration(wait)} restarting failed container=${container.name} pod=${name}_${namespace}(${this.uid})`,
    };
    this.context.events.warning(
      this.pod,
      'BackOff',
      `Back-off restarting failed container ${container.name} in pod ${name}_${namespace}(${this.uid})`,
    );
  }

  /** Runs work on a container concurrently with passes, which see it as busy. */
  private task(container: string, work: () => Promise<void>): void {
    const live = this.liveOf(container);
    live.busy = true;
    const task = work()
      .catch((error: unknown) =>
        this.host.log('error', 'work on a container failed', { container, error: String(error) }),
      )
      .finally(() => {
        live.busy = false;
        this.tasks.delete(task);
        this.host.poke();
      });
    this.tasks.add(task);
  }

  private async start({ spec: container, kind }: ContainerView): Promise<void> {
    const live = this.liveOf(container.name);
    const { pod } = this;
    const sandbox = this.host.sandbox();
    const volumes = this.host.volumes();
    if (!sandbox || !volumes) return;
    // also after attempts of an earlier sandbox: the highest number is the latest attempt
    const attemptNumber = (this.recordsOf(container.name).at(-1)?.attempt ?? -1) + 1;
    try {
      const input = { pod, container, attempt: attemptNumber, sandbox, volumes, facts: this.host.facts() };
      const record = await startContainer(this.context, this.host.puller, input);
      live.waiting = undefined;
      live.notBefore = undefined;
      await this.postStart(container, record);
      Object.assign(live, firstHealth(container));
      this.watchHealth(container, record);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      live.waiting = error.waiting;
      live.notBefore = Date.now() + error.retryMs;
      const once = kind === 'ephemeral' || this.pod.spec.restartPolicy === 'Never';
      if (once && error.waiting.reason === 'RunContainerError') {
        await this.failToStart(container, attemptNumber, error);
      }
    }
  }

  /** Records a container whose command cannot run; with restartPolicy Never, the container has ended. */
  private async failToStart(container: Container, attemptNumber: number, error: StartError): Promise<void> {
    const now = new Date().toISOString();
    const live = this.liveOf(container.name);
    live.waiting = undefined;
    await this.context.records.save({
      id: newContainerId(),
      podUid: this.uid,
      namespace: this.pod.metadata.namespace ?? '',
      pod: this.pod.metadata.name ?? '',
      name: container.name,
      attempt: attemptNumber,
      sandbox: this.host.sandbox()?.id ?? '',
      image: container.image ?? '',
      imageId: '',
      stopSignal: 'SIGTERM',
      tty: false,
      createdAt: now,
      startedAt: now,
      exit: { code: 128, finishedAt: now, reason: 'StartError', message: error.message },
    });
  }

  private async postStart(container: Container, record: ContainerRecord): Promise<void> {
    const hook = container.lifecycle?.postStart;
    if (!hook) return;
    if (hook.sleep) return this.pause(record, hook.sleep.seconds);
    const { ok, message } = await tryHandler(hook, this.probeTarget(container, record), 60_000);
    if (ok) return;
    this.context.events.warning(this.pod, 'FailedPostStartHook', `PostStartHook failed: ${message}`);
    await this.killNow(container, record, 'FailedPostStartHook');
  }

  /** Waits until the time is over, the container has ended or its Pod is being deleted. */
  private async pause(record: ContainerRecord, seconds: number): Promise<void> {
    const until = Date.now() + seconds * 1000;
    for (;;) {
      const changed = this.changed.promise;
      const left = until - Date.now();
      if (left <= 0 || this.closed || this.host.endBy() !== undefined) return;
      if (await this.context.records.findExit(record)) return;
      await waitFor(changed, left);
    }
  }

  private probeTarget(container: Container, record: ContainerRecord) {
    const { runtime, paths } = this.context;
    const bundle = paths.container(record.id);
    return {
      podIP: this.host.facts().podIPs[0] ?? this.host.facts().hostIPs[0] ?? '127.0.0.1',
      container,
      exec: (command: readonly string[], timeoutMs: number) => runtime.exec(record.id, bundle, command, timeoutMs),
    };
  }

  private watchHealth(container: Container, record: ContainerRecord): void {
    const live = this.liveOf(container.name);
    if (this.closed || record.exit || live.prober) return;
    const startedAt = Date.parse(record.startedAt ?? '') || Date.now();
    live.prober = new Prober(
      this.probeTarget(container, record),
      {
        onChange: (kind, ok, message) => {
          if (kind === 'readiness') live.ready = ok;
          else if (kind === 'startup' && ok) {
            live.started = true;
            live.ready = !container.readinessProbe;
          } else if (!ok) live.unhealthy = `Container ${container.name} failed ${kind} probe, will be restarted`;
          this.host.log('info', 'probe changed', { container: container.name, kind, ok, said: message });
          this.host.poke();
        },
        onFailure: (kind, message) => {
          const word = { startup: 'Startup', liveness: 'Liveness', readiness: 'Readiness' }[kind];
          this.context.events.warning(this.pod, 'Unhealthy', `${word} probe failed: ${message}`);
        },
      },
      { startedAt, started: live.started },
    );
    this.host.poke();
  }

  private async kill(view: ContainerView, because: string): Promise<void> {
    const { spec, record, unhealthy } = view;
    if (!record) return;
    const { livenessProbe, startupProbe } = spec;
    const probe = view.started ? livenessProbe : startupProbe;
    const own = unhealthy ? probe?.terminationGracePeriodSeconds : undefined;
    const grace = own ?? this.pod.spec.terminationGracePeriodSeconds ?? 30;
    const fallback = Date.now() + grace * 1000;
    const message = unhealthy ?? `Stopping container ${spec.name}`;
    this.context.events.normal(this.pod, 'Killing', message);
    record.killedBecause = because;
    await this.context.records.save(record);
    await this.killNow(spec, record, because, () => this.host.endBy() ?? fallback);
  }

  private async killNow(
    container: Container,
    record: ContainerRecord,
    because: string,
    deadline: () => number = () => Date.now(),
  ): Promise<void> {
    this.liveOf(container.name).prober?.stop();
    let exit: ContainerExit | undefined;
    await killContainer(this.context, {
      pod: this.pod,
      container,
      record,
      podIP: this.host.facts().podIPs[0] ?? '',
      deadline,
      changed: () => this.changed.promise,
      ended: async () => {
        exit ??= await this.context.records.findExit(record);
        return exit !== undefined || this.closed;
      },
    });
    if (this.closed) return;
    for (let tries = 0; !exit && tries < 40; tries++) {
      const changed = this.changed.promise;
      exit = await this.context.records.findExit(record);
      if (!exit) await waitFor(changed, 100);
    }
    this.host.log('info', 'container ended', { container: container.name, because, code: exit?.code });
    await this.noteExit(container, record, exit ?? unknownEnd());
  }
}

type Health = Pick<Live, 'started' | 'ready'>;

/** Health of a container before its first probe. */
function firstHealth({ startupProbe, readinessProbe }: Container): Health {
  return { started: !startupProbe, ready: !startupProbe && !readinessProbe };
}

/** Health of a container that an earlier engine started: as reported, so that a restart of the engine does not change it. */
function lastHealth({ status }: Pod, container: Container, id: string): Health {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const last = all.find(({ name, containerID }) => name === container.name && containerID?.endsWith(`//${id}`));
  return last?.started ? { started: true, ready: last.ready } : firstHealth(container);
}

const unknownEnd = () => ({
  code: 137,
  reason: 'ContainerStatusUnknown' as const,
  message: 'The container could not be located when the pod was terminated',
  finishedAt: new Date().toISOString(),
});
