/** Contents of claims: an entry per kind of object that a claim's `dataSourceRef` may name. Pure. */
import type { cdi, KubeObject } from '../../../api';
import { CDI_GROUP, type Fill, type StorageClaim } from './types';

type Source = keyof NonNullable<cdi.DataVolumeSpec['source']>;
type Phase = NonNullable<cdi.DataVolumeStatus['phase']>;

export interface Content {
  /** Sources of DataVolumes that are declared with this kind. */
  readonly sources: readonly Source[];
  /** First part of the names of objects that belong to DataVolumes; their UID follows. */
  readonly prefix: string;
  /** Specification of the object for a DataVolume. */
  specOf(dataVolume: cdi.DataVolumeSpec): object;
  fillOf(source: KubeObject): Fill;
  /** Verb of the reasons of events, such as `ImportSucceeded`, and its past participle. */
  readonly word: 'Import';
  readonly past: 'imported';
  /** Phases of a DataVolume until its Pod runs, and while it does. */
  readonly phases: { readonly scheduled: Phase; readonly running: Phase };
}

export const contents = {
  VolumeImportSource: {
    sources: ['http', 'registry', 'blank'],
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
} as const satisfies Record<string, Content>;

export type ContentKind = keyof typeof contents;
export const CONTENT_KINDS = Object.keys(contents) as ContentKind[];

/** Sources of DataVolumes that this version can read. */
export const SERVED: readonly string[] = CONTENT_KINDS.flatMap((kind) => contents[kind].sources);

/** Kind of the object that describes the content of a DataVolume. */
export function contentKindOf({ source = {} }: cdi.DataVolumeSpec): ContentKind | undefined {
  const [given = ''] = Object.keys(source);
  return CONTENT_KINDS.find((kind) => contents[kind].sources.some((name) => name === given));
}

/** Kind of the object that describes the content of a claim; undefined if a populator of others fills it, or none. */
export function contentKindOfClaim({ spec }: Pick<StorageClaim, 'spec'>): ContentKind | undefined {
  const { apiGroup, kind } = spec.dataSourceRef ?? {};
  return apiGroup === CDI_GROUP ? CONTENT_KINDS.find((known) => known === kind) : undefined;
}
