import type { VirtualMachine, VirtualMachineInstance } from '../../../../../src/api';
import { runStrategyOf } from '../../../../../src/api/run-state';
import type { RunStrategy } from '../../../../../src/api/run-state';
import {
  decideRestart,
  decideStart,
  decideStop,
  isReplaced,
} from '../../../../../src/runtime/api-server/subresources/decide';
import type { Decision } from '../../../../../src/runtime/api-server/subresources/decide';
import { decide } from '../../../../../src/runtime/controller/virtual-machine/decide';
import type { Action } from '../../../../../src/runtime/controller/virtual-machine/actions';
import type { DataVolume, Observed } from '../../../../../src/runtime/controller/virtual-machine/observed';
import { statusOf } from '../../../../../src/runtime/controller/virtual-machine/status';
import { ago, condition, config, deleting, NOW, vm as makeVm, vmi as makeVmi } from '../fixtures';

export type Verb = 'start' | 'start --paused' | 'stop' | 'restart';
export type Edit = 'edit Always' | 'edit Halted' | 'edit Manual' | 'edit RerunOnFailure';
export type Step = Verb | Edit;

/** Time of the controller's pass, relative to the steps of virt-api for one request. */
export type Timing =
  /** Not before the next request. */
  | 'none'
  /** After the request. */
  | 'after'
  /** Time after the request, until nothing changes any more. */
  | 'settled'
  /** Between virt-api's look at the VM and its look at the VMI. */
  | 'between looks'
  /** Between what virt-api looked at and what it writes; and everything else that follows. */
  | 'before the write'
  /** It looked before the request, and writes after it. */
  | 'late'
  /** It looked before the first request, and writes after the last one. */
  | 'last'
  /** As `after` and `late`, but the controller dies after the first of its writes. */
  | 'after, dies'
  | 'late, dies';
export const timings: readonly Timing[] = [
  ...(['none', 'after', 'settled', 'between looks', 'before the write', 'late', 'last'] as const),
  ...(['after, dies', 'late, dies'] as const),
];
/** Writes of one pass: the controller can die between the two. */
const MAX_WRITES = 2;

const runningSince = { phaseTransitionTimestamps: [{ phase: 'Running' as const, phaseTransitionTimestamp: ago(60) }] };
const instance = (phase?: string, ran = false, change?: (vmi: VirtualMachineInstance) => void) =>
  makeVmi(
    {
      phase: phase as 'Running',
      ...(ran ? runningSince : {}),
      conditions: phase === 'Running' ? [condition('Ready', 'True')] : [],
    },
    (vmi) => {
      vmi.metadata.uid = 'vmi-0';
      change?.(vmi);
    },
  );

/** Every moment in the life of an instance. */
export const moments: Record<string, () => VirtualMachineInstance | undefined> = {
  'no instance': () => undefined,
  'no instance, disks being filled': () => undefined,
  'no instance, in backoff': () => undefined,
  created: () => instance(),
  pending: () => instance('Pending'),
  scheduling: () => instance('Scheduling'),
  scheduled: () => instance('Scheduled'),
  running: () => instance('Running', true),
  paused: () => instance('Running', true, (vmi) => vmi.status?.conditions?.push(condition('Paused', 'True'))),
  unknown: () => instance('Unknown', true),
  stopping: () => instance('Running', true, deleting(1)),
  succeeded: () => instance('Succeeded', true),
  failed: () => instance('Failed', true),
  'failed to start': () => instance('Failed'),
};

const templates: Record<string, VirtualMachine> = {};
/** API server, virt-api, virt-controller and node, for one VM. All decisions are the real ones. */
export class Simulation {
  // objects are replaced and never changed: an object that was read stays unchanged
  public vm: VirtualMachine;
  public vmi: VirtualMachineInstance | undefined;
  private phaseOfDisk: string | undefined;
  private now = NOW;
  private uids = 0;
  private version = 100;
  /** Decisions are pure, and most orders meet in a few states: what follows from a state is worked out once. */
  private static readonly ends = new Map<string, object>();
  private static readonly decided = new Map<string, Action[]>();

  /** `isFresh`: the controller has not written a status yet. */
  public constructor(strategy: RunStrategy, moment: string, isFresh: boolean) {
    this.vm = templates[strategy] ??= makeVm(strategy);
    this.vmi = moments[moment]();
    if (moment.includes('disks')) {
      const dataVolumeTemplates = [{ metadata: { name: 'dv' }, spec: {} }];
      this.vm = { ...this.vm, spec: { ...this.vm.spec, dataVolumeTemplates } };
      this.phaseOfDisk = 'ImportInProgress';
    }
    const status = statusOf(this.look(), { dataVolumes: { missing: [], isProvisioning: false } });
    if (!isFresh) this.setStatus({ ...status, runStrategy: strategy });
    if (moment.includes('backoff')) {
      this.setStatus({
        startFailure: { consecutiveFailCount: 1, lastFailedVMIUID: 'vmi-0', retryAfterTimestamp: ago(-10) },
        ...(strategy === 'RerunOnFailure' ? { stateChangeRequests: [{ action: 'Start' }] } : {}),
      });
    }
  }

  public get isLive(): boolean {
    return this.vmi !== undefined && !['Succeeded', 'Failed'].includes(this.vmi.status?.phase ?? '');
  }

  public get strategy(): RunStrategy | undefined {
    return runStrategyOf(this.vm);
  }

  /** Performs a step and returns whether it was accepted; an edit that changes nothing is not. */
  public ask(step: Step, timing: Timing): boolean {
    const early = timing.startsWith('late') ? this.look() : undefined;
    const writes = timing.endsWith('dies') ? 1 : MAX_WRITES;
    const isAccepted = step.startsWith('edit ') ? this.edit(step.slice(5) as RunStrategy) : this.request(step, timing);
    if (early) this.perform(this.decided(early), early, writes);
    if (timing.startsWith('after')) this.pass(writes);
    if (timing === 'settled') this.settle();
    return isAccepted;
  }

  /** Passes and the node's work until nothing changes any more; and then, more of them change nothing. */
  public settle(): void {
    const before = this.state();
    const known = Simulation.ends.get(before);
    if (known) return void Object.assign(this, known);
    this.run();
    const end = this.state();
    this.run();
    if (this.state() !== end) throw new Error(`does not stay as it is: ${end}, then ${this.state()}`);
    Simulation.ends.set(before, { ...this });
  }

  private run(): void {
    for (let i = 0; i < 300; i++) {
      const before = this.version;
      const afterMs = this.pass();
      if (this.version !== before || this.moveOn()) continue;
      if (afterMs === undefined) return;
      this.now += afterMs;
    }
    throw new Error(`does not settle: ${this.state()}`);
  }

  private state(): string {
    return stateOf(this.look());
  }

  private edit(runStrategy: RunStrategy): boolean {
    if (this.vm.spec.runStrategy === runStrategy) return false;
    this.setSpec({ runStrategy });
    return true;
  }

  /** As virt-api's lifecycle.ts. */
  private request(step: Step, timing: Timing): boolean {
    let isWritten = false;
    for (let tries = 0; tries < 6; tries++) {
      const { vm } = this;
      if (timing === 'between looks' && tries === 0) this.pass();
      const { vmi } = this;
      if (timing === 'before the write' && tries === 0) this.pushOn();
      const decision = decisionOn(step, vm, vmi);
      if ('refusal' in decision) return isWritten;
      if (!this.write(decision)) continue;
      isWritten = true;
      if (step.startsWith('start') || !isReplaced(vmi, this.vmi)) return true;
    }
    throw new Error(`${step}: conflicts without end`);
  }

  private write(decision: Exclude<Decision, { refusal: unknown }>): boolean {
    let version: string | undefined;
    for (const action of decision.actions) {
      if (action.do !== 'patchVm') throw new Error(`unexpected ${action.do}`);
      const { metadata, spec, status } = action.patch;
      if ((version ?? metadata.resourceVersion) !== this.vm.metadata.resourceVersion) return false;
      if (spec) this.setSpec(spec);
      if (status) this.setStatus(status);
      version = this.vm.metadata.resourceVersion;
    }
    return true;
  }

  /** Passes with the node's work in between: enough to replace one instance by another. */
  private pushOn(): void {
    for (let i = 0; i < 4; i++) {
      this.pass();
      this.moveOn();
    }
    this.pass();
  }

  /** Looks now; what is returned writes what was decided then. */
  public lookEarly(): () => void {
    const seen = this.look();
    return () => this.perform(this.decided(seen), seen);
  }

  /** Time at which the controller is due to reconcile again. */
  private pass(writes?: number): number | undefined {
    const seen = this.look();
    const actions = this.decided(seen);
    this.perform(actions, seen, writes);
    const delays = actions.flatMap((action) => (action.do === 'recheck' ? action.afterMs : []));
    return delays.length ? Math.min(...delays) : undefined;
  }

  private decided(seen: Observed): Action[] {
    const state = stateOf(seen);
    const known = Simulation.decided.get(state) ?? decide(seen);
    Simulation.decided.set(state, known);
    return known;
  }

  private look(): Observed {
    const { vm, vmi, now, phaseOfDisk: phase } = this;
    const disk: [string, DataVolume][] = phase
      ? [['dv', { apiVersion: '', kind: 'DataVolume', metadata: { name: 'dv' }, status: { phase } }]]
      : [];
    return { vm, vmi, dataVolumes: new Map(disk), collected: new Set(), claims: new Map(), config, now };
  }

  /** As the controller's execute.ts: a stale patch of the VM ends the pass, and so does its death after some writes. */
  private perform(actions: readonly Action[], { vm }: Observed, writes = MAX_WRITES): void {
    let version = vm.metadata.resourceVersion;
    let written = 0;
    const mayWrite = (): boolean => {
      if (++written > MAX_WRITES) throw new Error('a pass writes more often than the table has deaths');
      return written <= writes;
    };
    const patched = (change: () => void): boolean => {
      if (!mayWrite() || version !== this.vm.metadata.resourceVersion) return false;
      change();
      version = this.vm.metadata.resourceVersion;
      return true;
    };
    for (const action of actions) {
      switch (action.do) {
        case 'switchToAlways':
          if (!patched(() => this.setSpec({ runStrategy: 'Always' }))) return;
          break;
        case 'patchStatus':
          if (!patched(() => this.setStatus(action.status))) return;
          break;
        case 'createVmi':
          if (!mayWrite()) return;
          if (this.vmi) break;
          this.setVmi(action.vmi, { uid: `vmi-${++this.uids}`, creationTimestamp: ago((NOW - this.now) / 1000) });
          break;
        case 'deleteVmi':
          if (!mayWrite()) return;
          if (this.vmi?.metadata.uid !== action.vmi.metadata.uid || this.vmi?.metadata.deletionTimestamp) break;
          this.setVmi(this.vmi!, { deletionTimestamp: ago(0) });
          break;
        case 'recordEvent':
        case 'recheck':
          break;
        default:
          throw new Error(`unexpected ${action.do}`);
      }
    }
  }

  /** One step of the node; false when nothing is to be done. */
  private moveOn(): boolean {
    this.version++;
    if (this.phaseOfDisk === 'ImportInProgress') {
      this.phaseOfDisk = 'Succeeded';
      return true;
    }
    if (!this.vmi) return false;
    const { metadata, status, spec } = this.vmi;
    if (metadata.deletionTimestamp) {
      this.vmi = undefined;
      return true;
    }
    if (!['', 'Pending', 'Scheduling', 'Scheduled'].includes(status?.phase ?? '')) return false;
    const conditions = [condition('Ready', 'True')];
    if (spec.startStrategy === 'Paused') conditions.push(condition('Paused', 'True'));
    this.vmi = { ...this.vmi, status: { ...status, phase: 'Running', ...runningSince, conditions } };
    return true;
  }

  private setSpec(spec: object): void {
    const { metadata } = this.vm;
    const generation = (metadata.generation ?? 0) + 1;
    this.vm = { ...this.vm, metadata: { ...metadata, generation }, spec: { ...this.vm.spec, ...spec } };
    this.touch();
  }

  private setStatus(patch: object): void {
    const status = Object.entries({ ...this.vm.status, ...patch }).filter(([, value]) => value != null);
    this.vm = { ...this.vm, status: Object.fromEntries(status) };
    this.touch();
  }

  private setVmi(vmi: VirtualMachineInstance, metadata: object): void {
    this.vmi = { ...vmi, metadata: { ...vmi.metadata, ...metadata } };
    this.version++;
  }

  private touch(): void {
    this.vm = { ...this.vm, metadata: { ...this.vm.metadata, resourceVersion: String(++this.version) } };
  }
}

/** State that determines the future, as text. */
const stateOf = ({ vm, vmi, dataVolumes, now }: Observed): string =>
  JSON.stringify([
    ...[
      vm.spec.runStrategy,
      vm.metadata.generation,
      vm.status,
      now,
      dataVolumes instanceof Map ? [...dataVolumes] : dataVolumes,
    ],
    ...[
      vmi?.metadata.uid,
      vmi?.metadata.annotations,
      vmi?.metadata.deletionTimestamp,
      vmi?.spec.startStrategy,
      vmi?.status,
    ],
  ]);

function decisionOn(step: Step, vm: VirtualMachine, vmi: VirtualMachineInstance | undefined): Decision {
  if (step === 'stop') return decideStop(vm, vmi, {});
  return step === 'restart' ? decideRestart(vm, vmi, {}) : decideStart(vm, vmi, { paused: step === 'start --paused' });
}
