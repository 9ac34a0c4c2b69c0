/** Serial console and channels. */
import type { VirtualMachineInstance } from '../../../api';
import type { DomainFacts } from './facts';
import { type Element, el } from './xml';

const hasConsole = ({ spec }: VirtualMachineInstance): boolean => spec.domain.devices.autoattachSerialConsole !== false;

/** `<serial>`: port 0 on a socket that QEMU listens on, with a log. libvirt chooses the machine's device model. */
export function serials(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  if (!hasConsole(vmi)) return [];
  const path = `${facts.runtimeDir}/virt-serial0`;
  const isLogged = vmi.spec.domain.devices.logSerialConsole ?? facts.logSerialConsole;
  return [
    el(
      'serial',
      { type: 'unix' },
      el('target', { port: 0 }),
      el('source', { mode: 'bind', path }),
      isLogged && el('log', { file: `${path}-log`, append: 'on' }),
    ),
  ];
}

/** `<console>`: alias of the serial port. */
export function consoles(vmi: VirtualMachineInstance): Element[] {
  return hasConsole(vmi) ? [el('console', { type: 'pty' }, el('target', { type: 'serial', port: 0 }))] : [];
}

/** `<channel>`: one for the guest agent, whose socket libvirt chooses, and one that serves the node's metrics. */
export function channels({ spec }: VirtualMachineInstance, { metricsSocket }: DomainFacts): Element[] {
  const agent = el('channel', { type: 'unix' }, el('target', { name: 'org.qemu.guest_agent.0', type: 'virtio' }));
  if (!spec.domain.devices.downwardMetrics) return [agent];
  const metrics = el(
    'channel',
    { type: 'unix' },
    el('source', { mode: 'bind', path: metricsSocket }),
    el('target', { name: 'org.github.vhostmd.1', type: 'virtio' }),
  );
  return [agent, metrics];
}
