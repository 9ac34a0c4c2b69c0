import type { ClusterConfig } from '../../../api/cluster-config';
import type { VirtualMachineInstance } from '../../../api';
import { positive } from './amounts';
import { isGuaranteed } from './input';
import type { ResourceRequirements } from './types';

/** The containers other than `compute`, by their names in the configuration's `supportContainerResources`. */
export type SideContainer = 'container-disk' | 'guest-console-log' | 'hotplug-disk' | 'sidecar' | 'virtiofs';

export type Sizes = {
  readonly requests: Partial<Record<Name, string>>;
  readonly limits: Partial<Record<Name, string>>;
};
type Name = 'cpu' | 'memory' | 'ephemeral-storage';

/** The configured sizes override the given ones; CPU and memory only. */
export function configuredSizes(config: ClusterConfig, type: SideContainer, defaults: Sizes): Sizes {
  const configured = config.raw.supportContainerResources?.find((entry) => entry.type === type)?.resources;
  if (!configured) return defaults;
  const over = (kind: 'limits' | 'requests'): Sizes['limits'] => {
    const cpu = positive(configured[kind]?.cpu);
    const memory = positive(configured[kind]?.memory);
    return { ...defaults[kind], ...(cpu && { cpu }), ...(memory && { memory }) };
  };
  return { limits: over('limits'), requests: over('requests') };
}

/** Resources of such a container; in a Guaranteed Pod, its requests equal its limits. */
export function sideResources(
  { vmi, config }: { vmi: VirtualMachineInstance; config: ClusterConfig },
  type: SideContainer,
  defaults: Sizes,
): ResourceRequirements {
  const { limits, requests } = configuredSizes(config, type, defaults);
  const wanted = isGuaranteed(vmi) ? { ...requests, ...limits } : requests;
  return {
    ...(Object.keys(limits).length > 0 && { limits: { ...limits } as Record<string, string> }),
    ...(Object.keys(wanted).length > 0 && { requests: { ...wanted } as Record<string, string> }),
  };
}
