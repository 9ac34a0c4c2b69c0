import type {
  DataVolumeTemplateSpec,
  VirtualMachineInstanceSpec,
  VirtualMachineSpec,
} from '../../api/generated/kubevirt-v1';
import { propertyOfTemplate } from '../storage/locate';
import { defined, listed } from '../defined';
import { renderMatcher } from './sizing';
import { RunStrategy } from './strategies';
import type { VirtualMachineProps } from './vm-props';

/** Renders the spec of a VM, or of each VM of a pool. */
export function renderVirtualMachineSpec(
  props: VirtualMachineProps,
  instance: { metadata?: object; spec: VirtualMachineInstanceSpec },
  templates: DataVolumeTemplateSpec[],
): VirtualMachineSpec {
  const { runStrategy = RunStrategy.ALWAYS, updateVolumesStrategy } = props;
  return defined({
    runStrategy: runStrategy.value as VirtualMachineSpec['runStrategy'],
    instancetype: renderMatcher('instancetype', props.instancetype, props.inferInstancetype),
    preference: renderMatcher('preference', props.preference, props.inferPreference),
    updateVolumesStrategy: updateVolumesStrategy?.value as VirtualMachineSpec['updateVolumesStrategy'],
    dataVolumeTemplates: listed(templates),
    template: defined(instance),
  });
}

/** Whether an instance type sets the size of the VM. The constructs then add no CPU or memory by default. */
const isSized = ({ instancetype, inferInstancetype }: VirtualMachineProps): boolean =>
  instancetype !== undefined || inferInstancetype !== undefined;

/** Whether a preference sets the defaults. The constructs then add none of their own. */
const isPreferred = ({ preference, inferPreference }: VirtualMachineProps): boolean =>
  preference !== undefined || inferPreference !== undefined;

/** Reports whether an instance type sets the size and whether a preference sets the defaults. */
export const referencesOf = (props: VirtualMachineProps): { sized: boolean; preferred: boolean } => ({
  sized: isSized(props),
  preferred: isPreferred(props),
});

/** Returns the property that sets a field of a VM's spec outside the guest. `at` is the path of the spec. */
export function propertyOfVm(field: string, at: string, templates: readonly string[]): string | undefined {
  if (!field.startsWith(`${at}.`)) return undefined;
  const own = field.slice(at.length + 1);
  const [, index, rest = ''] = /^dataVolumeTemplates\[(\d+)\](?:\.(.*))?$/.exec(own) ?? [];
  if (index !== undefined) {
    const disk = templates[Number(index)];
    const property = propertyOfTemplate(rest);
    return disk && property ? `${disk}.${property}` : disk;
  }
  if (/^template\.metadata\b/.test(own)) return 'instanceMetadata';
  const matcher = /^(instancetype|preference)(\.inferFromVolume)?/.exec(own);
  if (matcher) {
    const [, what, inferred] = matcher;
    return inferred ? `infer${what[0].toUpperCase()}${what.slice(1)}` : what;
  }
  return /^(runStrategy|updateVolumesStrategy)\b/.exec(own)?.[1];
}
