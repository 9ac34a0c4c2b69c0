import { quantityValue } from '../../../api/quantity';
import { COMPUTE, paths, QEMU_UID } from './constants';
import type { RenderInput } from './input';
import { podProbe } from './probes';
import { computeResources } from './resources';
import { launcherVerbosity, xdgEnvironment } from './sidecars';
import type { Container, EnvVar } from './types';
import type { VolumeParts } from './volumes';

/** Seconds that the Pod gets beyond the guest's own grace, twice: first the launcher then the kubelet. */
export const GRACE_PADDING = 15;
const DEFAULT_GRACE = 30;
const DEFAULT_VERBOSITY = 2;

export const guestGraceSeconds = ({ vmi }: Pick<RenderInput, 'vmi'>): number =>
  vmi.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE;

/** The container in which launcher, libvirt and QEMU run. */
export function computeContainer(
  input: RenderInput,
  parts: Required<VolumeParts>,
  options: { pullPolicy: string; hookSidecars: number },
): Container {
  const { vmi, launcherImage } = input;
  const livenessProbe = podProbe(vmi, vmi.spec.livenessProbe);
  const readinessProbe = podProbe(vmi, vmi.spec.readinessProbe);
  const ports = portsOf(input);
  return {
    name: COMPUTE,
    image: launcherImage,
    imagePullPolicy: options.pullPolicy,
    command: ['/usr/bin/virt-launcher-monitor'],
    args: launcherArgs(input, options.hookSidecars),
    env: environment(input),
    ...(ports.length > 0 && { ports }),
    ...(livenessProbe && { livenessProbe }),
    ...(readinessProbe && { readinessProbe }),
    resources: computeResources(input),
    securityContext: {
      allowPrivilegeEscalation: false,
      // DHCP for the guest
      capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
      runAsGroup: QEMU_UID,
      runAsNonRoot: true,
      runAsUser: QEMU_UID,
    },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    ...(parts.devices.length > 0 && { volumeDevices: [...parts.devices] }),
    volumeMounts: [...parts.mounts],
  };
}

function launcherArgs(input: RenderInput, hookSidecars: number): string[] {
  const { vmi, config } = input;
  const annotations = vmi.metadata.annotations ?? {};
  const filters = annotations['kubevirt.io/libvirt-log-filters'];
  return [
    ...['--qemu-timeout', '240s'],
    ...['--name', vmi.metadata.name ?? ''],
    ...['--uid', vmi.metadata.uid ?? ''],
    ...['--namespace', vmi.metadata.namespace ?? ''],
    ...['--kubevirt-share-dir', paths.shareDir],
    ...['--ephemeral-disk-dir', paths.ephemeralDisks],
    ...['--container-disk-dir', paths.containerDisks],
    ...['--grace-period-seconds', String(guestGraceSeconds(input) + GRACE_PADDING)],
    ...['--hook-sidecars', String(hookSidecars)],
    ...['--ovmf-path', config.architecture(vmi.spec.architecture).ovmfPath],
    ...['--disk-memory-limit', String(quantityValue(config.diskVerificationMemoryLimit))],
    ...['--hypervisor', 'kvm'],
    '--run-as-nonroot',
    ...(config.hasGate('ImageVolume') ? ['--image-volume'] : []),
    ...(config.hasGate('PodSecondaryInterfaceNamingUpgrade') ? ['--upgrade-ordinal-ifaces'] : []),
    ...(config.hasGate('VGPULiveMigration') ? ['--vgpu-dedicated-hook'] : []),
    ...(config.hasGate('VMStatsCollector') ? ['--vm-stats-collector'] : []),
    ...(config.hasGate('FirmwareAutoSelection') ? ['--firmware-auto-selection'] : []),
    ...(filters ? ['--libvirt-log-filters', filters] : []),
    ...(config.useEmulation ? ['--allow-emulation'] : []),
    ...(annotations['kubevirt.io/keep-launcher-alive-after-failure'] === 'true' ? ['--keep-after-failure'] : []),
  ];
}

function environment({ vmi, config }: RenderInput): EnvVar[] {
  const verbosity = launcherVerbosity(vmi, config.logVerbosity.virtLauncher);
  return [
    ...xdgEnvironment,
    ...(verbosity === String(DEFAULT_VERBOSITY) ? [] : [{ name: 'VIRT_LAUNCHER_LOG_VERBOSITY', value: verbosity }]),
    ...(vmi.metadata.labels?.debugLogs?.toLowerCase() === 'true' ? [{ name: 'LIBVIRT_DEBUG_LOGS', value: '1' }] : []),
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ];
}

function portsOf({ vmi }: RenderInput): NonNullable<Container['ports']> {
  return (vmi.spec.domain.devices.interfaces ?? []).flatMap(({ ports = [] }) =>
    ports.map(({ name, port, protocol = 'TCP' }) => ({ ...(name && { name }), containerPort: port, protocol })),
  );
}
