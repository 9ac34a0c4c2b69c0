import { isDeepStrictEqual } from 'node:util';
import type { KubeVirt } from '../../../api';
import type { KubeVirtStatus } from '../../../api/generated/kubevirt-v1';
import type { OperatorReason } from '../../../api/reasons';
import { isNotFound, resources } from '../../kube';
import { timeOf, type Context } from '../context';
import { blockedStatus } from './decide';

/**
 * Writes the status of a KubeVirt object if it differs. The number of outdated instances is that of virt-controller: it may
 * have changed since the object was read, so the patch does not contain it.
 */
export async function report({ client }: Context, kubeVirt: KubeVirt, status: KubeVirtStatus): Promise<void> {
  if (isDeepStrictEqual(kubeVirt.status ?? {}, JSON.parse(JSON.stringify(status)))) return;
  const { name = '', namespace } = kubeVirt.metadata;
  const { outdatedVirtualMachineInstanceWorkloads: _ofController, ...own } = status;
  try {
    await client.patch(resources.kubeVirts, { name, namespace, subresource: 'status' }, { status: own }, 'merge', {
      fieldManager: 'virt-operator',
    });
  } catch (error) {
    // it was deleted meanwhile
    if (!isNotFound(error)) throw error;
  }
}

/** Reports why nothing can be done at the moment, as conditions and an event. */
export async function reportBlocked(
  context: Context,
  kubeVirt: KubeVirt,
  version: string | undefined,
  reason: OperatorReason,
  cause: string,
): Promise<void> {
  context.recorder.warning(kubeVirt, reason, cause);
  await report(context, kubeVirt, blockedStatus(kubeVirt.status ?? {}, version, reason, cause, timeOf(context)));
}
