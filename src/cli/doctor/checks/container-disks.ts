import { clusterConfig } from '../../../api';
import { mountsImageVolumes } from '../../../runtime/controller/pod/image-volume-support';
import type { Node } from '../../../local/core-v1';
import { error, type Check, type Finding } from '../finding';
import type { Facts } from '../facts';
import { hasOwnOperator, isInstalled } from '../platform';
import { compareVersions, parseVersion } from '../versions';
import { grouped, nameOf, subjectOf } from '../words';
import { guestNodes } from './nodes';

/** Container disks on nodes: image volumes, or images that containers beside the guest hold. */
export const containerDisks: Check = {
  name: 'container-disks',
  reads: ['server', 'nodes', 'kubeVirts', 'deployments', 'daemonSets'],
  find,
};

/** First versions of container runtimes that mount image volumes. */
const FIRST_RUNTIMES = { containerd: '2.1', 'cri-o': '1.31' } as const;
/** Directories in which runtimes unpack images, where side containers are used. */
const IMAGE_DIRECTORIES = { containerd: '/run/containerd', 'cri-o': '/var/lib/containers/storage' } as const;
/** Distributions with a runtime of their own. */
const OWN_RUNTIME = /\+(k3s|rke2)/;
const OWN_DIRECTORY = '/run/k3s/containerd';

function find(facts: Facts): Finding[] {
  const { server, kubeVirts = [], nodes } = facts;
  if (server === undefined || !nodes || !isInstalled(facts)) return [];
  const guests = guestNodes(facts);
  const config = clusterConfig(kubeVirts[0]);
  const versions = [server, ...guests.map(kubeletOf)];
  const isNamed = config.namedGates.includes('ImageVolume');
  const usesVolumes = config.hasGate('ImageVolume') && (isNamed || versions.every(mountsImageVolumes));
  return usesVolumes ? runtimesWithoutVolumes(guests) : nodesWithoutDirectory(facts, guests);
}

const kubeletOf = ({ status }: Node): string => status?.nodeInfo?.kubeletVersion ?? '';

/** Runtime of a node: `containerd://1.7.24` as name and version. */
function runtimeOf({ status }: Node): { name: string; version: string } {
  const [name = '', version = ''] = (status?.nodeInfo?.containerRuntimeVersion ?? '').split('://', 2);
  return { name, version };
}

const isKnown = (name: string): name is keyof typeof FIRST_RUNTIMES => Object.hasOwn(FIRST_RUNTIMES, name);

function runtimesWithoutVolumes(guests: readonly Node[]): Finding[] {
  const old = guests.flatMap((node) => {
    const { name, version } = runtimeOf(node);
    const [found, first] = [parseVersion(version), isKnown(name) ? parseVersion(FIRST_RUNTIMES[name]) : undefined];
    return found && first && compareVersions(found, first) < 0
      ? [{ node: nameOf(node), runtime: `${name} ${version}` }]
      : [];
  });
  return [...grouped(old, ({ runtime }) => runtime)].map(([runtime, of]) =>
    error(
      subjectOf(
        'Node',
        of.map(({ node }) => node),
      ),
      `${runtime} does not support image volumes, so VMs with container disks do not start there`,
      'upgrade it to containerd 2.1 or CRI-O 1.31, or disable the feature gate ImageVolume of the KubeVirt object, so that side containers are used',
    ),
  );
}

/** virt-handler finds unpacked images only in directories that are mounted into its Pod. */
function nodesWithoutDirectory(facts: Facts, guests: readonly Node[]): Finding[] {
  if (!hasOwnOperator(facts)) return [];
  const handler = facts.daemonSets?.find((each) => nameOf(each) === 'virt-handler');
  const mounts = handler?.spec?.template?.spec?.containers?.[0]?.volumeMounts;
  if (!mounts) return [];
  const directoryOf = (node: Node): string | undefined => {
    const { name } = runtimeOf(node);
    if (OWN_RUNTIME.test(kubeletOf(node))) return OWN_DIRECTORY;
    return isKnown(name) ? IMAGE_DIRECTORIES[name] : undefined;
  };
  const lacking = guests.flatMap((node) => {
    const directory = directoryOf(node);
    return directory && !mounts.some(({ mountPath }) => mountPath === directory)
      ? [{ node: nameOf(node), directory }]
      : [];
  });
  return [...grouped(lacking, ({ directory }) => directory)].map(([directory, of]) =>
    error(
      subjectOf(
        'Node',
        of.map(({ node }) => node),
      ),
      `its runtime unpacks images in ${directory}, which virt-handler does not see, so VMs with container disks do not start there`,
      `add "${directory}" to runtimeDirectories of VirtPlatform`,
    ),
  );
}
