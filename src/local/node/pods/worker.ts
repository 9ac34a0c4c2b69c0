import { isNotFound, resources } from '../../../runtime/kube';
import type { HostPort } from '../../network';
import type { Container, Pod, PodPhase, StateWaiting } from '../core-v1';
import { removeUnmounted } from '../host/unmount';
import { removeCgroups } from '../runtime/cgroups';
import { VolumeError } from '../volumes/volumes';
import type { ReadyVolume } from '../volumes/volumes';
import { AdmissionError } from './context';
import type { NodeContext } from './context';
import { allEnded, Backoff, decide, goDuration, isOver, kindOf, phaseOf, restarts } from './decide';
import type { Action, ContainerView, Observed } from './decide';
import type { PodFacts } from './environment';
import { finishContainer, freeContainer } from './exit';
import { killContainer, waitFor } from './killer';
import { Prober, tryHandler } from './probe';
import type { ContainerExit, ContainerRecord } from './record';
import type { Sandbox } from './sandbox';
import { ImagePuller, StartError, startContainer } from './starter';
import { podStatus } from './status';
import { StatusWriter } from './status-writer';

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

const REFRESH_MS = 60_000;
const SET_UP_RETRY_MS = { first: 500, max: 120_000 };

/** Brings one Pod to what its object says. Passes over it never overlap; whatever happens leads to one more. */
export class PodWorker {
  private readonly live = new Map<string, Live>();
  private readonly status: StatusWriter;
  private readonly puller: ImagePuller;
  private readonly backoff = new Backoff();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly tasks = new Set<Promise<void>>();
  private changed = Promise.withResolvers<void>();
  private running?: Promise<void>;
  private again = false;
  private closed = false;
  private gone = false;
  private ending?: { reason: string; message: string; deadline: () => number };
  private failed?: { reason: string; message: string };
  private sandbox?: Sandbox;
  private volumes?: ReadonlyMap<string, ReadyVolume>;
  private setUpWait = 0;
  private setUpNotBefore = 0;
  private setUpWaiting?: StateWaiting;
  private cleaned = false;
  private refreshedAt = 0;

  public constructor(
    private readonly context: NodeContext,
    private pod: Pod,
    private readonly onRemoved: () => void,
  ) {
    this.puller = new ImagePuller(context);
    this.status = new StatusWriter(context.client, pod, (error) =>
      this.log('warn', 'status was not written', { error: String(error) }),
    );
    this.status.observe(pod);
  }

  public get uid(): string {
    return this.pod.metadata.uid ?? '';
  }

  public get current(): Pod {
    return this.pod;
  }

  public get podIPs(): readonly string[] {
    return this.sandbox?.podIPs ?? [];
  }

  /** The Pod as the API has it now. */
  public update(pod: Pod): void {
    this.pod = pod;
    this.status.observe(pod);
    this.poke();
  }

  /** The Pod is no longer in the API: it ends at once. */
  public remove(): void {
    this.gone = true;
    this.status.close();
    this.poke();
  }

  /** Something about the Pod may have changed: look at it. */
  public poke(): void {
    const { resolve } = this.changed;
    this.changed = Promise.withResolvers<void>();
    resolve();
    if (this.closed) return;
    this.again = true;
    this.running ??= this.loop().finally(() => (this.running = undefined));
  }

  /** Stops working on the Pod; its containers go on. */
  public async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const live of this.live.values()) live.prober?.stop();
    await this.running;
    this.changed.resolve();
    await Promise.allSettled(this.tasks);
    await this.status.flush();
    this.status.close();
  }

  private async loop(): Promise<void> {
    while (this.again && !this.closed) {
      this.again = false;
      try {
        await this.sync();
      } catch (error) {
        this.log('error', 'work on a Pod failed', { error: error instanceof Error ? error.stack : String(error) });
        this.recheck('retry', 1000);
      }
    }
  }

  private async sync(): Promise<void> {
    await this.collectExits();
    this.decideEnding();
    if (!this.ending && !this.failed && !this.isDone()) await this.setUp();
    const observed = this.observe();
    for (const action of this.failed && !this.ending ? [] : decide(observed)) this.perform(action, observed);
    this.report();
    const over = this.failed !== undefined || isOver(this.pod, observed.views) || this.isDone();
    if ((this.ending || over) && allEnded(this.observe().views)) await this.finish();
    else this.keepFresh();
  }

  /** The Pod has reached its end in an earlier life of the engine. */
  private isDone(): boolean {
    return this.pod.status?.phase === 'Succeeded' || this.pod.status?.phase === 'Failed';
  }

  private get specs(): [Container, boolean][] {
    const { initContainers = [], containers } = this.pod.spec;
    return [
      ...initContainers.map((container): [Container, boolean] => [container, true]),
      ...containers.map((container): [Container, boolean] => [container, false]),
    ];
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

  /** Notes containers that have ended since the last pass, and takes up probes of those that an earlier engine started. */
  private async collectExits(): Promise<void> {
    for (const [container] of this.specs) {
      const live = this.liveOf(container.name);
      const record = this.recordsOf(container.name).at(-1);
      if (!record || record.exit || live.busy) continue;
      if (!record.startedAt) {
        // the engine died between create and start: that attempt never was
        await freeContainer(this.context, record.id);
        await this.context.records.forget(record.id);
        continue;
      }
      const exit = await this.context.records.findExit(record);
      if (exit) await this.noteExit(container, record, exit);
      else if (!live.prober) this.watchHealth(container, record);
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
    const view = this.observe().views.find(({ spec }) => spec.name === container.name);
    if (!view || this.ending || !restarts(this.pod, view)) return;
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

  /** Deleted, gone or past its deadline; once decided, it stays. */
  private decideEnding(): void {
    const { deletionTimestamp, deletionGracePeriodSeconds } = this.pod.metadata;
    const { activeDeadlineSeconds, terminationGracePeriodSeconds = 30 } = this.pod.spec;
    if (this.gone || deletionTimestamp) {
      const grace = this.gone ? 1 : (deletionGracePeriodSeconds ?? terminationGracePeriodSeconds);
      const asked = deletionTimestamp ? Date.parse(deletionTimestamp) - grace * 1000 : Date.now();
      const deadline = Math.max(asked, this.startedEndingAt ?? Date.now()) + grace * 1000;
      this.startedEndingAt ??= Date.now();
      this.endBy = Math.min(this.endBy ?? Infinity, deadline);
      this.ending = { reason: '', message: '', deadline: () => this.endBy ?? 0 };
      return;
    }
    const startTime = this.pod.status?.startTime;
    if (!activeDeadlineSeconds || !startTime || this.isDone() || this.ending) return;
    const left = Date.parse(startTime) + activeDeadlineSeconds * 1000 - Date.now();
    if (left > 0) return this.recheck('deadline', left);
    this.endBy = Date.now() + terminationGracePeriodSeconds * 1000;
    const message = 'Pod was active on the node longer than the specified deadline';
    this.ending = { reason: 'DeadlineExceeded', message, deadline: () => this.endBy ?? 0 };
    this.context.events.normal(this.pod, 'DeadlineExceeded', message);
  }
  private startedEndingAt?: number;
  private endBy?: number;

  private facts(): PodFacts {
    return {
      podIPs: this.podIPs,
      hostIPs: this.context.hostIPs(),
      nodeName: this.context.nodeName,
      allocatable: this.context.allocatable(),
    };
  }

  /** Devices, sandbox and volumes: what must be there before the first container. */
  private async setUp(): Promise<void> {
    if (this.volumes && this.sandbox) return;
    if (this.setUpNotBefore > Date.now()) return this.recheck('setup', this.setUpNotBefore - Date.now());
    const records = this.context.records.ofPod(this.uid);
    try {
      await this.context.devices.admit(this.pod);
      this.sandbox ??= await this.context.sandboxes.ensure(this.pod, records);
      const images = await this.puller.volumeImages(this.pod);
      this.volumes = await this.context.volumes.setUp(this.pod, this.facts(), images);
      this.context.services.setHostPorts(this.uid, hostPortsOf(this.pod, this.podIPs));
      this.refreshedAt = Date.now();
      this.setUpWait = 0;
      this.setUpWaiting = undefined;
    } catch (error) {
      this.setUpFailed(error);
    }
  }

  private setUpFailed(error: unknown): void {
    if (error instanceof AdmissionError) {
      this.failed = { reason: error.reason, message: error.message };
      this.context.events.warning(this.pod, error.reason, error.message);
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    let wait = Math.min(this.setUpWait ? this.setUpWait * 2 : SET_UP_RETRY_MS.first, SET_UP_RETRY_MS.max);
    if (error instanceof StartError) {
      this.setUpWaiting = error.waiting;
      wait = error.retryMs;
    } else if (error instanceof VolumeError) {
      this.context.events.warning(this.pod, 'FailedMount', message);
      this.setUpWait = wait;
    } else {
      this.context.events.warning(this.pod, 'FailedCreatePodSandBox', `Failed to create pod sandbox: ${message}`);
      this.setUpWait = wait;
    }
    this.setUpNotBefore = Date.now() + wait;
    this.recheck('setup', wait);
  }

  private observe(): Observed {
    const views = this.specs.map(([spec, init]): ContainerView => {
      const kind = kindOf(spec, init);
      const live = this.liveOf(spec.name);
      const last = this.recordsOf(spec.name).at(-1);
      // namespaces that were made anew are a new start for init containers
      const stale = kind === 'init' && last?.exit && this.sandbox && last.sandbox !== this.sandbox.id && !this.isDone();
      const record = stale ? undefined : last;
      const { started, ready, unhealthy, busy, notBefore } = live;
      return { spec, kind, record, started, ready, unhealthy, busy, notBefore };
    });
    const ending = this.ending ? this.ending.message || 'deleted' : undefined;
    return { pod: this.pod, views, now: Date.now(), ending };
  }

  private perform(action: Action, { views }: Observed): void {
    if (action.do === 'recheck') return this.recheck('backoff', action.afterMs);
    const view = views.find(({ spec }) => spec.name === action.container);
    if (!view) return;
    if (action.do === 'kill') this.task(view.spec.name, () => this.kill(view, action.because));
    else if (this.sandbox && this.volumes) this.task(view.spec.name, () => this.start(view.spec, action.attempt));
  }

  /** Work on one container beside the passes, which see it as busy. */
  private task(container: string, work: () => Promise<void>): void {
    const live = this.liveOf(container);
    live.busy = true;
    const task = work()
      .catch((error: unknown) => this.log('error', 'work on a container failed', { container, error: String(error) }))
      .finally(() => {
        live.busy = false;
        this.tasks.delete(task);
        this.poke();
      });
    this.tasks.add(task);
  }

  private async start(container: Container, attemptNumber: number): Promise<void> {
    const live = this.liveOf(container.name);
    const { sandbox, volumes, pod } = this;
    if (!sandbox || !volumes) return;
    try {
      const input = { pod, container, attempt: attemptNumber, sandbox, volumes, facts: this.facts() };
      const record = await startContainer(this.context, this.puller, input);
      live.waiting = undefined;
      live.notBefore = undefined;
      await this.postStart(container, record);
      this.watchHealth(container, record);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      live.waiting = error.waiting;
      live.notBefore = Date.now() + error.retryMs;
      if (this.pod.spec.restartPolicy === 'Never' && error.waiting.reason === 'RunContainerError') {
        await this.failToStart(container, attemptNumber, error);
      }
    }
  }

  /** With restartPolicy Never a command that cannot run is the container's end. */
  private async failToStart(container: Container, attemptNumber: number, error: StartError): Promise<void> {
    const now = new Date().toISOString();
    const live = this.liveOf(container.name);
    live.waiting = undefined;
    const { newContainerId } = await import('./record');
    await this.context.records.save({
      id: newContainerId(),
      podUid: this.uid,
      namespace: this.pod.metadata.namespace ?? '',
      pod: this.pod.metadata.name ?? '',
      name: container.name,
      attempt: attemptNumber,
      sandbox: this.sandbox?.id ?? '',
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
    const { ok, message } = await tryHandler(hook, this.probeTarget(container, record), 60_000);
    if (ok) return;
    this.context.events.warning(this.pod, 'FailedPostStartHook', `PostStartHook failed: ${message}`);
    await this.killNow(container, record, 'FailedPostStartHook');
  }

  private probeTarget(container: Container, record: ContainerRecord) {
    const { runtime } = this.context;
    return {
      podIP: this.podIPs[0] ?? this.context.hostIPs()[0] ?? '127.0.0.1',
      container,
      exec: (command: readonly string[], timeoutMs: number) => runtime.exec(record.id, command, timeoutMs),
    };
  }

  private watchHealth(container: Container, record: ContainerRecord): void {
    const live = this.liveOf(container.name);
    if (this.closed || record.exit || live.prober) return;
    live.started = !container.startupProbe;
    live.ready = live.started && !container.readinessProbe;
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
          this.log('info', 'probe changed', { container: container.name, kind, ok, said: message });
          this.poke();
        },
        onFailure: (kind, message) => {
          const word = { startup: 'Startup', liveness: 'Liveness', readiness: 'Readiness' }[kind];
          this.context.events.warning(this.pod, 'Unhealthy', `${word} probe failed: ${message}`);
        },
      },
      startedAt,
    );
    this.poke();
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
    await this.killNow(spec, record, because, () => this.ending?.deadline() ?? fallback);
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
      podIP: this.podIPs[0] ?? '',
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
    this.log('info', 'container ended', { container: container.name, because, code: exit?.code });
    await this.noteExit(container, record, exit ?? unknownEnd());
  }

  private phase(): PodPhase {
    if (this.failed) return 'Failed';
    if (this.isDone()) return this.pod.status?.phase as PodPhase;
    const phase = phaseOf(this.observe());
    return this.ending?.reason && (phase === 'Succeeded' || allEnded(this.observe().views)) ? 'Failed' : phase;
  }

  private report(): void {
    if (this.gone || (this.isDone() && this.cleaned && !this.pod.metadata.deletionTimestamp)) return;
    // a Pod that had ended before this engine came keeps the status that it has
    if (this.isDone() && !this.context.records.ofPod(this.uid).length) return;
    const previous = new Map<string, ContainerRecord>();
    const waiting = new Map<string, StateWaiting>();
    for (const [{ name }] of this.specs) {
      const before = this.recordsOf(name).at(-2);
      if (before) previous.set(name, before);
      const why = this.liveOf(name).waiting ?? this.setUpWaiting;
      if (why && !this.ending) waiting.set(name, why);
    }
    const { hostIPs } = this.facts();
    const now = new Date().toISOString().replace(/\.\d+/, '');
    const { reason, message } = this.failed ??
      this.ending ?? { reason: this.pod.status?.reason, message: this.pod.status?.message };
    this.status.set(
      podStatus({
        pod: this.pod,
        views: this.observe().views,
        previous,
        waiting,
        phase: this.phase(),
        podIPs: this.podIPs.length ? this.podIPs : (this.pod.status?.podIPs ?? []).map(({ ip }) => ip),
        hostIPs,
        sandboxReady: this.sandbox !== undefined && !this.cleaned,
        reason: reason || undefined,
        message: message || undefined,
        now,
      }),
    );
  }

  /** All processes have ended: frees what they used, and with a deletion the object itself. */
  private async finish(): Promise<void> {
    if (!this.cleaned) {
      this.context.services.setHostPorts(this.uid, []);
      await this.context.volumes.tearDown(this.uid);
      await this.context.sandboxes.remove(this.uid);
      await this.context.devices.release(this.uid);
      await removeCgroups(`${this.context.cgroupParent}/pod${this.uid}`);
      this.sandbox = undefined;
      this.cleaned = true;
      this.report();
    }
    if (!this.gone && this.pod.metadata.deletionTimestamp) {
      await this.status.flush();
      if (!(await this.deleteObject())) return;
    }
    if (!this.gone && !this.pod.metadata.deletionTimestamp) return;
    for (const { id } of this.context.records.ofPod(this.uid)) await this.context.records.forget(id);
    await removeUnmounted(this.context.paths.pod(this.uid));
    this.closed = true;
    this.status.close();
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.onRemoved();
  }

  private async deleteObject(): Promise<boolean> {
    const { namespace, name = '' } = this.pod.metadata;
    try {
      const preconditions = { uid: this.uid };
      await this.context.client.delete(resources.pods, { namespace, name }, { gracePeriodSeconds: 0, preconditions });
      // finalizers of others keep the object: the rest waits for its real end
      return !this.pod.metadata.finalizers?.length;
    } catch (error) {
      if (isNotFound(error) || /precondition|UID/i.test(String(error))) return true;
      this.log('warn', 'the Pod object was not deleted; trying again', { error: String(error) });
      this.recheck('delete', 2000);
      return false;
    }
  }

  /** Files of ConfigMaps, Secrets and tokens follow their objects within a minute. */
  private keepFresh(): void {
    if (
      !this.volumes ||
      !(this.pod.spec.volumes ?? []).some((v) => v.configMap ?? v.secret ?? v.projected ?? v.downwardAPI)
    ) {
      return;
    }
    const wait = this.refreshedAt + REFRESH_MS - Date.now();
    if (wait <= 0) {
      this.refreshedAt = Date.now();
      const refresh = this.context.volumes
        .refresh(this.pod, this.facts())
        .catch((error: unknown) => this.log('warn', 'volumes were not refreshed', { error: String(error) }));
      this.tasks.add(refresh);
      void refresh.finally(() => this.tasks.delete(refresh));
    }
    this.recheck('refresh', wait > 0 ? wait : REFRESH_MS);
  }

  private recheck(what: string, ms: number): void {
    clearTimeout(this.timers.get(what));
    if (this.closed) return;
    const timer = setTimeout(() => this.poke(), Math.max(ms, 1));
    this.timers.set(what, timer);
  }

  private log(level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown> = {}): void {
    const { namespace, name } = this.pod.metadata;
    this.context.log(level, message, { pod: `${namespace}/${name}`, ...fields });
  }
}

/** Ports of the host that lead into the Pod. */
function hostPortsOf({ spec }: Pod, podIPs: readonly string[]): HostPort[] {
  if (spec.hostNetwork) return [];
  const ports = [...spec.containers, ...(spec.initContainers ?? [])].flatMap((container) => container.ports ?? []);
  return ports.flatMap(({ hostPort, containerPort, protocol = 'TCP' }) =>
    hostPort ? podIPs.map((ip) => ({ protocol, port: hostPort, target: { ip, port: containerPort } })) : [],
  );
}

const unknownEnd = () => ({
  code: 137,
  reason: 'ContainerStatusUnknown' as const,
  message: 'The container could not be located when the pod was terminated',
  finishedAt: new Date().toISOString(),
});
