/** Prevents the serial log from filling the node: QEMU appends all output of the guest to it. */
import { stat, truncate } from 'node:fs/promises';

const MAX_BYTES = 8 * 1024 * 1024;
const CHECK_MS = 60_000;

/** QEMU writes with O_APPEND, so truncating the file is safe; readers that follow it notice and continue. */
export class SerialLogLimit {
  private file: string | undefined;

  /** Checks this file from now on. */
  watch(file: string): void {
    if (!this.file) setInterval(() => void this.check(), CHECK_MS).unref();
    this.file = file;
  }

  private async check(): Promise<void> {
    const size = await stat(this.file!).then(
      (info) => info.size,
      () => 0,
    );
    if (size > MAX_BYTES) await truncate(this.file!).catch(() => {});
  }
}
