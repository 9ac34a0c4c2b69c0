import { isDeepStrictEqual } from 'node:util';
import { Finding, root } from '../findings';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import { mistake } from './rule';

/** Rejects changes of a VM whose disks are being copied or restored. Both specs have their canonical form. */
export function lockedBySnapshot(vm: VirtualMachine, old: VirtualMachine): Finding[] {
  const path = root.at('spec');
  const type = 'FieldValueNotSupported';
  const snapshot = vm.status?.snapshotInProgress;
  if (snapshot) {
    const remedy = 'wait for the snapshot, or delete it';
    if (!isDeepStrictEqual(volumesOf(vm), volumesOf(old))) {
      const message = `Cannot update vm disks or volumes until snapshot "${snapshot}" completes`;
      return mistake('snapshot-lock', path.at('template', 'spec', 'volumes'), message, remedy, {
        type,
        field: `${path}`,
      });
    }
    if (!sameRunning(vm, old)) {
      const message = `Cannot update vm running state until snapshot "${snapshot}" completes`;
      return mistake('snapshot-lock', path, message, remedy, { type });
    }
  }
  const restore = vm.status?.restoreInProgress;
  if (!restore || strategyOf(vm) === strategyOf(old)) return [];
  const message = `Cannot update VM runStrategy until restore "${restore}" completes`;
  return mistake('restore-lock', path, message, 'wait for the restore, or delete it', { type });
}

function volumesOf({ spec }: VirtualMachine) {
  return spec.template.spec?.volumes;
}

/** Whether `running` or `runStrategy` is unchanged, and written in the same field. */
function sameRunning({ spec }: VirtualMachine, { spec: old }: VirtualMachine): boolean {
  if (old.running !== undefined && spec.running !== undefined) return old.running === spec.running;
  return old.runStrategy !== undefined && old.runStrategy === spec.runStrategy;
}

function strategyOf({ spec }: VirtualMachine): string {
  if (spec.running !== undefined && spec.runStrategy !== undefined) return 'Unknown';
  if (spec.running !== undefined) return spec.running ? 'Always' : 'Halted';
  return spec.runStrategy ?? 'Halted';
}
