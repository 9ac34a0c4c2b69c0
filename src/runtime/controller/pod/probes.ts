import type { Probe, VirtualMachineInstance } from '../../../api';
import type { PodProbe } from './types';

/** libvirt and the domain need a moment before anything of the guest can answer. */
const STARTUP_SECONDS = 10;

/** A probe of the guest as a probe of the compute container. */
export function podProbe(vmi: VirtualMachineInstance, probe: Probe | undefined): PodProbe | undefined {
  if (!probe) return undefined;
  const { exec, guestAgentPing, initialDelaySeconds, ...rest } = probe;
  const initialDelay = { initialDelaySeconds: (initialDelaySeconds ?? 0) + STARTUP_SECONDS };
  if (!exec && !guestAgentPing) return { ...rest, ...initialDelay };
  const agent = [
    'virt-probe',
    '--domainName',
    `${vmi.metadata.namespace}_${vmi.metadata.name}`,
    '--timeoutSeconds',
    String(probe.timeoutSeconds ?? 1),
  ];
  const command = exec
    ? [...agent, '--command', ...(exec.command ?? []).slice(0, 1), '--', ...(exec.command ?? []).slice(1)]
    : [...agent, '--guestAgentPing'];
  // the kubelet must wait a little longer than the probe itself does
  return { ...rest, ...initialDelay, timeoutSeconds: (probe.timeoutSeconds ?? 1) + 1, exec: { command } };
}
