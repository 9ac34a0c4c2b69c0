import { keys } from '../../../api/keys';
import { HOOK_SOCKETS, NETWORK_INFO, paths, xdgEnvironment } from './constants';
import { isGuaranteed, pullPolicyOf } from './input';
import type { RenderInput } from './input';
import { launcherSecurity } from './security';
import { sideResources } from './side-resources';
import type { Container, PodVolume, VolumeMount } from './types';

/** A process that may change the domain before it starts: from the annotation or from a network binding plugin. */
export interface HookSidecar {
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly command?: string[];
  readonly args?: string[];
  readonly configMap?: { readonly name: string; readonly key: string; readonly hookPath: string };
  readonly pvc?: { readonly name: string; readonly volumePath: string; readonly sharedComputePath?: string };
  /** Network binding plugin that the sidecar belongs to. */
  readonly plugin?: string;
  readonly seesNetworkInfo?: boolean;
}

const HOOKS = keys.hookSidecars;

/** The user's sidecars, then those of network binding plugins, each plugin once. */
export const hookSidecars = (input: RenderInput): HookSidecar[] => [...annotated(input), ...bindingPlugins(input)];

/** @throws when the annotation is not a JSON array */
function annotated({ vmi }: RenderInput): HookSidecar[] {
  const text = vmi.metadata.annotations?.[HOOKS];
  if (text === undefined) return [];
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    throw new Error(`annotation ${HOOKS} is not valid JSON: ${(error as Error).message}; write an array of sidecars`);
  }
  if (found === null) return [];
  if (!Array.isArray(found)) throw new Error(`annotation ${HOOKS} must be a JSON array of sidecars`);
  return found.map(({ plugin: _p, seesNetworkInfo: _s, ...sidecar }: HookSidecar) => sidecar);
}

/** @throws when a plugin is not in the configuration */
function bindingPlugins(input: RenderInput): HookSidecar[] {
  const { vmi, config } = input;
  const names = (vmi.spec.domain.devices.interfaces ?? []).flatMap(({ binding }) => (binding ? [binding.name] : []));
  return [...new Set(names)].flatMap((name) => {
    const plugin = config.networkBindings[name];
    if (!plugin) throw new Error(unknownPlugin(name, Object.keys(config.networkBindings)));
    if (!plugin.sidecarImage) return [];
    return [
      {
        image: plugin.sidecarImage,
        imagePullPolicy: pullPolicyOf(input),
        plugin: name,
        seesNetworkInfo: plugin.downwardAPI === 'device-info',
      },
    ];
  });
}

export const unknownPlugin = (name: string, known: readonly string[]): string =>
  `network binding plugin "${name}" is not in the KubeVirt configuration (network.binding); register it or use one of ` +
  (known.join(', ') || 'none');

export function hookContainers(input: RenderInput, sidecars: readonly HookSidecar[]): Container[] {
  const { vmi } = input;
  const resources = sideResources(input, 'sidecar', {
    requests: {},
    // a container without limits would change the QoS class of the whole Pod
    limits: isGuaranteed(vmi) ? { cpu: '200m', memory: '64M' } : {},
  });
  return sidecars.map((sidecar, index) => {
    const name = `hook-sidecar-${index}`;
    const image = sidecar.image || input.sidecarImage;
    return {
      name,
      ...(image && { image }),
      ...(sidecar.imagePullPolicy && { imagePullPolicy: sidecar.imagePullPolicy }),
      ...(sidecar.command?.length && { command: sidecar.command }),
      ...(sidecar.args?.length && { args: sidecar.args }),
      env: [
        ...xdgEnvironment,
        { name: 'CONTAINER_NAME', value: name },
        ...(sidecar.plugin ? [{ name: 'NETWORK_BINDING_PLUGIN_NAME', value: sidecar.plugin }] : []),
      ],
      resources,
      securityContext: launcherSecurity,
      terminationMessagePolicy: 'FallbackToLogsOnError',
      volumeMounts: [{ name: HOOK_SOCKETS, mountPath: paths.hooks, subPath: name }, ...ownMounts(sidecar)],
    };
  });
}

const ownMounts = ({ seesNetworkInfo, configMap, pvc }: HookSidecar): VolumeMount[] => [
  ...(seesNetworkInfo ? [{ name: NETWORK_INFO, mountPath: paths.networkInfo }] : []),
  ...(configMap
    ? [{ name: configMap.name, mountPath: configMap.hookPath, ...(configMap.key && { subPath: configMap.key }) }]
    : []),
  ...(pvc ? [{ name: pvc.name, mountPath: pvc.volumePath }] : []),
];

/** Volumes that only sidecars mount; scripts are executable. */
export function hookVolumes(sidecars: readonly HookSidecar[]): PodVolume[] {
  return sidecars.flatMap(({ configMap, pvc }) => [
    ...(configMap ? [{ name: configMap.name, configMap: { name: configMap.name, defaultMode: 0o755 } }] : []),
    ...(pvc ? [{ name: pvc.name, persistentVolumeClaim: { claimName: pvc.name } }] : []),
  ]);
}

/** Claims of sidecars that the compute container mounts, too. */
export const sharedWithCompute = (sidecars: readonly HookSidecar[]): VolumeMount[] =>
  sidecars.flatMap(({ pvc }) => (pvc?.sharedComputePath ? [{ name: pvc.name, mountPath: pvc.sharedComputePath }] : []));
