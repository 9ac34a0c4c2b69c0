import type { VirtualMachineInstance } from '../../../api';
import { COMPUTE, QEMU_UID } from './constants';
import { isNonRoot } from './input';
import type { RenderInput } from './input';
import type { Container, ContainerSecurityContext, PodSpec } from './types';

/** For containers that are never root, whatever the launcher is. */
export const unprivileged: ContainerSecurityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  runAsUser: QEMU_UID,
};

/** Of the compute container. Binding low ports is for DHCP; root also places its threads on CPUs. */
export const computeSecurity = (vmi: VirtualMachineInstance): ContainerSecurityContext =>
  isNonRoot(vmi)
    ? { ...unprivileged, capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] }, runAsGroup: QEMU_UID }
    : { capabilities: { add: ['NET_BIND_SERVICE', 'SYS_NICE'] }, runAsNonRoot: false, runAsUser: 0 };

/** Of containers that run as the launcher does. */
export const launcherSecurity = (
  vmi: VirtualMachineInstance,
  capabilities?: ContainerSecurityContext['capabilities'],
): ContainerSecurityContext =>
  isNonRoot(vmi)
    ? { ...unprivileged, runAsGroup: QEMU_UID }
    : { ...(capabilities && { capabilities }), runAsNonRoot: false, runAsUser: 0 };

export function podSecurity(input: RenderInput): PodSpec['securityContext'] {
  const { vmi, config } = input;
  return {
    // containers of file systems are not root and write to the same claims
    fsGroup: QEMU_UID,
    ...(isNonRoot(vmi) ? { runAsGroup: QEMU_UID, runAsNonRoot: true, runAsUser: QEMU_UID } : { runAsUser: 0 }),
    ...seccomp(input),
    ...(config.raw.selinuxLauncherType && { seLinuxOptions: { type: config.raw.selinuxLauncherType } }),
  };
}

function seccomp({ config }: RenderInput): { seccompProfile?: { type: string; localhostProfile?: string } } {
  const profile = config.raw.seccompConfiguration?.virtualMachineInstanceProfile?.customProfile;
  if (profile?.localhostProfile !== undefined) {
    return { seccompProfile: { type: 'Localhost', localhostProfile: profile.localhostProfile } };
  }
  return profile?.runtimeDefaultProfile ? { seccompProfile: { type: 'RuntimeDefault' } } : {};
}

/** Docker gives each container SELinux categories of its own; without them, the launcher reaches all. */
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
