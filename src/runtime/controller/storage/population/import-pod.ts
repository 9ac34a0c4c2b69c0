/** Renders the Pod of an importer. Pure. */
import { parseChecksum } from '../../../../api/cdi/checksum';
import { importerPaths, type ImportRequest } from '../../../../api/cdi/import-request';
import { keys } from '../../../../api/keys';
import { quantityValue } from '../../../../api/quantity';
import type { Pod, PodVolume, VolumeMount } from '../../pod';
import { contentTypeOf } from '../content';
import type { ImportFill, StorageClaim, UploadFill } from '../types';
import { annotations, INHERITED } from './annotations';
import type { Problem } from '../clone/plan';
import { primeName } from './prime';
import { asUploadPod } from './upload-pod';
import { workerPod, type ImportSettings } from './worker-pod';

export interface ImportPodInput {
  /** Claim that the user asked to fill. */
  readonly claim: StorageClaim;
  /** Claim that the importer writes: the prime of `claim`, or `claim` itself. */
  readonly work: StorageClaim;
  readonly fill: ImportFill | UploadFill | CloneWork;
  readonly settings: ImportSettings;
}

/** Part of a clone that a Pod does: it copies a claim, or enlarges what the storage cloned. */
export interface CloneWork {
  readonly kind: 'clone';
  readonly isPreallocated: boolean;
  readonly priorityClassName?: string;
  /** Claim to copy, in the namespace of `work`. */
  readonly copyOf?: StorageClaim;
  /** Path of an image in that claim, which is copied instead of its disk. */
  readonly image?: string;
  /** Size of the disk that the storage cloned. */
  readonly grownFrom?: number;
}

const ARCHITECTURE = 'kubernetes.io/arch';
const IMAGE = 'image';
const DATA = 'cdi-data-vol';
const SOURCE = 'cdi-source-vol';

const VERSION_RECHECK_MS = 60_000;

/** Name of the Pod that writes the claim of this name. */
export const importPodName = (work: string): string => `importer-${work}`.slice(0, 253);

export function importPod({ claim, work, fill, settings }: ImportPodInput): Pod {
  const { name, namespace } = work.metadata;
  const isBlock = work.spec.volumeMode === 'Block';
  const copied = fill.kind === 'clone' ? fill.copyOf : undefined;
  const readsDevice = copied?.spec.volumeMode === 'Block';
  const mounts = sourceMounts(fill.kind === 'import' ? fill.source : {}, isBlock);
  const devices = [
    ...(isBlock ? [{ name: DATA, devicePath: importerPaths.device }] : []),
    ...(readsDevice ? [{ name: SOURCE, devicePath: importerPaths.sourceDevice }] : []),
  ];
  // an owner must have the namespace of the Pod
  const isOwned = namespace === claim.metadata.namespace;
  const inherited = Object.entries(claim.metadata.annotations ?? {}).filter(([key]) => INHERITED.includes(key));
  const pod = workerPod({
    name: importPodName(primeName(claim)),
    namespace,
    annotations: {
      ...Object.fromEntries(inherited),
      ...(!isOwned && { [annotations.cloneTarget]: `${claim.metadata.namespace}/${claim.metadata.name}` }),
    },
    // not `work`: while a Pod uses that claim, its protection keeps it, and the Pod would never be collected
    ...(isOwned && { owner: claim }),
    // a VolumeImportSource has no such field
    priorityClassName: fill.priorityClassName ?? claim.metadata.annotations?.[keys.priorityClass],
    ...(fill.kind === 'import' && nodeSelectorOf(fill)),
    request: requestOf({ claim, work, fill, settings }),
    settings,
    devices,
    mounts: [
      ...(isBlock ? [] : [{ name: DATA, mountPath: importerPaths.data }]),
      ...(copied && !readsDevice ? [{ name: SOURCE, mountPath: importerPaths.source, readOnly: true }] : []),
      ...mounts.map(({ mount }) => mount),
    ],
    volumes: [
      { name: DATA, persistentVolumeClaim: { claimName: name ?? '' } },
      ...(copied
        ? [{ name: SOURCE, persistentVolumeClaim: { claimName: copied.metadata.name ?? '', readOnly: true } }]
        : []),
      ...mounts.map(({ volume }) => volume),
    ],
  });
  return fill.kind === 'upload' ? asUploadPod(pod) : pod;
}

function requestOf({ claim, work, fill, settings }: ImportPodInput): ImportRequest {
  const isBlock = work.spec.volumeMode === 'Block';
  const contentType = fill.kind === 'clone' ? contentTypeOf(fill.copyOf ?? claim) : fill.contentType;
  return {
    source: sourceRequestOf(fill, settings),
    contentType,
    claimBytes: Number(quantityValue(work.spec.resources?.requests?.storage ?? '0')),
    overhead: isBlock ? 0 : settings.overhead,
    isPreallocated: fill.isPreallocated,
    ...(settings.authorities && { authorities: settings.authorities }),
    owner: claim.metadata.uid ?? '',
  };
}

function sourceRequestOf(fill: ImportPodInput['fill'], settings: ImportSettings): ImportRequest['source'] {
  switch (fill.kind) {
    case 'import':
      return sourceOf(fill, settings);
    case 'upload':
      return { kind: 'upload', authority: settings.uploadAuthority ?? '' };
    case 'clone':
      return cloneOf(fill);
  }
}

const cloneOf = ({ grownFrom, image }: CloneWork): ImportRequest['source'] =>
  grownFrom === undefined ? { kind: 'copy', ...(image !== undefined && { image }) } : { kind: 'grow', from: grownFrom };

function sourceOf({ source }: ImportFill, settings: ImportSettings): ImportRequest['source'] {
  const { http, s3, gcs, registry, blank } = source;
  if (http) {
    return {
      kind: 'http',
      url: http.url,
      ...(http.insecureSkipVerify && { isInsecure: true }),
      ...(http.extraHeaders?.length && { headers: http.extraHeaders }),
      // the importer rejects one that is not valid; virt-api does so before
      ...(http.checksum && { checksum: parseChecksum(http.checksum).text ?? http.checksum }),
    };
  }
  if (s3) return { kind: 's3', url: s3.url };
  if (gcs) return { kind: 'gcs', url: gcs.url };
  if (isPulledByNode(source)) return { kind: 'pulled' };
  if (registry) {
    const { architecture } = registry.platform ?? {};
    return { kind: 'registry', ...registryOf(registry, settings), ...(architecture && { architecture }) };
  }
  if (blank) return { kind: 'blank' };
  return { kind: 'unknown', name: Object.keys(source)[0] ?? 'without a kind' };
}

/** Whether the importer itself connects to a server. */
export const usesNetwork = ({ source }: ImportFill): boolean => !source.blank && !isPulledByNode(source);

/** Whether the container runtime of the node pulls the image, with the credentials of the node. */
const isPulledByNode = ({ registry }: ImportFill['source']): boolean => registry?.pullMethod === 'node';

/** Cause for which a node cannot pull an image; no event reports the end of the last one. */
export function pullProblem({ source }: ImportFill, { mountsImages }: ImportSettings): Problem | undefined {
  if (!isPulledByNode(source)) return undefined;
  if (source.registry?.imageStream !== undefined) {
    const message =
      'only OpenShift resolves an ImageStream; write registry.url with the image: docker://REGISTRY/PATH:TAG';
    return { reason: 'ImageStreamNotSupported', message };
  }
  const url = source.registry?.url ?? '';
  if (!url.startsWith('docker://')) {
    return { reason: 'ImageNotInRegistry', message: `a node cannot pull ${url}; write docker://…, or pullMethod: pod` };
  }
  if (mountsImages) return undefined;
  const message =
    'pullMethod node needs a cluster whose nodes mount image volumes (Kubernetes 1.35); write pullMethod: pod';
  return { reason: 'ImageVolumesNotSupported', message, retryMs: VERSION_RECHECK_MS };
}

/** The node decides the platform of the image that it pulls. */
function nodeSelectorOf({ source }: ImportFill): { readonly nodeSelector?: Readonly<Record<string, string>> } {
  const architecture = isPulledByNode(source) ? source.registry?.platform?.architecture : undefined;
  return architecture ? { nodeSelector: { [ARCHITECTURE]: architecture } } : {};
}

/** Address of a registry's image, and whether the registry may be anyone. */
export function registryOf(
  { url = '' }: { readonly url?: string },
  { insecureRegistries }: ImportSettings,
): { url: string; isInsecure?: boolean } {
  const [, host = ''] = /^docker:\/\/([^/]+)\//.exec(url) ?? [];
  return { url, ...(insecureRegistries?.includes(host) && { isInsecure: true }) };
}

interface Mounted {
  readonly volume: PodVolume;
  readonly mount: VolumeMount;
}

/** Secrets and authorities of the source, and writable folders. */
export function sourceMounts({ http, s3, gcs, registry }: ImportFill['source'], isBlock: boolean): Mounted[] {
  const isPulled = isPulledByNode({ registry });
  // a node ignores the credentials of the source
  const of = http ?? s3 ?? gcs ?? (isPulled ? undefined : registry);
  const certificates = of && 'certConfigMap' in of ? of.certConfigMap : undefined;
  const mounted = (name: string, mountPath: string, source: Omit<PodVolume, 'name'>): Mounted => ({
    volume: { name, ...source },
    mount: { name, mountPath, ...(source.emptyDir ? {} : { readOnly: true }) },
  });
  return [
    mounted('tmp', '/tmp', { emptyDir: {} }),
    ...(isPulled
      ? [
          {
            volume: { name: IMAGE, image: { reference: registry?.url?.replace('docker://', '') } },
            mount: { name: IMAGE, mountPath: importerPaths.image, readOnly: true },
          },
        ]
      : []),
    ...(isBlock ? [mounted('state', importerPaths.state, { emptyDir: {} })] : []),
    ...(of?.secretRef ? [mounted('login', importerPaths.login, { secret: { secretName: of.secretRef } })] : []),
    ...(certificates
      ? [mounted('certificates', importerPaths.certificates, { configMap: { name: certificates } })]
      : []),
    ...(http?.secretExtraHeaders ?? []).map((secretName, index) =>
      mounted(`headers-${index}`, `${importerPaths.headers}/${index}`, { secret: { secretName } }),
    ),
  ];
}
