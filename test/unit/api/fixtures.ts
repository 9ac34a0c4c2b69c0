import {
  clusterConfig,
  Finding,
  KubeVirt,
  KubeVirtConfiguration,
  mutateVirtualMachine,
  mutateVirtualMachineInstance,
  validateVirtualMachineCreate,
  validateVirtualMachineInstanceCreate,
  VirtualMachine,
  VirtualMachineInstance,
} from '../../../src/api';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests break objects in ways that types forbid
export type Loose = any;

/** A VM that every rule accepts. Tests change one thing. */
export function validVm(): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'web', namespace: 'default', uid: '0b7f9b3e-4d2f-4c8e-9d55-1f1f7f6c2a10' },
    spec: { runStrategy: 'Always', template: { metadata: { labels: { app: 'web' } }, spec: validVmi().spec } },
  };
}

/** The valid VM with an instance spec that is changed. */
export function changedVm(change: (spec: Loose) => void): Loose {
  const vm: Loose = validVm();
  change(vm.spec.template.spec);
  return vm;
}

/** A VMI that every rule accepts. */
export function validVmi(): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      domain: {
        cpu: { cores: 2 },
        memory: { guest: '1Gi' },
        devices: {
          disks: [
            { name: 'root', disk: { bus: 'virtio' }, bootOrder: 1 },
            { name: 'scratch', disk: { bus: 'virtio' } },
            { name: 'init', disk: { bus: 'virtio' } },
          ],
          interfaces: [{ name: 'default', masquerade: {}, ports: [{ name: 'http', port: 80 }] }],
        },
      },
      networks: [{ name: 'default', pod: {} }],
      volumes: [
        { name: 'root', containerDisk: { image: 'localhost/virt8s/tiny:latest' } },
        { name: 'scratch', emptyDisk: { capacity: '1Gi' } },
        { name: 'init', cloudInitNoCloud: { userData: '#cloud-config\n' } },
      ],
    },
  };
}

/** The platform's configuration with these fields. */
export function configured(configuration: KubeVirtConfiguration = {}) {
  const kubeVirt: KubeVirt = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: { configuration },
  };
  return clusterConfig(kubeVirt);
}

/** With these alpha gates on. */
export function gated(...featureGates: string[]) {
  return configured({ developerConfiguration: { featureGates } });
}

/** Type and field of each mistake in the valid VMI after this change, with its defaults: as clients see them. */
export const refused = (change: (spec: Loose, vmi: Loose) => void, config = clusterConfig()): string[] => {
  const vmi = structuredClone(validVmi());
  change(vmi.spec, vmi);
  return reported(validateVirtualMachineInstanceCreate(mutateVirtualMachineInstance(vmi, config), config));
};

/** The same of the valid VM. */
export const vmRefused = (change: (spec: Loose, vm: Loose) => void, config = clusterConfig()): string[] => {
  const vm = structuredClone(validVm());
  change(vm.spec, vm);
  return reported(validateVirtualMachineCreate(mutateVirtualMachine(vm, config), config));
};

/** `Invalid spec.domain.cpu`; each once, as clients tell them apart. */
export function reported(errors: readonly Finding[]): string[] {
  const lines = errors.map(({ type, field, path }) => `${(type ?? '').replace('FieldValue', '')} ${field ?? path}`);
  return [...new Set(lines)];
}
