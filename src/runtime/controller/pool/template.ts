import { keys } from '../../../api/keys';
import type { KubeObject, VirtualMachine, VirtualMachineInstance } from '../../../api';
import { virtualMachineOfPool } from '../../../api/workloads';
import type { VirtualMachinePool } from '../../../api/generated/pool-v1beta1';
import { hash } from '../hash';

const HASHES = keys.poolTemplateHash;

/**
 * VM number `index` of a pool. The VM and its VMI are marked with hashes of the pool's template. KubeVirt keeps a
 * ControllerRevision of each generation instead, and compares them; hashes need no further objects, and no writes when a
 * generation only changed the number of replicas.
 */
export function machineOf(pool: VirtualMachinePool, index: number): VirtualMachine | undefined {
  const vm = virtualMachineOfPool(pool, index);
  if (!vm) return undefined;
  const marked = (metadata: object | null | undefined) => {
    const given = (metadata ?? {}) as KubeObject['metadata'];
    return { ...given, annotations: { ...given.annotations, [HASHES]: hashesOf(pool) } };
  };
  vm.metadata = marked(vm.metadata);
  if (vm.spec.template) vm.spec.template.metadata = marked(vm.spec.template.metadata);
  return vm;
}

/** Replaces what the pool's template describes. The identity of the guest's firmware is kept. */
export function updatedMachine(
  pool: VirtualMachinePool,
  index: number,
  vm: VirtualMachine,
): VirtualMachine | undefined {
  const next = machineOf(pool, index);
  const domain = next?.spec.template?.spec?.domain;
  const { uuid, serial } = vm.spec.template?.spec?.domain?.firmware ?? {};
  if (domain && (uuid || serial)) {
    domain.firmware = { ...domain.firmware, ...(uuid && { uuid }), ...(serial && { serial }) };
  }
  return next;
}

/** Keyed by the specs in the informer's cache, which are never modified. */
const known = new WeakMap<VirtualMachinePool['spec'], string>();

/** Hashes of the parts of the template: `instance.disks.whole`. */
function hashesOf({ spec }: VirtualMachinePool): string {
  const found = known.get(spec);
  if (found !== undefined) return found;
  const { template, dataVolumeTemplates, instancetype, preference } = spec.virtualMachineTemplate.spec ?? {};
  const parts = [[template, instancetype, preference], dataVolumeTemplates ?? [], spec.virtualMachineTemplate];
  const made = parts.map(hash).join('.');
  known.set(spec, made);
  return made;
}

const hashesAt = ({ metadata }: KubeObject): string | undefined => metadata.annotations?.[HASHES];

/** Whether the pool's template has changed since the VM was created or updated. */
export const isOutdated = (pool: VirtualMachinePool, vm: VirtualMachine): boolean => hashesAt(vm) !== hashesOf(pool);

/** Returns what a guest needs to follow the template of its VM. Disks are created only together with a VM. */
export function changeFor(vm: VirtualMachine, vmi: VirtualMachineInstance): 'none' | 'restart' | 'new disks' {
  const [instance, disks] = hashesAt(vm)?.split('.') ?? [];
  if (instance === undefined) return 'none';
  const [instanceNow, disksNow] = hashesAt(vmi)?.split('.') ?? [];
  if (disksNow !== undefined && disksNow !== disks) return 'new disks';
  return instanceNow === instance ? 'none' : 'restart';
}
