import type { VirtualMachineInstance } from '../../../api';
import { CONSOLE_LOG, HOOK_SOCKETS, paths, QEMU_UID } from './constants';
import { hasDedicatedCpus, wantsGuaranteed } from './input';
import type { RenderInput } from './input';
import { sideResources } from './resources';
import type { Container, PodVolume } from './types';

/** One entry of the annotation `hooks.kubevirt.io/hookSidecars`. */
export interface HookSidecar {
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly command?: string[];
  readonly args?: string[];
  readonly configMap?: { readonly name: string; readonly key: string; readonly hookPath: string };
  readonly pvc?: { readonly name: string; readonly volumePath: string; readonly sharedComputePath?: string };
}

const HOOKS = 'hooks.kubevirt.io/hookSidecars';

/** @throws when the annotation is no JSON array */
export function hookSidecars({ vmi, config }: RenderInput): HookSidecar[] {
  const text = vmi.metadata.annotations?.[HOOKS];
  if (!text || !config.hasGate('Sidecar')) return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Error(`annotation ${HOOKS} is no JSON: ${(error as Error).message}; write an array of sidecars`);
  }
  if (!Array.isArray(parsed)) throw new Error(`annotation ${HOOKS} must be a JSON array of sidecars`);
  return parsed as HookSidecar[];
}

/** The user's processes that may change the domain before it starts. */
export function hookContainers(input: RenderInput, sidecars: readonly HookSidecar[]): Container[] {
  const isGuaranteed = hasDedicatedCpus(input.vmi) || wantsGuaranteed(input.vmi);
  return sidecars.map((sidecar, index) => {
    const name = `hook-sidecar-${index}`;
    return {
      name,
      ...(sidecar.image && { image: sidecar.image }),
      ...(sidecar.imagePullPolicy && { imagePullPolicy: sidecar.imagePullPolicy }),
      ...(sidecar.command && { command: sidecar.command }),
      ...(sidecar.args && { args: sidecar.args }),
      env: [...xdgEnvironment, { name: 'CONTAINER_NAME', value: name }],
      resources: isGuaranteed
        ? sideResources(input, 'sidecar', { requests: {}, limits: { cpu: '200m', memory: '64M' } })
        : withoutEmpty(sideResources(input, 'sidecar', { requests: {}, limits: {} })),
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        runAsGroup: QEMU_UID,
        runAsNonRoot: true,
        runAsUser: QEMU_UID,
      },
      terminationMessagePolicy: 'FallbackToLogsOnError',
      volumeMounts: [
        { name: HOOK_SOCKETS, mountPath: paths.hooks, subPath: name },
        ...(sidecar.configMap
          ? [{ name: sidecar.configMap.name, mountPath: sidecar.configMap.hookPath, subPath: sidecar.configMap.key }]
          : []),
        ...(sidecar.pvc ? [{ name: sidecar.pvc.name, mountPath: sidecar.pvc.volumePath }] : []),
      ],
    };
  });
}

export function hookVolumes(sidecars: readonly HookSidecar[]): PodVolume[] {
  return sidecars.flatMap(({ configMap, pvc }) => [
    ...(configMap ? [{ name: configMap.name, configMap: { name: configMap.name, defaultMode: 0o755 } }] : []),
    ...(pvc ? [{ name: pvc.name, persistentVolumeClaim: { claimName: pvc.name } }] : []),
  ]);
}

/** Where libvirt and its clients keep their files, without a home directory. */
export const xdgEnvironment = [
  { name: 'XDG_CACHE_HOME', value: paths.privateDir },
  { name: 'XDG_CONFIG_HOME', value: paths.privateDir },
  { name: 'XDG_RUNTIME_DIR', value: '/var/run' },
];

/** `kubectl logs` of this container is the guest's serial console. Undefined when nobody may read it there. */
export function consoleLogContainer(input: RenderInput, launcherPullPolicy: string): Container | undefined {
  const { vmi, config, launcherImage } = input;
  const { autoattachSerialConsole, logSerialConsole } = vmi.spec.domain.devices;
  if (autoattachSerialConsole === false || !(logSerialConsole ?? !config.disableSerialConsoleLog)) return undefined;
  return {
    name: CONSOLE_LOG,
    image: launcherImage,
    imagePullPolicy: launcherPullPolicy,
    command: ['/usr/bin/virt-tail'],
    args: ['--logfile', `${paths.privateDir}/${vmi.metadata.uid}/virt-serial0-log`],
    env: [{ name: 'VIRT_LAUNCHER_LOG_VERBOSITY', value: launcherVerbosity(vmi, config.logVerbosity.virtLauncher) }],
    resources: sideResources(input, 'guest-console-log', {
      requests: { cpu: '5m', memory: '35M' },
      limits: { cpu: '15m', memory: '60M' },
    }),
    restartPolicy: 'Always',
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      runAsNonRoot: true,
      runAsUser: QEMU_UID,
    },
    volumeMounts: [{ name: 'private', mountPath: paths.privateDir, readOnly: true }],
  };
}

/** The label `logVerbosity` of one VMI beats the cluster's. */
export const launcherVerbosity = (vmi: VirtualMachineInstance, cluster: number): string =>
  vmi.metadata.labels?.logVerbosity ?? String(cluster);

function withoutEmpty(resources: object): object {
  return Object.fromEntries(
    Object.entries(resources).filter(([, amounts]) => Object.keys(amounts as object).length > 0),
  );
}
