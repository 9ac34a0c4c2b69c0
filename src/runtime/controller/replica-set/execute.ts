import { errorText } from '../../../api/error-text';
import type { VirtualMachineInstance, VirtualMachineInstanceReplicaSet } from '../../../api';
import { reasons } from '../../../api/reasons';
import { except, isAlreadyExists, isNotFound, resources } from '../../kube';
import type { Requeue } from '../../kube';
import type { Context } from '../context';
import { decide, ownerOf, statusOf } from './decide';
import type { Action } from './decide';

const LAG_RECHECK_MS = 1000;
const fieldManager = 'virt-controller';

/** Reconciles one replica set. */
export async function syncReplicaSet(context: Context, key: string): Promise<Requeue | void> {
  const { caches, expectations } = context;
  const set = caches.replicaSets.get(key);
  const expected = `vmirs ${key}`;
  if (!set) return expectations.forget(expected);
  if (!expectations.satisfied(expected)) return { requeueAfterMs: LAG_RECHECK_MS };
  const observed = { set, vmis: caches.vmis.byIndex('replicaSet', set.metadata.uid ?? '') };
  let failure: unknown;
  for (const action of decide(observed)) {
    try {
      const version = await perform(context, set, action);
      expectations.expect(expected, caches.vmis, version);
    } catch (error) {
      failure ??= error;
      // the others would be rejected for the same reason
      if (action.do === 'createVmi') break;
    }
  }
  const message = failure === undefined ? undefined : errorText(failure);
  if (message)
    context.recorder.warning(set, reasons.failedCreate, `Error creating virtual machine instance: ${message}`);
  const status = statusOf(observed, message, context.now());
  if (status) await writeStatus(context, set, status, expected);
  if (failure !== undefined) throw failure;
}

/** @returns the version of the written instance */
async function perform(
  { client, recorder }: Context,
  set: VirtualMachineInstanceReplicaSet,
  { do: what, vmi }: Action,
): Promise<string | undefined> {
  const { namespace, name = '', uid } = vmi.metadata;
  const ref = { namespace, name };
  if (what === 'deleteVmi') {
    const answer = await client
      .delete(resources.virtualMachineInstances, ref, { preconditions: { uid } })
      .catch(except(isNotFound));
    if (answer)
      recorder.normal(set, reasons.successfulDelete, `Stopped the virtual machine by deleting the instance ${name}`);
    return answer?.metadata?.resourceVersion;
  }
  try {
    const made = await client.create(resources.virtualMachineInstances, vmi, { fieldManager });
    recorder.normal(set, reasons.successfulCreate, `Started the virtual machine by creating the instance ${name}`);
    return made.metadata.resourceVersion;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const existing = await client.find<VirtualMachineInstance>(resources.virtualMachineInstances, ref);
    // created by an earlier pass whose response was lost
    if (existing && ownerOf(existing) === set.metadata.uid) return existing.metadata.resourceVersion;
    throw error;
  }
}

async function writeStatus(
  { client, caches, expectations }: Context,
  { metadata }: VirtualMachineInstanceReplicaSet,
  status: object,
  expected: string,
): Promise<void> {
  const { namespace, name = '', uid, resourceVersion } = metadata;
  const body = { metadata: { uid, resourceVersion }, status };
  const written = await client
    .patch(resources.replicaSets, { namespace, name, subresource: 'status' }, body, 'merge', { fieldManager })
    .catch(except(isNotFound));
  expectations.expect(expected, caches.replicaSets, written?.metadata.resourceVersion);
}
