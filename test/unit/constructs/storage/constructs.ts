import { ApiObject, Chart, Size } from 'cdk8s';
import type { Construct } from 'constructs';
import {
  AccessMode,
  CloneOrigin,
  CloneStrategy,
  DataImportCron,
  DataSource,
  DataVolume,
  DataVolumeSource,
  Disk,
  DiskContent,
  GarbageCollection,
  ImageLocation,
  ImportFormat,
  RetentionPolicy,
  StorageProfile,
  VolumeCloneSource,
  VolumeImportSource,
  VolumeUploadSource,
  VolumeMode,
} from '../../../../src';
import { type Loose, own, rendered } from './fixtures';
import { testApp } from '../../../support/app';

/** Returns a chart with a namespace. */
export const here = (): Chart => new Chart(testApp(), 'here', { namespace: 'prod', disableResourceNameHashes: true });

const size = Size.gibibytes(10);

/** Returns the manifest of a construct. */
export const manifest = (construct: Construct): Loose => ApiObject.of(construct).toJson();

/** Returns source, size and options of a disk that is created together with its VM. */
const templateOf = (disk: Disk): Loose => (disk as Loose).parts.template;

/** A DataVolume of each source that a VM's disk can have, and the spec that a VM of this namespace renders for it. */
export const dataVolumes: [string, DataVolume, Loose][] = own.map(([name, disk]) => {
  const { source, size: given, options } = templateOf(disk);
  const dataVolume = new DataVolume(here(), 'data', { ...options, source, size: given });
  return [name, dataVolume, rendered(disk, { name: 'web', metadata: { namespace: 'prod' } }).template.spec];
});

export function dataSources(): Loose[] {
  const chart = here();
  return [
    ImageLocation.claim({ name: 'golden' }, { namespace: 'images' }),
    ImageLocation.snapshot({ name: 'golden' }),
    ImageLocation.dataSource({ name: 'other' }),
  ].map((image, i) => manifest(new DataSource(chart, `source${i}`, { image })));
}

export function crons(): Loose[] {
  const source = DataVolumeSource.registry('registry.example/os:1');
  return [
    new DataImportCron(here(), 'least', { source, size }),
    new DataImportCron(here(), 'most', {
      source,
      size,
      schedule: '30 2 * * *',
      managedDataSource: { name: 'fedora' },
      importsToKeep: 2,
      garbageCollect: GarbageCollection.NEVER,
      retentionPolicy: RetentionPolicy.NONE,
      creator: { name: 'robot' },
      importMetadata: { labels: { a: 'b' } },
      storageClassName: 'fast',
    }),
  ].map(manifest);
}

export function profiles(): Loose[] {
  return [
    new StorageProfile(here(), 'profile', {
      storageClassName: 'fast',
      claimPropertySets: [{ accessModes: [AccessMode.READ_WRITE_MANY], volumeMode: VolumeMode.BLOCK }],
      cloneStrategy: CloneStrategy.SNAPSHOT,
      importFormat: ImportFormat.SNAPSHOT,
      snapshotClass: { name: 'snapshots' },
    }),
  ].map(manifest);
}

export function importSources(): Loose[] {
  const source = DataVolumeSource.vddk('https://vcenter.example', {
    backingFile: '[store] vm/vm.vmdk',
    uuid: '52a0',
    thumbprint: '20:6C',
    credentials: { name: 'login' },
  });
  return [
    new VolumeImportSource(here(), 'least', { source: DataVolumeSource.blank() }),
    new VolumeImportSource(here(), 'most', {
      source,
      content: DiskContent.DISK,
      preallocation: true,
      checkpoints: [{ current: 's1' }],
      finalCheckpoint: true,
      targetClaim: { name: 'root' },
    }),
  ].map(manifest);
}

export function uploadSources(): Loose[] {
  return [
    new VolumeUploadSource(here(), 'least'),
    new VolumeUploadSource(here(), 'most', { content: DiskContent.ARCHIVE, preallocation: false }),
  ].map(manifest);
}

export function cloneSources(): Loose[] {
  return [
    new VolumeCloneSource(here(), 'least', { source: CloneOrigin.claim({ name: 'golden' }) }),
    new VolumeCloneSource(here(), 'most', {
      source: CloneOrigin.snapshot({ name: 'golden' }),
      preallocation: true,
      priorityClassName: 'high',
    }),
  ].map(manifest);
}
