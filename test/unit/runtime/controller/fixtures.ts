import type {
  Condition,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstanceStatus,
} from '../../../../src/api';
import { clusterConfig } from '../../../../src/api/cluster-config';
import type { RunStrategy } from '../../../../src/api/run-state';
import { mutateVirtualMachine, mutateVirtualMachineInstance } from '../../../../src/api/mutate';
import type { Node, Observed } from '../../../../src/runtime/controller/instance/observed';
import { marked } from '../../../../src/runtime/controller/instance/rendering';
import { renderPod } from '../../../../src/runtime/controller/pod';
import type { Pod, PodStatus, RenderInput } from '../../../../src/runtime/controller/pod';
import type { DataVolume } from '../../../../src/runtime/controller/virtual-machine/observed';
import { instanceOf } from '../../../../src/runtime/controller/virtual-machine/instance-of';
import { slim, slimDataVolume, slimNode, slimPod } from '../../../../src/runtime/controller/trim';

export const NOW = Date.parse('2026-01-01T12:00:00Z');

// VMs, VMIs, Pods and nodes are what the controller's caches hold: stored objects after the same trimming

/** Time of the API, this many seconds ago. */
export const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
export const config = clusterConfig();
export const withGates = (...featureGates: string[]) => configured({ developerConfiguration: { featureGates } });
export const configured = (configuration: object) =>
  clusterConfig({
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: { configuration },
  });

export function vm(
  runStrategy: RunStrategy = 'Always',
  change: (vm: VirtualMachine) => void = () => {},
): VirtualMachine {
  const made = mutateVirtualMachine(
    {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name: 'fedora', namespace: 'web', uid: 'vm-uid', resourceVersion: '10', generation: 1 },
      spec: {
        runStrategy,
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            domain: {
              devices: {
                disks: [{ name: 'root', disk: { bus: 'virtio' } }],
                interfaces: [{ name: 'default', masquerade: {}, ports: [{ name: 'http', port: 80 }] }],
              },
              memory: { guest: '1Gi' },
            },
            networks: [{ name: 'default', pod: {} }],
            volumes: [{ name: 'root', containerDisk: { image: 'disk:1' } }],
          },
        },
      },
    },
    config,
  );
  change(made);
  return slim(made);
}

export const condition = (type: string, status: 'True' | 'False', reason?: string, message?: string): Condition => ({
  type,
  status,
  reason,
  message,
  lastProbeTime: null,
  lastTransitionTime: ago(60),
});

/** The VMI of that VM, as the webhook leaves it, with a status of its own. */
export function vmi(
  status: VirtualMachineInstanceStatus = {},
  change: (vmi: VirtualMachineInstance) => void = () => {},
  of: VirtualMachine = vm(),
): VirtualMachineInstance {
  const made = mutateVirtualMachineInstance(instanceOf(of, false, { claims: new Map(), config }), config);
  made.metadata.uid = 'vmi-uid';
  made.metadata.resourceVersion = '20';
  made.status = { ...made.status, ...status };
  change(made);
  return slim(made);
}

export const running = (change?: (vmi: VirtualMachineInstance) => void): VirtualMachineInstance =>
  vmi(
    {
      phase: 'Running',
      nodeName: 'n1',
      phaseTransitionTimestamps: [{ phase: 'Running', phaseTransitionTimestamp: ago(60) }],
      conditions: [condition('Ready', 'True')],
    },
    change,
  );

export const deleting =
  (seconds: number) =>
  (object: { metadata: { deletionTimestamp?: string } }): void => {
    object.metadata.deletionTimestamp = ago(seconds);
  };

export const input = (of: VirtualMachineInstance, more: Partial<RenderInput> = {}): RenderInput => ({
  vmi: of,
  config,
  launcherImage: 'launcher:1',
  claims: new Map(),
  ...more,
});

/** The launcher Pod of a VMI, created ten seconds ago. */
export function pod(
  status: PodStatus = {},
  change: (pod: Pod) => void = () => {},
  of: VirtualMachineInstance = vmi(),
): Pod {
  const made = marked(renderPod(input(of)));
  made.metadata.uid = 'pod-uid';
  made.metadata.creationTimestamp = ago(10);
  made.status = { phase: 'Pending', ...status };
  change(made);
  return slimPod(made);
}

export const onNode = (p: Pod): void => void (p.spec.nodeName = 'n1');

export function node(name = 'n1', change: (node: Node) => void = () => {}): Node {
  const made: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubevirt.io/schedulable': 'true',
        'kubernetes.io/arch': 'amd64',
        'machine-type.node.kubevirt.io/q35': 'true',
        'machine-type.node.kubevirt.io/pc-q35-10.0': 'true',
      },
      annotations: { 'kubevirt.io/heartbeat': ago(20) },
    },
    status: {
      allocatable: {
        memory: '16Gi',
        cpu: '8',
        'devices.kubevirt.io/kvm': '1k',
        'devices.kubevirt.io/tun': '1k',
        'devices.kubevirt.io/vhost-net': '1k',
      },
    },
  };
  change(made);
  return slimNode(made);
}

/** Fields of a DataVolume in the cache. */
export const dataVolume = (phase?: string, uid = 'dv-uid', name = 'dv'): DataVolume =>
  slimDataVolume({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: { name, namespace: 'web', uid },
    ...(phase !== undefined && { status: { phase } }),
  });
export const dataVolumes = (...of: Parameters<typeof dataVolume>): Observed['dataVolumes'] =>
  new Map([[of[2] ?? 'dv', dataVolume(...of)]]);

export const seen = (of: VirtualMachineInstance, more: Partial<Observed> = {}): Observed => ({
  ...input(of),
  dataVolumes: new Map(),
  attachments: [],
  claimUsers: new Map(),
  nodes: [node()],
  now: NOW,
  ...more,
});

export type Change = (vmi: VirtualMachineInstance) => void;
/** The Pod of a VMI, as it would be made. */
export const render = (change: Change = () => {}, of = config, claims: RenderInput['claims'] = new Map()): Pod =>
  renderPod(input(vmi({}, change), { config: of, claims }));
export const compute = (of: Pod): Pod['spec']['containers'][number] => of.spec.containers[0];
