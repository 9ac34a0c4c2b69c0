/** Outcome of a KVM probe. */
export type ProbeOutcome =
  /** The vCPU ran and its timer woke it. */
  | { readonly kind: 'ran' }
  | { readonly kind: 'absent'; readonly device: string }
  | { readonly kind: 'forbidden'; readonly device: string; readonly message: string }
  | { readonly kind: 'timedOut'; readonly device: string; readonly afterMs: number }
  /** QEMU could not be started. */
  | { readonly kind: 'notTried'; readonly message: string }
  | { readonly kind: 'exited'; readonly code: number | null; readonly signal: string | null; readonly stderr: string };

/** Whether guests can use KVM on this node, or why not. */
export type KvmVerdict = { usable: true } | { usable: false; cause: string };

/** The kernel rejects the probe and will do so again as long as the device is the same. */
const REFUSED = /could not access kvm kernel module|failed to initialize kvm|invalid accelerator/i;
/** Exceptions: another hypervisor uses the CPU, or memory is short. */
const PASSES = /busy|cannot allocate memory|temporarily unavailable|interrupted/i;

/** Whether another probe of the same device could succeed: a node under load is slow, but a rejection is permanent. */
export function mayChange(outcome: ProbeOutcome): boolean {
  switch (outcome.kind) {
    case 'ran':
    case 'absent':
    case 'forbidden':
      return false;
    case 'timedOut':
    case 'notTried':
      return true;
    case 'exited':
      return outcome.signal !== null || !REFUSED.test(outcome.stderr) || PASSES.test(outcome.stderr);
  }
}

export function verdictOf(outcome: ProbeOutcome): KvmVerdict {
  if (outcome.kind === 'ran') return { usable: true };
  return { usable: false, cause: causeOf(outcome) + (mayChange(outcome) ? ' (virt-handler probes again)' : '') };
}

function causeOf(outcome: Exclude<ProbeOutcome, { kind: 'ran' }>): string {
  switch (outcome.kind) {
    case 'absent':
      return (
        `${outcome.device} does not exist: enable virtualization in the firmware or the hypervisor and load the kvm ` +
        'module'
      );
    case 'forbidden':
      return `${outcome.device} cannot be opened: ${outcome.message}`;
    case 'timedOut':
      return (
        `${outcome.device} can be opened, but the timer of a virtual CPU did not wake it within ` +
        `${outcome.afterMs / 1_000} s, so guests would hang: the node is overloaded, or nested virtualization does not ` +
        'work on this machine'
      );
    case 'notTried':
      return `KVM was not tried: ${outcome.message}`;
    case 'exited': {
      const line = outcome.stderr.trim().split('\n').at(-1) ?? '';
      return `QEMU exited during the KVM probe with ${outcome.signal ?? `code ${outcome.code}`}${line ? `: ${line}` : ''}`;
    }
  }
}

/** State of the last probe. */
export interface KnownProbe {
  /** Identity of the device, which changes when it is created again. */
  readonly identity: string;
  readonly outcome: ProbeOutcome;
  /** Number of probes of this device so far. */
  readonly attempts: number;
  /** End of the last probe, epoch ms. */
  readonly at: number;
}

const FIRST_PAUSE_MS = 30_000;
const LAST_PAUSE_MS = 3_600_000;
const FIRST_TIMEOUT_MS = 3_000;
const LAST_TIMEOUT_MS = 24_000;

/** Timeout of a probe that is due now; undefined if the known outcome still applies. */
export function nextProbe(
  known: KnownProbe | undefined,
  identity: string,
  now: number,
): { readonly attempt: number; readonly timeoutMs: number } | undefined {
  const fits = known?.identity === identity;
  const attempts = fits ? known.attempts : 0;
  const next = { attempt: attempts + 1, timeoutMs: Math.min(FIRST_TIMEOUT_MS * 2 ** attempts, LAST_TIMEOUT_MS) };
  if (!fits) return next;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LAST_PAUSE_MS);
  return mayChange(known.outcome) && now - known.at >= pause ? next : undefined;
}
