/** Asks a libvirtd what the guests of its node can have. */
import type { GuestCapabilities, NodeCapabilities } from '../../../api/node-capabilities';
import { Connection } from '../libvirt/connection';
import { LibvirtError } from '../libvirt/errors';
import { guestCapabilities, hostCapabilities, hostModelCpu } from './parse';

const EMULATOR = '/usr/bin/qemu-system-x86_64';
const ARCH = 'x86_64';
const MACHINE = 'q35';
/** The first question waits until libvirt has asked QEMU. */
const DEADLINE_MS = 60_000;
/** VIR_CONNECT_BASELINE_CPU_EXPAND_FEATURES */
const EXPAND_FEATURES = 1;
/** VIR_CPU_COMPARE_INCOMPATIBLE */
const INCOMPATIBLE = 0;

/** The node's capabilities. `kvm`: whether the node has KVM. */
export async function askCapabilities(connection: Connection, kvm: boolean): Promise<NodeCapabilities> {
  await connection.call('authList', undefined);
  await connection.call('connectOpen', { name: 'qemu:///session', flags: 0 });
  const ofKvm = kvm ? await askGuests(connection, 'kvm') : undefined;
  const qemu = await askGuests(connection, 'qemu');
  const { capabilities } = await connection.call('connectGetCapabilities', undefined, DEADLINE_MS);
  return { ...hostCapabilities(capabilities), ...(ofKvm && { kvm: ofKvm }), qemu };
}

async function askGuests(connection: Connection, virttype: string): Promise<GuestCapabilities> {
  const kind = { arch: ARCH, machine: MACHINE, virttype };
  const { capabilities: domain } = await connection.call(
    'connectGetDomainCapabilities',
    { ...kind, emulatorbin: EMULATOR, flags: 0 },
    DEADLINE_MS,
  );
  const cpu = hostModelCpu(domain);
  const features =
    cpu &&
    (
      await connection.call('connectBaselineHypervisorCpu', {
        ...kind,
        emulator: EMULATOR,
        xmlCPUs: [cpu],
        flags: EXPAND_FEATURES,
      })
    ).cpu;
  const rejected: string[] = [];
  for (const model of Object.keys(guestCapabilities({ domain }).models)) {
    if (await isRejected(connection, kind, model)) rejected.push(model);
  }
  return guestCapabilities({ domain, features, rejected });
}

/** Whether libvirt would not start a guest with this model, which QEMU offers. */
async function isRejected(
  connection: Connection,
  kind: { arch: string; machine: string; virttype: string },
  model: string,
): Promise<boolean> {
  const xmlCPU = `<cpu mode='custom' match='minimum'><model>${model}</model></cpu>`;
  try {
    const { result } = await connection.call('connectCompareHypervisorCpu', {
      ...kind,
      emulator: EMULATOR,
      xmlCPU,
      flags: 0,
    });
    return result === INCOMPATIBLE;
  } catch (error) {
    // libvirt has no definition of the model
    if (error instanceof LibvirtError) return true;
    throw error;
  }
}
