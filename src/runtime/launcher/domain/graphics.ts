/** Screen, keyboard and pointer. */
import type { DomainSpec, Input } from '../../../api';
import type { DomainFacts } from './facts';
import { only } from './unsupported';
import { type Element, el } from './xml';

/** The VMI's inputs, and the tablet that `autoattachInputDevice` adds when there are none. */
function inputsOf(domain: DomainSpec): Input[] {
  const { inputs: listed = [], autoattachInputDevice } = domain.devices;
  if (listed.length > 0 || !autoattachInputDevice) return listed;
  return [{ name: 'default-0', type: 'tablet', bus: 'usb' }];
}

/** Does an input device need a USB controller? */
export function usesUsb(domain: DomainSpec): boolean {
  return inputsOf(domain).some((input) => (input.bus ?? 'usb') === 'usb');
}

/** `<input>` elements. */
export function inputs(domain: DomainSpec): Element[] {
  return inputsOf(domain).map((input, i) => {
    only(input, `spec.domain.devices.inputs[${i}]`, ['name', 'type', 'bus']);
    const bus = input.bus ?? 'usb';
    const model = bus === 'virtio' ? 'virtio' : undefined;
    return el('input', { type: input.type, bus, model }, el('alias', { name: `ua-${input.name}` }));
  });
}

function videoModel(domain: DomainSpec, facts: DomainFacts): Element {
  const type = domain.devices.video?.type;
  only(domain.devices.video, 'spec.domain.devices.video', ['type']);
  if (type === 'ramfb') return el('model', { type });
  if (type && type !== 'vga') return el('model', { type, heads: 1 });
  if (!type && domain.firmware?.bootloader?.efi && facts.bochsForEfi) return el('model', { type: 'bochs', heads: 1 });
  return el('model', { type: 'vga', heads: 1, vram: 16384 });
}

/** VNC on a unix socket, and a video card; or neither. */
export function graphics(domain: DomainSpec, facts: DomainFacts): Element[] {
  // libvirt adds a card where there is a screen; 'none' keeps it from doing so
  if (domain.devices.autoattachGraphicsDevice === false) return [el('video', {}, el('model', { type: 'none' }))];
  return [
    el('graphics', { type: 'vnc' }, el('listen', { type: 'socket', socket: `${facts.runtimeDir}/virt-vnc` })),
    el('video', {}, videoModel(domain, facts)),
  ];
}
