import { keys } from '../../api/keys';
import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { beside } from '../network/beside';
import type { IServiceTarget } from '../network/vm-service';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth } from '../validation';

/** What a disruption budget takes. */
export interface GuestDisruptionBudgetProps extends ResourceProps {
  /** Whose guests: a pool or a replica set, by its labels. */
  readonly target: IServiceTarget;
  /**
   * How many guests must stay ready while nodes are drained: a number, not a share. With as many as there are, no node
   * that has one of them can be drained.
   */
  readonly minAvailable: number;
}

/**
 * How many guests of a pool or replica set a drain leaves running (`policy/v1` PodDisruptionBudget).
 *
 * For guests that are shut down by a drain: those with `EvictionStrategy.NONE`, or `LIVE_MIGRATE_IF_POSSIBLE` where they
 * cannot move. A guest that moves is not disturbed, and needs none: its eviction is refused while it moves.
 *
 * There is no `maxUnavailable`, and no share in percent: for these, Kubernetes asks the owner of each Pod how many there
 * should be. That of a launcher Pod is its VirtualMachineInstance, which does not know, and then no Pod may go.
 *
 * @example
 * const pool = new VirtualMachinePool(chart, 'web', {
 *   replicas: 4,
 *   memory: Size.gibibytes(2),
 *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
 * });
 * new GuestDisruptionBudget(chart, 'budget', { target: pool, minAvailable: 3 });
 */
export class GuestDisruptionBudget extends Resource {
  public readonly apiObject: ApiObject;
  /** How many guests must stay ready. */
  public readonly minAvailable: number;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props guests, and how many of them must stay ready
   */
  constructor(scope: Construct, id: string, props: GuestDisruptionBudgetProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { target, minAvailable } = props;
    this.minAvailable = minAvailable;
    const matchLabels = { ...(target.podLabels ?? { [keys.vmName]: target.name }) };
    const spec = { minAvailable, selector: { matchLabels } };
    this.apiObject = new ApiObject(this, 'Resource', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: beside(target, props.metadata),
      spec,
    });
    validateOnSynth(this, {
      body: () => ({ spec }),
      locate: (field) => (field === 'spec.minAvailable' ? 'minAvailable' : undefined),
    });
  }
}
