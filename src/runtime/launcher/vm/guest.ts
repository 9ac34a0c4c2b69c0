/**
 * The one guest of this Pod: what is asked of it, and what it is. Every answer about its state is read from libvirt
 * again, so a restarted launcher or libvirtd changes nothing.
 */
import { mkdir } from 'node:fs/promises';
import type { VirtualMachineInstance } from '../../../api';
import type { DomainState, VirtualMachineOptions } from '../../protocol';
import { prepareDisks } from '../disks/prepare';
import { renderDomainXml } from '../domain/render';
import type { AgentReport } from '../guest-agent/agent';
import { askAgent } from '../guest-agent/agent';
import type { DomainRef, LibvirtClient } from '../libvirt/client';
import type { LibvirtEvent } from '../libvirt/connection';
import { LibvirtError } from '../libvirt/errors';
import { AgentState } from '../libvirt/generated/enums';
import { LibvirtSession } from '../libvirt/session';
import { log } from '../log';
import type { LauncherPaths } from '../paths';
import { describe } from './describe';
import { domainNameOf, gatherFacts } from './node-facts';
import type { LauncherRecord, RecordFile } from './record';
import { Refusal, refusalOf } from './refusal';
import { refuseUnserved, refuseUnservedDisks } from './served';
import { type Condition, conditionOf, type Ending, endingOf } from './state';

const START_DEADLINE_MS = 110_000;
/** Addresses in the guest can change without an event. */
const AGENT_POLL_MS = 30_000;

export interface GuestHandlers {
  /** The state has changed. */
  onState(state: DomainState): void;
  /** The guest is gone for good; the state was given to onState before. */
  onEnded(ending: Ending): void;
  /** What DHCP and port forwarding need is known, or has changed. */
  onRecord(record: LauncherRecord): void;
}

const NO_DOMAIN: DomainState = { status: 'NoState', reason: 'Unknown' };

export class Guest {
  private readonly session: LibvirtSession;
  private record: LauncherRecord | undefined;
  private state: DomainState = NO_DOMAIN;
  private agent: AgentReport | undefined;
  private agentTimer: NodeJS.Timeout | undefined;
  private ended = false;
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
      onDisconnect: () => this.setAgent(undefined),
    });
  }

  /** Takes up what an earlier life of this launcher began, and connects to libvirt. */
  start(): void {
    this.record = this.file.read();
    if (this.record) this.handlers.onRecord(this.record);
    this.session.start();
  }

  close(): void {
    clearTimeout(this.agentTimer);
    this.session.close();
  }

  get current(): DomainState {
    return this.state;
  }

  get wasStarted(): boolean {
    return this.record?.started ?? false;
  }

  get vmi(): VirtualMachineInstance | undefined {
    return this.record?.vmi;
  }

  /** Starts the guest; nothing to do when it runs. Safe to repeat at any time. */
  sync(vmi: VirtualMachineInstance, options: VirtualMachineOptions): Promise<void> {
    return this.exclusive(async () => {
      if (this.ended) throw new Refusal('GuestEnded', 'the guest of this Pod has ended; the Pod is finishing');
      const client = await this.session.client();
      const dom = await client.lookup(domainNameOf(vmi));
      const condition = dom && (await this.condition(client, dom));
      const old = this.record;
      if (dom && condition && condition.status !== 'Shutoff' && condition.reason !== 'StartingUp') {
        this.save({ vmi, options, started: true, stopping: old?.stopping ?? false });
        await this.refresh();
        return;
      }
      if (old?.started) throw new Refusal('GuestEnded', 'the guest of this Pod has ended; the Pod is finishing');
      this.save({ vmi, options, started: false, stopping: false });
      try {
        await this.launch(client, vmi, options);
      } catch (error) {
        this.lastFailure = refusalOf(error).message;
        throw error;
      }
      await this.refresh();
    });
  }

  private async launch(
    client: LibvirtClient,
    vmi: VirtualMachineInstance,
    options: VirtualMachineOptions,
  ): Promise<void> {
    const began = performance.now();
    refuseUnserved(vmi);
    await mkdir(this.paths.runtime(vmi.metadata.uid!), { recursive: true });
    const disks = await prepareDisks({ vmi, paths: this.paths });
    refuseUnservedDisks(vmi, disks);
    const xml = renderDomainXml(vmi, await gatherFacts(vmi, options, disks, this.paths));
    const prepared = performance.now();
    const dom = await client.define(xml);
    const defined = performance.now();
    try {
      await client.start(dom, vmi.spec.startStrategy === 'Paused', START_DEADLINE_MS);
    } catch (error) {
      // A launcher that died in the middle of a start finds it done.
      const { status } = await this.condition(client, dom);
      if (!(error instanceof LibvirtError) || status === 'Shutoff') throw error;
    }
    this.save({ ...this.record!, started: true });
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
      this.save({ ...this.record!, stopping: true });
      const { status } = await this.condition(client, dom);
      if (status === 'Paused') await client.resume(dom);
      await client.shutdown(dom, 'acpi');
    });
  }

  /** Ends QEMU. One that is gone already is success. */
  kill(): Promise<void> {
    return this.exclusive(async () => {
      if (!this.record) return;
      this.save({ ...this.record, stopping: true });
      const client = await this.session.client();
      const dom = await client.lookup(domainNameOf(this.record.vmi));
      if (dom) {
        await client.destroy(dom).catch((error: unknown) => {
          if (!(error instanceof LibvirtError) || !error.is('ERR_OPERATION_INVALID')) throw error;
        });
      }
      await this.refresh();
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
    if (!this.agent)
      throw new Refusal('AgentNotConnected', 'the guest agent is not connected; install qemu-guest-agent in the guest');
    const { client, dom } = await this.domain();
    return client.agent(dom, command, args, timeoutSeconds);
  }

  get agentReport(): AgentReport | undefined {
    return this.agent;
  }

  /** Reads the state from libvirt, and tells if it has changed. */
  async refresh(): Promise<void> {
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
        if (/name='org\.qemu\.guest_agent\.0' state='connected'/.test(xml)) void this.pollAgent();
        this.publish(describe(this.record, condition, xml, this.agent));
      } else if (this.record.started) {
        this.finish(condition);
      }
    } catch (error) {
      log('warn', 'the state could not be read', { error: (error as Error).message });
    }
  }

  private finish(condition: Condition): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.agentTimer);
    const ending = endingOf(condition, this.record!.stopping);
    this.publish({ ...this.state, status: 'Shutoff', reason: condition.reason, agent: { connected: false } });
    this.handlers.onEnded(ending);
  }

  private publish(state: DomainState): void {
    const { changedAt, ...old } = this.state;
    const { changedAt: _, ...next } = state;
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
        if (event.body.state === AgentState.CONNECTED) void this.pollAgent();
        else {
          this.setAgent(undefined);
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

  private setAgent(report: AgentReport | undefined): void {
    clearTimeout(this.agentTimer);
    this.agent = report;
  }

  private async pollAgent(): Promise<void> {
    clearTimeout(this.agentTimer);
    const first = !this.agent;
    try {
      const { client, dom } = await this.domain();
      this.agent = await askAgent(client, dom);
      const condition = await this.condition(client, dom);
      if (this.record && !this.ended) this.publish(describe(this.record, condition, await client.xml(dom), this.agent));
    } catch (error) {
      if (first) log('info', 'the guest agent does not answer yet', { error: (error as Error).message });
    }
    if (this.ended) return;
    this.agentTimer = setTimeout(() => void this.pollAgent(), this.agent ? AGENT_POLL_MS : 5_000);
    this.agentTimer.unref();
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
