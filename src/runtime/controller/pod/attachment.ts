import { keys } from '../../../api/keys';
import type { ClusterConfig } from '../../../api/cluster-config';
import type { core, VirtualMachineInstance, Volume } from '../../../api';
import { suffixOf } from '../../../api/launcher-name';
import { namedClaim } from './claims';
import type { ClaimInfo } from './claims';
import { HOTPLUG_DISKS, QEMU_UID } from './constants';
import { controllerOf } from './metadata';
import { configuredSizes } from './side-resources';
import type { Container, Pod } from './types';
import { scratch } from './volumes';

/** What an attachment Pod is made from. */
export interface AttachmentInput {
  readonly vmi: VirtualMachineInstance;
  readonly config: ClusterConfig;
  readonly launcherImage: string;
  /** The running launcher Pod: the attachment goes to its node and ends with it. */
  readonly launcherPod: Pod;
  /** The volumes to plug in, all that are plugged in at that time. */
  readonly volumes: readonly Volume[];
  /** Their claims, by name. A volume whose claim is not here is named in the Pod and not shown to its container. */
  readonly claims: ReadonlyMap<string, ClaimInfo>;
}

const NAME = 'hotplug-disk';

/**
 * A Pod that only makes the kubelet bring volumes to the node of a running guest; the handler takes them from there.
 * Its name follows from launcher and volumes: another set of volumes is another Pod.
 */
export function renderAttachmentPod(input: AttachmentInput): Pod {
  const { vmi, launcherPod } = input;
  const attached = input.volumes.flatMap((volume) => {
    const claimName = namedClaim(volume);
    return claimName ? [{ name: volume.name, claimName }] : [];
  });
  const seed = [launcherPod.metadata.uid, ...attached.map(({ name, claimName }) => `${name}=${claimName}`)].join('/');
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `hp-volume-${suffixOf(seed)}`,
      namespace: vmi.metadata.namespace,
      labels: { 'kubevirt.io': NAME },
      annotations: {
        [keys.ownerVmiName]: vmi.metadata.name ?? '',
        [keys.ownerVmiUid]: vmi.metadata.uid ?? '',
      },
      ownerReferences: [controllerOf('v1', 'Pod', launcherPod.metadata.name, launcherPod.metadata.uid)],
    },
    spec: {
      affinity: onNode(launcherPod.spec.nodeName ?? ''),
      containers: [container(input, attached)],
      terminationGracePeriodSeconds: 0,
      tolerations: tolerations(launcherPod.spec.tolerations),
      volumes: [
        scratch(HOTPLUG_DISKS),
        ...attached.map(({ name, claimName }) => ({ name, persistentVolumeClaim: { claimName } })),
      ],
    },
  };
}

/** Holds the volumes: catatonit waits to be ended. */
function container(
  { vmi, config, launcherImage, claims }: AttachmentInput,
  attached: readonly { name: string; claimName: string }[],
): Container {
  const { limits, requests } = configuredSizes(config, 'hotplug-disk', {
    requests: { cpu: '10m', memory: '2M' },
    limits: { cpu: '100m', memory: '80M' },
  });
  const known = attached.filter(({ claimName }) => claims.has(claimName));
  const isBlock = ({ claimName }: { claimName: string }): boolean => claims.get(claimName)?.volumeMode === 'Block';
  const devices = known.filter(isBlock);
  // once the guest has it, the handler's own mount is what counts
  const isTaken = (name: string): boolean =>
    vmi.status?.volumeStatus?.some(
      (status) =>
        status.name === name && status.hotplugVolume && ['Ready', 'MountedToPod'].includes(status.phase ?? ''),
    ) ?? false;
  const mounts = known.filter((volume) => !isBlock(volume) && !isTaken(volume.name));
  const type = config.raw.selinuxLauncherType;
  return {
    name: NAME,
    image: launcherImage,
    command: ['/usr/bin/container-disk'],
    args: ['-P'],
    resources: { limits: { ...limits }, requests: { ...requests } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      runAsNonRoot: true,
      runAsUser: QEMU_UID,
      seccompProfile: { type: 'RuntimeDefault' },
      seLinuxOptions: { ...(type && { type }), level: selinuxLevel(vmi) },
    },
    ...(devices.length > 0 && {
      volumeDevices: devices.map(({ name, claimName }) => ({
        name,
        devicePath: `/path/${name}/${claims.get(claimName)?.uid ?? ''}`,
      })),
    }),
    volumeMounts: [
      { name: HOTPLUG_DISKS, mountPath: '/path', mountPropagation: 'HostToContainer' },
      ...mounts.map(({ name }) => ({ name, mountPath: `/${name}` })),
    ],
  };
}

/** That of the launcher, or of the one that the guest left: its files must be reachable from there. */
function selinuxLevel({ status }: VirtualMachineInstance): string {
  const context = status?.selinuxContext || status?.migrationState?.sourceState?.selinuxContext || '';
  return context.split(':').slice(3).join(':') || 's0';
}

const onNode = (node: string): core.Affinity => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] }],
    },
  },
});

/** Whatever has happened to the node since the guest came: it is there, and its disk must come too. */
const TROUBLES = ['unschedulable', 'network-unavailable', 'disk-pressure', 'memory-pressure', 'pid-pressure'];

function tolerations(own: readonly core.Toleration[] = []): core.Toleration[] {
  const troubles = TROUBLES.map((name): core.Toleration => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists',
    effect: 'NoSchedule',
  }));
  const all = [...troubles, ...own].sort((a, b) => compare(a.key ?? '', b.key ?? ''));
  const seen = new Set<string>();
  return all.filter(({ key, operator, value, effect, tolerationSeconds }) => {
    const text = JSON.stringify([key, operator, value, effect, tolerationSeconds]);
    return !seen.has(text) && seen.add(text);
  });
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
