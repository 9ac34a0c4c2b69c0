/**
 * What a restarted launcher must know and libvirt cannot tell: what was asked, and how far it came. A file in the Pod;
 * it dies with the Pod, like the guest.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { VirtualMachineInstance } from '../../../api';
import type { VirtualMachineOptions } from '../../protocol';

export interface LauncherRecord {
  /** What the guest was started from, or is to be started from; of a running one only what it got since then differs. */
  vmi: VirtualMachineInstance;
  options: VirtualMachineOptions;
  /** Was QEMU started once? Then a missing domain is an ended one, and is never started again in this Pod. */
  started: boolean;
  /** Was a stop asked for? */
  stopping: boolean;
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

  /** Written whole: a launcher killed in the middle finds the old one. */
  write(record: LauncherRecord): void {
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(`${this.file}.tmp`, JSON.stringify(record), { mode: 0o600 });
    renameSync(`${this.file}.tmp`, this.file);
  }
}
