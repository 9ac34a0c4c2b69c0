import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { Informer, resources } from '../../../runtime/kube';
import type { Pod } from '../../core-v1';
import { listDirectory, removeTree } from '../../host/files';
import { removeUnmounted } from '../../host/unmount';
import { removeCgroups } from '../runtime/cgroups';
import { isAlive, signal } from '../runtime/crun';
import type { NodeContext } from './context';
import { freeContainer } from './exit';
import type { ContainerRecord } from './record';
import { rotateLogs } from './rotation';
import { PodWorker } from './worker';

const HOUSEKEEPING_MS = 10_000;
const LATE_MS = 5_000;

/** Manages the Pods of this node: one worker each, woken by the API, by ends of containers and by timers. */
export class PodManager {
  private readonly workers = new Map<string, PodWorker>();
  private readonly informer: Informer<Pod>;
  private watcher?: FSWatcher;
  private timer?: NodeJS.Timeout;
  private late?: NodeJS.Timeout;
  private closed = false;
  private checking = false;

  public constructor(private readonly context: NodeContext) {
    this.informer = new Informer<Pod>(context.client, resources.pods, {
      fieldSelector: `spec.nodeName=${context.nodeName}`,
      onError: (error) => context.log('warn', 'watching Pods failed; retrying', { error: String(error) }),
    });
    this.informer.onChange({
      add: (pod) => this.add(pod),
      update: (pod) => this.workers.get(pod.metadata.uid ?? '')?.update(pod) ?? this.add(pod),
      delete: (pod) => this.workers.get(pod.metadata.uid ?? '')?.remove(),
    });
  }

  /** Adopts the Pods of an earlier engine, then follows the API. */
  public async start(): Promise<void> {
    const { paths, records } = this.context;
    for (const directory of [paths.pods, paths.containers, paths.crun, paths.exits, paths.attach]) {
      await mkdir(directory, { recursive: true, mode: 0o755 });
    }
    await records.load();
    this.watcher = watch(paths.exits, (_event, file) => this.ended(String(file)));
    await this.informer.start();
    await this.removeOrphans();
    this.late = setTimeout(() => {
      this.removeUnknown().catch((error: unknown) =>
        this.context.log('warn', 'containers without a record could not be removed', { error: String(error) }),
      );
    }, LATE_MS).unref();
    this.timer = setInterval(() => this.keepHouse(), HOUSEKEEPING_MS).unref();
  }

  public async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    clearTimeout(this.late);
    this.watcher?.close();
    await this.informer.stop();
    await Promise.all([...this.workers.values()].map((worker) => worker.close()));
  }

  public pods(): Pod[] {
    return [...this.workers.values()].map((worker) => worker.current);
  }

  public find(namespace: string, name: string): PodWorker | undefined {
    return [...this.workers.values()].find(
      ({ current: { metadata } }) => metadata.namespace === namespace && metadata.name === name,
    );
  }

  /** Latest attempt of a container, or with `previous` the one before. */
  public container(worker: PodWorker, name: string, previous = false): ContainerRecord | undefined {
    const all = this.context.records.ofPod(worker.uid).filter((record) => record.name === name);
    const last = all.at(-1);
    return previous ? all.at(-2) : last;
  }

  private add(pod: Pod): void {
    if (pod.spec.nodeName !== this.context.nodeName) return;
    const uid = pod.metadata.uid ?? '';
    const known = this.workers.get(uid);
    if (known) return known.update(pod);
    const worker = new PodWorker(this.context, pod, () => this.workers.delete(uid));
    this.workers.set(uid, worker);
    worker.poke();
  }

  private ended(id: string): void {
    const record = this.context.records.get(id);
    if (record) this.workers.get(record.podUid)?.poke();
  }

  /** Removes Pods that were deleted while no engine ran. */
  private async removeOrphans(): Promise<void> {
    const { records, paths, network } = this.context;
    const uids = new Set([
      ...records.all().map(({ podUid }) => podUid),
      ...(await listDirectory(paths.pods)),
      ...network.leasedPods(),
    ]);
    for (const uid of uids) if (!this.workers.has(uid)) await this.removeOrphan(uid);
    await this.removeUnknown();
  }

  /** Removes containers without a record: a crun whose engine was killed may create one after our start. */
  private async removeUnknown(): Promise<void> {
    const { records, paths, runtime } = this.context;
    const unknown = (id: string): boolean => records.get(id) === undefined;
    for (const id of (await runtime.list()).filter(unknown)) await runtime.delete(id);
    for (const id of (await listDirectory(paths.containers)).filter(unknown)) {
      await freeContainer(this.context, id);
      await removeTree(paths.container(id));
    }
  }

  private async removeOrphan(uid: string): Promise<void> {
    const { records, volumes, sandboxes, devices, paths, cgroupParent, log } = this.context;
    log('info', 'removing a Pod that was deleted from the API', { uid });
    const own = records.ofPod(uid);
    for (const { process } of own) signal(process, 'SIGTERM');
    for (let tries = 0; tries < 20 && own.some(({ process }) => isAlive(process)); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    for (const { id } of own) {
      await freeContainer(this.context, id);
      await records.forget(id);
    }
    await volumes.tearDown(uid);
    await sandboxes.remove(uid);
    await devices.release(uid);
    removeCgroups(`${cgroupParent}/pod${uid}`);
    await removeUnmounted(paths.pod(uid));
  }

  /** One Pod after the other; a check that lasts longer than the interval is not started twice. */
  private async checkLimits(): Promise<void> {
    if (this.checking) return;
    this.checking = true;
    try {
      for (const worker of [...this.workers.values()]) if (!this.closed) await worker.checkLimits();
    } finally {
      this.checking = false;
    }
  }

  /** Checks for changes without an event: a killed conmon, a missed exit file, growing logs. */
  private keepHouse(): void {
    if (this.closed) return;
    const running = this.context.records.all().filter((record) => record.startedAt && !record.exit);
    for (const record of running) if (!isAlive(record.process)) this.workers.get(record.podUid)?.poke();
    this.checkLimits().catch((error: unknown) =>
      this.context.log('warn', 'sizes of volumes could not be checked', { error: String(error) }),
    );
    rotateLogs(this.context.paths, running).catch((error: unknown) =>
      this.context.log('warn', 'logs could not be rotated', { error: String(error) }),
    );
  }
}
