/** `memorydump` and `removememorydump`: decides what is written. Pure. KubeVirt's messages. */
import { kinds } from '../../../api/kinds/registry';
import type {
  cdi,
  ClusterConfig,
  core,
  KubeObject,
  Quantity,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineMemoryDumpRequest,
} from '../../../api';
import { hotplugClaim, isForLauncher } from '../../../api/hotplug-volumes';
import { claimBytesForDump, dumpedMemory } from '../../../api/memory-dump';
import { compareQuantities, quantityOf } from '../../../api/quantity';
import { badRequest, conflict, notFound } from '../status';
import type { Refusal } from '../status';

export type Claim = KubeObject & {
  readonly spec?: core.PersistentVolumeClaimSpec;
  readonly status?: { readonly capacity?: Record<string, Quantity> };
};

/** Objects that a request depends on. */
export interface DumpFacts {
  readonly vm: VirtualMachine;
  readonly vmi?: VirtualMachineInstance;
  /** Claim with the name that `claimOf` returns. */
  readonly claim?: Claim;
  readonly cdiConfig?: cdi.CDIConfig;
}

export type DumpDecision = { readonly patch: object } | { readonly refusal: Refusal };

const GATES = ['DeclarativeHotplugVolumes', 'HotplugVolumes'] as const;

/** Returns the refusal of a cluster without hotplug. */
export function requireHotplug(config: ClusterConfig): void {
  if (GATES.some((gate) => config.hasGate(gate))) return;
  const message = 'Unable to Add Volume because HotplugVolumes feature gate is not enabled.';
  throw badRequest(message, 'enable it in developerConfiguration.featureGates of the KubeVirt object');
}

/** The claim that a request means: its own, or that of the last dump. */
export function claimOf({ status }: VirtualMachine, { claimName }: { claimName?: string }): string {
  const name = claimName || status?.memoryDumpRequest?.claimName;
  if (name) return name;
  throw badRequest('Memory dump requires claim name to be set', 'set claimName to a PersistentVolumeClaim');
}

/** `PUT virtualmachines/{name}/memorydump` */
export function decideDump(claimName: string, facts: DumpFacts): DumpDecision {
  const { vm, vmi, claim, cdiConfig } = facts;
  const subject = { kind: kinds.VirtualMachine.singular, name: vm.metadata.name ?? '' };
  const reject = (why: string, remedy: string): DumpDecision => ({ refusal: conflict(subject, why, remedy) });
  const before = vm.status?.memoryDumpRequest;
  if (before && before.claimName !== claimName) {
    const why = `can't request memory dump for pvc [${claimName}] while pvc [${before.claimName}] is still associated as the memory dump pvc`;
    return reject(why, `remove that association: virt8s memory-dump remove ${subject.name}`);
  }
  const instance = { kind: kinds.VirtualMachineInstance.singular, name: subject.name };
  if (!vmi) return { refusal: notFound(instance) };
  if (vmi.status?.phase !== 'Running' || vmi.metadata.deletionTimestamp)
    return { refusal: conflict(instance, 'VMI is not running', 'start the VM') };
  if (vmi.spec.domain.devices.disableHotplug)
    return reject('the VM sets spec.domain.devices.disableHotplug', 'remove it and restart the VM');
  const unfit = claimProblem(claimName, claim, vmi, cdiConfig);
  if (unfit) return { refusal: unfit };
  const disk = vmi.spec.volumes?.find((volume) => !isForLauncher(volume) && hotplugClaim(volume) === claimName);
  if (disk) return reject(`pvc [${claimName}] is the disk [${disk.name}] of the VM`, 'choose a claim of its own');
  const taken = [...(vmi.spec.volumes ?? []), ...(vm.spec.template.spec?.volumes ?? [])].some(
    (volume) => volume.name === claimName && !isForLauncher(volume),
  );
  if (taken)
    return reject(`the VM has another volume with the name [${claimName}]`, 'choose a claim with another name');
  if (before?.phase === 'Dissociating' || before?.remove) {
    const why = `can't dump memory for pvc [${claimName}] a remove memory dump request is in progress`;
    return reject(why, 'wait until it is removed');
  }
  if (before && before.phase !== 'Completed' && before.phase !== 'Failed')
    return reject(`memory dump request for pvc [${claimName}] already in progress`, 'wait until it is complete');
  return patch(vm, { claimName, phase: 'Associating' });
}

/** `PUT virtualmachines/{name}/removememorydump` */
export function decideRemoval(vm: VirtualMachine): DumpDecision {
  const name = vm.metadata.name ?? '';
  const subject = { kind: kinds.VirtualMachine.singular, name };
  const before = vm.status?.memoryDumpRequest;
  if (!before) {
    const why = `can't remove memory dump association for vm ${name}, no association found`;
    return { refusal: conflict(subject, why, 'there is nothing to remove') };
  }
  if (before.remove) {
    const why = `memory dump remove request for pvc [${before.claimName}] already exists`;
    return { refusal: conflict(subject, why, 'wait until it is removed') };
  }
  return patch(vm, { claimName: before.claimName, phase: 'Dissociating', remove: true });
}

function claimProblem(
  name: string,
  claim: Claim | undefined,
  vmi: VirtualMachineInstance,
  cdiConfig: cdi.CDIConfig | undefined,
): Refusal | undefined {
  const subject = { kind: 'persistentvolumeclaim', name };
  if (!claim) return notFound(subject);
  const { spec, status, metadata } = claim;
  if (metadata.deletionTimestamp) return conflict(subject, 'the pvc is being deleted', 'choose another claim');
  if (spec?.volumeMode === 'Block')
    return conflict(subject, 'pvc should be filesystem pvc', 'choose a claim with volumeMode Filesystem');
  if (spec?.accessModes?.every((mode) => mode === 'ReadOnlyMany')) {
    const why = "pvc access mode can't be read only";
    return conflict(subject, why, 'choose a claim with access mode ReadWriteOnce or ReadWriteMany');
  }
  const size = status?.capacity?.storage ?? spec?.resources?.requests?.storage ?? '0';
  const needed = claimBytesForDump(dumpedMemory(vmi), spec?.storageClassName, cdiConfig);
  if (compareQuantities(size, String(needed)) >= 0) return undefined;
  const least = quantityOf(needed, 'BinarySI');
  const why = `pvc size [${size}] should be bigger then [${least}]`;
  return conflict(
    subject,
    why,
    `use a claim of at least ${least}: the memory of the guest, 100Mi, and the file system`,
  );
}

/** All fields of an earlier request are removed. */
function patch({ metadata, status }: VirtualMachine, request: VirtualMachineMemoryDumpRequest): DumpDecision {
  const old = Object.keys(status?.memoryDumpRequest ?? {}).map((field) => [field, null]);
  const memoryDumpRequest = { ...Object.fromEntries(old), ...request };
  return { patch: { metadata: { resourceVersion: metadata.resourceVersion }, status: { memoryDumpRequest } } };
}
