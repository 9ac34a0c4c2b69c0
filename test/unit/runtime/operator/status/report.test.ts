import type { KubeVirt } from '../../../../../src/api';
import type { KubeVirtStatus } from '../../../../../src/api/generated/kubevirt-v1';
import { report } from '../../../../../src/runtime/operator/status/report';
import type { Context } from '../../../../../src/runtime/operator/context';

const kubeVirt = (status: KubeVirtStatus): KubeVirt => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'KubeVirt',
  metadata: { name: 'kubevirt', namespace: 'kubevirt' },
  spec: {},
  status,
});

/** Bodies of the patches with which the operator reports a status. */
async function patchesFor(before: KubeVirtStatus, after: KubeVirtStatus): Promise<unknown[]> {
  const bodies: unknown[] = [];
  const client = { patch: (_resource: unknown, _ref: unknown, body: unknown) => Promise.resolve(bodies.push(body)) };
  await report({ client } as unknown as Context, kubeVirt(before), after);
  return bodies;
}

test('a report leaves the number of outdated instances to virt-controller', async () => {
  const known = { outdatedVirtualMachineInstanceWorkloads: 4 };
  expect(await patchesFor(known, { ...known, phase: 'Deployed' })).toEqual([{ status: { phase: 'Deployed' } }]);
});

test('a status that has not changed is not written', async () => {
  const known: KubeVirtStatus = { phase: 'Deployed', outdatedVirtualMachineInstanceWorkloads: 4 };
  expect(await patchesFor(known, { ...known })).toEqual([]);
});
