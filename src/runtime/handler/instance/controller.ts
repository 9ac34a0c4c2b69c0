import type { Logger } from 'pino';
import { errorText } from '../../../api/error-text';
import type { VirtualMachineInstance } from '../../../api';
import { ATTACHMENT, launcherOf } from '../../../api/attachment-name';
import { keys } from '../../../api/keys';
import { keyFields, vmFields } from '../../../api/log-fields';
import { Informer, isConflict, isNotFound, keyOf, olderVersion, resources, splitKey } from '../../kube';
import type { EventRecorder, KubeClient, Requeue, WorkQueue } from '../../kube';
import { ownerOf, trimAttachment, trimPod } from '../kube-types';
import type { Pod } from '../kube-types';
import { GrpcError, GrpcStatus } from '../../protocol';
import type { HandlerMetrics } from '../metrics';
import type { StatsTarget } from '../metrics/stats-collector';
import type { PodVolumes } from '../paths/pod-volumes';
import { decide } from './decide';
import type { Action } from './decide';
import { computeState, NOTHING_DONE } from './observed';
import type { Observed } from './observed';
import { withWrite } from './pace';
import { EventReason, type Reason } from '../../../api/reasons';
import { PodRuntime, specHashOf, StepFailed } from './pod-runtime';
import { NODE_NAME_LABEL } from './status';

export interface InstanceControllerOptions {
  readonly client: KubeClient;
  readonly recorder: EventRecorder<Reason>;
  readonly log: Logger;
  readonly node: string;
  readonly volumes: PodVolumes;
  readonly procDir: string;
  readonly metrics: HandlerMetrics;
}

/** Observations and decisions per pass; a start takes about eight. */
const MAX_ROUNDS = 20;
/** Time for which a VMI without this node's label, which is not watched yet, counts as current. */
const FETCH_TTL_MS = 2_000;
const WORKERS = 8;

/** Drives every launcher Pod of this node: observes, decides and acts until nothing is left to do. */
export class InstanceController {
  private readonly pods: Informer<Pod>;
  private readonly attachments: Informer<Pod>;
  private readonly instances: Informer<VirtualMachineInstance>;
  private readonly queue: WorkQueue;
  private readonly runtimes = new Map<string, PodRuntime>();
  /** VMIs that this handler has read or written and that the watch may not show yet. */
  private readonly fetched = new Map<string, { vmi?: VirtualMachineInstance; at: number }>();

  public constructor(private readonly options: InstanceControllerOptions) {
    const { client, node, log } = options;
    const onError = (error: unknown): void => log.warn({ err: error }, 'watch failed; retrying');
    this.queue = options.metrics.makeQueue('virt-handler-vm', {
      onError: (key, error) => log.warn({ ...keyFields('vmi', key), err: error }, 'pass failed; retrying'),
    });
    this.pods = new Informer<Pod>(client, resources.pods, {
      fieldSelector: `spec.nodeName=${node}`,
      labelSelector: 'kubevirt.io=virt-launcher',
      transform: trimPod,
      indexers: { vmi: (pod) => [ownerKey(pod)].filter((key) => key !== undefined) },
      onError,
    });
    this.attachments = new Informer<Pod>(client, resources.pods, {
      fieldSelector: `spec.nodeName=${node}`,
      labelSelector: `kubevirt.io=${ATTACHMENT}`,
      transform: trimAttachment,
      indexers: { launcher: ({ metadata }) => [launcherOf(metadata)].filter((uid) => uid !== undefined) },
      onError,
    });
    this.instances = new Informer<VirtualMachineInstance>(client, resources.virtualMachineInstances, {
      labelSelector: `${NODE_NAME_LABEL}=${node}`,
      onError,
    });
    const wakePod = (pod: Pod): void => {
      const key = ownerKey(pod);
      if (key) this.queue.add(key);
    };
    this.pods.onChange({ add: wakePod, update: wakePod, delete: (pod) => this.forget(pod) });
    // only wakes: which Pod belongs to which volume is decided by its name and owner
    const wakeOwner = ({ metadata }: Pod): void => {
      const name = metadata.annotations?.[keys.ownerVmiName];
      if (name) this.queue.add(`${metadata.namespace}/${name}`);
    };
    this.attachments.onChange({ add: wakeOwner, update: wakeOwner, delete: wakeOwner });
    const wake = (vmi: VirtualMachineInstance): void => this.queue.add(keyOf(vmi));
    this.instances.onChange({
      add: wake,
      update: wake,
      delete: (vmi) => {
        this.fetched.delete(keyOf(vmi));
        wake(vmi);
      },
    });
  }

  /** UIDs of the Pods whose compute container has not terminated; undefined before Pods were listed. */
  public get livePods(): ReadonlySet<string> | undefined {
    if (!this.pods.synced) return undefined;
    const live = this.pods.list().filter((pod) => computeState(pod) !== 'terminated');
    return new Set(live.map(({ metadata }) => metadata.uid ?? ''));
  }

  /** Guests whose launchers can be asked for statistics. */
  public get statsTargets(): StatsTarget[] {
    return this.pods.list().flatMap((pod) => {
      const key = ownerKey(pod);
      const vmi = key === undefined ? undefined : this.newest(key);
      const runtime = this.runtimes.get(pod.metadata.uid ?? '');
      const has = runtime?.facts.domain?.status;
      if (!vmi || !runtime || ownerOf(pod)?.uid !== vmi.metadata.uid || !(has === 'Running' || has === 'Paused'))
        return [];
      return [{ podUid: runtime.uid, vmi, read: () => runtime.launcher.stats() }];
    });
  }

  /** Resolves when `stop` was called and the passes in progress have finished. */
  public async run(): Promise<void> {
    await Promise.all([this.instances.start(), this.pods.start(), this.attachments.start()]);
    await this.queue.run(WORKERS, (key) => this.sync(key));
  }

  public get synced(): boolean {
    return this.pods.synced && this.attachments.synced && this.instances.synced;
  }

  public async stop(): Promise<void> {
    await Promise.all([this.pods.stop(), this.attachments.stop(), this.instances.stop(), this.queue.stop()]);
    await Promise.all([...this.runtimes.values()].map((runtime) => runtime.detach()));
  }

  /** The VMI and the runtime of its Pod, if its guest is on this node. */
  public find(namespace: string, name: string): { vmi: VirtualMachineInstance; runtime: PodRuntime } | undefined {
    const key = `${namespace}/${name}`;
    const vmi = this.newest(key);
    const pod = vmi && this.podOf(key, vmi);
    const runtime = pod && this.runtimes.get(pod.metadata.uid ?? '');
    return vmi && runtime && computeState(pod) === 'running' ? { vmi, runtime } : undefined;
  }

  private async sync(key: string): Promise<Requeue | void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const observed = await this.observe(key);
      const runtime = observed.pod && this.runtimeOf(key, observed.pod);
      const actions = decide({ ...observed, facts: runtime?.facts ?? NOTHING_DONE });
      const work = actions.filter((action) => action.do !== 'recheck');
      const rechecks = actions.flatMap((action) => (action.do === 'recheck' ? [Math.max(action.afterMs, 5)] : []));
      const before = runtime?.facts;
      const progressed = await this.performAll(key, observed, runtime, work);
      if (!progressed && runtime?.facts === before) {
        return rechecks.length ? { requeueAfterMs: Math.min(...rechecks) } : undefined;
      }
    }
    this.options.log.warn(keyFields('vmi', key), `no end after ${MAX_ROUNDS} decisions; pausing`);
    return { requeueAfterMs: 5_000 };
  }

  /** Performs all actions until one fails. Returns true if the API object was changed. */
  private async performAll(
    key: string,
    observed: Observed,
    runtime: PodRuntime | undefined,
    actions: readonly Action[],
  ): Promise<boolean> {
    let changed = false;
    for (const action of actions) {
      try {
        changed = (await this.perform(key, observed, runtime, action)) || changed;
      } catch (error) {
        if (error instanceof Overtaken) return true;
        if (!(error instanceof StepFailed)) throw error;
        const { step, attempts } = error.failure;
        // each cause is logged once and then at growing intervals, like its retries
        const about = observed.vmi ? vmFields(observed.vmi.metadata) : keyFields('vmi', key);
        if (step !== 'connect' || attempts > 4) this.options.log.warn({ ...about, step, attempts }, error.message);
        return true;
      }
    }
    return changed;
  }

  private async perform(
    key: string,
    { vmi, pod, attachments }: Observed,
    runtime: PodRuntime | undefined,
    action: Action,
  ): Promise<boolean> {
    if (!vmi || !pod || !runtime) return false;
    switch (action.do) {
      case 'listen':
        await runtime.listen();
        return false;
      case 'setUpNetwork':
        await runtime.setUpNetwork(vmi, pod);
        return false;
      case 'mountDisks':
        await runtime.mountDisks(vmi, pod);
        return false;
      case 'findLauncher':
        await runtime.findLauncher(pod);
        return false;
      case 'readDomain':
        await runtime.readDomain();
        return false;
      case 'sync':
        await runtime.sync(vmi, action.specHash, pod, attachments);
        return false;
      case 'unplug':
        await runtime.unplug(vmi, pod);
        return false;
      case 'dumpMemory':
        await runtime.dumpMemory(vmi, action);
        return false;
      case 'shutdown':
      case 'kill':
      case 'end':
        await this.ask(runtime, action.do, vmi);
        return false;
      case 'release':
        await runtime.release();
        return false;
      case 'noteMissing':
        runtime.learn({ missingSince: action.since });
        return false;
      case 'event':
        this.options.recorder.record(vmi, action.type, action.reason, action.message);
        return false;
      case 'patch':
        runtime.learn({ writes: withWrite(runtime.facts.writes, Date.now()) });
        return this.patch(key, vmi, action.body);
      default:
        return false;
    }
  }

  /** A VMI that is being deleted is no longer written: an event reports why its guest does not end. */
  private async ask(
    runtime: PodRuntime,
    action: 'shutdown' | 'kill' | 'end',
    vmi: VirtualMachineInstance,
  ): Promise<void> {
    try {
      await runtime.ask(action, vmi);
    } catch (error) {
      // a launcher ends with its guest; if it still runs, it is asked again
      if (action === 'end' && error instanceof GrpcError && error.code === GrpcStatus.UNAVAILABLE) return;
      const cause = errorText(error);
      const message = `the launcher failed at "${action}": ${cause}; virt-handler retries until the guest has ended`;
      this.options.recorder.warning(vmi, EventReason.StopFailed, message.slice(0, 1_024));
      throw error;
    }
  }

  private async patch(key: string, vmi: VirtualMachineInstance, body: object): Promise<boolean> {
    try {
      const { namespace, name = '' } = vmi.metadata;
      const ref = { namespace, name };
      const written = await this.options.client.patch<VirtualMachineInstance>(
        resources.virtualMachineInstances,
        ref,
        body,
        'merge',
      );
      this.fetched.set(key, { vmi: written, at: Date.now() });
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
      await this.fetch(key);
      throw new Overtaken();
    }
    return true;
  }

  private async observe(key: string): Promise<Observed> {
    let vmi = this.newest(key);
    const fetched = this.fetched.get(key);
    const watched = this.instances.get(key) !== undefined;
    const pods = this.pods.byIndex('vmi', key);
    // a Pod with another UID belongs to a successor of the same name, which a restart creates within moments
    const fits = pods.some((pod) => computeState(pod) !== 'terminated' && ownerOf(pod)?.uid === vmi?.metadata.uid);
    const stale = !fits || Date.now() - (fetched?.at ?? 0) > FETCH_TTL_MS;
    if (!watched && pods.length > 0 && stale) vmi = await this.fetch(key);
    if (pods.length === 0) this.fetched.delete(key);
    const pod = vmi ? this.podOf(key, vmi) : undefined;
    const attachments = pod ? this.attachments.byIndex('launcher', pod.metadata.uid ?? '') : [];
    const specHash = vmi ? specHashOf(vmi, attachments) : '';
    return { now: Date.now(), node: this.options.node, vmi, pod, attachments, facts: NOTHING_DONE, specHash };
  }

  private async fetch(key: string): Promise<VirtualMachineInstance | undefined> {
    const vmi = await this.options.client.find<VirtualMachineInstance>(
      resources.virtualMachineInstances,
      splitKey(key),
    );
    this.fetched.set(key, { vmi, at: Date.now() });
    return vmi;
  }

  private newest(key: string): VirtualMachineInstance | undefined {
    const watched = this.instances.get(key);
    const fetched = this.fetched.get(key)?.vmi;
    if (!watched || !fetched) return watched ?? fetched;
    return olderVersion(watched.metadata.resourceVersion, fetched.metadata.resourceVersion) ? fetched : watched;
  }

  /** The launcher Pod of exactly this VMI: its name is derived from the UID, so there is at most one. */
  private podOf(key: string, vmi: VirtualMachineInstance): Pod | undefined {
    return this.pods.byIndex('vmi', key).find((pod) => ownerOf(pod)?.uid === vmi.metadata.uid);
  }

  private runtimeOf(key: string, pod: Pod): PodRuntime {
    const uid = pod.metadata.uid ?? '';
    const known = this.runtimes.get(uid);
    if (known) return known;
    const runtime = new PodRuntime(pod, {
      volumes: this.options.volumes,
      procDir: this.options.procDir,
      wake: () => this.queue.add(key),
      event: ({ type, reason, message }) => {
        const vmi = this.newest(key);
        if (vmi) this.options.recorder.record(vmi, type, reason, message);
      },
      panicked: () => this.options.metrics.panics.add(...namesOf(key)),
      now: Date.now,
      log: this.options.log,
    });
    this.runtimes.set(uid, runtime);
    return runtime;
  }

  private forget(pod: Pod): void {
    const runtime = this.runtimes.get(pod.metadata.uid ?? '');
    this.runtimes.delete(pod.metadata.uid ?? '');
    runtime
      ?.release()
      .catch((err) => this.options.log.warn({ ...vmFields(ownerOf(pod) ?? {}), err }, 'cleaning up after a Pod'));
    const key = ownerKey(pod);
    if (key) this.queue.add(key);
  }
}

/** Another client wrote the VMI first: the decision is obsolete. */
class Overtaken extends Error {}

const namesOf = (key: string): [namespace: string | undefined, name: string] => {
  const { namespace, name } = splitKey(key);
  return [namespace, name];
};

function ownerKey(pod: Pod): string | undefined {
  const owner = ownerOf(pod);
  return owner && `${owner.namespace}/${owner.name}`;
}
