import { launcherPodName } from '../../../../src/api/launcher-name';
import { virtualMachineInstanceAdmission } from '../../../../src/api/kinds/virtual-machine-instance';
import type { AdmissionContext, KubeObject, VirtualMachineInstance } from '../../../../src/api';
import { clusterConfig } from '../../../../src/api';

const UID = '11111111-2222-4333-8444-555555555555';
const instance = (nodeName?: string): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'web', namespace: 'ns', uid: UID },
  spec: { domain: { devices: {} } },
  status: { phase: 'Scheduled', ...(nodeName !== undefined && { nodeName }) },
});
const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'web', uid: UID, controller: true };
interface Pod extends KubeObject {
  readonly spec: { readonly nodeName?: string };
}
const launcher = (nodeName?: string, metadata: object = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: launcherPodName('web', UID), namespace: 'ns', ownerReferences: [owner], ...metadata },
  spec: { ...(nodeName !== undefined && { nodeName }) },
});

describe('the first node of an instance', () => {
  const errors = (now: VirtualMachineInstance, before: VirtualMachineInstance, pod?: Pod): string[] => {
    const context: AdmissionContext = {
      config: clusterConfig(undefined),
      by: { trusted: true, username: 'system:serviceaccount:kubevirt:kubevirt-handler', may: () => false },
      find: (kind, namespace, name) =>
        kind === 'Pod' && namespace === 'ns' && name === pod?.metadata.name ? pod : undefined,
      list: () => [],
    };
    return virtualMachineInstanceAdmission.update!(now, before, context).map(({ rule }) => rule);
  };

  test.each<[string, VirtualMachineInstance, VirtualMachineInstance, Pod | undefined, string[]]>([
    ['is the node of its launcher', instance('a'), instance(), launcher('a'), []],
    ['cannot be another node', instance('b'), instance(), launcher('a'), ['instance-node']],
    ['cannot be set while its launcher is not placed', instance('b'), instance(), launcher(), ['instance-node']],
    ['cannot be set without a launcher', instance('b'), instance(), undefined, ['instance-node']],
    [
      'is not that of a Pod that another instance owns',
      instance('b'),
      instance(),
      launcher('b', { ownerReferences: [{ ...owner, uid: 'another' }] }),
      ['instance-node'],
    ],
    [
      'is not that of a Pod with a copied owner and another name',
      instance('b'),
      instance(),
      launcher('b', { name: 'virt-launcher-web-aaaaa' }),
      ['instance-node'],
    ],
    ['replaces an empty one under the same rule', instance('b'), instance(''), launcher('a'), ['instance-node']],
    ['stays when its launcher is gone', instance('a'), instance('a'), undefined, []],
    ['may be absent', instance(), instance(), undefined, []],
  ])('%s', (_, now, before, pod, expected) => expect(errors(now, before, pod)).toEqual(expected));
});
