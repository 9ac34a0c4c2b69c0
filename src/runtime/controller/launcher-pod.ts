import type { VirtualMachineInstance } from '../../api';
import { isLauncherOf } from '../../api/launcher-name';
import { resources } from '../kube';
import type { Caches, Context } from './context';
import { podName } from './pod';
import type { Pod } from './pod';
import { slimPod } from './trim';

/** `namespace/name` of the VMI that the Pod's ownerReference claims. It may only be used to wake that VMI. */
export function claimedOwner({ metadata }: Pod): string | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  return owner?.kind === 'VirtualMachineInstance' ? `${metadata.namespace}/${owner.name}` : undefined;
}

export function cachedLauncher(
  { caches }: { readonly caches: Pick<Caches, 'pods'> },
  vmi: VirtualMachineInstance,
): Pod | undefined {
  const pod = caches.pods.get(`${vmi.metadata.namespace}/${podName(vmi)}`);
  return pod && isLauncherOf(vmi, pod) ? pod : undefined;
}

/**
 * Reads the Pod from the API server. A VMI whose Pod is not in the cache is failed only after this read: the cache may be
 * outdated, and a Pod that lost its label is in no cache although its guest runs.
 */
export async function storedLauncher({ client }: Context, vmi: VirtualMachineInstance): Promise<Pod | undefined> {
  const pod = await client.find<Pod>(resources.pods, { namespace: vmi.metadata.namespace, name: podName(vmi) });
  return pod && isLauncherOf(vmi, pod) ? slimPod(pod) : undefined;
}
