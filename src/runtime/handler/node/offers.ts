import { keys } from '../../../api/keys';
import type { ContainerAllocateResponse, Device } from '../../protocol';

/** A resource of the node that containers can request. Pure data, compared as a whole. */
export interface Offer {
  /** `devices.kubevirt.io/kvm` */
  readonly resource: string;
  readonly devices: readonly OfferedDevice[];
  /** Environment variable with the addresses of a container's devices. */
  readonly variable?: string;
}

export interface OfferedDevice {
  readonly id: string;
  /** Paths of the device nodes, which are the same in the container. */
  readonly nodes: readonly string[];
  /** Address by which the launcher finds the device. */
  readonly address?: string;
  readonly numaNode?: number;
}

/** Largest count of each shared device, which the list of the kubelet must hold. */
const MOST_DEVICES = 10_000;

/** The count of `--max-devices`. @throws for a text that is not such a number */
export function maxDevices(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MOST_DEVICES) return count;
  throw new Error(`--max-devices: "${text}" is not a valid number (allowed: 1 to ${MOST_DEVICES})`);
}

/** A device node that `count` containers may use at the same time; 0 if it does not work. */
export const sharedOffer = (name: string, path: string, count: number): Offer => ({
  resource: keys.devicePrefix + name,
  devices: Array.from({ length: count }, (_, i) => ({ id: `${name}${i}`, nodes: [path] })),
});

/** The list of devices for the kubelet. */
export const listed = ({ devices }: Offer): Device[] =>
  devices.map(({ id, numaNode }) => ({
    ID: id,
    health: 'Healthy',
    ...(numaNode !== undefined && { topology: { nodes: [{ ID: numaNode }] } }),
  }));

/** Response for a container that the kubelet has given these devices. @throws for a device that is not offered */
export function allocation({ resource, devices, variable }: Offer, ids: readonly string[]): ContainerAllocateResponse {
  const chosen = ids.map((id) => {
    const device = devices.find((candidate) => candidate.id === id);
    if (!device) throw new Error(`${resource} has no device "${id}" any more; start the VM again`);
    return device;
  });
  const nodes = [...new Set(chosen.flatMap((device) => device.nodes))];
  return {
    devices: nodes.map((path) => ({ hostPath: path, containerPath: path, permissions: 'mrw' })),
    ...(variable && { envs: { [variable]: chosen.map(({ address, id }) => address ?? id).join(',') } }),
  };
}

/** File name of a plugin's socket: `kubevirt-kvm.sock`, and the complete resource for devices of other vendors. */
export function endpointOf(resource: string): string {
  const name = resource.startsWith(keys.devicePrefix) ? resource.slice(keys.devicePrefix.length) : resource;
  return `kubevirt-${name.replaceAll(/[^A-Za-z0-9.-]/g, '_')}.sock`;
}
