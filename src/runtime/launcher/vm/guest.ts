/**
 * The one guest of this Pod: operations on it, and its state. The state is always read from libvirt, so a restart of launcher
 * or libvirtd changes nothing.
 */
import type { LauncherReason } from '../../../api/reasons';
import type { VirtualMachineInstance } from '../../../api';
import type { DomainState, DomainStats, VirtualMachineOptions } from '../../protocol';
import { attachedVolumes } from '../../../api/hotplug-volumes';
import { guestBytes } from '../domain/memory';
import { type AgentReport, askAgent } from '../guest-agent/agent';
import type { DomainRef, LibvirtClient } from '../libvirt/client';
import type { LibvirtEvent } from '../libvirt/connection';
import { AgentState } from '../libvirt/generated/enums';
import { LibvirtSession } from '../libvirt/session';
import { log } from '../log';
import type { LauncherPaths } from '../paths';
import { AgentWatch } from './agent-watch';
import { Backup } from './backup';
import type { BackupRequest } from './backup-plan';
import { describe } from './describe';
import { currentDisks, enlargeDisks, failedDisks, guestDisks, SpaceWatch } from './guest-disks';
import { Hotplug } from './hotplug';
import { destroy, FOR_HANDLER } from './kill';
import { launch, readCondition } from './launch';
import { MemoryDump } from './memory-dump';
import { domainNameOf } from './node-facts';
import { notApplied, withServed } from './not-applied';
import { OneAtATime } from './one-at-a-time';
import { PublishedState } from './published-state';
import { Quiesce } from './quiesce';
import type { LauncherRecord, RecordFile } from './record';
import { Refusal, refusalOf } from './refusal';
import { type Condition, type Ending, endingOf } from './state';
import { readStats } from './stats';

/** Delay after a state that could not be read. */
const READ_AGAIN_MS = 5_000;

export interface GuestHandlers {
  /** Called when the state has changed. */
  onState(state: DomainState): void;
  /** Called once, after the guest has ended and onState was called with its last state. */
  onEnded(ending: Ending): void;
  /** Called when the facts for DHCP and port forwarding are known or have changed. */
  onRecord(record: LauncherRecord): void;
  /** Kills a hung libvirtd; its supervisor starts another one. */
  restartLibvirtd(): void;
}

const UNRESPONSIVE =
  'libvirtd in the launcher Pod does not answer, or QEMU does not answer libvirtd (it may be waiting for storage); ' +
  'a hung libvirtd is restarted; the guest keeps running but cannot be operated';

export class Guest {
  private readonly session: LibvirtSession;
  private record: LauncherRecord | undefined;
  private readonly state: PublishedState;
  private readonly agent: AgentWatch;
  private readonly hotplug: Hotplug;
  private readonly memoryDump: MemoryDump;
  private readonly quiesce = new Quiesce({
    domain: () => this.domain(),
    save: (holds) => this.save({ ...this.record!, holds }),
  });
  private readonly backups = new Backup({
    domain: () => this.domain(),
    freeze: (limitMs) => this.quiesce.freeze('backup', limitMs),
    thaw: () => this.quiesce.release('backup'),
    save: (backup) => this.save({ ...this.record!, backup }),
    onEnd: () => void this.refresh(),
  });
  private readonly space = new SpaceWatch(() => this.unpause());
  private readonly reading = new OneAtATime(() => this.read());
  private readAgain: NodeJS.Timeout | undefined;
  private failedReads = 0;
  private closed = false;
  private starting = false;
  private ended = false;
  /** Whether a kill or the Pod's end was requested: from then on this launcher starts nothing, even in the middle of a start. */
  private startsForbidden = false;
  /** Reason why the last start failed, for the termination message. */
  lastFailure: string | undefined;
  /** Operations are executed one after another. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly paths: LauncherPaths,
    private readonly file: RecordFile,
    private readonly handlers: GuestHandlers,
  ) {
    this.state = new PublishedState((state) => handlers.onState(state));
    this.session = new LibvirtSession(paths.libvirtSocket, {
      onEvent: (event) => this.onEvent(event),
      onConnect: () => void this.refresh(),
      onDisconnect: () => this.agent.disconnected(),
      onSilence: (silentMs, call) => this.onSilence(silentMs, call),
      // QEMU ends with libvirtd while it is being started, which is acceptable after a stop was requested
      isStarting: () => this.starting && !this.startsForbidden,
      isStopping: () => this.record?.stopping ?? false,
      restartLibvirtd: () => handlers.restartLibvirtd(),
    });
    this.agent = new AgentWatch(
      async () => {
        const { client, dom } = await this.domain();
        return askAgent(client, dom);
      },
      () => void this.refresh(),
    );
    this.hotplug = new Hotplug(paths, { domain: () => this.domain(), onChange: () => void this.refresh() });
    this.memoryDump = new MemoryDump({
      directory: paths.hotplugDisks,
      domain: () => this.domain(),
      onEnd: () => void this.refresh(),
    });
  }

  /** Continues the work of a previous launcher process, and connects to libvirt. */
  start(): void {
    this.record = this.file.read();
    if (this.record) this.handlers.onRecord(this.record);
    this.quiesce.resume(this.record?.holds);
    this.backups.resume(this.record?.backup);
    this.startsForbidden = this.record?.stopping ?? false;
    this.session.start();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.readAgain);
    this.hotplug.close();
    this.backups.close();
    this.space.stop();
    this.agent.disconnected();
    this.quiesce.close();
    this.session.close();
  }

  /** The last state. A guest that was started and not found yet has not ended, so no state is returned. */
  get current(): DomainState {
    if (this.isUnread) {
      const why = this.state.trouble?.message ?? 'libvirtd has not been queried yet';
      throw new Refusal('GuestStateUnknown', `virt-launcher does not know the state of its guest: ${why}`);
    }
    return this.state.current;
  }

  private get isUnread(): boolean {
    return this.wasStarted && this.state.isUnread;
  }

  get wasStarted(): boolean {
    return this.record?.started ?? false;
  }

  get vmi(): VirtualMachineInstance | undefined {
    return this.record?.vmi;
  }

  /** Marks the guest as one that must not start any more, whether its VMI is known yet or not. */
  forbidStarts(): void {
    this.startsForbidden = true;
    if (this.record && !this.record.stopping) this.save({ ...this.record, stopping: true });
  }

  private rejectForbiddenStart(): void {
    if (this.startsForbidden) throw new Refusal('Stopping', 'the guest was to be stopped before it was started');
  }

  /**
   * Starts the guest. A running guest keeps the spec that it was started with, and so does its record, from which its state and
   * its DHCP leases are derived; the fields that it does not have are returned. Idempotent.
   */
  sync(vmi: VirtualMachineInstance, options: VirtualMachineOptions): Promise<string[]> {
    return this.exclusive(async () => {
      if (this.ended) throw new Refusal('GuestEnded', 'the guest of this Pod has ended; the Pod is finishing');
      const client = await this.session.client();
      const dom = await client.lookup(domainNameOf(vmi));
      const condition = dom && (await readCondition(client, dom));
      const old = this.record;
      if (dom && condition && condition.status !== 'Shutoff' && condition.reason !== 'StartingUp') {
        const record: Omit<LauncherRecord, 'started'> = old ?? { vmi, options, stopping: this.startsForbidden };
        this.save({ ...record, vmi: withServed(record.vmi, vmi), started: true });
        const { live, attached } = await this.hotplug.apply({ client, dom }, vmi, record.options);
        await this.memoryDump.keepOnly(new Set(attachedVolumes(vmi.spec).map(({ name }) => name)));
        const disks = currentDisks(record.disks ?? [], guestDisks(attached), this.paths.hotplugDisks);
        this.save({ ...this.record!, disks: await enlargeDisks({ client, dom }, vmi, disks, live) });
        await this.refresh();
        return notApplied(record.vmi.spec, vmi.spec);
      }
      if (old?.started) throw new Refusal('GuestEnded', 'the guest of this Pod has ended; the Pod is finishing');
      this.rejectForbiddenStart();
      this.save({ vmi, options, started: false, stopping: false });
      this.starting = true;
      try {
        const rejectForbidden = (): void => this.rejectForbiddenStart();
        const started = await launch(client, { vmi, options, paths: this.paths, rejectForbidden });
        this.save({ ...this.record!, started: true, disks: started.disks });
        // libvirt may have answered a kill that arrived before it began the start
        if (this.startsForbidden) await destroy(client, started.dom, FOR_HANDLER.destroyMs);
      } catch (error) {
        this.lastFailure = refusalOf(error).message;
        throw error;
      } finally {
        this.starting = false;
      }
      await this.refresh();
      return [];
    });
  }

  pause(): Promise<void> {
    return this.operate((client, dom) => client.suspend(dom));
  }

  unpause(): Promise<void> {
    return this.operate((client, dom) => client.resume(dom));
  }

  reset(): Promise<void> {
    return this.operate((client, dom) => client.reset(dom));
  }

  /** Reboots the guest: by its agent if there is one, else by ACPI. */
  softReboot(): Promise<void> {
    return this.operate((client, dom) => client.reboot(dom));
  }

  /** Presses the power button. A paused guest would not notice, so it is resumed first. */
  shutdown(): Promise<void> {
    return this.operate(async (client, dom) => {
      const { status } = await readCondition(client, dom);
      if (status === 'Shutoff') throw new Refusal('NoDomain', 'the guest is not running');
      this.save({ ...this.record!, stopping: true });
      if (status === 'Paused') await client.resume(dom);
      await client.shutdown(dom, 'acpi');
    });
  }

  /**
   * Kills QEMU, which is not started again. Succeeds if it has ended already. It does not wait for other operations, such as a start that
   * hangs.
   */
  async kill({ lookupMs, destroyMs } = FOR_HANDLER): Promise<void> {
    this.forbidStarts();
    if (!this.record) return;
    const client = await this.session.client();
    const dom = await client.lookup(domainNameOf(this.record.vmi), lookupMs);
    if (dom) await destroy(client, dom, destroyMs);
    void this.refresh();
  }

  /** Begins a memory dump, which `current` describes. It does not wait for its end, and other operations do not wait for it. */
  async dumpMemory(path: string): Promise<void> {
    const { client, dom } = await this.domain();
    const { status } = await readCondition(client, dom);
    if (status === 'Shutoff') throw new Refusal('NoDomain', 'the guest is not running');
    this.memoryDump.begin(path, guestBytes(this.record!.vmi.spec.domain));
    await this.refresh();
  }

  /** Begins or aborts a backup of the disks, which `current` describes. */
  backup(cmd: 'Start' | 'Abort', request: BackupRequest, vmi: VirtualMachineInstance): Promise<void> {
    return this.exclusive(async () => {
      if (cmd === 'Abort') await this.backups.abort(request);
      else await this.backups.begin(request, vmi);
      await this.refresh();
    });
  }

  freeze(limitMs: number): Promise<void> {
    return this.exclusive(() => this.quiesce.freeze('client', limitMs));
  }

  thaw(): Promise<void> {
    return this.exclusive(() => this.quiesce.thaw());
  }

  /** Executes a guest agent command. */
  async askAgent(command: string, args?: object, timeoutSeconds?: number): Promise<unknown> {
    if (!this.agent.report)
      throw new Refusal('AgentNotConnected', 'the guest agent is not connected; install qemu-guest-agent in the guest');
    const { client, dom } = await this.domain();
    return client.agent(dom, command, args, timeoutSeconds);
  }

  get agentReport(): AgentReport | undefined {
    return this.agent.report;
  }

  /** Reads the statistics of the running guest. */
  async stats(): Promise<DomainStats> {
    const source = await this.domain();
    const { volumes: disks = [] } = this.current;
    return readStats({ ...source, agent: this.agent.report, disks, nics: this.record?.options.podInterfaces ?? [] });
  }

  /** Reads the state from libvirt, and publishes it if it has changed. */
  refresh(): Promise<void> {
    return this.reading.run();
  }

  private async read(): Promise<void> {
    clearTimeout(this.readAgain);
    if (!this.record || this.ended) return;
    try {
      const client = await this.session.client();
      const dom = await client.lookup(domainNameOf(this.record.vmi));
      const condition: Condition = dom ? await readCondition(client, dom) : { status: 'NoState', reason: 'Unknown' };
      // a start in progress may still fail; sync, or the event that follows, reports how it ended
      if (condition.reason === 'StartingUp') return;
      if (dom && condition.status !== 'Shutoff' && condition.status !== 'NoState') {
        if (!this.record.started) this.save({ ...this.record, started: true });
        const xml = await client.xml(dom);
        this.failedReads = 0;
        // some calls may be answered while others are not
        if (!this.session.isUnresponsive) this.state.trouble = undefined;
        if (/name='org\.qemu\.guest_agent\.0' state='connected'/.test(xml)) this.agent.connected();
        const failed = condition.reason === 'IOError' ? await failedDisks(client, dom) : [];
        this.space.observe(failed, this.record.disks);
        const { report } = this.agent;
        this.state.publish(
          describe(this.record, condition, xml, report, failed, this.hotplug.problems, {
            memoryDump: this.memoryDump.state,
            backup: this.backups.state,
          }),
        );
      } else if (this.record.started) {
        this.finish(condition);
      }
    } catch (error) {
      this.onFailedRead((error as Error).message);
    }
  }

  /** A single failure is expected while libvirtd restarts. */
  private onFailedRead(why: string): void {
    if (this.closed) return;
    log('warn', 'the state could not be read', { error: why });
    if (this.ended) return;
    this.failedReads++;
    this.readAgain = setTimeout(() => void this.refresh(), READ_AGAIN_MS);
    if (this.failedReads > 1 && !this.state.trouble) {
      const message = `the state of the guest cannot be read: ${why}; virt-launcher retries, and the displayed state may be outdated`;
      this.report({ reason: 'GuestStateUnknown', message });
    }
  }

  private onSilence(silentMs: number, call?: string): void {
    log('warn', 'libvirtd does not answer', { silentMs: Math.round(silentMs), call });
    this.report({ reason: 'LibvirtUnresponsive', message: UNRESPONSIVE });
  }

  /** Publishes a problem together with the last state. */
  private report(trouble: { reason: LauncherReason; message: string }): void {
    this.state.trouble = trouble;
    if (this.wasStarted && !this.isUnread && !this.ended) this.state.publish(this.state.current);
  }

  private finish(condition: Condition): void {
    if (this.ended) return;
    this.ended = true;
    this.hotplug.close();
    this.backups.close();
    this.state.trouble = undefined;
    this.agent.disconnected();
    this.quiesce.close();
    const ending = endingOf(condition, this.record!.stopping);
    const { reason } = condition;
    this.state.publish({ ...this.state.current, status: 'Shutoff', reason, agent: { connected: false } });
    this.handlers.onEnded(ending);
  }

  private onEvent(event: LibvirtEvent): void {
    switch (event.name) {
      case 'domainEventCallbackLifecycle':
      case 'domainEventCallbackDeviceRemoved':
        void this.refresh();
        break;
      case 'domainEventCallbackAgentLifecycle':
        if (event.body.state === AgentState.CONNECTED) this.agent.connected();
        else {
          this.agent.disconnected();
          void this.refresh();
        }
        break;
      case 'domainEventCallbackIoErrorReason':
        log('warn', 'a disk of the guest gave an error', {
          disk: event.body.msg.devAlias,
          reason: event.body.msg.reason,
        });
        void this.refresh();
        break;
      default:
        log('info', event.name);
    }
  }

  private async domain(): Promise<{ client: LibvirtClient; dom: DomainRef }> {
    const client = await this.session.client();
    const dom = this.record && (await client.lookup(domainNameOf(this.record.vmi)));
    if (!dom) throw new Refusal('NoDomain', 'the guest does not run');
    return { client, dom };
  }

  private operate(action: (client: LibvirtClient, dom: DomainRef) => Promise<void>): Promise<void> {
    return this.exclusive(async () => {
      const { client, dom } = await this.domain();
      await action(client, dom);
      await this.refresh();
    });
  }

  private exclusive<T>(action: () => Promise<T>): Promise<T> {
    const result = this.queue.then(action);
    this.queue = result.catch(() => {});
    return result;
  }

  private save(record: LauncherRecord): void {
    this.record = record;
    this.file.write(record);
    this.handlers.onRecord(record);
  }
}
