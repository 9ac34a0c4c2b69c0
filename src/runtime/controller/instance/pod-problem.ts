import { keys } from '../../../api/keys';
import { parseQuantity, quantityOf, quantityValue } from '../../../api/quantity';
import type { ClusterConfig } from '../../../api/cluster-config';
import { isConditionTrue } from '../../../api/conditions';
import { lastWords, remedyOf } from '../../../api/last-words';
import { COMPUTE } from '../pod';
import type { ContainerStatus, Pod } from '../pod';
import { podCondition } from './observed';
import type { Node } from './observed';
import { reasons } from '../../../api/reasons';
import type { Problem } from './problem';

/** Returns why a Pod that has not ended does not run, if it has a problem. */
export function podProblem(pod: Pod, nodes: readonly Node[], config: ClusterConfig): Problem | undefined {
  const scheduled = podCondition(pod, 'PodScheduled');
  if (scheduled?.status === 'False') {
    // other reasons are intermediate steps (SchedulingGated)
    if (scheduled.reason !== 'Unschedulable') return undefined;
    return { reason: reasons.unschedulable, message: whyUnschedulable(pod, nodes, config, scheduled.message ?? '') };
  }
  const containers = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  // an image volume that cannot be pulled blocks all containers with the same message; the container of that image is meant
  const isMeant = ({ image, state }: ContainerStatus): boolean =>
    Boolean(image && state?.waiting?.message?.includes(image));
  for (const container of [...containers.filter(isMeant), ...containers]) {
    const problem = containerProblem(container);
    if (problem) return problem;
  }
  return undefined;
}

function containerProblem({ name, image, state }: ContainerStatus): Problem | undefined {
  const { reason, message = '' } = state?.waiting ?? {};
  const detail = sentence(message);
  switch (reason) {
    case 'ErrImagePull':
    case 'ImagePullBackOff':
      return {
        reason: reason === 'ErrImagePull' ? reasons.errImagePull : reasons.imagePullBackOff,
        message:
          `image ${image ? `"${image}" ` : ''}of container "${name}" cannot be pulled${detail}; ` +
          (remedyOf(message) ??
            'correct the reference, make the image available, or name its imagePullSecret (the kubelet retries the pull automatically)'),
      };
    case 'InvalidImageName':
      return {
        reason: reasons.errImagePull,
        message: `image ${image ? `"${image}" ` : ''}of container "${name}" is not a valid image reference${detail}; correct it`,
      };
    case 'ErrImageNeverPull':
      return {
        reason: reasons.errImagePull,
        message: `image of container "${name}" is not on the node and its pull policy is Never${detail}; load it onto the node`,
      };
    case 'CreateContainerConfigError':
    case 'CreateContainerError':
    case 'RunContainerError':
      return {
        reason: reasons.containerFailed,
        message:
          `container "${name}" cannot start (${reason})${detail}; ` +
          (remedyOf(message) ?? 'create what it names (Secret, ConfigMap, device)'),
      };
    default:
      return undefined;
  }
}

/** The scheduler's message counts the nodes that did not fit; this one explains what to do. */
function whyUnschedulable(pod: Pod, nodes: readonly Node[], config: ClusterConfig, schedulerMessage: string): string {
  if (nodes.length === 0) return `the cluster has no node${sentence(schedulerMessage)}; add one`;
  const resources = pod.spec.containers.find(({ name }) => name === COMPUTE)?.resources ?? {};
  return (
    unmatchedSelector(pod, nodes) ??
    missingKvm(resources.limits ?? {}, nodes, config) ??
    tooMuchMemory(resources.requests?.memory, nodes) ??
    missingDevice(resources.limits ?? {}, nodes) ??
    fullDisks(nodes) ??
    `no node can run the Pod now${sentence(schedulerMessage)}; it will start automatically when one can: free resources, ` +
      'remove what excludes the nodes (taints, selectors, affinity), or add a node'
  );
}

function unmatchedSelector(pod: Pod, nodes: readonly Node[]): string | undefined {
  const offered = (label: string, value: string): boolean =>
    nodes.some((node) => node.metadata.labels?.[label] === value);
  const missing = Object.entries(pod.spec.nodeSelector ?? {}).find(([label, value]) => !offered(label, value));
  if (!missing) return undefined;
  const [label, value] = missing;
  if (label === keys.schedulable) {
    return 'no node is ready for VMs: virt-handler does not run on any of them, or cannot reach the API server; read its log and restart it';
  }
  const [kind, name] = label.split(keys.nodeLabelInfix);
  const known: Record<string, [string, string]> = {
    'machine-type': ['machine type', 'spec.domain.machine.type'],
    'cpu-model': ['CPU model', 'spec.domain.cpu.model'],
    'cpu-feature': ['CPU feature', 'spec.domain.cpu.features'],
    hyperv: ['Hyper-V feature', 'spec.domain.features.hyperv'],
  };
  if (name && known[kind]) {
    const offers = labelled(nodes, `${kind}${keys.nodeLabelInfix}`);
    const choice = offers.length
      ? ` (offered: ${offers.slice(0, 12).join(', ')}${offers.length > 12 ? ' …' : ''})`
      : '';
    return `no node offers ${known[kind][0]} "${name}"${choice}; choose another in ${known[kind][1]} or add such a node`;
  }
  return `no node has the label ${label}=${value}; set it on a node, or change spec.nodeSelector`;
}

function labelled(nodes: readonly Node[], prefix: string): string[] {
  const labels = nodes.flatMap((node) => Object.keys(node.metadata.labels ?? {}));
  return [
    ...new Set(labels.filter((label) => label.startsWith(prefix)).map((label) => label.slice(prefix.length))),
  ].sort();
}

const KVM = keys.kvmDevice;

function missingKvm(limits: Record<string, string>, nodes: readonly Node[], config: ClusterConfig): string | undefined {
  if (!limits[KVM] || nodes.some((node) => amount(node, KVM) > 0n)) return undefined;
  const causes = nodes.flatMap(({ metadata }) => {
    const cause = metadata.annotations?.[keys.kvmUnusable];
    return cause ? [`${metadata.name}: ${cause}`] : [];
  });
  const cause = causes.length ? ` (${causes.slice(0, 3).join('; ')})` : '';
  return (
    `no node has a usable /dev/kvm${cause}; enable hardware virtualization (on a virtual machine: nested), or allow ` +
    `emulation: kubectl -n ${config.installNamespace} patch kubevirt kubevirt --type=merge -p ` +
    `'{"spec":{"configuration":{"developerConfiguration":{"useEmulation":true}}}}'`
  );
}

function tooMuchMemory(requested: string | undefined, nodes: readonly Node[]): string | undefined {
  if (!requested) return undefined;
  const largest = nodes.reduce((a, b) => (amount(a, 'memory') >= amount(b, 'memory') ? a : b));
  const most = amount(largest, 'memory');
  if (quantityValue(requested) <= most) return undefined;
  return (
    `the VM needs ${readable(requested)} of memory (for the guest and the overhead of its Pod), but the largest node, ` +
    `"${largest.metadata.name}", has ${readable(String(most))}; lower spec.domain.memory.guest or add a larger node`
  );
}

function missingDevice(limits: Record<string, string>, nodes: readonly Node[]): string | undefined {
  const isDevice = (name: string): boolean => name.includes('/') || name.startsWith('hugepages-');
  const missing = Object.keys(limits).find((name) => isDevice(name) && !nodes.some((node) => amount(node, name) > 0n));
  if (!missing) return undefined;
  if (missing.startsWith('hugepages-')) {
    return `no node offers ${missing}; reserve huge pages of that size on a node, or drop spec.domain.memory.hugepages`;
  }
  return `no node offers ${missing}; virt-handler or the device's plugin must run on a node that has it`;
}

function fullDisks(nodes: readonly Node[]): string | undefined {
  if (!nodes.every(({ status }) => isConditionTrue(status?.conditions, 'DiskPressure'))) return undefined;
  const names = nodes.slice(0, 3).map(({ metadata }) => `"${metadata.name}"`);
  const which =
    nodes.length === 1 ? `the disk of node ${names[0]} is` : `the disks of all nodes (${names.join(', ')} …) are`;
  return `${which} nearly full; free space there, or add a node (the VM will start automatically)`;
}

function amount(node: Node, resource: string): bigint {
  const value = node.status?.allocatable?.[resource];
  return value === undefined ? 0n : quantityValue(value);
}

/** A quantity in whole MiB: `600Gi` is kept, `1325989888` becomes `1265Mi`. */
function readable(quantity: string): string {
  const mebibytes = (parseQuantity(quantity).nanos / 1_000_000_000n + 1048575n) / 1048576n;
  return quantityOf(mebibytes * 1048576n, 'BinarySI');
}

/** A message of another component, as the end of our own clause. */
function sentence(text: string): string {
  const words = lastWords(text);
  return words ? `: ${words}` : '';
}

/** Returns why a Pod ended, from the status of its containers. */
export function whyEnded(pod: Pod): string {
  const { status } = pod;
  const name = pod.metadata.name;
  if (status?.reason) return `launcher Pod "${name}" was ended (${status.reason})${sentence(status.message ?? '')}`;
  const ended = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].filter(
    ({ state }) => state?.terminated && state.terminated.exitCode !== 0,
  );
  const culprit = ended.find((container) => container.name !== COMPUTE) ?? ended[0];
  const terminated = culprit?.state?.terminated;
  if (!culprit || !terminated) return `launcher Pod "${name}" ended with phase ${status?.phase}`;
  const remedy = remedyOf(terminated.message);
  const detail = `${sentence(terminated.message ?? '')}${remedy ? `; ${remedy}` : ''}`;
  const why = terminated.reason && terminated.reason !== 'Error' ? `, ${terminated.reason}` : '';
  return `container "${culprit.name}" of Pod "${name}" ended with exit code ${terminated.exitCode}${why}${detail}`;
}
