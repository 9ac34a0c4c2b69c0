import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeVirt } from '../../../api';
import { clusterConfig } from '../../../api/cluster-config';
import type { CapabilitiesFile, Known } from './capabilities';
import { hostDeviceOffers } from './host-devices';
import { isRealtime, readCpuManager, tuneKsm } from './kernel';
import type { KvmVerdict } from './kvm-decide';
import type { NodeFacts, NodeMetadata } from './labels';
import { sharedOffer } from './offers';
import type { Offer } from './offers';
import { readHostDevices } from './sysfs';

export interface NodeSources {
  readonly kubeletDir: string;
  readonly proc: string;
  /** Number of containers that may use a shared device at the same time. */
  readonly maxDevices: number;
  readonly endpoint: string;
  readonly capabilities: CapabilitiesFile;
  /** Machine types if the capabilities are not known. */
  readonly machines: readonly string[];
}

/** Device nodes that containers share, and that work if they exist. */
const SHARED = { tun: '/dev/net/tun', 'vhost-net': '/dev/vhost-net' } as const;
const VSOCK = '/dev/vhost-vsock';

/** Devices that the node offers now. Checked at each heartbeat: a module may be loaded later. */
export function readOffers(kubeVirt: KubeVirt | undefined, kvm: KvmVerdict, maxDevices: number): Offer[] {
  const config = clusterConfig(kubeVirt);
  const permitted = config.raw.permittedHostDevices;
  const count = (path: string): number => (existsSync(path) ? maxDevices : 0);
  return [
    sharedOffer('kvm', '/dev/kvm', kvm.usable ? maxDevices : 0),
    ...Object.entries(SHARED).map(([name, path]) => sharedOffer(name, path, count(path))),
    ...(config.hasGate('VSOCK') ? [sharedOffer('vhost-vsock', VSOCK, count(VSOCK))] : []),
    ...(permitted ? hostDeviceOffers(permitted, readHostDevices()) : []),
  ];
}

/** Cause of missing labels of a CPU, if they are missing. Pure. */
export function unknownCause(known: Known, usesKvm: boolean): string | undefined {
  if ('unknown' in known) return known.unknown;
  if (!usesKvm || known.capabilities.kvm) return undefined;
  return (
    'KVM is usable now and was not when libvirt was asked; restart the virt-handler of this node ' +
    'to label it with its CPU models'
  );
}

/** State of the node for its heartbeat. */
export function readFacts(
  sources: NodeSources,
  kubeVirt: KubeVirt | undefined,
  kvm: KvmVerdict,
  node: NodeMetadata,
): NodeFacts {
  const config = clusterConfig(kubeVirt);
  const known = sources.capabilities.known();
  const usesKvm = kvm.usable && !config.useEmulation;
  const { ksm, managed } = tuneKsm({ configuration: config.raw.ksmConfiguration, ...node });
  return {
    kvm,
    endpoint: sources.endpoint,
    guests: {
      ...('capabilities' in known && { capabilities: known.capabilities }),
      kernel: { realtime: isRealtime(sources.proc), ksm },
      usesKvm,
      obsolete: config.raw.obsoleteCPUModels,
      machines: sources.machines,
    },
    unknown: unknownCause(known, usesKvm),
    cpuManager: config.hasGate('CPUManager') && readCpuManager(sources.kubeletDir),
    ksmManaged: managed,
  };
}

/** Directory in which the kubelet and device plugins find each other. */
export const pluginsDir = (kubeletDir: string): string => join(kubeletDir, 'device-plugins');
