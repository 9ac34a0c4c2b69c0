import type { k8s } from 'cdk8s-plus-28';
import type { VirtualMachinePoolSpec } from '../../api/generated/pool-v1beta1';
import { Choice } from '../choice';
import { defined } from '../defined';
import { NodeQuery } from './node-query';

type Spec = VirtualMachinePoolSpec;
type SelectionSpec = NonNullable<NonNullable<NonNullable<Spec['updateStrategy']>['proactive']>['selectionPolicy']>;

/** An order of the VMs of a pool. */
export class PoolOrder extends Choice {
  /** By number: `NAME-0` first. */
  public static readonly ASCENDING = PoolOrder.of('AscendingOrder');
  /** By number: the highest first. */
  public static readonly DESCENDING = PoolOrder.of('DescendingOrder');
  /** The youngest first. */
  public static readonly NEWEST = PoolOrder.of('Newest');
  /** The oldest first. */
  public static readonly OLDEST = PoolOrder.of('Oldest');
  /** Any. */
  public static readonly RANDOM = PoolOrder.of('Random');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): PoolOrder {
    return new PoolOrder(value);
  }
}

/** What stays of a VM that goes, for the VM that takes its number later. */
export class PoolStatePreservation extends Choice {
  /** Nothing. */
  public static readonly DISABLED = PoolStatePreservation.of('Disabled');
  /** Its claims. */
  public static readonly OFFLINE = PoolStatePreservation.of('Offline');
  /** Its claims and its memory. */
  public static readonly ONLINE = PoolStatePreservation.of('Online');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): PoolStatePreservation {
    return new PoolStatePreservation(value);
  }
}

/** Which VMs of a pool come first. */
export interface PoolSelection {
  /**
   * VMs with these labels come before the others.
   * @default - none
   */
  readonly labels?: k8s.LabelSelector;
  /**
   * VMs on nodes for which all queries hold come before the others. With `labels`, both must fit.
   * @default - none
   */
  readonly nodes?: NodeQuery[];
  /**
   * Order of the rest.
   * @default PoolOrder.RANDOM
   */
  readonly order?: PoolOrder;
}

/** How the VMs of a pool follow a change of its template. */
export class PoolUpdateStrategy {
  /**
   * Each VM is changed and its guest restarted.
   *
   * @param selection which VMs come first
   * @example
   * new VirtualMachinePool(chart, 'web', {
   *   replicas: 4,
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   updateStrategy: PoolUpdateStrategy.proactive({ order: PoolOrder.OLDEST }),
   * });
   */
  public static proactive(selection?: PoolSelection): PoolUpdateStrategy {
    return new PoolUpdateStrategy({ proactive: defined({ selectionPolicy: renderSelection(selection) }) });
  }

  /**
   * Each VM is changed; its guest follows at its next start.
   *
   * @example
   * new VirtualMachinePool(chart, 'web', {
   *   replicas: 4,
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   updateStrategy: PoolUpdateStrategy.opportunistic(),
   * });
   */
  public static opportunistic(): PoolUpdateStrategy {
    return new PoolUpdateStrategy({ opportunistic: {} });
  }

  /**
   * VMs are left as they are.
   *
   * @example
   * new VirtualMachinePool(chart, 'web', {
   *   replicas: 4,
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   updateStrategy: PoolUpdateStrategy.unmanaged(),
   * });
   */
  public static unmanaged(): PoolUpdateStrategy {
    return new PoolUpdateStrategy({ unmanaged: {} });
  }

  private constructor(private readonly spec: NonNullable<Spec['updateStrategy']>) {}

  /** @internal */
  public _render(): Spec['updateStrategy'] {
    return this.spec;
  }
}

/** What a scale-in takes. */
export interface PoolScaleInOptions {
  /**
   * What stays of a VM that goes.
   * @default PoolStatePreservation.DISABLED
   */
  readonly statePreservation?: PoolStatePreservation;
}

/** What a scale-in takes that the pool does itself. */
export interface ProactiveScaleInOptions extends PoolScaleInOptions {
  /**
   * Which VMs go first.
   * @default - any
   */
  readonly selection?: PoolSelection;
}

/** How VMs go when a pool shrinks. */
export class PoolScaleInStrategy {
  /**
   * The pool deletes VMs at once.
   *
   * @param options which VMs go first, and what is kept of them
   * @example
   * new VirtualMachinePool(chart, 'web', {
   *   replicas: 4,
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   scaleInStrategy: PoolScaleInStrategy.proactive({ selection: { order: PoolOrder.NEWEST } }),
   * });
   */
  public static proactive(options: ProactiveScaleInOptions = {}): PoolScaleInStrategy {
    const { selection, statePreservation } = options;
    return new PoolScaleInStrategy({
      proactive: defined({
        selectionPolicy: renderSelection(selection),
        statePreservation: statePreservation?.value as 'Offline' | undefined,
      }),
    });
  }

  /**
   * VMs that somebody else deletes are not replaced.
   *
   * @param options what is kept of a VM that goes
   * @example
   * new VirtualMachinePool(chart, 'web', {
   *   replicas: 4,
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   scaleInStrategy: PoolScaleInStrategy.opportunistic({ statePreservation: PoolStatePreservation.OFFLINE }),
   * });
   */
  public static opportunistic(options: PoolScaleInOptions = {}): PoolScaleInStrategy {
    const { statePreservation } = options;
    return new PoolScaleInStrategy({
      opportunistic: defined({ statePreservation: statePreservation?.value as 'Offline' | undefined }),
    });
  }

  /**
   * The pool deletes nothing.
   *
   * @example
   * new VirtualMachinePool(chart, 'web', {
   *   replicas: 4,
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   scaleInStrategy: PoolScaleInStrategy.unmanaged(),
   * });
   */
  public static unmanaged(): PoolScaleInStrategy {
    return new PoolScaleInStrategy({ unmanaged: {} });
  }

  private constructor(private readonly spec: NonNullable<Spec['scaleInStrategy']>) {}

  /** @internal */
  public _render(): Spec['scaleInStrategy'] {
    return this.spec;
  }
}

/** How many VMs of a pool may be not ready during an update. */
export class PoolMaxUnavailable {
  /**
   * This many, from 1.
   *
   * @param vms number of VMs, from 1
   * @example
   * new VirtualMachinePool(chart, 'web', {
   *   replicas: 4,
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   maxUnavailable: PoolMaxUnavailable.count(1),
   * });
   */
  public static count(vms: number): PoolMaxUnavailable {
    return new PoolMaxUnavailable(vms);
  }

  /**
   * This share of the replicas, in percent.
   *
   * @param share share in percent
   * @example
   * new VirtualMachinePool(chart, 'web', {
   *   replicas: 4,
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   maxUnavailable: PoolMaxUnavailable.percent(25),
   * });
   */
  public static percent(share: number): PoolMaxUnavailable {
    return new PoolMaxUnavailable(`${share}%`);
  }

  private constructor(private readonly amount: number | string) {}

  /** @internal */
  public _render(): number | string {
    return this.amount;
  }
}

function renderSelection(selection: PoolSelection | undefined): SelectionSpec | undefined {
  if (!selection) return undefined;
  const { labels, nodes, order } = selection;
  return defined({
    selectors:
      labels || nodes
        ? defined({
            labelSelector: labels as Spec['selector'] | undefined,
            nodeSelectorRequirementMatcher: nodes?.map((query) => query._render()),
          })
        : undefined,
    sortPolicy: order?.value as SelectionSpec['sortPolicy'],
  });
}
