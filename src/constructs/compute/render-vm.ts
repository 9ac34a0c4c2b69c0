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

/** Spec of a VM, and of each VM of a pool. */
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

/** Is the VM's size decided elsewhere? Then it has no CPU of its own by default. */
const isSized = ({ instancetype, inferInstancetype }: VirtualMachineProps): boolean =>
  instancetype !== undefined || inferInstancetype !== undefined;

/** Are defaults decided elsewhere? Then the constructs keep theirs to themselves. */
const isPreferred = ({ preference, inferPreference }: VirtualMachineProps): boolean =>
  preference !== undefined || inferPreference !== undefined;

/** What is decided elsewhere. */
export const referencesOf = (props: VirtualMachineProps): { sized: boolean; preferred: boolean } => ({
  sized: isSized(props),
  preferred: isPreferred(props),
});

/** Which property makes a field of a VM's spec that is not the guest's; `at` is where the spec is. */
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
