import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, KubeVirt, VirtualMachineInstance } from '../../../api';
import { clusterConfig } from '../../../api/cluster-config';
import type { ClusterConfig } from '../../../api/cluster-config';
import { mutateVirtualMachine, mutateVirtualMachineInstance } from '../../../api/mutate';
import { badRequest } from '../status';
import { isComponent } from './identity';
import type { AdmissionRequest, Admit } from './review';

export interface WebhookOptions {
  /** Namespace of the installation: its ServiceAccounts are the components. */
  readonly namespace: string;
  /** The KubeVirt resource as last seen; without one, defaults hold. */
  readonly kubeVirt: () => KubeObject | undefined;
}

/** Every webhook by its path. The rules themselves are those of synth: `src/api`. */
export function createWebhooks({ namespace, kubeVirt }: WebhookOptions): ReadonlyMap<string, Admit> {
  const config = cached(kubeVirt);
  const component = (request: AdmissionRequest): boolean => isComponent(request.userInfo.username, namespace);
  return new Map<string, Admit>([
    ['/virtualmachines-mutate', (request) => ({ object: mutateVirtualMachine(objectOf(request), config()) })],
    [
      '/virtualmachineinstances-mutate',
      (request) => ({ object: mutateInstance(request, component(request), config()) }),
    ],
  ]);
}

/** The configuration is worked out once for each version of the KubeVirt resource. */
function cached(kubeVirt: () => KubeObject | undefined): () => ClusterConfig {
  let of: KubeObject | undefined;
  let value = clusterConfig(undefined);
  return () => {
    const now = kubeVirt();
    if (now !== of) {
      of = now;
      value = clusterConfig(now as KubeVirt | undefined);
    }
    return value;
  };
}

function objectOf<T extends KubeObject>(request: AdmissionRequest): T {
  if (!request.object) throw badRequest(`the request of ${request.operation} has no object`);
  return request.object as T;
}

/**
 * A VMI has no status subresource: its status comes with every write. What a user writes there is dropped, since the
 * components act on it.
 */
export function mutateInstance(request: AdmissionRequest, component: boolean, config: ClusterConfig): KubeObject {
  const vmi = objectOf<VirtualMachineInstance>(request);
  if (request.operation === 'CREATE') {
    const { status: _theirs, ...rest } = vmi;
    return mutateVirtualMachineInstance(component ? vmi : (rest as VirtualMachineInstance), config);
  }
  const before = (request.oldObject as VirtualMachineInstance | null | undefined)?.status;
  if (component || isDeepStrictEqual(vmi.status, before)) return vmi;
  const { status: _theirs, ...rest } = vmi;
  return { ...rest, ...(before ? { status: before } : {}) } as KubeObject;
}
