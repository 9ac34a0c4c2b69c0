/** Renders the OCI runtime config (`config.json`). Pure: facts about the host are parameters. */

export interface OciMount {
  destination: string;
  type?: string;
  source?: string;
  options?: string[];
}
export interface OciDevice {
  path: string;
  type: 'c' | 'b';
  major: number;
  minor: number;
  fileMode?: number;
  uid?: number;
  gid?: number;
}
export interface DeviceRule {
  allow: boolean;
  type?: 'a' | 'c' | 'b';
  major?: number;
  minor?: number;
  access: string;
}

export interface ContainerLimits {
  /** Thousandths of a core. */
  readonly cpuRequest: number;
  readonly cpuLimit?: number;
  /** Bytes. */
  readonly memoryLimit?: number;
  readonly pids?: number;
}

export interface SpecInput {
  readonly rootfs: string;
  readonly readOnlyRoot: boolean;
  readonly args: readonly string[];
  readonly env: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  readonly user: { readonly uid: number; readonly gid: number; readonly additionalGids: readonly number[] };
  readonly capabilities: readonly string[];
  readonly noNewPrivileges: boolean;
  readonly privileged: boolean;
  readonly unmaskedProc: boolean;
  readonly seccomp?: object;
  readonly oomScoreAdj: number;
  readonly openFiles: number;
  readonly cgroupPath: string;
  readonly limits: ContainerLimits;
  readonly devices: readonly OciDevice[];
  readonly deviceRules: readonly DeviceRule[];
  readonly mounts: readonly OciMount[];
  /** Paths of the Pod's namespaces. Default: the host's. */
  readonly namespaces: {
    readonly network?: string;
    readonly ipc?: string;
    readonly uts?: string;
    /** Default: a PID namespace of its own. */
    readonly pid?: string;
  };
  readonly hostPid: boolean;
  readonly annotations: Record<string, string>;
}

const MASKED = [
  '/proc/asound',
  '/proc/acpi',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/sched_debug',
  '/proc/scsi',
  '/sys/firmware',
];
const READ_ONLY = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

/** File systems of each container, mounted before its volumes. */
function baseMounts(input: SpecInput): OciMount[] {
  const writable = input.privileged ? 'rw' : 'ro';
  // only the owner of the network namespace can mount sysfs; with the host's namespace, /sys is bind-mounted
  const sys: OciMount = input.namespaces.network
    ? { destination: '/sys', type: 'sysfs', source: 'sysfs', options: ['nosuid', 'noexec', 'nodev', writable] }
    : { destination: '/sys', type: 'bind', source: '/sys', options: ['rbind', 'nosuid', 'noexec', 'nodev', writable] };
  return [
    { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
    {
      destination: '/dev',
      type: 'tmpfs',
      source: 'tmpfs',
      options: ['nosuid', 'strictatime', 'mode=755', 'size=65536k'],
    },
    {
      destination: '/dev/pts',
      type: 'devpts',
      source: 'devpts',
      options: ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620', 'gid=5'],
    },
    { destination: '/dev/mqueue', type: 'mqueue', source: 'mqueue', options: ['nosuid', 'noexec', 'nodev'] },
    sys,
    {
      destination: '/sys/fs/cgroup',
      type: 'cgroup',
      source: 'cgroup',
      options: ['nosuid', 'noexec', 'nodev', 'relatime', writable],
    },
  ];
}

export function ociSpec(input: SpecInput): object {
  const capabilities = [...input.capabilities];
  return {
    ociVersion: '1.0.2',
    process: {
      terminal: input.tty,
      user: { uid: input.user.uid, gid: input.user.gid, additionalGids: input.user.additionalGids },
      args: input.args,
      env: input.env,
      cwd: input.cwd,
      // Like CRI runtimes: no inheritable or ambient capabilities. A program keeps an added capability as a user other than
      // root only when its file carries it, on this engine as on any cluster.
      capabilities: { bounding: capabilities, effective: capabilities, permitted: capabilities },
      noNewPrivileges: input.noNewPrivileges,
      oomScoreAdj: input.oomScoreAdj,
      rlimits: [{ type: 'RLIMIT_NOFILE', soft: input.openFiles, hard: input.openFiles }],
    },
    root: { path: input.rootfs, readonly: input.readOnlyRoot },
    mounts: [...baseMounts(input), ...input.mounts],
    annotations: input.annotations,
    linux: {
      cgroupsPath: input.cgroupPath,
      namespaces: [
        { type: 'mount' },
        ...(input.hostPid ? [] : [{ type: 'pid', ...(input.namespaces.pid ? { path: input.namespaces.pid } : {}) }]),
        ...(['network', 'ipc', 'uts'] as const).flatMap((type) => {
          const path = input.namespaces[type];
          return path ? [{ type, path }] : [];
        }),
      ],
      // volumes set their own propagation; mounts in the root must not propagate to the host
      rootfsPropagation: input.mounts.some(({ options }) => options?.includes('rshared')) ? 'rshared' : 'rslave',
      devices: input.devices,
      resources: resourcesOf(input),
      ...(input.privileged || input.unmaskedProc ? {} : { maskedPaths: MASKED, readonlyPaths: READ_ONLY }),
      ...(input.seccomp ? { seccomp: input.seccomp } : {}),
    },
  };
}

const CPU_PERIOD = 100_000;

function resourcesOf({ limits, privileged, deviceRules }: SpecInput): object {
  const { cpuRequest, cpuLimit, memoryLimit, pids } = limits;
  return {
    devices: privileged
      ? [{ allow: true, access: 'rwm' }]
      : [{ allow: false, access: 'rwm' }, ...deviceRules.map((rule) => ({ ...rule }))],
    cpu: {
      shares: Math.max(2, Math.floor((cpuRequest * 1024) / 1000)),
      ...(cpuLimit ? { period: CPU_PERIOD, quota: Math.max(1000, (cpuLimit * CPU_PERIOD) / 1000) } : {}),
    },
    ...(memoryLimit ? { memory: { limit: memoryLimit } } : {}),
    ...(pids ? { pids: { limit: pids } } : {}),
  };
}
