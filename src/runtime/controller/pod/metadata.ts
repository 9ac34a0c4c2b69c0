import { keys } from '../../../api/keys';
import { createHash } from 'node:crypto';
import type { OwnerReference, VirtualMachineInstance } from '../../../api';
import { launcherPodName } from '../../../api/launcher-name';
import { COMPUTE } from './constants';
import type { RenderInput } from './input';
import { networkAnnotations } from './networks';

/**
 * Name of the launcher Pod. It is derived from the VMI alone: two controllers, or one with an outdated cache, can only
 * create the same Pod, and the API server rejects the second.
 */
export const podName = (vmi: VirtualMachineInstance): string => launcherName(vmi, vmi.metadata.uid ?? '');

/** `virt-launcher-NAME-` and letters derived from the seed. */
export const launcherName = (vmi: VirtualMachineInstance, seed: string): string =>
  launcherPodName(vmi.metadata.name ?? '', seed);

/** Reference to the object that creates and deletes another one. */
export const controllerOf = (apiVersion: string, kind: string, name = '', uid = ''): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** Host name of Pod and guest: the one in the spec, else the first label of the name, cut to the length that DNS allows. */
export const hostname = ({ metadata, spec }: VirtualMachineInstance): string =>
  spec.hostname || (metadata.name ?? '').split('.')[0].slice(0, 63).replace(/-+$/, '');

export function podLabels(vmi: VirtualMachineInstance): Record<string, string> {
  const inject = vmi.metadata.annotations?.['sidecar.istio.io/inject'];
  return {
    ...vmi.metadata.labels,
    'kubevirt.io': 'virt-launcher',
    [keys.createdBy]: vmi.metadata.uid ?? '',
    [keys.vmName]: hostname(vmi),
    [keys.vmiId]: instanceId(vmi.metadata.name ?? ''),
    ...(inject !== undefined && { 'sidecar.istio.io/inject': inject }),
  };
}

/** The name if it is a valid label value; else its beginning and a hash. */
const instanceId = (name: string): string =>
  name.length <= 63 ? name : `${name.slice(0, 54)}-${createHash('sha1').update(name).digest('hex').slice(0, 8)}`;

/** Prefixes of a VMI's annotations that its Pod does not get. */
const OWN_ANNOTATIONS = [
  'kubectl.kubernetes.io',
  keys.latestObservedApiVersion,
  keys.storageObservedApiVersion,
  keys.startedPrefix,
  keys.templateHash,
];

export function podAnnotations(input: RenderInput, overheadBytes: bigint): Record<string, string> {
  const { name = '', annotations = {} } = input.vmi.metadata;
  const inherited = Object.entries(annotations).filter(
    ([key]) => !OWN_ANNOTATIONS.some((prefix) => key.startsWith(prefix)),
  );
  return {
    [keys.domain]: name,
    ...Object.fromEntries(inherited),
    'kubectl.kubernetes.io/default-container': COMPUTE,
    [keys.migrationTransportUnix]: 'true',
    // a descheduler may request the Pod's eviction but must not delete it
    'descheduler.alpha.kubernetes.io/request-evict-only': '',
    ...networkAnnotations(input),
    ...backupHooks(input.vmi),
    [keys.memoryOverheadBytes]: String(overheadBytes),
  };
}

/** Hooks with which Velero freezes the guest's file systems during a backup, unless the VMI disables them. */
function backupHooks({ metadata }: VirtualMachineInstance): Record<string, string> {
  const { name, namespace, annotations } = metadata;
  if (/^(1|t|T|TRUE|true|True)$/.test(annotations?.[keys.skipBackupHooks] ?? '')) return {};
  const command = (action: string): string =>
    `["/usr/bin/virt-freezer", "${action}", "--name", "${name}", "--namespace", "${namespace}"]`;
  return {
    'pre.hook.backup.velero.io/container': COMPUTE,
    'pre.hook.backup.velero.io/command': command('--freeze'),
    'pre.hook.backup.velero.io/timeout': '60s',
    'post.hook.backup.velero.io/container': COMPUTE,
    'post.hook.backup.velero.io/command': command('--unfreeze'),
  };
}
