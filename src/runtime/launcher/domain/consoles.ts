/** Serial console and agent channel. */
import type { DomainSpec } from '../../../api';
import type { DomainFacts } from './facts';
import { type Element, el } from './xml';

/** Serial port 0 on a socket that QEMU listens on, with its log. */
export function consoles(domain: DomainSpec, facts: DomainFacts): Element[] {
  if (domain.devices.autoattachSerialConsole === false) return [];
  const path = `${facts.runtimeDir}/virt-serial0`;
  const log = domain.devices.logSerialConsole ?? facts.logSerialConsole;
  return [
    el(
      'serial',
      { type: 'unix' },
      el('source', { mode: 'bind', path }),
      log && el('log', { file: `${path}-log`, append: 'on' }),
      el('target', { type: 'isa-serial', port: 0 }),
    ),
    el('console', { type: 'unix' }, el('source', { mode: 'bind', path }), el('target', { type: 'serial', port: 0 })),
  ];
}

/** The guest agent's channel. libvirt chooses where its socket is. */
export function channels(): Element[] {
  return [el('channel', { type: 'unix' }, el('target', { type: 'virtio', name: 'org.qemu.guest_agent.0' }))];
}
