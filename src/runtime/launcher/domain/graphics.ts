/** Screen, keyboard and pointer. */
import type { VirtualMachineInstance } from '../../../api';
import type { DomainFacts } from './facts';
import { isUefi } from './guest';
import { type Element, el } from './xml';

/** Video memory, in KiB, of video cards that have their own. */
const VIDEO_MEMORY = 16384;

/** The images of foreign architectures' emulators are small and have no video card. */
function hasScreen({ spec }: VirtualMachineInstance, { isForeignArchitecture }: DomainFacts): boolean {
  return spec.domain.devices.autoattachGraphicsDevice !== false && !isForeignArchitecture;
}

/** `<graphics>`: VNC on a unix socket. */
export function graphics(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  if (!hasScreen(vmi, facts)) return [];
  const socket = `${facts.runtimeDir}/virt-vnc`;
  return [el('graphics', { type: 'vnc' }, el('listen', { type: 'socket', socket }))];
}

function videoModel(vmi: VirtualMachineInstance, { architecture, bochsForEfi }: DomainFacts): Element {
  const { video } = vmi.spec.domain.devices;
  if (video) return el('model', { type: video.type ?? '', heads: 1, vram: VIDEO_MEMORY });
  if (architecture !== 'amd64') return el('model', { type: 'virtio', heads: 1 });
  if (bochsForEfi && isUefi(vmi)) return el('model', { type: 'bochs', heads: 1 });
  return el('model', { type: 'vga', heads: 1, vram: VIDEO_MEMORY });
}

/** `<video>`: a video card if there is a display. */
export function video(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  return hasScreen(vmi, facts) ? [el('video', {}, videoModel(vmi, facts))] : [];
}

/** Keyboard and pointer that the machine type does not provide. */
function builtInInputs({ spec }: VirtualMachineInstance, { architecture }: DomainFacts): Element[] {
  if (spec.domain.devices.autoattachGraphicsDevice === false || architecture === 'amd64') return [];
  if (architecture === 's390x') return [el('input', { type: 'keyboard', bus: 'virtio' })];
  const hasTablet = spec.domain.devices.inputs?.some(({ type }) => type === 'tablet');
  return [
    ...(hasTablet ? [] : [el('input', { type: 'tablet', bus: 'usb' })]),
    el('input', { type: 'keyboard', bus: 'usb' }),
  ];
}

/** `<input>` elements: the VMI's, then those that the architecture lacks. */
export function inputs(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  const listed = (vmi.spec.domain.devices.inputs ?? []).map(({ name, type, bus = 'usb' }) =>
    el(
      'input',
      { type, bus: bus || 'usb', model: bus === 'virtio' ? 'virtio' : undefined },
      el('alias', { name: `ua-${name}` }),
    ),
  );
  return [...listed, ...builtInInputs(vmi, facts)];
}
