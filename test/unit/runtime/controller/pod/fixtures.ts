import type { VirtualMachineInstance } from '../../../../../src/api';
import { clusterConfig } from '../../../../../src/api/cluster-config';
import type { ClusterConfig } from '../../../../../src/api/cluster-config';
import { renderPod } from '../../../../../src/runtime/controller/pod';
import type { Pod, RenderInput } from '../../../../../src/runtime/controller/pod';

export type Change = (vmi: VirtualMachineInstance) => void;

/** A VMI as it is stored: every default is filled in. */
export function stored(...changes: Change[]): VirtualMachineInstance {
  const vmi: VirtualMachineInstance = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'fedora', namespace: 'web', uid: 'vmi-uid', labels: { app: 'web' } },
    spec: {
      architecture: 'amd64',
      domain: {
        cpu: { cores: 1, sockets: 1, threads: 1, model: 'host-model' },
        devices: {
          disks: [{ name: 'root', disk: { bus: 'virtio' } }],
          interfaces: [{ name: 'default', masquerade: {}, model: 'virtio' }],
        },
        machine: { type: 'q35' },
        memory: { guest: '1Gi' },
      },
      networks: [{ name: 'default', pod: {} }],
      volumes: [{ name: 'root', containerDisk: { image: 'disk:1' } }],
    },
    status: { phase: 'Pending', runtimeUser: 107 },
  };
  for (const change of changes) change(vmi);
  return vmi;
}

export const configured = (configuration: object): ClusterConfig =>
  clusterConfig({
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: { configuration },
  });
export const withGates = (...featureGates: string[]): ClusterConfig =>
  configured({ developerConfiguration: { featureGates } });
export const withoutGates = (...disabledFeatureGates: string[]): ClusterConfig =>
  configured({ developerConfiguration: { disabledFeatureGates } });

/** Other parts of the input than the VMI. */
export type More = Partial<Omit<RenderInput, 'vmi'>>;

export const inputOf = (vmi: VirtualMachineInstance, more: More = {}): RenderInput => ({
  vmi,
  config: configured({}),
  launcherImage: 'launcher:1',
  claims: new Map(),
  ...more,
});

export const render = (change: Change = () => {}, more: More = {}): Pod => renderPod(inputOf(stored(change), more));

export const compute = (pod: Pod) => pod.spec.containers[0];
export const container = (pod: Pod, name: string) =>
  [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].find((candidate) => candidate.name === name);
export const mountsOf = (pod: Pod, name: string) => compute(pod).volumeMounts?.filter((mount) => mount.name === name);
export const volumeOf = (pod: Pod, name: string) => pod.spec.volumes?.find((volume) => volume.name === name);

export const dedicated: Change = (v) => (v.spec.domain.cpu = { cores: 2, dedicatedCpuPlacement: true });
