import { keys } from '../../api/keys';
import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { beside } from '../network/beside';
import type { IServiceTarget } from '../network/vm-service';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth } from '../validation';

/** Properties of a disruption budget. */
export interface GuestDisruptionBudgetProps extends ResourceProps {
  /** Pool or replica set whose guests are protected. */
  readonly target: IServiceTarget;
  /**
   * Number of guests that must stay ready while nodes are drained; not a percentage. If it equals the number of guests,
   * no node that runs one of them can be drained.
   */
  readonly minAvailable: number;
}

/**
 * Number of guests of a pool or replica set that must stay ready during a drain (`policy/v1` PodDisruptionBudget).
 *
 * For guests that a drain shuts down: those with `EvictionStrategy.NONE`, or with `LIVE_MIGRATE_IF_POSSIBLE` if they
 * cannot migrate. A guest that migrates keeps running and needs no budget: its eviction is denied while it moves.
 *
 * There is no `maxUnavailable` and no percentage. To compute these, Kubernetes reads the expected number of replicas
 * from the Pod's owner. The owner of a launcher Pod is its VirtualMachineInstance, which has no such number, so
 * Kubernetes would not evict any Pod.
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
  /** Number of guests that must stay ready. */
  public readonly minAvailable: number;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props guests and how many of them must stay ready
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
