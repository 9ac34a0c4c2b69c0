/** Devices of a guest, in upstream's order, for tools that read the domain by position. */
import type { VirtualMachineInstance } from '../../../api';
import { balloon, filesystems, redirections, rng, sound, tpm, vsock, watchdog } from './auxiliary';
import { channels, consoles, serials } from './consoles';
import { controllers } from './controllers';
import { disks } from './disks';
import type { DomainFacts } from './facts';
import { graphics, inputs, video } from './graphics';
import { hostDevices } from './host-devices';
import { interfaces } from './interfaces';
import { panicDevices } from './panic';
import { type Element, el } from './xml';

/** `<devices>` without the elements that only machines with explicit PCI placement need. */
export function devices(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  return [
    ...(facts.emulator ? [el('emulator', {}, facts.emulator)] : []),
    ...interfaces(vmi, facts),
    ...channels(vmi, facts),
    ...hostDevices(vmi, facts),
    ...panicDevices(vmi),
    ...controllers(vmi, facts),
    ...video(vmi, facts),
    ...graphics(vmi, facts),
    ...balloon(vmi, facts),
    ...disks(vmi, facts),
    ...inputs(vmi, facts),
    ...serials(vmi, facts),
    ...consoles(vmi),
    ...watchdog(vmi, facts),
    ...rng(vmi, facts),
    ...filesystems(vmi, facts),
    ...redirections(vmi, facts),
    ...sound(vmi),
    ...tpm(vmi),
    ...vsock(vmi),
  ];
}
