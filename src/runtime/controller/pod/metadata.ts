import { createHash } from 'node:crypto';
import type { ObjectMeta, VirtualMachineInstance } from '../../../api';
import { COMPUTE } from './constants';

/** Letters that make no words and no look-alikes: Kubernetes' own for generated names. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * Name of the launcher Pod. It follows from the VMI alone: two controllers, or one with an old cache, can only make the
 * same Pod, and the second is refused.
 */
export function podName(vmi: VirtualMachineInstance): string {
  const digest = createHash('sha256')
    .update(vmi.metadata.uid ?? '')
    .digest();
  const suffix = [...digest.subarray(0, 5)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return `virt-launcher-${(vmi.metadata.name ?? '').slice(0, 230).replace(/[-.]+$/, '')}-${suffix}`;
}

/** Host name of Pod and guest: the first label of what was asked for, cut to what DNS allows. */
export function hostname({ metadata, spec }: VirtualMachineInstance): string {
  return (spec.hostname || metadata.name || '').split('.')[0].slice(0, 63).replace(/-+$/, '');
}

export function podLabels(vmi: VirtualMachineInstance): Record<string, string> {
  const inject = vmi.metadata.annotations?.['sidecar.istio.io/inject'];
  return {
    ...vmi.metadata.labels,
    'kubevirt.io': 'virt-launcher',
    'kubevirt.io/created-by': vmi.metadata.uid ?? '',
    'vm.kubevirt.io/name': hostname(vmi),
    'vmi.kubevirt.io/id': instanceId(vmi.metadata.name ?? ''),
    ...(inject !== undefined && { 'sidecar.istio.io/inject': inject }),
  };
}

/** The name, when it fits a label; else its beginning and a hash. */
function instanceId(name: string): string {
  if (name.length <= 63) return name;
  return `${name.slice(0, 54)}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/** Annotations of a VMI that say nothing about its Pod. */
const OWN_ANNOTATIONS = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'kubevirt.io/latest-observed-api-version',
  'kubevirt.io/storage-observed-api-version',
  'kubevirt.io/vm-generation',
  'virt8s.io/template-hash',
];

export function podAnnotations(vmi: VirtualMachineInstance, overheadBytes: bigint): Record<string, string> {
  const { name = '', annotations = {} } = vmi.metadata;
  const inherited = Object.entries(annotations).filter(([key]) => !OWN_ANNOTATIONS.includes(key));
  return {
    ...Object.fromEntries(inherited),
    'kubectl.kubernetes.io/default-container': COMPUTE,
    'kubevirt.io/domain': name,
    'kubevirt.io/memory-overhead-bytes': String(overheadBytes),
    'kubevirt.io/migrationTransportUnix': 'true',
    // a descheduler may ask for eviction; it must not delete
    'descheduler.alpha.kubernetes.io/request-evict-only': '',
    ...backupHooks(vmi),
    ...networkAnnotations(vmi),
  };
}

/** Velero freezes the guest's file systems around a backup. */
function backupHooks({ metadata }: VirtualMachineInstance): Record<string, string> {
  const { name, namespace } = metadata;
  const command = (action: string): string =>
    `["/usr/bin/virt-freezer", "${action}", "--name", "${name}", "--namespace", "${namespace}"]`;
  return {
    'pre.hook.backup.velero.io/container': COMPUTE,
    'pre.hook.backup.velero.io/command': command('--freeze'),
    'pre.hook.backup.velero.io/timeout': '60s',
    'post.hook.backup.velero.io/container': COMPUTE,
    'post.hook.backup.velero.io/command': command('--unfreeze'),
  };
}

/** What Multus and Istio must know of the guest's networks. */
function networkAnnotations(vmi: VirtualMachineInstance): Record<string, string> {
  const { interfaces = [] } = vmi.spec.domain.devices;
  const networks = vmi.spec.networks ?? [];
  const attached = networks.flatMap(({ name, multus }) => {
    const { macAddress, state } = interfaces.find((network) => network.name === name) ?? {};
    if (!multus || multus.default || state === 'absent') return [];
    const [namespace, network] = qualified(multus.networkName, vmi.metadata);
    return [{ name: network, namespace, ...(macAddress && { mac: macAddress }), interface: podInterfaceName(name) }];
  });
  const main = networks.find(({ multus }) => multus?.default)?.multus?.networkName;
  const isMasqueraded = interfaces.some(
    ({ name, masquerade }) => masquerade && networks.some((network) => network.name === name && network.pod),
  );
  return {
    ...(attached.length > 0 && { 'k8s.v1.cni.cncf.io/networks': JSON.stringify(attached) }),
    ...(main && { 'v1.multus-cni.io/default-network': qualified(main, vmi.metadata).join('/') }),
    ...(isMasqueraded && {
      'istio.io/reroute-virtual-interfaces': 'k6t-eth0',
      'traffic.sidecar.istio.io/kubevirtInterfaces': 'k6t-eth0',
    }),
  };
}

function qualified(name: string, { namespace = '' }: ObjectMeta): [string, string] {
  const slash = name.indexOf('/');
  return slash < 0 ? [namespace, name] : [name.slice(0, slash), name.slice(slash + 1)];
}

/** Name in the Pod of a network's interface: follows from the network's name, fits in 15 characters. */
export const podInterfaceName = (network: string): string =>
  `pod${createHash('sha256').update(network).digest('hex').slice(0, 11)}`;
