/** Failures with cause and remedy for users: they become a condition and an event of the VMI. */
import { errorText } from '../../../api/error-text';
import type { LauncherReason } from '../../../api/reasons';
import { DiskError } from '../disks/disk-error';
import { DomainError } from '../domain/error';
import { LibvirtConnectionError, LibvirtError } from '../libvirt/errors';

/** A request of virt-handler that cannot be fulfilled. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly reason: LauncherReason,
    message: string,
  ) {
    super(message);
  }
}

/** QEMU's messages -> reason and remedy. */
const KNOWN: { words: RegExp; reason: LauncherReason; remedy: string }[] = [
  {
    words: /cannot set up guest memory|Cannot allocate memory|unable to map backing store/i,
    reason: 'OutOfMemory',
    remedy: 'give the VM less memory, or run it on a node with more',
  },
  { words: /No space left on device/i, reason: 'DiskFull', remedy: 'free ephemeral storage of the node' },
  {
    words: /failed to initialize kvm|could not access KVM|KVM is not supported/i,
    reason: 'KvmUnusable',
    remedy: 'enable virtualization on the node, or allow emulation (useEmulation)',
  },
  {
    words: /Unsupported machine type|machine type.*not supported/i,
    reason: 'UnsupportedMachine',
    remedy: 'use machine type q35',
  },
  { words: /[Uu]nable to find CPU|CPU model.*(not|un)/, reason: 'UnsupportedCpu', remedy: 'use cpu.model host-model' },
  {
    words: /cannot get SG_IO version number/,
    reason: 'DiskUnusable',
    remedy: 'the storage does not understand SCSI commands; use disk instead of lun',
  },
  { words: /Failed to get "write" lock/, reason: 'DiskInUse', remedy: 'stop the other VM, or make the disk shareable' },
];

/** Limit for messages of QEMU or libvirt; the answer to virt-handler holds 1,024 characters. */
const MAX_WORDS = 700;

/** Converts any failure to reason and message for virt-handler. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof DiskError) return new Refusal(error.reason, error.message);
  if (error instanceof DomainError) return new Refusal('UnsupportedSpec', error.message);
  if (error instanceof LibvirtConnectionError)
    return new Refusal(
      'LibvirtUnavailable',
      `${error.message}; virt-handler retries, and libvirtd is restarted if the problem persists`,
    );
  const text = error instanceof LibvirtError ? error.detail : errorText(error);
  const known = KNOWN.find(({ words }) => words.test(text));
  const short = text
    // QEMU's message is in the middle of libvirt's
    .replace(
      /^internal error: (?:process exited while connecting to monitor|QEMU unexpectedly closed the monitor[^:]*): /,
      '',
    )
    .replace(/^\d{4}-[\d-]+T[\d:.]+Z qemu-system-x86_64: /, 'QEMU: ')
    // the text is sanitized and cut when it leaves the launcher, and the remedy must not be what is cut off
    .slice(0, MAX_WORDS);
  if (known) return new Refusal(known.reason, `${short}; ${known.remedy}`);
  return new Refusal('SyncFailed', error instanceof LibvirtError ? `libvirt: ${short} [${error.code}]` : short);
}
