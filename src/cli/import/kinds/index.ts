/** The kinds that have a construct of their own. */
import type { Manifest, Mapping } from './kind';
import { virtualMachine } from './virtual-machine';

const mappings: Readonly<Record<string, Mapping>> = {
  'kubevirt.io/VirtualMachine': virtualMachine,
};

/** How the object is declared; undefined when only a raw ApiObject does. */
export function mappingOf({ apiVersion, kind }: Manifest): Mapping | undefined {
  const key = `${apiVersion.split('/')[0]}/${kind}`;
  return Object.hasOwn(mappings, key) ? mappings[key] : undefined;
}
