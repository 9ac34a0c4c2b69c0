import { isAlreadyExists, keyOf, resources, type Informer } from '../../../runtime/kube';
import { claimsOf } from '../../claims';
import type { PersistentVolumeClaim, Pod } from '../../core-v1';
import { controllerOf } from '../informers';
import { isTerminating, messageOf, QueueController, type ControllerContext } from '../controller';
import { decide } from './decide';

/** Creates the claims of generic ephemeral volumes. The garbage collector deletes them with their Pods. */
export class EphemeralVolumeController extends QueueController {
  private readonly pods: Informer<Pod>;
  private readonly claims: Informer<PersistentVolumeClaim>;

  public constructor(context: ControllerContext) {
    super('ephemeral_volume', context);
    this.pods = context.informers.get('pods');
    this.claims = context.informers.get('persistentVolumeClaims');
    this.pods.onChange({
      // volumes never change
      add: (pod) => {
        if (claimsOf(pod).some(({ ephemeral }) => ephemeral)) this.enqueue(keyOf(pod));
      },
    });
    this.claims.onChange({
      delete: ({ metadata }) => {
        const owner = controllerOf(metadata);
        if (owner?.kind === 'Pod') this.enqueue(`${metadata.namespace}/${owner.name}`);
      },
    });
  }

  protected startInformers(): Promise<void> {
    return this.context.informers.start('pods');
  }

  protected async reconcile(key: string): Promise<void> {
    const pod = this.pods.get(key);
    if (!pod) return;
    // only clusters with such volumes pay for this cache
    await this.context.informers.start('persistentVolumeClaims');
    const { namespace } = pod.metadata;
    const plan = decide(pod, (name) => this.claims.get(`${namespace}/${name}`));
    if ('conflict' in plan) throw this.failed(pod, plan.conflict.volume, plan.conflict.message);
    for (const { volume, claim } of plan.create) {
      try {
        await this.context.client.create(resources.persistentVolumeClaims, claim);
      } catch (error) {
        if (isTerminating(error)) return;
        // the cache does not show it yet: the next pass examines its owner
        if (isAlreadyExists(error)) throw error;
        throw this.failed(pod, volume, `create PVC ${claim.metadata.name}: ${messageOf(error)}`);
      }
    }
  }

  private failed(pod: Pod, volume: string, message: string): Error {
    const text = `ephemeral volume ${volume}: ${message}`;
    this.events.warning(pod, 'FailedBinding', text);
    return new Error(text);
  }
}
