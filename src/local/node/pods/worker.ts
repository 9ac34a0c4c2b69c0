import { errorText } from '../../../api/error-text';
import { isNotFound, resources } from '../../../runtime/kube';
import type { HostPort } from '../../network';
import type { Pod, PodPhase, StateWaiting } from '../../core-v1';
import { removeUnmounted } from '../../host/unmount';
import { removeCgroups } from '../runtime/cgroups';
import { VolumeError } from '../volumes/volumes';
import type { ReadyVolume } from '../volumes/volumes';
import { PodContainers } from './containers';
import { AdmissionError, NotReadyError } from './errors';
import type { NodeContext } from './context';
import { allEnded, decide, isOver, phaseOf } from './decide';
import type { Action, Observed } from './decide';
import type { PodFacts } from './environment';
import type { Sandbox } from './sandbox';
import { ImagePuller, StartError } from './starter';
import { podStatus } from './status';
import { StatusWriter } from './status-writer';

const REFRESH_MS = 60_000;
/** The kubelet's grace period for Pods that exceed a limit. */
const EVICTION_GRACE_MS = 1_000;
const SET_UP_RETRY_MS = { first: 500, max: 120_000 };

/** Reconciles one Pod. Passes never overlap; every event leads to another pass. */
export class PodWorker {
  private readonly containers: PodContainers;
  private readonly status: StatusWriter;
  private readonly puller: ImagePuller;
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly tasks = new Set<Promise<void>>();
  private running?: Promise<void>;
  private again = false;
  private closed = false;
  private gone = false;
  private ending?: { reason: string; message: string };
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
    this.containers = new PodContainers(context, {
      puller: this.puller,
      log: (level, message, fields) => this.log(level, message, fields),
      pod: () => this.pod,
      sandbox: () => this.sandbox,
      volumes: () => this.volumes,
      facts: () => this.facts(),
      endBy: () => (this.ending ? this.endBy : undefined),
      isDone: () => this.isDone(),
      poke: () => this.poke(),
    });
    this.status = new StatusWriter(context.client, pod, (error) =>
      this.log('warn', 'status could not be written', { error: String(error) }),
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

  /** Updates the Pod from the API. */
  public update(pod: Pod): void {
    this.pod = pod;
    this.status.observe(pod);
    this.poke();
  }

  /** Kills the Pod at once, because it was deleted from the API. */
  public remove(): void {
    this.gone = true;
    this.status.close();
    this.poke();
  }

  /** Evicts the Pod if a volume holds more than its size limit. */
  public async checkLimits(): Promise<void> {
    if (!this.volumes || this.isFinishing()) return;
    const volume = await this.context.volumes.overLimit(this.pod);
    if (!volume || this.ending) return;
    const message = `Usage of EmptyDir volume "${volume.name}" exceeds the limit "${volume.text}". `;
    this.endBy = Date.now() + EVICTION_GRACE_MS;
    this.ending = { reason: 'Evicted', message };
    this.context.events.warning(this.pod, 'Evicted', message);
    this.poke();
  }

  /** Requests a pass, because the Pod may have changed. */
  public poke(): void {
    this.containers.wake();
    if (this.closed) return;
    this.again = true;
    this.running ??= this.loop().finally(() => (this.running = undefined));
  }

  /** Stops working on the Pod; its containers keep running. */
  public async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    await this.running;
    await this.containers.close();
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
    await this.containers.collectExits();
    this.decideEnding();
    if (!this.isFinishing()) await this.setUp();
    this.containers.resumeProbes();
    const observed = this.observe();
    for (const action of this.failed && !this.ending ? [] : decide(observed)) this.perform(action);
    // read the current state for the status: a container may have ended since the decision
    const { views } = this.observe();
    const over = this.failed !== undefined || isOver(this.pod, views) || this.isDone();
    const ended = (this.ending || over) && allEnded(views);
    // before the end is reported, because the next Pod may get the same devices
    if (ended && !this.cleaned) await this.context.devices.release(this.uid);
    this.report();
    if (ended) await this.finish();
    else this.keepFresh();
  }

  /** Whether the Pod is ending or has ended. After its cleanup, the API may still have it as running. */
  private isFinishing(): boolean {
    return this.ending !== undefined || this.failed !== undefined || this.cleaned || this.isDone();
  }

  /** Whether the Pod ended under an earlier engine. */
  private isDone(): boolean {
    return this.pod.status?.phase === 'Succeeded' || this.pod.status?.phase === 'Failed';
  }

  /** Whether the Pod must end: deleted or past its deadline. The decision is final. */
  private decideEnding(): void {
    const { deletionTimestamp, deletionGracePeriodSeconds } = this.pod.metadata;
    const { activeDeadlineSeconds, terminationGracePeriodSeconds = 30 } = this.pod.spec;
    if (this.gone || deletionTimestamp) {
      const grace = this.gone ? 1 : (deletionGracePeriodSeconds ?? terminationGracePeriodSeconds);
      const asked = deletionTimestamp ? Date.parse(deletionTimestamp) - grace * 1000 : Date.now();
      const deadline = Math.max(asked, this.startedEndingAt ?? Date.now()) + grace * 1000;
      this.startedEndingAt ??= Date.now();
      this.endBy = Math.min(this.endBy ?? Infinity, deadline);
      this.ending = { reason: '', message: '' };
      return;
    }
    const startTime = this.pod.status?.startTime;
    if (!activeDeadlineSeconds || !startTime || this.isDone() || this.ending) return;
    const left = Date.parse(startTime) + activeDeadlineSeconds * 1000 - Date.now();
    if (left > 0) return this.recheck('deadline', left);
    this.endBy = Date.now() + terminationGracePeriodSeconds * 1000;
    const message = 'Pod was active on the node longer than the specified deadline';
    this.ending = { reason: 'DeadlineExceeded', message };
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

  /** Prepares devices, sandbox and volumes before the first container. */
  private async setUp(): Promise<void> {
    if (this.volumes && this.sandbox) return;
    if (this.setUpNotBefore > Date.now()) return this.recheck('setup', this.setUpNotBefore - Date.now());
    const records = this.context.records.ofPod(this.uid);
    try {
      await this.context.devices.admit(this.pod);
      // before the Pod has a link, so that no packet precedes the rules
      if (!this.sandbox) await this.context.policies.enforce(this.pod);
      this.sandbox ??= await this.context.sandboxes.ensure(this.pod, records);
      // keep the leases until the Pod's directory refers to the images
      using lease = this.context.images.lease();
      const images = await this.puller.volumeImages(this.pod, lease);
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
    const message = errorText(error);
    let wait = Math.min(this.setUpWait ? this.setUpWait * 2 : SET_UP_RETRY_MS.first, SET_UP_RETRY_MS.max);
    if (error instanceof StartError) {
      this.setUpWaiting = error.waiting;
      wait = error.retryMs;
    } else if (error instanceof NotReadyError) {
      if (this.setUpWaiting?.message !== message) this.context.events.warning(this.pod, error.reason, message);
      this.setUpWaiting = { reason: 'ContainerCreating', message };
      wait = SET_UP_RETRY_MS.first;
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
    const ending = this.ending ? this.ending.message || 'deleted' : undefined;
    return { pod: this.pod, views: this.containers.views(), now: Date.now(), ending };
  }

  private perform(action: Action): void {
    if (action.do === 'recheck') this.recheck('backoff', action.afterMs);
    else if (action.do === 'kill' || (this.sandbox && this.volumes)) this.containers.perform(action);
  }

  private phase(): PodPhase {
    if (this.failed) return 'Failed';
    if (this.isDone()) return this.pod.status?.phase as PodPhase;
    const phase = phaseOf(this.observe());
    return this.ending?.reason && (phase === 'Succeeded' || allEnded(this.observe().views)) ? 'Failed' : phase;
  }

  private report(): void {
    if (this.gone || (this.isDone() && this.cleaned && !this.pod.metadata.deletionTimestamp)) return;
    // a Pod that ended before this engine started keeps its status
    if (this.isDone() && !this.context.records.ofPod(this.uid).length) return;
    const { hostIPs } = this.facts();
    const now = new Date().toISOString().replace(/\.\d+/, '');
    const { reason, message } = this.failed ??
      this.ending ?? { reason: this.pod.status?.reason, message: this.pod.status?.message };
    this.status.set(
      podStatus({
        pod: this.pod,
        views: this.observe().views,
        previous: this.containers.previous(),
        waiting: this.ending ? new Map() : this.containers.waiting(this.setUpWaiting),
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

  /** Cleans up after all processes have ended; deletes the object of a deleted Pod. */
  private async finish(): Promise<void> {
    if (!this.cleaned) {
      this.context.services.setHostPorts(this.uid, []);
      await this.context.volumes.tearDown(this.uid);
      await this.context.sandboxes.remove(this.uid);
      this.context.policies.release(this.uid);
      removeCgroups(`${this.context.cgroupParent}/pod${this.uid}`);
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
      // finalizers of others keep the object: wait for its deletion
      return !this.pod.metadata.finalizers?.length;
    } catch (error) {
      if (isNotFound(error) || /precondition|UID/i.test(String(error))) return true;
      this.log('warn', 'the Pod object could not be deleted; retrying', { error: String(error) });
      this.recheck('delete', 2000);
      return false;
    }
  }

  /** Updates files of ConfigMaps, Secrets and tokens within a minute. */
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
        .catch((error: unknown) => this.log('warn', 'volumes could not be updated', { error: String(error) }));
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

/** Host ports of the Pod. */
function hostPortsOf({ spec }: Pod, podIPs: readonly string[]): HostPort[] {
  if (spec.hostNetwork) return [];
  const ports = [...spec.containers, ...(spec.initContainers ?? [])].flatMap((container) => container.ports ?? []);
  return ports.flatMap(({ hostPort, containerPort, protocol = 'TCP' }) =>
    hostPort ? podIPs.map((ip) => ({ protocol, port: hostPort, target: { ip, port: containerPort } })) : [],
  );
}
