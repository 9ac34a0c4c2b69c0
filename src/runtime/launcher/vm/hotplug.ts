/**
 * Attaches disks to the running guest and detaches them. The guest's disks are read from libvirt each time, so a launcher
 * that was restarted continues.
 */
import type { VirtualMachineInstance } from '../../../api';
import type { LauncherReason } from '../../../api/reasons';
import type { VirtualMachineOptions } from '../../protocol';
import { hotplugDisk } from '../disks/hotplug';
import { hotpluggedDisk } from '../domain/disks';
import type { DiskSource } from '../domain/facts';
import { toXml } from '../domain/xml';
import type { DomainRef, LibvirtClient } from '../libvirt/client';
import { log } from '../log';
import type { LauncherPaths } from '../paths';
import { type DiskChange, planDisks } from './hotplug-plan';
import { type LiveDisk, liveDisks, withMedium, withoutMedium } from './live-disks';
import { gatherFacts } from './node-facts';
import { refusalOf } from './refusal';
import { rejectUnsupportedDisks } from './supported-fields';

/** Changes of the running guest, which are not kept for its next start: that follows from its VMI. */
const LIVE = 1;
/** Interval of further requests to a guest that has not released a disk. libvirt waits for five seconds of it. */
const AGAIN_MS = 10_000;
/** A guest that has not released a disk for this long has a problem. */
const RELEASE_MS = 30_000;

/** A volume that could not be attached or detached, for its status. */
export interface VolumeProblem {
  readonly name: string;
  readonly reason: LauncherReason;
  readonly message: string;
}

interface Running {
  readonly client: LibvirtClient;
  readonly dom: DomainRef;
}

export interface Applied {
  /** All disks, also those from the start of the guest. */
  readonly live: readonly LiveDisk[];
  /** Hotplugged disks, without CDs. */
  readonly attached: readonly DiskSource[];
}

export interface HotplugHandlers {
  /** The running guest; throws if there is none. */
  domain(): Promise<Running>;
  /** Called when a disk was removed, or a problem appeared. */
  onChange(): void;
}

export class Hotplug {
  private readonly found = new Map<string, VolumeProblem>();
  /** Disks that the guest is asked to release, with the time of the first request. */
  private readonly releasing = new Map<string, { readonly since: number; timer?: NodeJS.Timeout }>();
  private wanted: VirtualMachineInstance | undefined;

  constructor(
    private readonly paths: LauncherPaths,
    private readonly handlers: HotplugHandlers,
  ) {}

  get problems(): VolumeProblem[] {
    return [...this.found.values()];
  }

  close(): void {
    for (const { timer } of this.releasing.values()) clearTimeout(timer);
    this.releasing.clear();
  }

  /**
   * Attaches the disks that are available and not attached, and asks the guest to release those that are no longer wanted. It can be
   * repeated. Returns the disks of the guest.
   */
  async apply(running: Running, vmi: VirtualMachineInstance, options: VirtualMachineOptions): Promise<Applied> {
    this.wanted = vmi;
    const sources = await this.available(vmi);
    const live = liveDisks(await running.client.xml(running.dom));
    const changes = this.plan(live, sources);
    const failing = new Set(changes.map((change) => ('disk' in change ? change.disk.name : change.name)));
    for (const name of this.found.keys()) if (!failing.has(name)) this.found.delete(name);
    for (const change of changes) {
      if ('disk' in change) this.release(change.disk);
      else await this.add(running, change, { vmi, options, sources, live });
    }
    const now = changes.length > 0 ? liveDisks(await running.client.xml(running.dom)) : live;
    const isWritten = ({ path }: DiskSource): boolean => now.some((disk) => disk.path === path && !disk.isCdrom);
    return { live: now, attached: sources.filter(isWritten) };
  }

  private plan(live: readonly LiveDisk[], sources: readonly DiskSource[]): DiskChange[] {
    const available = new Set(sources.map(({ name }) => name));
    return planDisks({ live, spec: this.wanted!.spec, available, directory: this.paths.hotplugDisks });
  }

  private async available({ spec }: VirtualMachineInstance): Promise<DiskSource[]> {
    const found = await Promise.all((spec.volumes ?? []).map((volume) => hotplugDisk(volume, this.paths)));
    return found.filter((source) => source !== undefined);
  }

  private async add(
    { client, dom }: Running,
    change: Exclude<DiskChange, { do: 'detach' | 'eject' }>,
    given: AddContext,
  ): Promise<void> {
    const { name } = change;
    try {
      if (change.do === 'reject') throw new Error(`volume "${name}" cannot be attached: ${change.why}`);
      const drive = change.do === 'insert' && given.live.find((disk) => disk.name === name);
      if (drive) await client.updateDevice(dom, withMedium(drive, sourceOf(name, given)), LIVE);
      else await client.attachDevice(dom, toXml(await this.elementOf(name, given)), LIVE);
      this.found.delete(name);
      log('info', 'disk attached', { name });
    } catch (error) {
      this.fail(name, refusalOf(error));
    }
  }

  private async elementOf(name: string, { vmi, options, sources, live }: AddContext) {
    const only = sources.filter((source) => source.name === name);
    const disks = (vmi.spec.domain.devices.disks ?? []).filter((disk) => disk.name === name);
    const { devices } = vmi.spec.domain;
    const alone = { ...vmi.spec, domain: { ...vmi.spec.domain, devices: { ...devices, disks } } };
    rejectUnsupportedDisks({ ...vmi, spec: alone }, only);
    const facts = await gatherFacts(vmi, options, only, this.paths);
    return hotpluggedDisk(vmi, facts, name, new Map(live.map((disk) => [disk.name, disk.target])));
  }

  private release(disk: LiveDisk): void {
    if (this.releasing.has(disk.name)) return;
    this.releasing.set(disk.name, { since: Date.now() });
    void this.requestRelease(disk.name);
  }

  /** Requests the release until the guest has no such disk, or the disk is wanted again. */
  private async requestRelease(name: string): Promise<void> {
    const begun = this.releasing.get(name);
    if (!begun) return;
    let problem: string | undefined;
    try {
      const { client, dom } = await this.handlers.domain();
      const change = await this.findRelease(client, dom, name);
      if (change) await remove(client, dom, change);
      if (!change || !(await this.findRelease(client, dom, name))) return this.released(name);
    } catch (error) {
      problem = refusalOf(error).message;
      log('warn', 'a disk was not detached', { name, error: problem });
    }
    if (Date.now() - begun.since >= RELEASE_MS) {
      const message =
        `the guest has not released volume "${name}"${problem === undefined ? '' : ` (${problem})`}; ` +
        'unmount it in the guest, which is asked again every few seconds, or restart the VM';
      this.fail(name, { reason: 'DetachFailed', message });
      this.handlers.onChange();
    }
    begun.timer = setTimeout(() => void this.requestRelease(name), AGAIN_MS);
  }

  private async findRelease(client: LibvirtClient, dom: DomainRef, name: string) {
    const changes = this.plan(liveDisks(await client.xml(dom)), []);
    return changes.find((change) => 'disk' in change && change.disk.name === name) as
      Extract<DiskChange, { disk: LiveDisk }> | undefined;
  }

  private released(name: string): void {
    clearTimeout(this.releasing.get(name)?.timer);
    this.releasing.delete(name);
    this.found.delete(name);
    log('info', 'disk detached', { name });
    this.handlers.onChange();
  }

  private fail(name: string, { reason, message }: Omit<VolumeProblem, 'name'>): void {
    log('warn', 'a disk could not be attached or detached', { name, reason, error: message });
    this.found.set(name, { name, reason, message });
  }
}

interface AddContext {
  readonly vmi: VirtualMachineInstance;
  readonly options: VirtualMachineOptions;
  readonly sources: readonly DiskSource[];
  readonly live: readonly LiveDisk[];
}

const sourceOf = (name: string, { sources }: AddContext): DiskSource => sources.find((source) => source.name === name)!;

/** The medium of a drive is removed by an update of the drive. */
async function remove(
  client: LibvirtClient,
  dom: DomainRef,
  change: Extract<DiskChange, { disk: LiveDisk }>,
): Promise<void> {
  if (change.do === 'detach') await client.detachDevice(dom, change.disk.xml, LIVE);
  else await client.updateDevice(dom, withoutMedium(change.disk), LIVE);
}
