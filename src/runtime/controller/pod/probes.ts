import { atLeastOne } from '../../../api/defaulting/devices';
import type { Probe, VirtualMachineInstance } from '../../../api';
import type { PodProbe } from './types';

/** Time that libvirt and the domain need before anything in the guest can answer. */
const STARTUP_SECONDS = 10;
const VIRT_PROBE = 'virt-probe';

/** Converts a probe of the guest to a probe of the compute container; `guestAgentPing` takes precedence over a command. */
export function podProbe(vmi: VirtualMachineInstance, probe: Probe | undefined): PodProbe | undefined {
  if (!probe) return undefined;
  const { exec, httpGet, tcpSocket, guestAgentPing } = probe;
  const timeoutSeconds = Math.max(probe.timeoutSeconds ?? 0, 1);
  const common = {
    ...(httpGet && { httpGet }),
    ...(tcpSocket && { tcpSocket }),
    initialDelaySeconds: (probe.initialDelaySeconds ?? 0) + STARTUP_SECONDS,
    periodSeconds: atLeastOne(probe.periodSeconds, 10),
    successThreshold: atLeastOne(probe.successThreshold, 1),
    failureThreshold: atLeastOne(probe.failureThreshold, 3),
  };
  const agent = [
    ...[VIRT_PROBE, '--domainName', `${vmi.metadata.namespace}_${vmi.metadata.name}`],
    ...['--timeoutSeconds', String(timeoutSeconds)],
  ];
  // the kubelet's timeout must be a little longer than the probe's
  const longer = timeoutSeconds + 1;
  if (guestAgentPing) return { ...common, timeoutSeconds: longer, exec: { command: [...agent, '--guestAgentPing'] } };
  const [program, ...args] = exec?.command ?? [];
  if (program === undefined || program === VIRT_PROBE) return { ...common, timeoutSeconds, ...(exec && { exec }) };
  return { ...common, timeoutSeconds: longer, exec: { command: [...agent, '--command', program, '--', ...args] } };
}
