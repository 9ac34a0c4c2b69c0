import type { Logger } from 'pino';
import type { VirtualMachine, VirtualMachineInstance } from '../../../api';
import type { ClusterConfig } from '../../../api/cluster-config';
import type { MetricName } from '../../../api/metrics';
import type { Informer } from '../../kube';
import { ProgramMetrics, queueMetrics, requestMetrics } from '../../kube/metrics';
import type { Value } from '../../kube/metrics';
import type { Caches } from '../context';
import type { Snapshot } from '../protection/types';
import { snapshotTimes } from './snapshot-values';
import { transitionsOf } from './transitions';
import type { Observation } from './transitions';
import { vmMetrics } from './vm-values';
import type { VmFacts } from './vm-values';
import { isOutdated, vmiMetrics } from './vmi-values';
import type { VmiFacts } from './vmi-values';

/** State of virt-controller that its metrics show. */
export interface ObservedController {
  readonly caches: Pick<Caches, 'vms' | 'vmis' | 'claims' | 'pods'>;
  readonly config: () => ClusterConfig;
  readonly isLeader: () => boolean;
  readonly isReady: () => boolean;
  /** Snapshots; empty unless this program leads. */
  readonly snapshots: () => readonly Snapshot[];
}

const TRANSITIONS = [
  'kubevirt_vmi_phase_transition_time_seconds',
  'kubevirt_vmi_phase_transition_time_from_creation_seconds',
  'kubevirt_vmi_phase_transition_time_from_deletion_seconds',
] as const satisfies readonly Observation['name'][];

/** The metrics of virt-controller. Those about objects are computed from the caches, which only a leader fills. */
export class ControllerMetrics {
  public readonly program: ProgramMetrics;
  public readonly requests: ReturnType<typeof requestMetrics>;
  public readonly makeQueue: ReturnType<typeof queueMetrics>;

  public constructor(log: Pick<Logger, 'warn'>) {
    this.program = new ProgramMetrics((metric, error) =>
      log.warn({ metric, error: String(error) }, 'a metric cannot be computed'),
    );
    this.requests = requestMetrics(this.program);
    this.makeQueue = queueMetrics(this.program);
  }

  /** Adds the metrics of the controller. */
  public observe({ caches, config, isLeader, isReady, snapshots }: ObservedController): void {
    const { program } = this;
    const flag = (name: MetricName, value: () => boolean): void =>
      program.computed(name, () => [{ value: Number(value()) }]);
    flag('kubevirt_virt_controller_leading_status', isLeader);
    flag('kubevirt_virt_controller_ready_status', isReady);
    const ofLeader = (name: MetricName, values: () => Iterable<Value>): void =>
      program.computed(name, () => (isLeader() ? values() : []));
    ofLeader('kubevirt_configuration_emulation_enabled', () => [{ value: Number(config().useEmulation) }]);
    const { vms, vmis, claims, pods } = caches;
    const vmFacts: VmFacts = { claim: (key) => claims.get(key), vmi: (key) => vmis.get(key) };
    for (const [name, valuesOf] of entries<(vm: VirtualMachine, facts: VmFacts) => Value[]>(vmMetrics)) {
      ofLeader(name, () => valuesOfAll(vms.list(), (vm) => valuesOf(vm, vmFacts)));
    }
    const hasPod = (key: string): boolean => pods.get(key) !== undefined;
    for (const [name, valuesOf] of entries<(vmi: VirtualMachineInstance, facts: VmiFacts) => Value[]>(vmiMetrics)) {
      ofLeader(name, () => {
        const facts = { config: config(), hasPod };
        return valuesOfAll(vmis.list(), (vmi) => valuesOf(vmi, facts));
      });
    }
    ofLeader('kubevirt_vmi_number_of_outdated', () => [{ value: vmis.list().filter(isOutdated).length }]);
    ofLeader('kubevirt_vmsnapshot_succeeded_timestamp_seconds', () => valuesOfAll(snapshots(), snapshotTimes));
    this.observeTransitions(vmis);
  }

  private observeTransitions(vmis: Pick<Informer<VirtualMachineInstance>, 'onChange'>): void {
    const histograms = new Map(TRANSITIONS.map((name) => [name, this.program.histogram(name)]));
    vmis.onChange({
      update: (after, before) => {
        for (const { name, labels, seconds } of transitionsOf(before, after))
          histograms.get(name)?.observe(labels, seconds);
      },
    });
  }
}

/** The values are made while they are printed, so that those of all objects are never in memory together. */
function* valuesOfAll<T>(objects: readonly T[], valuesOf: (object: T) => Value[]): Generator<Value> {
  for (const object of objects) yield* valuesOf(object);
}

const entries = <T>(table: { readonly [name in MetricName]?: T }): [MetricName, T][] =>
  Object.entries(table) as [MetricName, T][];
