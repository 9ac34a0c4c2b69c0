import { keys } from '../keys';
import { type Architecture, ARCHITECTURES } from '../cluster-config';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { Find } from '../kinds/kind';
import type { KubeObject } from '../meta';

/** On a DataSource: architecture of its disk. */
const ARCHITECTURE_LABEL = keys.templateArchitecture;

interface DataSource extends KubeObject {
  spec?: { source?: { dataSource?: { namespace?: string; name?: string } } };
}

/** Returns the architecture that a DataSource of the VM's disks names; undefined when none does. */
export function architectureOfSources({ metadata, spec }: VirtualMachine, find: Find): Architecture | undefined {
  for (const template of spec.dataVolumeTemplates ?? []) {
    const reference = template?.spec?.sourceRef;
    if (reference?.kind?.toLowerCase() !== 'datasource') continue;
    let source = find('DataSource', reference.namespace || metadata.namespace, reference.name) as
      DataSource | undefined;
    const next = source?.spec?.source?.dataSource;
    if (next) source = find('DataSource', next.namespace, next.name ?? '') as DataSource | undefined;
    const architecture = source?.metadata.labels?.[ARCHITECTURE_LABEL];
    if ((ARCHITECTURES as readonly unknown[]).includes(architecture)) return architecture as Architecture;
  }
  return undefined;
}
