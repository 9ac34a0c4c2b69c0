import type { k8s } from 'cdk8s-plus-28';
import type { VirtualMachinePoolSpec } from '../../api/generated/pool-v1beta1';
import { Choice } from '../choice';
import { defined } from '../defined';
import { NodeQuery } from './node-query';

type Spec = VirtualMachinePoolSpec;
type SelectionSpec = NonNullable<NonNullable<NonNullable<Spec['updateStrategy']>['proactive']>['selectionPolicy']>;

/** Order of the VMs of a pool. */
export class PoolOrder extends Choice {
  /** Lowest number first: `NAME-0`. */
  public static readonly ASCENDING = PoolOrder.of('AscendingOrder');
  /** Highest number first. */
  public static readonly DESCENDING = PoolOrder.of('DescendingOrder');
  /** Newest VM first. */
  public static readonly NEWEST = PoolOrder.of('Newest');
  /** Oldest VM first. */
  public static readonly OLDEST = PoolOrder.of('Oldest');
  /** Random order. */
  public static readonly RANDOM = PoolOrder.of('Random');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): PoolOrder {
    return new PoolOrder(value);
  }
}

/** State of a deleted VM that the pool keeps for the next VM with the same number. */
export class PoolStatePreservation extends Choice {
  /** Keeps nothing. */
  public static readonly DISABLED = PoolStatePreservation.of('Disabled');
  /** Keeps the VM's claims. */
  public static readonly OFFLINE = PoolStatePreservation.of('Offline');
  /** Keeps the VM's claims and memory. */
  public static readonly ONLINE = PoolStatePreservation.of('Online');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): PoolStatePreservation {
    return new PoolStatePreservation(value);
  }
}

/** Selection of the VMs that a pool updates or deletes first. */
export interface PoolSelection {
  /**
   * Labels of the VMs that come first.
   * @default - none
   */
  readonly labels?: k8s.LabelSelector;
  /**
   * Conditions on the nodes whose VMs come first. All conditions must hold, and `labels` must match as well.
   * @default - none
   */
  readonly nodes?: NodeQuery[];
  /**
   * Order of the VMs.
   * @default PoolOrder.RANDOM
   */
  readonly order?: PoolOrder;
}

/** Strategy by which VMs of a pool follow a change of its template. */
export class PoolUpdateStrategy {
  /**
   * Updates each VM and restarts its guest.
   *
   * @param selection VMs to update first
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
   * Updates each VM. Its guest uses the change from its next start on.
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
   * Leaves existing VMs unchanged.
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

/** Options of the deletion of VMs when a pool shrinks. */
export interface PoolScaleInOptions {
  /**
   * State of a deleted VM that is kept.
   * @default PoolStatePreservation.DISABLED
   */
  readonly statePreservation?: PoolStatePreservation;
}

/** Options of the deletion of VMs by the pool itself. */
export interface ProactiveScaleInOptions extends PoolScaleInOptions {
  /**
   * VMs to delete first.
   * @default - any
   */
  readonly selection?: PoolSelection;
}

/** Strategy by which a pool shrinks. */
export class PoolScaleInStrategy {
  /**
   * Deletes surplus VMs at once.
   *
   * @param options VMs to delete first, and state to keep
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
   * Deletes no VMs. VMs that are deleted by others are not replaced while the pool is too large.
   *
   * @param options state to keep of a deleted VM
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
   * Deletes no VMs.
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

/** Limit for the VMs of a pool that may be unavailable during an update. */
export class PoolMaxUnavailable {
  /**
   * Allows this number of unavailable VMs, at least 1.
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
   * Allows this percentage of the replicas to be unavailable.
   *
   * @param share percentage of the replicas
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
