import { readFileSync } from 'node:fs';

/** Linux capabilities by bit, as `capability.h` numbers them. */
const NAMES = (
  'CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE ' +
  'NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN ' +
  'SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE ' +
  'MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE'
).split(' ');

/** Default capabilities of containers, the same as in containerd, CRI-O and Docker. */
const DEFAULTS = (
  'CHOWN DAC_OVERRIDE FSETID FOWNER MKNOD NET_RAW SETGID SETUID SETFCAP SETPCAP NET_BIND_SERVICE SYS_CHROOT KILL ' +
  'AUDIT_WRITE'
).split(' ');

const bare = (name: string): string => name.toUpperCase().replace(/^CAP_/, '');

/**
 * Capabilities of a container, with the CAP_ prefix. `ALL` in add or drop means all; `available` are those that this
 * process may grant (the runtime fails if more are requested).
 */
export function capabilitiesOf(
  wanted: { add?: readonly string[]; drop?: readonly string[] } | undefined,
  privileged: boolean,
  available: ReadonlySet<string>,
): string[] {
  const add = (wanted?.add ?? []).map(bare);
  const drop = (wanted?.drop ?? []).map(bare);
  const all = privileged || add.includes('ALL');
  const base = all ? NAMES : drop.includes('ALL') ? [] : DEFAULTS;
  const kept = privileged ? base : base.filter((name) => !drop.includes(name));
  return [...new Set([...kept, ...add.filter((name) => name !== 'ALL')])]
    .filter((name) => available.has(name))
    .map((name) => `CAP_${name}`);
}

/** Capabilities in the bounding set of this process. */
export function availableCapabilities(status = readFileSync('/proc/self/status', 'utf8')): Set<string> {
  const mask = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  return new Set(NAMES.filter((_, bit) => (mask >> BigInt(bit)) & 1n));
}
