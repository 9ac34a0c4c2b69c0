import type { KubeObject } from '../../../api';
import { type KubeClient, resources } from '../../kube';

/** Name of the Lease that has the time of the last batch. */
export const LAST_BATCH = 'virt-controller-workload-update';

interface Lease extends KubeObject {
  spec?: { renewTime?: string };
}

/**
 * Time at which the last batch began. It is in a Lease, because nothing else is left of a batch when its Pods have ended:
 * the next leader would begin another one immediately.
 */
export class LastBatch {
  private lease?: Lease;

  public constructor(
    private readonly client: KubeClient,
    private readonly namespace: string,
  ) {}

  public async time(): Promise<number | undefined> {
    this.lease ??= await this.client.find<Lease>(resources.leases, { namespace: this.namespace, name: LAST_BATCH });
    const ms = Date.parse(this.lease?.spec?.renewTime ?? '');
    return Number.isNaN(ms) ? undefined : ms;
  }

  /** Records that a batch begins. Throws if another process has recorded one, so that both cannot begin. */
  public async begin(now: number): Promise<void> {
    const known = this.lease;
    this.lease = undefined;
    const spec = { ...known?.spec, renewTime: new Date(now).toISOString().replace('Z', '000Z') };
    this.lease = known
      ? await this.client.replace<Lease>(resources.leases, { ...known, spec })
      : await this.client.create<Lease>(resources.leases, {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { name: LAST_BATCH, namespace: this.namespace },
          spec,
        });
  }
}
