import { COMPUTE, QEMU_UID } from './constants';
import type { RenderInput } from './input';
import type { Container, ContainerSecurityContext, PodSpec } from './types';

/**
 * Security context of every container except compute. None ever runs as root, even with the gate Root: nothing in our
 * launcher needs root, and code that escapes from a guest must not have it.
 */
export const unprivileged: ContainerSecurityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  runAsUser: QEMU_UID,
};

/** Security context of containers that share the launcher's files. */
export const launcherSecurity: ContainerSecurityContext = { ...unprivileged, runAsGroup: QEMU_UID };

/** Security context of the compute container, which binds the low port of DHCP. */
export const computeSecurity: ContainerSecurityContext = {
  ...launcherSecurity,
  capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
};

/** Security context of Pods that fill, copy or serve claims, with the user of launchers, which open the disks. */
export const workerPodSecurity: PodSpec['securityContext'] = {
  fsGroup: QEMU_UID,
  runAsGroup: QEMU_UID,
  runAsNonRoot: true,
  runAsUser: QEMU_UID,
  seccompProfile: { type: 'RuntimeDefault' },
};

export function podSecurity(input: RenderInput): PodSpec['securityContext'] {
  const { selinuxLauncherType } = input.config.raw;
  return {
    fsGroup: QEMU_UID,
    runAsGroup: QEMU_UID,
    runAsNonRoot: true,
    runAsUser: QEMU_UID,
    ...seccomp(input),
    ...(selinuxLauncherType && { seLinuxOptions: { type: selinuxLauncherType } }),
  };
}

/** Without a configured profile, only the policy `restricted` requires one, as it does of every Pod. */
function seccomp({ config, isRestricted = false }: RenderInput): {
  seccompProfile?: { type: string; localhostProfile?: string };
} {
  const profile = config.raw.seccompConfiguration?.virtualMachineInstanceProfile?.customProfile;
  if (profile?.localhostProfile !== undefined) {
    return { seccompProfile: { type: 'Localhost', localhostProfile: profile.localhostProfile } };
  }
  return (profile?.runtimeDefaultProfile ?? isRestricted) ? { seccompProfile: { type: 'RuntimeDefault' } } : {};
}

/** Docker gives each container its own SELinux categories; without them, the launcher can access all files. */
export function withoutCategories({ config }: RenderInput, containers: readonly Container[]): Container[] {
  if (!config.hasGate('DockerSELinuxMCSWorkaround')) return [...containers];
  const type = config.raw.selinuxLauncherType;
  return containers.map((container) =>
    container.name === COMPUTE
      ? container
      : {
          ...container,
          securityContext: { ...container.securityContext, seLinuxOptions: { ...(type && { type }), level: 's0' } },
        },
  );
}
