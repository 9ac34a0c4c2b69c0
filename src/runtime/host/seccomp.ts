/**
 * Profile `RuntimeDefault`: forbids system calls that containers do not need and that had kernel vulnerabilities. A deny
 * list instead of Docker's allow list, so that new system calls of a new libc work. As in Docker's profile, a capability
 * allows the calls that it guards.
 */
const GUARDED: Record<string, readonly string[]> = {
  CAP_SYS_ADMIN: [
    'bpf',
    'fanotify_init',
    'fsconfig',
    'fsmount',
    'fsopen',
    'fspick',
    'lookup_dcookie',
    'mount',
    'mount_setattr',
    'move_mount',
    'name_to_handle_at',
    'open_tree',
    'perf_event_open',
    'pivot_root',
    'quotactl',
    'quotactl_fd',
    'setdomainname',
    'sethostname',
    'setns',
    'swapoff',
    'swapon',
    'umount',
    'umount2',
    'unshare',
  ],
  CAP_SYS_BOOT: ['reboot'],
  CAP_SYS_CHROOT: ['chroot'],
  CAP_SYS_MODULE: ['create_module', 'delete_module', 'finit_module', 'init_module', 'query_module'],
  CAP_SYS_PACCT: ['acct'],
  CAP_SYS_PTRACE: ['kcmp', 'process_madvise'],
  CAP_SYS_RAWIO: ['ioperm', 'iopl'],
  CAP_SYS_TIME: ['clock_adjtime64', 'clock_settime', 'clock_settime64', 'settimeofday', 'stime'],
  CAP_SYS_NICE: ['mbind', 'migrate_pages', 'move_pages', 'set_mempolicy'],
  CAP_SYSLOG: ['syslog'],
  CAP_DAC_READ_SEARCH: ['open_by_handle_at'],
};
const ALWAYS = [
  'add_key',
  'keyctl',
  'request_key',
  'kexec_file_load',
  'kexec_load',
  'nfsservctl',
  'get_kernel_syms',
  'io_uring_enter',
  'io_uring_register',
  'io_uring_setup',
  'userfaultfd',
  'uselib',
  'ustat',
  'sysfs',
  '_sysctl',
  'vm86',
  'vm86old',
];
const EPERM = 1;
/** CLONE_NEW{NS,CGROUP,UTS,IPC,USER,PID,NET} */
const NEW_NAMESPACES = 0x7e020000;

/**
 * The profile for a container with these capabilities.
 *
 * @param allowed - system calls that the profile does not forbid
 */
export function runtimeDefaultSeccomp(capabilities: readonly string[], allowed: readonly string[] = []): object {
  const has = new Set(capabilities);
  const refused = Object.entries(GUARDED).flatMap(([capability, calls]) => (has.has(capability) ? [] : calls));
  const forbidden = [...ALWAYS, ...refused].filter((name) => !allowed.includes(name));
  const clone = has.has('CAP_SYS_ADMIN')
    ? []
    : [
        // crun requires one rule per bit mask, so that any of the flags matches
        ...bits(NEW_NAMESPACES).map((bit) => ({
          names: ['clone'],
          action: 'SCMP_ACT_ERRNO',
          errnoRet: EPERM,
          args: [{ index: 0, value: bit, valueTwo: bit, op: 'SCMP_CMP_MASKED_EQ' }],
        })),
        // seccomp cannot read its flags behind a pointer: ENOSYS makes libc use clone
        { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: 38 },
      ];
  return {
    defaultAction: 'SCMP_ACT_ALLOW',
    architectures: ['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86', 'SCMP_ARCH_X32', 'SCMP_ARCH_AARCH64', 'SCMP_ARCH_ARM'].filter(
      (name) => (process.arch === 'arm64') === /A(ARCH64|RM)$/.test(name),
    ),
    syscalls: [{ names: forbidden, action: 'SCMP_ACT_ERRNO', errnoRet: EPERM }, ...clone],
  };
}

const bits = (mask: number): number[] =>
  Array.from({ length: 31 }, (_, index) => 2 ** index).filter((bit) => (mask & bit) !== 0);
