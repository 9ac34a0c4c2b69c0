/** Contents of claims: an entry per kind of object that a claim's `dataSourceRef` may name. Pure. */
import type { CloneSource } from '../../../api/cdi/clone-source';
import { keys } from '../../../api/keys';
import type { cdi, KubeObject } from '../../../api';
import { CDI_GROUP, type Fill, type ImportFill, type StorageClaim, type UploadFill } from './types';

type Source = keyof NonNullable<cdi.DataVolumeSpec['source']>;
type Phase = NonNullable<cdi.DataVolumeStatus['phase']>;

const SNAPSHOTS = 'snapshot.storage.k8s.io';

export interface Content {
  /** Sources of DataVolumes that are declared with this kind. */
  readonly sources: readonly Source[];
  /** First part of the names of objects that belong to DataVolumes; their UID follows. */
  readonly prefix: string;
  /** Specification of the object for a DataVolume. `from`: what it copies, if it is a clone. */
  specOf(dataVolume: cdi.DataVolumeSpec, from?: CloneSource): object;
  /** Annotations of the object for a DataVolume in this namespace. */
  annotationsOf?(from: CloneSource, namespace: string): Readonly<Record<string, string>>;
  fillOf(source: KubeObject): Fill;
  /** Verb of the reasons of events, such as `ImportSucceeded`, and its past participle. */
  readonly word: 'Import' | 'Clone' | 'Upload';
  readonly past: 'imported' | 'cloned' | 'uploaded';
  /** State of the content while its Pod runs, for events. Default: `in progress`. */
  readonly state?: string;
  /** Phases of a DataVolume until its Pod runs, and while it does. */
  readonly phases: { readonly scheduled: Phase; readonly running: Phase };
}

export const contents = {
  VolumeImportSource: {
    sources: ['http', 's3', 'gcs', 'registry', 'blank'],
    prefix: 'volume-import-source',
    specOf: ({ source, contentType, preallocation }) => ({
      source,
      contentType: contentType ?? 'kubevirt',
      ...(preallocation !== undefined && { preallocation }),
    }),
    fillOf: (object) => {
      const { source, contentType, preallocation } = (object as unknown as cdi.VolumeImportSource).spec;
      return {
        kind: 'import',
        source: source ?? { blank: {} },
        contentType: contentType ?? 'kubevirt',
        isPreallocated: preallocation ?? false,
      };
    },
    word: 'Import',
    past: 'imported',
    phases: { scheduled: 'ImportScheduled', running: 'ImportInProgress' },
  },
  VolumeCloneSource: {
    sources: ['pvc', 'snapshot'],
    prefix: 'volume-clone-source',
    specOf: ({ preallocation, priorityClassName }, from) => ({
      source: {
        ...(from?.kind === 'VolumeSnapshot' && { apiGroup: SNAPSHOTS }),
        kind: from?.kind,
        name: from?.name,
      },
      ...(preallocation !== undefined && { preallocation }),
      ...(priorityClassName && { priorityClassName }),
    }),
    annotationsOf: (from, namespace): Record<string, string> =>
      from.namespace === namespace ? {} : { [keys.dataSourceNamespace]: from.namespace },
    fillOf: (object) => {
      const { metadata, spec } = object as unknown as cdi.VolumeCloneSource & KubeObject;
      const { source, preallocation, priorityClassName } = spec;
      return {
        kind: 'clone',
        from: {
          kind: source.kind === 'VolumeSnapshot' ? 'VolumeSnapshot' : 'PersistentVolumeClaim',
          namespace: metadata.annotations?.[keys.dataSourceNamespace] ?? metadata.namespace ?? '',
          name: source.name,
        },
        ...imageOf(metadata.annotations?.[keys.sourceImage]),
        isPreallocated: preallocation ?? false,
        ...(priorityClassName && { priorityClassName }),
      };
    },
    word: 'Clone',
    past: 'cloned',
    phases: { scheduled: 'CloneScheduled', running: 'CloneInProgress' },
  },
  VolumeUploadSource: {
    sources: ['upload'],
    prefix: 'volume-upload-source',
    specOf: ({ contentType, preallocation }) => ({
      contentType: contentType ?? 'kubevirt',
      ...(preallocation !== undefined && { preallocation }),
    }),
    fillOf: (object) => {
      const { contentType, preallocation } = (object as unknown as cdi.VolumeUploadSource).spec;
      return { kind: 'upload', contentType: contentType ?? 'kubevirt', isPreallocated: preallocation ?? false };
    },
    word: 'Upload',
    past: 'uploaded',
    state: 'ready',
    phases: { scheduled: 'UploadScheduled', running: 'UploadReady' },
  },
} as const satisfies Record<string, Content>;

export type ContentKind = keyof typeof contents;
export const CONTENT_KINDS = Object.keys(contents) as ContentKind[];

/** Sources of DataVolumes that this version can read. */
export const SERVED: readonly string[] = [...CONTENT_KINDS.flatMap((kind) => contents[kind].sources), 'sourceRef'];

/** Kind of the object that describes the content of a DataVolume. */
export function contentKindOf({ source = {}, sourceRef }: cdi.DataVolumeSpec): ContentKind | undefined {
  if (sourceRef) return 'VolumeCloneSource';
  const [given = ''] = Object.keys(source);
  return CONTENT_KINDS.find((kind) => contents[kind].sources.some((name) => name === given));
}

/** A relative path without `.` and `..`. */
const IMAGE_PATH = /^(?!\.{1,2}(?:\/|$))[^/]+(?:\/(?!\.{1,2}(?:\/|$))[^/]+)*$/;

const imageOf = (image: string | undefined): { readonly image?: string } =>
  image !== undefined && IMAGE_PATH.test(image) ? { image } : {};

/** Content of a claim whose volume receives an upload itself. */
export const uploadFillOf = ({ metadata }: Pick<StorageClaim, 'metadata'>): UploadFill => ({
  kind: 'upload',
  contentType: contentTypeOf({ metadata }),
  isPreallocated: false,
});

export const contentTypeOf = ({ metadata }: Pick<StorageClaim, 'metadata'>): ImportFill['contentType'] =>
  metadata.annotations?.[keys.contentType] === 'archive' ? 'archive' : 'kubevirt';

/** Kind of the object that describes the content of a claim; undefined if a populator of others fills it, or none. */
export function contentKindOfClaim({ spec }: Pick<StorageClaim, 'spec'>): ContentKind | undefined {
  const { apiGroup, kind } = spec.dataSourceRef ?? {};
  return apiGroup === CDI_GROUP ? CONTENT_KINDS.find((known) => known === kind) : undefined;
}
