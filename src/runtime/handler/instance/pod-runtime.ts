import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { errorText } from '../../../api/error-text';
import type { VirtualMachineInstance } from '../../../api';
import { ATTACHMENT } from '../../../api/attachment-name';
import { vmFields } from '../../../api/log-fields';
import type { DomainState } from '../../protocol';
import { LIMITS } from '../../protocol/bounds';
import { plainText } from '../../../api/plain-text';
import { mountContainerDisk, unmountContainerDisks } from '../container-disk/mount';
import { plannedDisks } from '../container-disk/plan';
import { ownDevices } from '../devices/own';
import type { DeviceAccess } from '../devices/plan';
import { containerId, containerStatus, ownerOf } from '../kube-types';
import type { Pod } from '../kube-types';
import { Launcher, LauncherRefusal } from '../launcher/launcher';
import type { GuestAction } from '../launcher/launcher';
import { NotifyServer } from '../launcher/notify-server';
import { plannedHostDisks } from '../host-disk/plan';
import { prepareHostDisks } from '../host-disk/prepare';
import { type Provided, providePlugged } from '../hotplug/provide';
import { pluggedNames, unplug, unplugAll } from '../hotplug/plug';
import { releasedVolumes } from '../hotplug/plan';
import { setUpNetwork } from '../network/phase1';
import { UnsupportedNetwork } from '../network/plan';
import type { PodVolumes } from '../paths/pod-volumes';
import { LAUNCHER_START_MS } from './decide';
import { emulated } from './emulated';
import type { Failure, PodFacts } from './observed';
import { isOver, NOTHING_DONE } from './observed';
import { FailureReason } from '../../../api/reasons';

export interface PodRuntimeOptions {
  readonly volumes: PodVolumes;
  readonly procDir: string;
  /** Called when the facts may have changed. */
  readonly wake: () => void;
  readonly event: (event: { type: 'Normal' | 'Warning'; reason: string; message: string }) => void;
  /** Called when the operating system of the guest has panicked. */
  readonly panicked?: () => void;
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
}

/** A launcher's socket exists a moment before it listens; other causes take longer to disappear. */
const FIRST_RETRY_MS = { listen: 1_000, devices: 1_000, network: 1_000, disks: 1_000, sync: 1_000, connect: 20 };
const LAST_RETRY_MS = {
  listen: 60_000,
  devices: 60_000,
  network: 60_000,
  disks: 60_000,
  sync: 60_000,
  connect: 10_000,
};

/** The handler's access to one launcher Pod: its sockets, mounts and network, and the facts derived from them. */
export class PodRuntime {
  public readonly launcher: Launcher;
  private known: PodFacts = NOTHING_DONE;
  private notify?: NotifyServer;
  /** Number of reports that the launcher sent on its own. */
  private reports = 0;

  public constructor(
    public readonly pod: Pod,
    private readonly options: PodRuntimeOptions,
  ) {
    this.launcher = new Launcher(this.uid, options.volumes, (appeared) => {
      // a launcher that was restarted continues the work on its disks when it gets the spec again
      if (!appeared) this.learn({ launcherUp: false, domainStale: true, syncedSpec: undefined });
      options.wake();
    });
  }

  public get facts(): PodFacts {
    return this.known;
  }

  public get uid(): string {
    return this.pod.metadata.uid ?? '';
  }

  public learn(news: Partial<PodFacts>): void {
    const next = { ...this.known, ...news };
    if (!isDeepStrictEqual(next, this.known)) this.known = next;
  }

  public async listen(): Promise<void> {
    await this.attempt('listen', FailureReason.NotifyFailed, async () => {
      this.notify ??= await NotifyServer.listen(this.uid, this.options.volumes, {
        domain: (state) => this.recordDomain(state),
        event: this.options.event,
      });
      this.learn({ listening: true });
    });
  }

  /** Prepares devices and network of the Pod, which a guest needs before it may start. */
  public async setUpNetwork(vmi: VirtualMachineInstance, pod: Pod): Promise<void> {
    await this.attempt('devices', FailureReason.DevicesNotUsable, async () => {
      const guestRuns = vmi.status?.phase === 'Running';
      const access = this.ownDevices(pod, guestRuns);
      if (!access) return;
      const { kvm, problems } = access;
      if (problems.length > 0 && !guestRuns) throw new Error(problems.join('; '));
      this.learn({ kvm, deviceDifferences: problems.length > 0 ? problems : undefined });
      const verdict = emulated(vmi, { kvm });
      const isNew = !vmi.status?.conditions?.some(
        ({ type, reason }) => type === verdict?.type && reason === verdict?.reason,
      );
      // allowed emulation is configured; emulation that nobody configured gets an event
      if (typeof kvm === 'object' && verdict && isNew) {
        this.options.event({ type: 'Warning', reason: verdict.reason ?? '', message: verdict.message ?? '' });
      }
    });
    await this.attempt('network', FailureReason.NetworkSetupFailed, async () => {
      const id = containerId(containerStatus(pod, 'compute'));
      if (!id) throw new Error('the status of the Pod has no compute container');
      const { interfaces, differences } = await setUpNetwork(vmi, this.options.procDir, id);
      this.learn({ network: interfaces, networkDifferences: differences.length > 0 ? differences : undefined });
    });
  }

  public async mountDisks(vmi: VirtualMachineInstance, pod: Pod): Promise<void> {
    const hostDisks = vmi.status?.phase === 'Running' ? [] : plannedHostDisks(vmi);
    if (hostDisks.length > 0) {
      await this.attempt('disks', FailureReason.HostDiskFailed, async () =>
        prepareHostDisks(hostDisks, containerId(containerStatus(pod, 'compute')) ?? '', this.options.procDir),
      );
    }
    await this.attempt('disks', FailureReason.ContainerDiskFailed, async () => {
      for (const disk of plannedDisks(vmi, pod)) {
        await mountContainerDisk(disk, this.uid, this.options);
      }
      this.learn({ disksMounted: true });
    });
  }

  public async findLauncher(pod: Pod): Promise<void> {
    await this.attempt('connect', FailureReason.LauncherNotReady, async () => {
      const launcherUp = this.launcher.isListening();
      this.learn({ launcherUp });
      const startedAt = Date.parse(containerStatus(pod, 'compute')?.state?.running?.startedAt ?? '');
      if (!launcherUp && this.options.now() - startedAt > LAUNCHER_START_MS) {
        throw new Error(
          `the launcher does not listen ${LAUNCHER_START_MS / 1_000} s after its container started; ` +
            `run "kubectl logs -n ${pod.metadata.namespace} ${pod.metadata.name} -c compute"`,
        );
      }
    });
  }

  public async readDomain(): Promise<void> {
    await this.attempt('connect', FailureReason.LauncherUnreachable, async () => {
      try {
        await this.askDomain();
      } catch (error) {
        this.learn({ launcherUp: false });
        throw error;
      }
    });
  }

  public async sync(
    vmi: VirtualMachineInstance,
    specHash: string,
    launcher: Pod = this.pod,
    attachments: readonly Pod[] = [],
  ): Promise<void> {
    await this.attempt('sync', FailureReason.SyncFailed, async () => {
      const before = this.known.plugProblems;
      const provided = await providePlugged(vmi, launcher, attachments, this.options);
      const notApplied = await this.launcher.sync(vmi, { podInterfaces: [...(this.known.network ?? [])] });
      this.learn({ syncedSpec: specHash, notApplied: notApplied.length > 0 ? notApplied : undefined });
      const isPlugging = provided !== undefined || this.known.plugged !== undefined;
      if (this.known.domain?.status === 'NoState' || isPlugging) await this.askDomain();
      this.learn(plugFacts(provided, before, this.known.domain, this.options.now()));
    });
  }

  /** Takes volumes from the launcher that its guest no longer has. */
  public async unplug(vmi: VirtualMachineInstance, launcher: Pod): Promise<void> {
    await this.attempt('sync', FailureReason.VolumeNotProvided, async () => {
      const id = containerId(containerStatus(launcher, 'compute')) ?? '';
      const place = { podUid: this.uid, containerId: id, ...this.options };
      for (const name of releasedVolumes(vmi, this.known)) await unplug(name, place);
      this.learn({ plugged: pluggedNames(place) });
    });
  }

  public async dumpMemory(vmi: VirtualMachineInstance, dump: { volume: string; fileName: string }): Promise<void> {
    await this.attempt('sync', FailureReason.SyncFailed, async () => {
      await this.launcher.dumpMemory(vmi, dump);
      await this.askDomain();
    });
  }

  /** shutdown, kill or end. The domain's state shows whether it worked; `decide` repeats it until it has. */
  public async ask(action: GuestAction & ('shutdown' | 'kill' | 'end'), vmi: VirtualMachineInstance): Promise<void> {
    const now = this.options.now();
    const { shutdownRequestedAt = now } = this.known;
    if (action === 'shutdown') this.learn({ shutdownRequestedAt, shutdownRepeatedAt: now });
    else if (action === 'kill') this.learn({ killedAt: now });
    else this.learn({ endedAt: now });
    await this.launcher.act(action, vmi);
  }

  /** Closes sockets and unmounts. The network is deleted with the Pod's namespace. */
  public async release(): Promise<void> {
    this.launcher.close();
    await this.notify?.close();
    this.notify = undefined;
    await unmountContainerDisks(this.uid, this.options.volumes);
    await unplugAll(this.uid, this.options.volumes);
    this.known = { ...NOTHING_DONE, domain: this.known.domain, released: true };
  }

  /** Closes sockets and keeps mounts: the handler ends, the Pod does not. */
  public async detach(): Promise<void> {
    this.launcher.close();
    await this.notify?.close();
  }

  /** Undefined if the devices of a running guest cannot be inspected, which does not mean that they are wrong. */
  private ownDevices(pod: Pod, guestRuns: boolean): DeviceAccess | undefined {
    try {
      return ownDevices(pod, this.options.procDir, guestRuns);
    } catch (error) {
      if (!guestRuns) throw error;
      const about = vmFields(ownerOf(pod) ?? {});
      this.options.log.warn({ ...about, err: error }, 'the devices of a running guest cannot be looked at');
      return undefined;
    }
  }

  /** Requests the domain's state. A report that arrives before the answer is newer, or is followed by a newer one. */
  private async askDomain(): Promise<void> {
    const { reports } = this;
    const answer = await this.launcher.domain();
    if (reports === this.reports) this.take(answer);
    else this.learn({ domainStale: false });
  }

  private recordDomain(domain: DomainState): void {
    this.reports++;
    if (domain.reason === 'GuestPanicked' && this.known.domain?.reason !== domain.reason) this.options.panicked?.();
    this.take(domain);
    this.options.wake();
  }

  /** A launcher never starts its guest again, so no later report changes how it ended. */
  private take(domain: DomainState): void {
    if (isOver(this.known.domain)) this.learn({ domainStale: false });
    else this.learn({ domain, domainStale: false });
  }

  private async attempt(step: Failure['step'], reason: FailureReason, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (this.known.failure?.step === step) this.learn({ failure: undefined });
    } catch (error) {
      const now = this.options.now();
      const before = this.known.failure?.step === step ? this.known.failure : undefined;
      const attempts = (before?.attempts ?? 0) + 1;
      const wait = Math.min(FIRST_RETRY_MS[step] * 2 ** (attempts - 1), LAST_RETRY_MS[step]);
      const failure = { step, attempts, since: before?.since ?? now, retryAt: now + wait, ...causeOf(error, reason) };
      this.learn({ failure });
      throw new StepFailed(failure, error);
    }
  }
}

/** Records a failed step in the facts, which starts a new pass. */
export class StepFailed extends Error {
  public constructor(
    public readonly failure: Failure,
    cause: unknown,
  ) {
    super(failure.message, { cause });
  }
}

function causeOf(error: unknown, reason: FailureReason): Pick<Failure, 'reason' | 'message'> {
  const message = plainText(errorText(error), LIMITS.message);
  if (error instanceof LauncherRefusal) return { reason: error.reason, message };
  if (error instanceof UnsupportedNetwork) return { reason: FailureReason.NetworkNotSupported, message };
  return { reason, message };
}

/** Interval of further attempts to provide or attach volumes. */
const PLUG_AGAIN_MS = 5_000;

/** Facts after an attempt to provide volumes and to attach them. A volume that is provided and not attached is tried again. */
function plugFacts(
  provided: Provided | undefined,
  before: PodFacts['plugProblems'],
  domain: DomainState | undefined,
  now: number,
): Partial<PodFacts> {
  if (!provided) return before ? { plugged: [], plugProblems: undefined, plugRetryAt: undefined } : {};
  const { plugged, wanted, problems } = provided;
  const has = (name: string): boolean => domain?.volumes?.some((each) => each.name === name) ?? false;
  const isOpen = wanted.some((name) => plugged.includes(name) && !has(name));
  return {
    plugged,
    plugProblems: problems.length > 0 ? problems : undefined,
    plugRetryAt: isOpen || problems.length > 0 ? now + PLUG_AGAIN_MS : undefined,
  };
}

/**
 * Hash that changes with the spec, with the capacity of claims, and when this node gets one of its volumes. A different order of
 * its keys counts, too, and costs a sync without changes.
 */
export function specHashOf({ spec, status }: VirtualMachineInstance, attachments: readonly Pod[] = []): string {
  const running = attachments.flatMap((pod) => {
    const container = containerStatus(pod, ATTACHMENT);
    return container?.state?.running ? [pod.metadata.uid, container.containerID] : [];
  });
  const capacities = (status?.volumeStatus ?? []).flatMap(({ name, persistentVolumeClaimInfo: claim }) =>
    claim?.capacity ? [[name, claim.capacity]] : [],
  );
  return createHash('sha256')
    .update(JSON.stringify([spec, running.sort(), capacities]))
    .digest('base64url')
    .slice(0, 22);
}
