import { keys } from '../../../api/keys';
import { createHash } from 'node:crypto';
import type { VirtualMachine, VirtualMachineInstance } from '../../../api';
import { PLACEMENT_FIELDS } from '../../../api/live-update';
import { virtualMachineInstanceOf } from '../../../api/mutate';
import { runStrategyOf } from '../../../api/run-state';
import { claimStatus } from '../pod';
import type { Observed } from './observed';

/** Annotations of a VMI that tell from which state of its VM it was made. */
export const GENERATION = keys.vmGeneration;
export const TEMPLATE_HASH = keys.templateHash;
/** Whether the VM asked for a paused start, and under which run strategy: what tells whether the VMI was called off. */
export const STARTED_PAUSED = keys.startedPaused;
export const STARTED_UNDER = keys.startedUnder;

/** The VMI that this VM starts. */
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
  // written with the VMI, it costs nothing
  if (volumeStatus.length) vmi.status = { ...vmi.status, volumeStatus };
  return vmi;
}

/**
 * Hashes of the template and what it refers to: of all of it, and of what a running guest cannot take over. Two hashes
 * on the VMI cost no write, where a ControllerRevision with the whole template (KubeVirt's way) costs one for each
 * start.
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

/** By the specs in the informer's cache, which nobody changes; a new version of a VM is a new object. */
const hashes = new WeakMap<VirtualMachine['spec'], TemplateHash>();

function hashOf(spec: VirtualMachine['spec']): TemplateHash {
  const fixed = Object.fromEntries(
    Object.entries(spec.template.spec ?? {}).filter(([field]) => !PLACEMENT_FIELDS.includes(field)),
  );
  const { instancetype, preference } = spec;
  if (!instancetype && !preference) return { whole: hash(spec.template), fixed: hash(fixed) };
  return {
    whole: hash([spec.template, instancetype, preference]),
    fixed: hash([fixed, instancetype, preference]),
  };
}

const hash = (value: unknown): string => createHash('sha256').update(stable(value)).digest('hex').slice(0, 16);

/** JSON with sorted keys: the order in which a client wrote them means nothing. */
function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, v]) => v !== undefined && v !== null);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, v]) => `${JSON.stringify(key)}:${stable(v)}`)
    .join(',')}}`;
}

/** The running guest differs from the template in something that only a new start can give it. */
export function needsRestart(vm: VirtualMachine, vmi: VirtualMachineInstance): boolean {
  const [whole, fixed] = vmi.metadata.annotations?.[TEMPLATE_HASH]?.split('.') ?? [];
  const now = templateHash(vm);
  return fixed !== undefined && whole !== now.whole && fixed !== now.fixed;
}
