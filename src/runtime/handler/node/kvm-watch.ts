import { statSync } from 'node:fs';
import { nextProbe, verdictOf } from './kvm-decide';
import type { KnownProbe, KvmVerdict } from './kvm-decide';
import { probeKvm } from './kvm-probe';
import type { KvmProbeOptions } from './kvm-probe';

/**
 * Probes KVM when somebody asks and a probe is due: at first, when its device has come, gone or been made anew (a loaded
 * module needs no restart), and ever more rarely while the outcome was not clear.
 */
export class KvmWatch {
  private known?: KnownProbe;

  public constructor(
    private readonly options: KvmProbeOptions = {},
    private readonly now: () => number = Date.now,
  ) {}

  public async verdict(): Promise<KvmVerdict> {
    const identity = this.identity();
    const due = nextProbe(this.known, identity, this.now());
    if (due) {
      const outcome = await probeKvm({ timeoutMs: due.timeoutMs, ...this.options });
      this.known = { identity, outcome, attempts: due.attempt, at: this.now() };
    }
    return verdictOf(this.known!.outcome);
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
