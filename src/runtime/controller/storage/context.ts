import type { Cluster } from '../../../api/cdi/claim';
import { overheadOf } from '../../../api/cdi/claim';
import { keys } from '../../../api/keys';
import type { cdi, KubeObject } from '../../../api';
import { Informer, resources } from '../../kube';
import type { EventRecorder, Expectations, KubeClient } from '../../kube';
import type { Pod } from '../pod';
import { slim } from '../trim';
import type { DataVolume } from './data-volume/decide';
import type { DataImportCron } from './import-cron/names';
import type { Shown } from './population/progress';
import type { ImportSettings } from './population/worker-pod';
import { contents, type ContentKind } from './content';
import { PRIME } from './population/prime';
import type { ObjectTransfer } from './transfer/decide';
import {
  CDI_GROUP,
  WORK_LABELS,
  type DataSource,
  type Fill,
  type PersistentVolume,
  type StorageClaim,
  type StorageClass,
} from './types';

/** Context of the controllers of storage. */
export interface StorageContext {
  readonly client: KubeClient;
  readonly recorder: EventRecorder<string>;
  readonly expectations: Expectations;
  readonly caches: StorageCaches;
  readonly cluster: Cluster;
  readonly importerImage: string;
  /** Namespace of the installation. */
  readonly installNamespace: string;
  /** Whether nodes mount images as volumes. */
  mountsImages(): boolean;
  readonly trust: CloneTrust;
  /** Address of the upload proxy for clients, if the installation knows one. */
  readonly uploadProxyUrl?: string;
  /** Progress of running importers, by the UID of their Pod. */
  readonly progress: ReadonlyMap<string, Shown>;
  now(): number;
}

/** Proofs of virt-api that the author of a DataVolume may copy its source. */
export interface CloneTrust {
  /** Authority of virt-api's serving certificate; undefined if it is not known. */
  authority(): string | undefined;
  /** Name in that certificate. */
  readonly host: string;
}

export interface StorageCaches {
  readonly dataVolumes: Informer<DataVolume>;
  readonly dataSources: Informer<DataSource>;
  readonly importCrons: Informer<DataImportCron>;
  readonly cdis: Informer<cdi.CDI & KubeObject>;
  /** Objects that describe the contents of claims. */
  readonly sources: Readonly<Record<ContentKind, Informer<KubeObject>>>;
  readonly profiles: Informer<cdi.StorageProfile & KubeObject>;
  readonly configs: Informer<cdi.CDIConfig & KubeObject>;
  readonly transfers: Informer<ObjectTransfer>;
  readonly claims: Informer<StorageClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly pods: Informer<Pod>;
}

/** Resources of the objects that describe the contents of claims. */
export const sourceResources = {
  VolumeImportSource: resources.volumeImportSources,
  VolumeCloneSource: resources.volumeCloneSources,
  VolumeUploadSource: resources.volumeUploadSources,
} satisfies Record<ContentKind, unknown>;

export function makeStorageCaches(client: KubeClient, onError: (error: unknown) => void): StorageCaches {
  return {
    dataVolumes: new Informer<DataVolume>(client, resources.dataVolumes, {
      onError,
      transform: slim,
      indexers: { copied: copiedKeys, cron: cronKeys },
    }),
    dataSources: new Informer<DataSource>(client, resources.dataSources, {
      onError,
      transform: slim,
      indexers: { names: namedKeys },
    }),
    importCrons: new Informer<DataImportCron>(client, resources.dataImportCrons, {
      onError,
      transform: slim,
      indexers: { copied: ({ metadata, spec }) => copiedKeys({ metadata, spec: spec.template.spec } as DataVolume) },
    }),
    cdis: new Informer<cdi.CDI & KubeObject>(client, resources.cdis, { onError, transform: slim }),
    sources: Object.fromEntries(
      Object.entries(sourceResources).map(([kind, resource]) => [
        kind,
        new Informer<KubeObject>(client, resource, {
          onError,
          transform: slim,
          indexers: { copied: (object) => copiedBy(contents[kind as ContentKind].fillOf(object)) },
        }),
      ]),
    ) as unknown as StorageCaches['sources'],
    profiles: new Informer<cdi.StorageProfile & KubeObject>(client, resources.storageProfiles, {
      onError,
      transform: slim,
    }),
    configs: new Informer<cdi.CDIConfig & KubeObject>(client, resources.cdiConfigs, { onError, transform: slim }),
    transfers: new Informer<ObjectTransfer>(client, resources.objectTransfers, { onError, transform: slim }),
    claims: new Informer<StorageClaim>(client, resources.persistentVolumeClaims, {
      onError,
      transform: slim,
      indexers: { source: sourceKeys, target: targetKeys, class: ({ spec }) => [spec.storageClassName ?? ''] },
    }),
    volumes: new Informer<PersistentVolume>(client, resources.persistentVolumes, { onError, transform: slim }),
    classes: new Informer<StorageClass>(client, resources.storageClasses, { onError, transform: slim }),
    pods: new Informer<Pod>(client, resources.pods, {
      onError,
      transform: slim,
      labelSelector: `app=${WORK_LABELS.app}`,
    }),
  };
}

/** `namespace/name` of the object that describes the content of a claim. */
export function sourceKeys({ metadata, spec }: StorageClaim): string[] {
  const { apiGroup, kind, name } = spec.dataSourceRef ?? {};
  return apiGroup === CDI_GROUP ? [`${kind} ${metadata.namespace}/${name}`] : [];
}

/** `namespace/name` of the claim that a claim in the namespace of its source is filled for. */
function targetKeys({ metadata }: StorageClaim): string[] {
  const target = metadata.annotations?.[keys.cloneTarget];
  return target !== undefined && metadata.name?.startsWith(PRIME) ? [target] : [];
}

/** Kind, namespace and name of what a DataVolume copies. */
function copiedKeys({ metadata, spec }: DataVolume): string[] {
  const { pvc } = spec.source ?? {};
  if (pvc) return [`PersistentVolumeClaim ${pvc.namespace ?? metadata.namespace}/${pvc.name}`];
  const { sourceRef } = spec;
  return sourceRef ? [`DataSource ${sourceRef.namespace ?? metadata.namespace}/${sourceRef.name}`] : [];
}

/** DataImportCron that made a DataVolume. */
function cronKeys({ metadata }: DataVolume): string[] {
  const cron = metadata.labels?.[keys.dataImportCron];
  return cron === undefined ? [] : [`${metadata.namespace}/${cron}`];
}

/** Kind, namespace and name of what a DataSource names. */
function namedKeys({ metadata, spec }: DataSource): string[] {
  const { pvc, dataSource } = spec.source;
  const key = (kind: string, of: { namespace?: string; name: string }): string =>
    `${kind} ${of.namespace ?? metadata.namespace}/${of.name}`;
  return [...(pvc ? [key('PersistentVolumeClaim', pvc)] : []), ...(dataSource ? [key('DataSource', dataSource)] : [])];
}

const copiedBy = (fill: Fill): string[] =>
  fill.kind === 'clone' ? [`${fill.from.kind} ${fill.from.namespace}/${fill.from.name}`] : [];

/** The objects that sizes and classes depend on, from the caches. */
export function clusterOf({ classes, profiles, configs, volumes }: StorageCaches): Cluster {
  const caches: Readonly<Record<string, Informer<KubeObject>>> = {
    StorageClass: classes as unknown as Informer<KubeObject>,
    StorageProfile: profiles as unknown as Informer<KubeObject>,
    CDIConfig: configs as unknown as Informer<KubeObject>,
    PersistentVolume: volumes as unknown as Informer<KubeObject>,
  };
  return {
    find: ((kind: string, _namespace: string | undefined, name: string) => caches[kind]?.get(name)) as Cluster['find'],
    list: ((kind: string) => caches[kind]?.list() ?? []) as Cluster['list'],
  };
}

/** Settings of importers for a claim of this class. */
export function importSettings(
  { caches, cluster, importerImage, mountsImages, trust }: StorageContext,
  className: string | undefined,
): ImportSettings {
  const config = caches.configs.get('config');
  const { podResourceRequirements, imagePullSecrets, importProxy, insecureRegistries } = config?.spec ?? {};
  const { HTTPProxy, HTTPSProxy, noProxy } = importProxy ?? {};
  const uploadAuthority = trust.authority();
  return {
    image: importerImage,
    mountsImages: mountsImages(),
    ...(uploadAuthority !== undefined && { uploadAuthority }),
    overhead: overheadOf(className, cluster),
    ...(podResourceRequirements && { resources: podResourceRequirements as ImportSettings['resources'] }),
    ...(imagePullSecrets && { imagePullSecrets }),
    ...(insecureRegistries && { insecureRegistries }),
    proxy: {
      ...(HTTPProxy && { HTTP_PROXY: HTTPProxy }),
      ...(HTTPSProxy && { HTTPS_PROXY: HTTPSProxy }),
      ...(noProxy && { NO_PROXY: noProxy }),
    },
  };
}
