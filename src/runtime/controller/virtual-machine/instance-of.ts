import { keys } from '../../../api/keys';
import type { ClusterConfig, VirtualMachine, VirtualMachineInstance } from '../../../api';
import { PLACEMENT_FIELDS } from '../../../api/live-update';
import { withoutHotplugged } from '../../../api/hotplug-volumes';
import { virtualMachineInstanceOf } from '../../../api/mutate';
import { runStrategyOf } from '../../../api/run-state';
import { hash } from '../hash';
import { claimStatus } from '../pod';
import type { Observed } from './observed';
import { hasChangedDisk, storageChange } from './volumes';

/** Annotations of a VMI that record the state of the VM from which it was created. */
export const GENERATION = keys.vmGeneration;
export const TEMPLATE_HASH = keys.templateHash;
/** Whether the VM requested a paused start, and its run strategy at that time. They show whether the start was cancelled. */
export const STARTED_PAUSED = keys.startedPaused;
export const STARTED_UNDER = keys.startedUnder;

/** The VMI that this VM creates. */
export function instanceOf(
  vm: VirtualMachine,
  paused: boolean,
  { claims, references: find = () => undefined, config }: Pick<Observed, 'claims' | 'references' | 'config'>,
): VirtualMachineInstance {
  const vmi = virtualMachineInstanceOf(vm, { config, find, list: () => [], by: { trusted: true } });
  const { whole, fixed } = templateHash(vm);
  vmi.metadata.annotations = {
    ...vmi.metadata.annotations,
    [GENERATION]: String(vm.metadata.generation ?? 0),
    [TEMPLATE_HASH]: `${whole}.${fixed}`,
    [STARTED_PAUSED]: String(paused),
    [STARTED_UNDER]: runStrategyOf(vm) ?? 'Halted',
  };
  if (paused) vmi.spec.startStrategy = 'Paused';
  const volumeStatus = claimStatus(vmi.spec, claims);
  // created together with the VMI, so it needs no second write
  if (volumeStatus.length) vmi.status = { ...vmi.status, volumeStatus };
  return vmi;
}

/**
 * Hashes of the template and its references: one of all fields, and one of the fields that a running guest cannot apply.
 * Two hashes on the VMI need no write of their own, whereas a ControllerRevision with the whole template (KubeVirt's
 * solution) needs one per start.
 */
export function templateHash({ spec }: VirtualMachine): TemplateHash {
  let known = hashes.get(spec);
  if (!known) {
    known = hashOf(spec);
    hashes.set(spec, known);
  }
  return known;
}

interface TemplateHash {
  readonly whole: string;
  readonly fixed: string;
}

/** Keyed by the specs in the informer's cache, which are never modified: a new version of a VM is a new object. */
const hashes = new WeakMap<VirtualMachine['spec'], TemplateHash>();

function hashOf(spec: VirtualMachine['spec']): TemplateHash {
  const template = spec.template.spec && withoutHotplugged(spec.template.spec);
  const fixed = Object.fromEntries(
    Object.entries(template ?? {}).filter(([field]) => !PLACEMENT_FIELDS.includes(field)),
  );
  const { instancetype, preference } = spec;
  if (!instancetype && !preference) return { whole: hash(spec.template), fixed: hash(fixed) };
  return {
    whole: hash([spec.template, instancetype, preference]),
    fixed: hash([fixed, instancetype, preference]),
  };
}

/** Whether the template has changes that the guest gets only when it starts again. */
export function needsRestart(vm: VirtualMachine, vmi: VirtualMachineInstance, config: ClusterConfig): boolean {
  const [whole, fixed] = vmi.metadata.annotations?.[TEMPLATE_HASH]?.split('.') ?? [];
  const now = templateHash(vm);
  if (fixed === undefined || whole === now.whole) return false;
  if (fixed !== now.fixed || hasChangedDisk(vm, vmi, config)) return true;
  return config.vmRolloutStrategy !== 'LiveUpdate' && storageChange(vm, vmi, config) !== undefined;
}
