import { kinds } from '../../../api/kinds/registry';
import type { VirtualMachineInstance } from '../../../api';
import { badRequest, conflict, forbidden } from '../status';
import type { Refusal } from '../status';

/** Rules that return why an action is not possible on this VMI now; undefined if it is. Pure. */
export type InstanceRule = (vmi: VirtualMachineInstance) => Refusal | undefined;

const subjectOf = (vmi: VirtualMachineInstance) => ({
  kind: kinds.VirtualMachineInstance.singular,
  name: vmi.metadata.name ?? '',
});
const reject = (vmi: VirtualMachineInstance, why: string, remedy?: string): Refusal =>
  conflict(subjectOf(vmi), why, remedy);
const isRunning = (vmi: VirtualMachineInstance): boolean => vmi.status?.phase === 'Running';
const has = (vmi: VirtualMachineInstance, type: string): boolean =>
  vmi.status?.conditions?.some((condition) => condition?.type === type && condition.status === 'True') ?? false;

/** The action needs a running guest. */
const phaseOf = (vmi: VirtualMachineInstance): string => `its phase is ${vmi.status?.phase ?? 'unset'}`;

export const mayPause: InstanceRule = (vmi) => {
  if (!isRunning(vmi)) return reject(vmi, 'VM is not running', phaseOf(vmi));
  const probe = vmi.spec.livenessProbe;
  // a paused guest fails every external probe and would be killed; the guest agent's ping takes the pause into account
  if (probe && !probe.guestAgentPing) {
    return forbidden(
      subjectOf(vmi),
      'Pausing VMIs with LivenessProbe is currently not supported',
      'remove spec.livenessProbe or use its guestAgentPing',
    );
  }
  return has(vmi, 'Paused') ? reject(vmi, 'VMI is already paused') : undefined;
};

export const mayUnpause: InstanceRule = (vmi) => {
  if (!isRunning(vmi)) return reject(vmi, 'VMI is not running', phaseOf(vmi));
  return has(vmi, 'Paused') ? undefined : reject(vmi, 'VMI is not paused');
};

export const maySoftReboot: InstanceRule = (vmi) => {
  if (!isRunning(vmi)) return reject(vmi, 'VM is not running', phaseOf(vmi));
  if (has(vmi, 'Paused')) return reject(vmi, 'VMI is paused', 'unpause it first');
  if (!has(vmi, 'AgentConnected') && vmi.spec.domain?.features?.acpi?.enabled === false) {
    return reject(
      vmi,
      'VMI neither have the agent connected nor the ACPI feature enabled',
      'install the guest agent, enable spec.domain.features.acpi, or use reset',
    );
  }
  return undefined;
};

export const mayBackUp: InstanceRule = (vmi) =>
  isRunning(vmi) ? undefined : reject(vmi, 'VMI is not running', phaseOf(vmi));

export const mayReset: InstanceRule = (vmi) =>
  isRunning(vmi) ? undefined : reject(vmi, 'VMI is not running', phaseOf(vmi));

export const hasAgent: InstanceRule = (vmi) => {
  if (!isRunning(vmi)) return reject(vmi, 'VMI is not running', phaseOf(vmi));
  return has(vmi, 'AgentConnected')
    ? undefined
    : reject(vmi, 'VMI does not have guest agent connected', 'install and start qemu-guest-agent in the guest');
};

export const mayFreeze: InstanceRule = (vmi) =>
  hasAgent(vmi) ?? (has(vmi, 'Paused') ? reject(vmi, 'VMI is paused', 'unpause it first') : undefined);

/** Possible without a connected agent: it may have been connected when the guest was frozen. */
export const mayUnfreeze: InstanceRule = mayReset;

/** A stream needs a guest on a node, which may still be starting: its firmware uses the console already. */
const reachable: InstanceRule = (vmi) => {
  const phase = vmi.status?.phase;
  if (phase === 'Running' || phase === 'Scheduled') return undefined;
  return badRequest(
    `Unable to connect to VirtualMachineInstance because phase is ${phase ?? 'unset'} instead of Running or Scheduled`,
    phase === 'Succeeded' || phase === 'Failed' ? 'start the VM' : 'wait until it has started',
  );
};

export const mayConsole: InstanceRule = (vmi) => {
  if (vmi.spec.domain?.devices?.autoattachSerialConsole === false) {
    return badRequest(
      'No serial consoles are present.',
      'set spec.domain.devices.autoattachSerialConsole to true and restart the VM',
    );
  }
  return reachable(vmi);
};

export const mayVnc: InstanceRule = (vmi) => {
  if (vmi.spec.domain?.devices?.autoattachGraphicsDevice === false) {
    return badRequest(
      'No graphics devices are present.',
      'set spec.domain.devices.autoattachGraphicsDevice to true and restart the VM',
    );
  }
  return reachable(vmi);
};

export const mayPortForward: InstanceRule = (vmi) =>
  reachable(vmi) ?? (has(vmi, 'Paused') ? reject(vmi, 'VMI is paused', 'unpause it first') : undefined);
