import { statSync } from 'node:fs';
import { nextProbe, verdictOf } from './kvm-decide';
import type { KnownProbe, KvmVerdict } from './kvm-decide';
import { probeKvm } from './kvm-probe';
import type { KvmProbeOptions } from './kvm-probe';

/**
 * Probes KVM on demand when a probe is due: at first, when the device was added, removed or created again (loading a
 * module needs no restart), and at growing intervals while the outcome is not final.
 */
export class KvmWatch {
  private known?: KnownProbe;
  private probing?: Promise<KvmVerdict>;

  public constructor(
    private readonly options: KvmProbeOptions = {},
    private readonly now: () => number = Date.now,
  ) {}

  /** Concurrent calls share one probe. */
  public verdict(): Promise<KvmVerdict> {
    this.probing ??= this.currentVerdict().finally(() => (this.probing = undefined));
    return this.probing;
  }

  private async currentVerdict(): Promise<KvmVerdict> {
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
