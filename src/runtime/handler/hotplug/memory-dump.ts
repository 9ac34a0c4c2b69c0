/** A memory dump to a volume: its file, when the launcher is asked to write it, and its status. Pure. */
import type { DomainMemoryDumpInfo, VirtualMachineInstance, VolumeStatus } from '../../../api';
import { VolumeReason } from '../../../api/reasons';
import type { DomainState } from '../../protocol';

type DumpStatus = VolumeStatus & { readonly memoryDumpVolume: DomainMemoryDumpInfo };

export const DUMP_PHASES: readonly string[] = ['MemoryDumpInProgress', 'MemoryDumpCompleted', 'MemoryDumpFailed'];

/** Characters of VM and claim in the name of a file, which has at most 255. */
const MAX_NAMES = 200;

/** Name of the file, as in KubeVirt. */
export function dumpFileName(vmi: string, volume: string, now: number): string {
  const [date, time] = new Date(now).toISOString().split(/[T.]/);
  return `${`${vmi}-${volume}`.slice(0, MAX_NAMES)}-${date.replace(/-/g, '')}-${time.replace(/:/g, '')}.memory.dump`;
}

/** A dump that the launcher has to begin: it knows none to this file. After a restart of the launcher, it begins again. */
export function dumpToBegin(
  { status }: VirtualMachineInstance,
  domain: DomainState | undefined,
): { volume: string; fileName: string } | undefined {
  const found = status?.volumeStatus?.find(({ phase }) => phase === 'MemoryDumpInProgress');
  const fileName = found?.memoryDumpVolume?.targetFileName;
  if (!found || fileName === undefined || domain?.memoryDump?.fileName === fileName) return undefined;
  return { volume: found.name, fileName };
}

/** Status of a volume that the launcher can write to. A dump that has ended stays so until the volume is detached. */
export function dumpStatus(
  { metadata }: VirtualMachineInstance,
  domain: DomainState | undefined,
  status: DumpStatus,
  now: number,
): VolumeStatus {
  const { name, phase, memoryDumpVolume } = status;
  if (phase === 'MemoryDumpCompleted' || phase === 'MemoryDumpFailed') return status;
  if (phase !== 'MemoryDumpInProgress') {
    const targetFileName = dumpFileName(metadata.name ?? '', name, now);
    const message = `Memory dump Volume ${name} is attached, getting memory dump`;
    return {
      ...status,
      phase: 'MemoryDumpInProgress',
      reason: VolumeReason.MountedToPod,
      message,
      memoryDumpVolume: { ...memoryDumpVolume, targetFileName },
    };
  }
  const dump = domain?.memoryDump;
  if (!dump || dump.fileName !== memoryDumpVolume.targetFileName) return status;
  const times = { startTimestamp: dump.startedAt, ...(dump.endedAt !== undefined && { endTimestamp: dump.endedAt }) };
  const seen = { ...status, memoryDumpVolume: { ...memoryDumpVolume, ...times } };
  if (dump.endedAt === undefined) return seen;
  if (dump.failure !== undefined) {
    const message = `Memory dump to pvc ${name} failed: ${dump.failure}`;
    return { ...seen, phase: 'MemoryDumpFailed', reason: VolumeReason.DumpFailed, message };
  }
  const message = `Memory dump to Volume ${name} has completed successfully`;
  return { ...seen, phase: 'MemoryDumpCompleted', reason: VolumeReason.Ready, message };
}
