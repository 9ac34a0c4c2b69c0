import * as baseline from './baseline';
import { PodLike, Rule } from './baseline';
import * as restricted from './restricted';
import { Violation } from './words';

export type Level = 'privileged' | 'baseline' | 'restricted';

/** A level as of a minor version of Kubernetes. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: number | 'latest';
}

/** One check as of a minor version; a later entry of the same name replaces it. */
interface Check {
  readonly name: string;
  readonly level: 'baseline' | 'restricted';
  readonly since: number;
  readonly rule: Rule;
  /** Weaker check that this one replaces in its level. */
  readonly replaces?: string;
}

const relaxed =
  (rule: Rule, unless: (pod: PodLike) => boolean): Rule =>
  (pod) =>
    unless(pod) ? undefined : rule(pod);
const onWindows = ({ spec }: PodLike): boolean => spec.os?.name === 'windows';
const inUserNamespace = ({ spec }: PodLike): boolean => spec.hostUsers === false;

const SELINUX = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
const SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const SYSCTLS_27 = [...SYSCTLS, 'net.ipv4.ip_local_reserved_ports'];
const KEEPALIVE = ['keepalive_time', 'fin_timeout', 'keepalive_intvl', 'keepalive_probes'];
const SYSCTLS_29 = [...SYSCTLS_27, ...KEEPALIVE.map((name) => `net.ipv4.tcp_${name}`)];
const SYSCTLS_32 = [...SYSCTLS_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

const of = (level: Check['level'], name: string, since: number, rule: Rule, replaces?: string): Check => ({
  level,
  name,
  since,
  rule,
  replaces,
});

/** Checks in the order in which messages report them. */
const CHECKS: readonly Check[] = [
  of('baseline', 'appArmorProfile', 0, baseline.appArmor),
  of('baseline', 'capabilities_baseline', 0, baseline.capabilities),
  of('baseline', 'hostNamespaces', 0, baseline.hostNamespaces),
  of('baseline', 'hostPathVolumes', 0, baseline.hostPathVolumes),
  of('baseline', 'hostPorts', 0, baseline.hostPorts),
  of('baseline', 'hostProbesAndHostLifecycle', 34, baseline.hostProbes),
  of('baseline', 'privileged', 0, baseline.privileged),
  of('baseline', 'procMount', 0, baseline.procMount),
  of('baseline', 'procMount', 35, relaxed(baseline.procMount, inUserNamespace)),
  of('baseline', 'seLinuxOptions', 0, baseline.seLinux(SELINUX)),
  of('baseline', 'seLinuxOptions', 31, baseline.seLinux([...SELINUX, 'container_engine_t'])),
  of('baseline', 'seccompProfile_baseline', 0, baseline.seccompAnnotations),
  of('baseline', 'seccompProfile_baseline', 19, baseline.seccomp),
  of('baseline', 'sysctls', 0, baseline.sysctls(SYSCTLS)),
  of('baseline', 'sysctls', 27, baseline.sysctls(SYSCTLS_27)),
  of('baseline', 'sysctls', 29, baseline.sysctls(SYSCTLS_29)),
  of('baseline', 'sysctls', 32, baseline.sysctls(SYSCTLS_32)),
  of('baseline', 'windowsHostProcess', 0, baseline.windowsHostProcess),
  of('restricted', 'allowPrivilegeEscalation', 8, restricted.privilegeEscalation),
  of('restricted', 'allowPrivilegeEscalation', 25, relaxed(restricted.privilegeEscalation, onWindows)),
  of('restricted', 'capabilities_restricted', 22, restricted.droppedCapabilities, 'capabilities_baseline'),
  of(
    'restricted',
    'capabilities_restricted',
    25,
    relaxed(restricted.droppedCapabilities, onWindows),
    'capabilities_baseline',
  ),
  of('restricted', 'procMount_restricted', 35, baseline.procMount, 'procMount'),
  of('restricted', 'restrictedVolumes', 0, restricted.volumeTypes, 'hostPathVolumes'),
  of('restricted', 'runAsNonRoot', 0, restricted.nonRoot),
  of('restricted', 'runAsNonRoot', 35, relaxed(restricted.nonRoot, inUserNamespace)),
  of('restricted', 'runAsUser', 23, restricted.nonRootUser),
  of('restricted', 'runAsUser', 35, relaxed(restricted.nonRootUser, inUserNamespace)),
  of('restricted', 'seccompProfile_restricted', 19, restricted.requiredSeccomp, 'seccompProfile_baseline'),
  of(
    'restricted',
    'seccompProfile_restricted',
    25,
    relaxed(restricted.requiredSeccomp, onWindows),
    'seccompProfile_baseline',
  ),
];

/** Violations of a level by a Pod, in Kubernetes' order and words. */
export function violationsOf(pod: PodLike, { level, version }: LevelVersion): Violation[] {
  if (level === 'privileged') return [];
  const valid = new Map<string, Check>();
  for (const check of CHECKS) {
    const applies = level === 'restricted' || check.level === 'baseline';
    if (applies && (version === 'latest' || check.since <= version)) valid.set(check.name, check);
  }
  for (const { replaces } of [...valid.values()]) if (replaces) valid.delete(replaces);
  return [...valid.values()].flatMap(({ rule }) => rule(pod) ?? []);
}
