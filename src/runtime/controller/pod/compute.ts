import { keys } from '../../../api/keys';
import { quantityValue } from '../../../api/quantity';
import type { VirtualMachineInstance } from '../../../api';
import type { ParsedQuantity } from '../../../api/quantity';
import { COMPUTE, paths, xdgEnvironment } from './constants';
import { hypervisorOf } from './devices';
import { pullPolicyOf } from './input';
import type { RenderInput } from './input';
import { podProbe } from './probes';
import { computeResources } from './resources';
import { computeSecurity } from './security';
import type { Container, EnvVar } from './types';
import { EXTENSIVE_VERBOSITY, hasLabelTrue, verbosityOf } from './verbosity';
import type { VolumeParts } from './volumes';

/** Seconds that the Pod gets in addition to the guest's grace period, twice: for the launcher, then for the kubelet. */
export const GRACE_PADDING = 15;
const DEFAULT_GRACE = 30;
const DEFAULT_VERBOSITY = 2;

export const guestGraceSeconds = ({ vmi }: Pick<RenderInput, 'vmi'>): number =>
  vmi.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE;

/** The container in which launcher, libvirt and QEMU run. */
export function computeContainer(
  input: RenderInput,
  parts: Required<VolumeParts>,
  options: { overhead: ParsedQuantity; hookSidecars: number },
): Container {
  const { vmi, config, launcherImage } = input;
  const livenessProbe = podProbe(vmi, vmi.spec.livenessProbe);
  const readinessProbe = podProbe(vmi, vmi.spec.readinessProbe);
  const ports = portsOf(input);
  return {
    name: COMPUTE,
    image: launcherImage,
    imagePullPolicy: pullPolicyOf(input),
    command: [
      '/usr/bin/virt-launcher-monitor',
      ...(config.hasGate('CrossArchitectureVirtualization') ? ['--allow-cross-arch-emulation'] : []),
    ],
    args: launcherArgs(input, options.hookSidecars),
    env: environment(input, parts.shared),
    ...(ports.length > 0 && { ports }),
    ...(livenessProbe && { livenessProbe }),
    ...(readinessProbe && { readinessProbe }),
    resources: computeResources(input, options.overhead),
    securityContext: computeSecurity,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    ...(parts.devices.length > 0 && { volumeDevices: [...parts.devices] }),
    volumeMounts: [...parts.mounts],
  };
}

function launcherArgs(input: RenderInput, hookSidecars: number): string[] {
  const { vmi, config } = input;
  const annotations = vmi.metadata.annotations ?? {};
  const filters = annotations[keys.libvirtLogFilters];
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
    ...['--hypervisor', hypervisorOf(input)],
    '--run-as-nonroot',
    ...(config.hasGate('ImageVolume') ? ['--image-volume'] : []),
    ...(config.hasGate('PodSecondaryInterfaceNamingUpgrade') ? ['--upgrade-ordinal-ifaces'] : []),
    ...(config.hasGate('VGPULiveMigration') ? ['--vgpu-dedicated-hook'] : []),
    ...(config.hasGate('VMStatsCollector') ? ['--vm-stats-collector'] : []),
    ...(config.hasGate('FirmwareAutoSelection') ? ['--firmware-auto-selection'] : []),
    ...(filters !== undefined ? ['--libvirt-log-filters', filters] : []),
    ...(config.useEmulation ? ['--allow-emulation'] : []),
    ...(outlivesFailure(vmi) ? ['--keep-after-failure'] : []),
    ...(keys.failFast in annotations ? ['--simulate-crash'] : []),
  ];
}

/** The annotation may have a suffix, and it applies without a value, too. */
const outlivesFailure = ({ metadata }: VirtualMachineInstance): boolean =>
  Object.entries(metadata.annotations ?? {}).some(
    ([key, value]) => key.startsWith(keys.keepLauncherAlive) && (value === '' || value.startsWith('true')),
  );

function environment({ vmi, config }: RenderInput, shared: readonly string[]): EnvVar[] {
  const verbosity = verbosityOf(vmi, config);
  const isVerbose = verbosity.level > EXTENSIVE_VERBOSITY;
  const isConfigured = verbosity.isOfVmi || verbosity.level !== DEFAULT_VERBOSITY;
  return [
    ...xdgEnvironment,
    ...(shared.length > 0 ? [{ name: 'SHARED_FILESYSTEM_PATHS', value: shared.join(':') }] : []),
    ...(isConfigured ? [{ name: 'VIRT_LAUNCHER_LOG_VERBOSITY', value: verbosity.text }] : []),
    ...(isVerbose || hasLabelTrue(vmi, 'debugLogs') ? [{ name: 'LIBVIRT_DEBUG_LOGS', value: '1' }] : []),
    ...(isVerbose || hasLabelTrue(vmi, 'virtiofsdDebugLogs') ? [{ name: 'VIRTIOFSD_DEBUG_LOGS', value: '1' }] : []),
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ];
}

function portsOf({ vmi }: RenderInput): NonNullable<Container['ports']> {
  return (vmi.spec.domain.devices.interfaces ?? []).flatMap(({ ports = [] }) =>
    ports.map(({ name, port, protocol }) => ({
      ...(name && { name }),
      containerPort: port,
      protocol: protocol || 'TCP',
    })),
  );
}
