/** PCI addresses in the form that users write. */
import { DomainError } from './error';
import { type Element, el } from './xml';

/** `0000:81:01.0` -> `<address type='pci' …/>` */
export function pciAddress(text: string | undefined, path: string): Element | undefined {
  if (!text) return undefined;
  const match = /^([\da-f]{4}):([\da-f]{2}):([01][\da-f])\.([0-7])$/i.exec(text);
  if (!match) throw new DomainError(path, `"${text}" is not a PCI address`, 'write it like 0000:81:01.0');
  const [, domain, bus, slot, fn] = match;
  return el('address', { type: 'pci', domain: `0x${domain}`, bus: `0x${bus}`, slot: `0x${slot}`, function: `0x${fn}` });
}
