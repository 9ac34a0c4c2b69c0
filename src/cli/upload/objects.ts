/** Objects that an upload needs: a DataVolume, or a claim and its VolumeUploadSource, and a DataSource. Pure. */
import type { KubeObject } from '../../api';
import { keys } from '../../api/keys';
import { kinds } from '../../api/kinds/registry';
import { CliError } from '../errors';

/** Flags of `image-upload`, as virtctl names them. */
export interface UploadFlags {
  readonly imagePath?: string;
  readonly archivePath?: string;
  readonly size?: string;
  readonly storageClass?: string;
  readonly accessMode?: string;
  readonly volumeMode?: string;
  readonly blockVolume?: boolean;
  readonly uploadproxyUrl?: string;
  readonly insecure?: boolean;
  /** False for `--no-create`. */
  readonly create: boolean;
  readonly waitSecs: number;
  readonly retry: number;
  readonly forceBind?: boolean;
  readonly datasource?: boolean;
  readonly defaultInstancetype?: string;
  readonly defaultInstancetypeKind?: string;
  readonly defaultPreference?: string;
  readonly defaultPreferenceKind?: string;
  readonly pvcName?: string;
  readonly pvcSize?: string;
}

export type TargetKind = 'dv' | 'pvc';

export interface UploadTarget {
  readonly kind: TargetKind;
  readonly name: string;
  readonly namespace: string;
}

const GROUP = kinds.VolumeUploadSource.group;
const apiVersion = `${GROUP}/v1beta1`;

const VOLUME_MODES: Readonly<Record<string, string>> = { block: 'Block', filesystem: 'Filesystem' };

export function volumeModeOf({ volumeMode, blockVolume }: UploadFlags): string | undefined {
  if (volumeMode === undefined) return blockVolume ? 'Block' : undefined;
  const mode = VOLUME_MODES[volumeMode.toLowerCase()];
  if (mode) return mode;
  throw new CliError(`--volume-mode ${volumeMode} is not known (allowed: ${Object.keys(VOLUME_MODES).join(', ')})`);
}

/** Objects to create for a target that does not exist. */
export function objectsOf({ kind, name, namespace }: UploadTarget, flags: UploadFlags, size: string): KubeObject[] {
  const contentType = flags.archivePath ? 'archive' : 'kubevirt';
  const labels = defaultLabels(flags);
  const metadata = {
    name,
    namespace,
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(flags.forceBind && { annotations: { [keys.bindImmediate]: '' } }),
  };
  const volumeMode = volumeModeOf(flags);
  const storage = {
    resources: { requests: { storage: size } },
    ...(flags.storageClass && { storageClassName: flags.storageClass }),
    ...(flags.accessMode && { accessModes: [flags.accessMode] }),
    ...(volumeMode && { volumeMode }),
  };
  if (kind === 'dv') {
    const spec = { source: { upload: {} }, contentType, storage };
    return [{ apiVersion, kind: 'DataVolume', metadata, spec } as KubeObject];
  }
  const source = { apiVersion, kind: 'VolumeUploadSource', metadata: { name, namespace }, spec: { contentType } };
  const annotations = { ...metadata.annotations, [keys.contentType]: contentType };
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...metadata, annotations },
    spec: {
      ...storage,
      accessModes: [flags.accessMode ?? 'ReadWriteOnce'],
      dataSourceRef: { apiGroup: GROUP, kind: source.kind, name },
    },
  };
  return [source as KubeObject, claim as KubeObject];
}

/** DataSource of the claim, from which VMs clone it. */
export const dataSourceOf = ({ name, namespace }: UploadTarget, flags: UploadFlags): KubeObject =>
  ({
    apiVersion,
    kind: 'DataSource',
    metadata: { name, namespace, labels: defaultLabels(flags) },
    spec: { source: { pvc: { name, namespace } } },
  }) as KubeObject;

/** Labels that choose the instance type and preference of VMs with this disk. */
function defaultLabels(flags: UploadFlags): Record<string, string> {
  const { defaultInstancetype, defaultInstancetypeKind, defaultPreference, defaultPreferenceKind } = flags;
  for (const [what, value, kind] of [
    ['instancetype', defaultInstancetype, defaultInstancetypeKind],
    ['preference', defaultPreference, defaultPreferenceKind],
  ]) {
    if (kind && !value) throw new CliError(`--default-${what} must be given with --default-${what}-kind`);
  }
  const labels = {
    instancetype: defaultInstancetype,
    'instancetype-kind': defaultInstancetypeKind,
    preference: defaultPreference,
    'preference-kind': defaultPreferenceKind,
  };
  const given = Object.entries(labels).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [`${keys.defaultPrefix}${name}`, value!]));
}
