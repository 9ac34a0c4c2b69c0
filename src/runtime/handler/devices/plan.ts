import type { Pod } from '../kube-types';

/** User and group of everything in a launcher Pod. */
export const LAUNCHER_ID = 107;

/** A device node that the launcher's user must be able to open. */
export interface WantedDevice {
  /** Path below /dev of the container. */
  readonly path: readonly string[];
  readonly kind: 'character' | 'block';
  /**
   * Expected `major:minor`. Undefined for a block volume: the node chooses its number, and only the runtime can create a device
   * node in /dev of the container that the container may also open.
   */
  readonly numbers?: readonly string[];
  /** Whether a guest cannot start without it. */
  readonly required: boolean;
}

const MISC = 10;

/** Devices that device plugins give a launcher, by the numbers that the kernel reserves. A Pod need not have them. */
const GRANTED: readonly WantedDevice[] = [
  { path: ['kvm'], kind: 'character', numbers: [`${MISC}:232`], required: false },
  { path: ['vhost-net'], kind: 'character', numbers: [`${MISC}:238`], required: false },
  { path: ['net', 'tun'], kind: 'character', numbers: [`${MISC}:200`], required: false },
  { path: ['vhost-vsock'], kind: 'character', numbers: [`${MISC}:241`], required: false },
];

const isKvm = ({ path }: WantedDevice): boolean => path.join('/') === 'kvm';

/** The device nodes of a launcher's compute container. @throws for a block volume that is not below /dev */
export function wantedDevices(pod: Pod): WantedDevice[] {
  const { volumeDevices = [] } = pod.spec.containers.find(({ name }) => name === 'compute') ?? {};
  const claims = volumeDevices.map(({ devicePath }): WantedDevice => {
    const [root, ...path] = devicePath.split('/').filter((part) => part !== '');
    if (root !== 'dev') throw new Error(`block volume at ${devicePath}: it is not below /dev; nothing was changed`);
    return { path, kind: 'block', required: true };
  });
  return [...GRANTED, ...claims];
}

/** The file at the path of a device. */
export interface SeenDevice {
  readonly kind: 'character' | 'block' | 'other';
  /** `a FIFO`, for messages. */
  readonly what: string;
  readonly number: string;
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
  /** Whether it is in the container's own /dev: in another one, it would be the host's node. */
  readonly isOwn: boolean;
}

export type DeviceComparison = 'usable' | 'chown' | { readonly problem: string };

/** Compares a device node with the expected one; nothing is changed under a running guest. */
export function compareDevice(wanted: WantedDevice, seen: SeenDevice, guestRuns: boolean): DeviceComparison {
  const { numbers, kind } = wanted;
  if (seen.kind !== kind) return { problem: `is ${seen.what}, not a ${kind} device` };
  if (numbers && !numbers.includes(seen.number)) {
    return { problem: `is the device ${seen.number} (allowed: ${numbers.join(', ')})` };
  }
  if (mayUse(seen)) return 'usable';
  const { uid, gid, mode } = seen;
  const is = `belongs to ${uid}:${gid} with mode ${mode.toString(8).padStart(4, '0')}`;
  if (guestRuns) return { problem: `${is}, which is not changed while the guest runs` };
  if (!seen.isOwn) {
    return {
      problem: `${is} and is the node's own, which virt-handler does not change; give user ${LAUNCHER_ID} access`,
    };
  }
  if (mayUse({ uid: LAUNCHER_ID, gid: LAUNCHER_ID, mode })) return 'chown';
  return { problem: `${is}, so not even its owner may read and write it; correct its mode on the node` };
}

/** The kernel checks one class only: the owner's, else the group's, else that of all others. */
function mayUse({ uid, gid, mode }: Pick<SeenDevice, 'uid' | 'gid' | 'mode'>): boolean {
  const shift = uid === LAUNCHER_ID ? 6 : gid === LAUNCHER_ID ? 3 : 0;
  return ((mode >> shift) & 0o6) === 0o6;
}

/** Whether a Pod's guest can use KVM, as far as device nodes are concerned. */
export type KvmAccess = 'granted' | 'absent' | { readonly problem: string };

export interface DeviceResult {
  readonly device: WantedDevice;
  readonly result: 'absent' | 'usable' | { readonly problem: string };
}

/** Devices that a launcher can use. */
export interface DeviceAccess {
  readonly kvm: KvmAccess;
  /** Reasons why a guest that needs these devices cannot start. */
  readonly problems: readonly string[];
}

/** Combines the results. QEMU reports a missing device that is not required. */
export function accessOf(results: readonly DeviceResult[]): DeviceAccess {
  let kvm: KvmAccess = 'absent';
  const problems: string[] = [];
  for (const { device, result } of results) {
    const path = `/dev/${device.path.join('/')}`;
    const problem = typeof result === 'object' ? result.problem : undefined;
    if (isKvm(device) && result !== 'absent')
      kvm = problem === undefined ? 'granted' : { problem: `${path} ${problem}` };
    if (!device.required || result === 'usable') continue;
    problems.push(`block volume at ${path} ${problem ?? 'is missing, the node did not map it; restart the VM'}`);
  }
  return { kvm, problems };
}
