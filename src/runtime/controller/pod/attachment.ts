import { keys } from '../../../api/keys';
import type { ClusterConfig } from '../../../api/cluster-config';
import type { core, VirtualMachineInstance, Volume } from '../../../api';
import { ATTACHMENT, attachmentPodName } from '../../../api/attachment-name';
import { onNode } from './affinity';
import { namedClaim } from './claims';
import type { ClaimInfo } from './claims';
import { HOTPLUG_DISKS } from './constants';
import { controllerOf } from './metadata';
import { unprivileged } from './security';
import { configuredSizes } from './side-resources';
import type { Container, Pod } from './types';
import { scratch } from './volumes';

/** Input for an attachment Pod. */
export interface AttachmentInput {
  readonly vmi: VirtualMachineInstance;
  readonly config: ClusterConfig;
  readonly launcherImage: string;
  /** The running launcher Pod: the attachment Pod runs on its node and is deleted with it. */
  readonly launcherPod: Pod;
  /** Volumes that will be hotplugged. */
  readonly volumes: readonly Volume[];
  /** Claims by name. The Pod lists a volume whose claim is not in the map, but its container does not mount it. */
  readonly claims: ReadonlyMap<string, ClaimInfo>;
}

/**
 * A Pod whose only purpose is that the kubelet mounts volumes on the node of a running guest, where the handler uses them.
 * Its name is derived from launcher and volumes: a different set of volumes is a different Pod.
 */
export function renderAttachmentPod(input: AttachmentInput): Pod {
  const { vmi, launcherPod } = input;
  const attached = input.volumes.flatMap((volume) => {
    const claimName = namedClaim(volume);
    return claimName ? [{ name: volume.name, claimName }] : [];
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: attachmentPodName(launcherPod.metadata.uid, attached),
      namespace: vmi.metadata.namespace,
      labels: { 'kubevirt.io': ATTACHMENT },
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

/** Container that holds the volumes: catatonit waits until it is stopped. */
function container(
  { vmi, config, launcherImage, claims }: AttachmentInput,
  attached: readonly { name: string; claimName: string }[],
): Container {
  const { limits, requests } = configuredSizes(config, ATTACHMENT, {
    requests: { cpu: '10m', memory: '2M' },
    limits: { cpu: '100m', memory: '80M' },
  });
  const known = attached.filter(({ claimName }) => claims.has(claimName));
  const isBlock = ({ claimName }: { claimName: string }): boolean => claims.get(claimName)?.volumeMode === 'Block';
  const devices = known.filter(isBlock);
  // once the guest has the volume, it uses the handler's own mount
  const isTaken = (name: string): boolean =>
    vmi.status?.volumeStatus?.some(
      (status) =>
        status.name === name && status.hotplugVolume && ['Ready', 'MountedToPod'].includes(status.phase ?? ''),
    ) ?? false;
  const mounts = known.filter((volume) => !isBlock(volume) && !isTaken(volume.name));
  const type = config.raw.selinuxLauncherType;
  return {
    name: ATTACHMENT,
    image: launcherImage,
    command: ['/usr/bin/container-disk'],
    args: ['-P'],
    resources: { limits: { ...limits }, requests: { ...requests } },
    securityContext: {
      ...unprivileged,
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

/** Level of the launcher, or of the migration's source: its files must be accessible from there. */
function selinuxLevel({ status }: VirtualMachineInstance): string {
  const context = status?.selinuxContext || status?.migrationState?.sourceState?.selinuxContext || '';
  return context.split(':').slice(3).join(':') || 's0';
}

/** Tolerates problems of the node that began after the guest was placed: the guest runs there and needs its disk. */
const PROBLEMS = ['unschedulable', 'network-unavailable', 'disk-pressure', 'memory-pressure', 'pid-pressure'];

function tolerations(own: readonly core.Toleration[] = []): core.Toleration[] {
  const ofProblems = PROBLEMS.map((name): core.Toleration => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists',
    effect: 'NoSchedule',
  }));
  const all = [...ofProblems, ...own].sort((a, b) => compare(a.key ?? '', b.key ?? ''));
  const seen = new Set<string>();
  return all.filter(({ key, operator, value, effect, tolerationSeconds }) => {
    const text = JSON.stringify([key, operator, value, effect, tolerationSeconds]);
    return !seen.has(text) && seen.add(text);
  });
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
