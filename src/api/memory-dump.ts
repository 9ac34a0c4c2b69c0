/** Claims for memory dumps. Pure. */
import { inflated, OVERHEAD } from './cdi/claim';
import type { CDIConfig } from './generated/cdi-v1beta1';
import type { VirtualMachineInstance } from './generated/kubevirt-v1';
import type { Quantity } from './generated/meta-v1';
import { addQuantities, quantityValue } from './quantity';

/** Parts of a dump besides the guest's memory: headers, video memory and firmware. */
export const DUMP_OVERHEAD = '100Mi';

/** Memory that a dump of the guest contains. */
export const dumpedMemory = ({ spec, status }: VirtualMachineInstance): Quantity =>
  status?.memory?.guestAtBoot ?? spec.domain.memory?.guest ?? spec.domain.resources?.requests?.memory ?? '0';

/** Bytes that a claim of this class needs for a dump, with the share that its file system takes. */
export function claimBytesForDump(
  memory: Quantity,
  storageClassName: string | undefined,
  config: CDIConfig | undefined,
): bigint {
  const { storageClass = {}, global } = config?.status?.filesystemOverhead ?? config?.spec.filesystemOverhead ?? {};
  const own = storageClassName !== undefined && Object.hasOwn(storageClass, storageClassName);
  const overhead = Number((own ? storageClass[storageClassName] : global) ?? OVERHEAD) || 0;
  return inflated(quantityValue(addQuantities(memory, DUMP_OVERHEAD)), overhead);
}
