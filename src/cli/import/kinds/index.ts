/** The kinds that have a construct of their own. */
import type { Manifest, Mapping } from './kind';
import { dataImportCron, dataSource, dataVolume, storageProfile } from './storage';
import { virtualMachine, virtualMachineInstance } from './virtual-machine';

const mappings: Readonly<Record<string, Mapping>> = {
  'kubevirt.io/VirtualMachine': virtualMachine,
  'kubevirt.io/VirtualMachineInstance': virtualMachineInstance,
  'cdi.kubevirt.io/DataImportCron': dataImportCron,
  'cdi.kubevirt.io/DataSource': dataSource,
  'cdi.kubevirt.io/DataVolume': dataVolume,
  'cdi.kubevirt.io/StorageProfile': storageProfile,
};

/** How the object is declared; undefined when only a raw ApiObject does. */
export function mappingOf({ apiVersion, kind }: Manifest): Mapping | undefined {
  const key = `${apiVersion.split('/')[0]}/${kind}`;
  return Object.hasOwn(mappings, key) ? mappings[key] : undefined;
}
