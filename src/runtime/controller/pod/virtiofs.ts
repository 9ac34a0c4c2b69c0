import type { Volume } from '../../../api';
import { paths, QEMU_UID, VIRTIOFS_SOCKETS } from './constants';
import { pullPolicyOf } from './input';
import type { RenderInput } from './input';
import { unprivileged } from './security';
import { sideResources } from './side-resources';
import type { Container } from './types';

/**
 * A virtiofsd container for each volume that is a file system of the guest. A mount that another webhook adds to the
 * launcher (containerPath) is not known here: such a volume gets its container when the Pod is admitted.
 */
export function virtiofsContainers(input: RenderInput): Container[] {
  const names = new Set((input.vmi.spec.domain.devices.filesystems ?? []).map(({ name }) => name));
  if (names.size === 0) return [];
  return (input.vmi.spec.volumes ?? [])
    .filter(({ name, containerPath }) => names.has(name) && !containerPath)
    .map((volume) => virtiofsd(input, volume));
}

function virtiofsd(input: RenderInput, volume: Volume): Container {
  const shared = sharedDirectory(volume);
  return {
    name: `virtiofs-${volume.name}`,
    image: input.launcherImage,
    imagePullPolicy: pullPolicyOf(input),
    command: ['/usr/libexec/virtiofsd'],
    args: [
      `--socket-path=${paths.virtiofs}/${volume.name}.sock`,
      `--shared-dir=${shared}`,
      '--sandbox=none',
      '--cache=auto',
      // a file that cannot migrate must not prevent the guest's migration: on the target, access to it fails
      '--migration-on-error=guest-error',
      '--migration-mode=find-paths',
      // the token is a link in a sticky directory: the guest's root may follow it only if root owns both
      ...(volume.serviceAccount ? [`--translate-uid=host:${QEMU_UID}:0:1`] : []),
    ],
    resources: sideResources(input, 'virtiofs', {
      requests: { cpu: '10m', memory: '1M' },
      limits: { cpu: '100m', memory: '80M' },
    }),
    securityContext: { ...unprivileged, runAsGroup: QEMU_UID },
    volumeMounts: [
      { name: VIRTIOFS_SOCKETS, mountPath: paths.virtiofs },
      // Kubernetes mounts the ServiceAccount's token
      ...(volume.serviceAccount ? [] : [{ name: volume.name, mountPath: shared }]),
    ],
  };
}

function sharedDirectory({ name, configMap, secret, serviceAccount, downwardAPI }: Volume): string {
  if (configMap) return `${paths.configMaps}/${name}`;
  if (secret) return `${paths.secrets}/${name}`;
  if (serviceAccount) return paths.serviceAccount;
  if (downwardAPI) return `${paths.downwardApi}/${name}`;
  return `/${name}`;
}
