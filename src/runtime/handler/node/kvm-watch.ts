import { statSync } from 'node:fs';
import { probeKvm } from './kvm-probe';
import type { KvmProbeOptions, KvmVerdict } from './kvm-probe';

/** Probes KVM once, and again when its device has come, gone or been made anew: a loaded module needs no restart. */
export class KvmWatch {
  private known?: { identity: string; verdict: KvmVerdict };

  public constructor(private readonly options: KvmProbeOptions = {}) {}

  public async verdict(): Promise<KvmVerdict> {
    const identity = this.identity();
    if (this.known?.identity !== identity) this.known = { identity, verdict: await probeKvm(this.options) };
    return this.known.verdict;
  }

  private identity(): string {
    try {
      const { ino, ctimeMs } = statSync(this.options.device ?? '/dev/kvm');
      return `${ino} ${ctimeMs}`;
    } catch {
      return 'absent';
    }
  }
}
