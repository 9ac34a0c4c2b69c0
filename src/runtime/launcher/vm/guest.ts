/**
 * The one guest of this Pod: what is asked of it, and what it is. Every answer about its state is read from libvirt
 * again, so a restarted launcher or libvirtd changes nothing.
 */
import { mkdir } from 'node:fs/promises';
import type { LauncherReason } from '../../../api/reasons';
import type { VirtualMachineInstance } from '../../../api';
import type { DomainState, VirtualMachineOptions } from '../../protocol';
import { prepareDisks } from '../disks/prepare';
import { renderDomainXml } from '../domain/render';
import { type AgentReport, askAgent } from '../guest-agent/agent';
import type { DomainRef, LibvirtClient } from '../libvirt/client';
import type { LibvirtEvent } from '../libvirt/connection';
import { LibvirtError } from '../libvirt/errors';
import { AgentState } from '../libvirt/generated/enums';
import { LibvirtSession } from '../libvirt/session';
import { log } from '../log';
import type { LauncherPaths } from '../paths';
import { AgentWatch } from './agent-watch';
import { describe } from './describe';
import { domainNameOf, gatherFacts } from './node-facts';
import { notApplied, withServed } from './not-applied';
import { OneAtATime } from './one-at-a-time';
import type { LauncherRecord, RecordFile } from './record';
import { Refusal, refusalOf } from './refusal';
import { rejectUnsupported, rejectUnsupportedDisks } from './supported-fields';
import { type Condition, conditionOf, type Ending, endingOf } from './state';

const START_DEADLINE_MS = 110_000;
/** After a state that could not be read. */
const READ_AGAIN_MS = 5_000;

export interface GuestHandlers {
  /** The state has changed. */
  onState(state: DomainState): void;
  /** The guest is gone for good; the state was given to onState before. */
  onEnded(ending: Ending): void;
  /** What DHCP and port forwarding need is known, or has changed. */
  onRecord(record: LauncherRecord): void;
  /** Kills libvirtd, which is hung; its supervisor starts another one. */
  restartLibvirtd(): void;
}

const UNRESPONSIVE =
  'libvirtd in the launcher Pod does not answer, or QEMU does not answer it (which may wait for storage); ' +
  'a libvirtd that hangs is restarted; the guest runs on, but cannot be operated';

/** How long a kill waits for libvirt's two answers. */
export interface KillDeadlines {
  readonly lookupMs: number;
  readonly destroyMs: number;
}

/** virt-handler waits 20 s for the end of a kill, and asks again. */
const FOR_HANDLER: KillDeadlines = { lookupMs: 5_000, destroyMs: 12_000 };
/** Of a kill that nobody asks for again: libvirt waits for the end of a killed QEMU for up to 40 s. */
export const KILL_ONCE: KillDeadlines = { lookupMs: 45_000, destroyMs: 45_000 };

const NO_DOMAIN: DomainState = { status: 'NoState', reason: 'Unknown' };

export class Guest {
  private readonly session: LibvirtSession;
  private record: LauncherRecord | undefined;
  private state: DomainState = NO_DOMAIN;
  private readonly agent: AgentWatch;
  private readonly reading = new OneAtATime(() => this.read());
  private readAgain: NodeJS.Timeout | undefined;
  private failedReads = 0;
  /** Why the state may not be what it was; in the state as it is told. */
  private trouble: DomainState['trouble'];
  private closed = false;
  private starting = false;
  private ended = false;
  /** A kill or the Pod's end was asked for: from then on this launcher starts nothing, whatever it is in the middle of. */
  private startsForbidden = false;
  /** Why the last start failed, for the termination message. */
  lastFailure: string | undefined;
  /** Operations run one after another. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly paths: LauncherPaths,
    private readonly file: RecordFile,
    private readonly handlers: GuestHandlers,
  ) {
    this.session = new LibvirtSession(paths.libvirtSocket, {
      onEvent: (event) => this.onEvent(event),
      onConnect: () => void this.refresh(),
      onDisconnect: () => this.agent.disconnected(),
      onSilence: (silentMs, call) => this.onSilence(silentMs, call),
      // QEMU is libvirtd's while it starts, and ends with it: nobody minds that once the guest is to be stopped
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
  }

  /** Takes up what an earlier life of this launcher began, and connects to libvirt. */
  start(): void {
    this.record = this.file.read();
    if (this.record) this.handlers.onRecord(this.record);
    this.startsForbidden = this.record?.stopping ?? false;
    this.session.start();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.readAgain);
    this.agent.disconnected();
    this.session.close();
  }

  /** The state that was read last. A guest that was started and not found yet is not gone: nothing is said of it. */
  get current(): DomainState {
    if (this.isUnread) {
      const why = this.trouble?.message ?? 'libvirtd was not asked yet';
      throw new Refusal('GuestStateUnknown', `the launcher does not know how its guest is: ${why}`);
    }
    return this.state;
  }

  private get isUnread(): boolean {
    return this.wasStarted && this.state === NO_DOMAIN;
  }

  get wasStarted(): boolean {
    return this.record?.started ?? false;
  }

  get vmi(): VirtualMachineInstance | undefined {
    return this.record?.vmi;
  }

  /** For a guest that must not start any more, whether it is known yet or not. */
  forbidStarts(): void {
    this.startsForbidden = true;
    if (this.record && !this.record.stopping) this.save({ ...this.record, stopping: true });
  }

  private refuseForbidden(): void {
    if (this.startsForbidden) throw new Refusal('Stopping', 'the guest was to be stopped before it was started');
  }

  /**
   * Starts the guest. A running one keeps what it was started with, and so does the record of it, from which its state is
   * described and its DHCP leases are made; returned are the fields that it does not have. Safe to repeat at any time.
   */
  sync(vmi: VirtualMachineInstance, options: VirtualMachineOptions): Promise<string[]> {
    return this.exclusive(async () => {
      if (this.ended) throw new Refusal('GuestEnded', 'the guest of this Pod has ended; the Pod is finishing');
      const client = await this.session.client();
      const dom = await client.lookup(domainNameOf(vmi));
      const condition = dom && (await this.condition(client, dom));
      const old = this.record;
      if (dom && condition && condition.status !== 'Shutoff' && condition.reason !== 'StartingUp') {
        const record = old ?? { vmi, options, stopping: this.startsForbidden };
        this.save({ ...record, vmi: withServed(record.vmi, vmi), started: true });
        await this.refresh();
        return notApplied(record.vmi.spec, vmi.spec);
      }
      if (old?.started) throw new Refusal('GuestEnded', 'the guest of this Pod has ended; the Pod is finishing');
      this.refuseForbidden();
      this.save({ vmi, options, started: false, stopping: false });
      this.starting = true;
      try {
        await this.launch(client, vmi, options);
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

  private async launch(
    client: LibvirtClient,
    vmi: VirtualMachineInstance,
    options: VirtualMachineOptions,
  ): Promise<void> {
    const began = performance.now();
    rejectUnsupported(vmi);
    await mkdir(this.paths.runtime(vmi.metadata.uid!), { recursive: true });
    const disks = await prepareDisks({ vmi, paths: this.paths });
    rejectUnsupportedDisks(vmi, disks);
    const xml = renderDomainXml(vmi, await gatherFacts(vmi, options, disks, this.paths));
    const prepared = performance.now();
    const dom = await client.define(xml);
    const defined = performance.now();
    if (this.startsForbidden) {
      await client.undefine(dom);
      this.refuseForbidden();
    }
    try {
      await client.start(dom, vmi.spec.startStrategy === 'Paused', START_DEADLINE_MS);
    } catch (error) {
      // A launcher that died in the middle of a start finds it done.
      const { status } = await this.condition(client, dom);
      if (!(error instanceof LibvirtError) || status === 'Shutoff') throw error;
    }
    this.save({ ...this.record!, started: true });
    // libvirt may have answered a kill that came meanwhile before it began the start
    if (this.startsForbidden) await this.destroy(client, dom, FOR_HANDLER.destroyMs);
    const ms = (from: number, to: number): number => Math.round(to - from);
    const started = performance.now();
    log('info', 'guest started', {
      prepareMs: ms(began, prepared),
      defineMs: ms(prepared, defined),
      startMs: ms(defined, started),
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

  /** Reboot asked of the guest: by its agent if there is one, else by the power button's sibling, ACPI. */
  softReboot(): Promise<void> {
    return this.operate((client, dom) => client.reboot(dom));
  }

  /** Presses the power button. A paused guest would never notice, so it runs again first. */
  shutdown(): Promise<void> {
    return this.operate(async (client, dom) => {
      const { status } = await this.condition(client, dom);
      if (status === 'Shutoff') throw new Refusal('NoDomain', 'the guest does not run');
      this.save({ ...this.record!, stopping: true });
      if (status === 'Paused') await client.resume(dom);
      await client.shutdown(dom, 'acpi');
    });
  }

  /**
   * Ends QEMU, for good. One that is gone already is success. It waits for nothing else that is being done, such as a
   * start that hangs.
   */
  async kill({ lookupMs, destroyMs } = FOR_HANDLER): Promise<void> {
    this.forbidStarts();
    if (!this.record) return;
    const client = await this.session.client();
    const dom = await client.lookup(domainNameOf(this.record.vmi), lookupMs);
    if (dom) await this.destroy(client, dom, destroyMs);
    void this.refresh();
  }

  private async destroy(client: LibvirtClient, dom: DomainRef, deadlineMs: number): Promise<void> {
    await client.destroy(dom, deadlineMs).catch((error: unknown) => {
      if (!(error instanceof LibvirtError) || !error.is('ERR_OPERATION_INVALID')) throw error;
    });
  }

  freeze(): Promise<void> {
    return this.operate(async (client, dom) => void (await client.freeze(dom)));
  }

  thaw(): Promise<void> {
    return this.operate(async (client, dom) => void (await client.thaw(dom)));
  }

  /** A guest agent command's answer. */
  async askAgent(command: string, args?: object, timeoutSeconds?: number): Promise<unknown> {
    if (!this.agent.report)
      throw new Refusal('AgentNotConnected', 'the guest agent is not connected; install qemu-guest-agent in the guest');
    const { client, dom } = await this.domain();
    return client.agent(dom, command, args, timeoutSeconds);
  }

  get agentReport(): AgentReport | undefined {
    return this.agent.report;
  }

  /** Reads the state from libvirt, and tells if it has changed. */
  refresh(): Promise<void> {
    return this.reading.run();
  }

  private async read(): Promise<void> {
    clearTimeout(this.readAgain);
    if (!this.record || this.ended) return;
    try {
      const client = await this.session.client();
      const dom = await client.lookup(domainNameOf(this.record.vmi));
      const condition: Condition = dom ? await this.condition(client, dom) : { status: 'NoState', reason: 'Unknown' };
      // A start in progress may still fail; sync, or the event that follows, tells how it ended.
      if (condition.reason === 'StartingUp') return;
      if (dom && condition.status !== 'Shutoff' && condition.status !== 'NoState') {
        if (!this.record.started) this.save({ ...this.record, started: true });
        const xml = await client.xml(dom);
        this.failedReads = 0;
        // some calls may be answered while others are not
        if (!this.session.isUnresponsive) this.trouble = undefined;
        if (/name='org\.qemu\.guest_agent\.0' state='connected'/.test(xml)) this.agent.connected();
        this.publish(describe(this.record, condition, xml, this.agent.report));
      } else if (this.record.started) {
        this.finish(condition);
      }
    } catch (error) {
      this.onFailedRead((error as Error).message);
    }
  }

  /** Once is a libvirtd that is being restarted. */
  private onFailedRead(why: string): void {
    if (this.closed) return;
    log('warn', 'the state could not be read', { error: why });
    if (this.ended) return;
    this.failedReads++;
    this.readAgain = setTimeout(() => void this.refresh(), READ_AGAIN_MS);
    if (this.failedReads > 1 && !this.trouble) {
      const message = `the state of the guest cannot be read: ${why}; it is tried again, what is shown may be old`;
      this.report({ reason: 'GuestStateUnknown', message });
    }
  }

  private onSilence(silentMs: number, call?: string): void {
    log('warn', 'libvirtd does not answer', { silentMs: Math.round(silentMs), call });
    this.report({ reason: 'LibvirtUnresponsive', message: UNRESPONSIVE });
  }

  /** Tells of a trouble beside the state that was read last. */
  private report(trouble: { reason: LauncherReason; message: string }): void {
    this.trouble = trouble;
    if (this.wasStarted && !this.isUnread && !this.ended) this.publish(this.state);
  }

  private finish(condition: Condition): void {
    if (this.ended) return;
    this.ended = true;
    this.trouble = undefined;
    this.agent.disconnected();
    const ending = endingOf(condition, this.record!.stopping);
    this.publish({ ...this.state, status: 'Shutoff', reason: condition.reason, agent: { connected: false } });
    this.handlers.onEnded(ending);
  }

  private publish(state: DomainState): void {
    const { changedAt, ...old } = this.state;
    const { changedAt: _, trouble: __, ...rest } = state;
    const next = this.trouble ? { ...rest, trouble: this.trouble } : rest;
    if (JSON.stringify(old) === JSON.stringify(next)) return;
    const same = old.status === next.status && changedAt !== undefined;
    this.state = { ...next, changedAt: same ? changedAt : new Date().toISOString() };
    this.handlers.onState(this.state);
  }

  private onEvent(event: LibvirtEvent): void {
    switch (event.name) {
      case 'domainEventCallbackLifecycle':
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

  private async condition(client: LibvirtClient, dom: DomainRef): Promise<Condition> {
    const { state, reason } = await client.state(dom);
    return conditionOf(state, reason);
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
