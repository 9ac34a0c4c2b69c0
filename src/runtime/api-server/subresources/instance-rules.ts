import { kinds } from '../../../api/kinds/registry';
import type { VirtualMachineInstance } from '../../../api';
import { badRequest, conflict, forbidden } from '../status';
import type { Refusal } from '../status';

/** Why an action is not possible on this VMI now; `undefined`: it is. Pure. */
export type InstanceRule = (vmi: VirtualMachineInstance) => Refusal | undefined;

const subjectOf = (vmi: VirtualMachineInstance) => ({
  kind: kinds.VirtualMachineInstance.singular,
  name: vmi.metadata.name ?? '',
});
const refuse = (vmi: VirtualMachineInstance, why: string, remedy?: string): Refusal =>
  conflict(subjectOf(vmi), why, remedy);
const isRunning = (vmi: VirtualMachineInstance): boolean => vmi.status?.phase === 'Running';
const has = (vmi: VirtualMachineInstance, type: string): boolean =>
  vmi.status?.conditions?.some((condition) => condition?.type === type && condition.status === 'True') ?? false;

/** What was asked needs a guest that runs. */
const phaseOf = (vmi: VirtualMachineInstance): string => `its phase is ${vmi.status?.phase ?? 'unset'}`;

export const mayPause: InstanceRule = (vmi) => {
  if (!isRunning(vmi)) return refuse(vmi, 'VM is not running', phaseOf(vmi));
  const probe = vmi.spec.livenessProbe;
  // a paused guest fails every probe from outside and would be killed; the agent's ping knows of the pause
  if (probe && !probe.guestAgentPing) {
    return forbidden(
      subjectOf(vmi),
      'Pausing VMIs with LivenessProbe is currently not supported',
      'remove spec.livenessProbe or use its guestAgentPing',
    );
  }
  return has(vmi, 'Paused') ? refuse(vmi, 'VMI is already paused') : undefined;
};

export const mayUnpause: InstanceRule = (vmi) => {
  if (!isRunning(vmi)) return refuse(vmi, 'VMI is not running', phaseOf(vmi));
  return has(vmi, 'Paused') ? undefined : refuse(vmi, 'VMI is not paused');
};

export const maySoftReboot: InstanceRule = (vmi) => {
  if (!isRunning(vmi)) return refuse(vmi, 'VM is not running', phaseOf(vmi));
  if (has(vmi, 'Paused')) return refuse(vmi, 'VMI is paused', 'unpause it first');
  if (!has(vmi, 'AgentConnected') && vmi.spec.domain?.features?.acpi?.enabled === false) {
    return refuse(
      vmi,
      'VMI neither have the agent connected nor the ACPI feature enabled',
      'install the guest agent, enable spec.domain.features.acpi, or use reset',
    );
  }
  return undefined;
};

export const mayReset: InstanceRule = (vmi) =>
  isRunning(vmi) ? undefined : refuse(vmi, 'VMI is not running', phaseOf(vmi));

export const hasAgent: InstanceRule = (vmi) => {
  if (!isRunning(vmi)) return refuse(vmi, 'VMI is not running', phaseOf(vmi));
  return has(vmi, 'AgentConnected')
    ? undefined
    : refuse(vmi, 'VMI does not have guest agent connected', 'install and start qemu-guest-agent in the guest');
};

/** A stream needs a guest on a node: also one that is being started, whose firmware already talks. */
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
  reachable(vmi) ?? (has(vmi, 'Paused') ? refuse(vmi, 'VMI is paused', 'unpause it first') : undefined);
