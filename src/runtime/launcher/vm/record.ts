/**
 * Facts that a restarted launcher needs and libvirt does not have: the requested operations and their progress. A file in the
 * Pod; it is deleted with the Pod, like the guest.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { VirtualMachineInstance } from '../../../api';
import type { VirtualMachineOptions } from '../../protocol';
import type { BackupRecord } from './backup';
import type { GuestDisk } from './guest-disks';
import type { Holds } from './quiesce';

export interface LauncherRecord {
  /** VMI with which the guest was or will be started; for a running guest, updated only by the fields that it applied. */
  vmi: VirtualMachineInstance;
  options: VirtualMachineOptions;
  /** Whether QEMU was started: then a missing domain has ended, and is never started again in this Pod. */
  started: boolean;
  /** The disks of the started guest, with their sizes now. */
  disks?: readonly GuestDisk[];
  /** Whether a stop was requested. */
  stopping: boolean;
  /** Who has frozen the guest. */
  holds?: Holds;
  /** The last backup of the disks. */
  backup?: BackupRecord;
}

export class RecordFile {
  constructor(private readonly file: string) {}

  read(): LauncherRecord | undefined {
    try {
      return JSON.parse(readFileSync(this.file, 'utf8')) as LauncherRecord;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Written atomically: a launcher that is killed in the middle leaves the old record. */
  write(record: LauncherRecord): void {
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(`${this.file}.tmp`, JSON.stringify(record), { mode: 0o600 });
    renameSync(`${this.file}.tmp`, this.file);
  }
}
