/** DataVolumes and related objects. Pure. */
import { call, object, value } from '../expression';
import { metadataOf } from '../metadata';
import { claimOf, sourceExpression } from './claim';
import type { Mapping, Surroundings } from './kind';
import { choice, choices, each, type Fields, fieldsOf, named, number, onlyKey, text } from './values';

export const dataVolume: Mapping = ({ spec }, around) => {
  const fields = fieldsOf(spec);
  const source = sourceExpression(fields, around);
  if (!source) return undefined;
  const { size, options } = claimOf(fields, around);
  return { construct: 'DataVolume', props: { source, size, ...options } };
};

export const dataSource: Mapping = ({ spec }, around) => ({
  construct: 'DataSource',
  props: { image: image(fieldsOf(fieldsOf(spec).source), around) },
});

function image(source: Fields, around: Surroundings): ReturnType<typeof call> | undefined {
  const key = onlyKey(source);
  const { name, namespace } = fieldsOf(source[key ?? '']);
  const factory = { pvc: 'claim', snapshot: 'snapshot', dataSource: 'dataSource' }[key ?? ''];
  const kinds = {
    pvc: ['PersistentVolumeClaim', 'DataVolume'],
    snapshot: ['VolumeSnapshot'],
    dataSource: ['DataSource'],
  }[key ?? ''];
  if (!factory || !kinds || typeof name !== 'string') return undefined;
  const where = typeof namespace === 'string' ? namespace : undefined;
  const subject = around.reference(kinds, name, where);
  const known = subject.type === 'variable' || where === around.object.namespace;
  return call(`ImageLocation.${factory}`, subject, object({ namespace: known ? undefined : text(where) }));
}

export const dataImportCron: Mapping = ({ spec, metadata }, around) => {
  const fields = fieldsOf(spec);
  const template = fieldsOf(fields.template);
  const import_ = fieldsOf(template.spec);
  const source = sourceExpression(import_, around);
  const { size, options } = claimOf(import_, around);
  if (!source || !size) return undefined;
  return {
    construct: 'DataImportCron',
    props: {
      source,
      size,
      schedule: fields.schedule === '' ? undefined : text(fields.schedule),
      managedDataSource:
        fields.managedDataSource === metadata.name ? undefined : named(around, 'DataSource', fields.managedDataSource),
      importsToKeep: number(fields.importsToKeep),
      garbageCollect: choice(around, 'GarbageCollection', fields.garbageCollect),
      retentionPolicy: choice(around, 'RetentionPolicy', fields.retentionPolicy),
      creator: named(around, 'ServiceAccount', fields.serviceAccountName),
      importMetadata: metadataOf(template.metadata, around.name),
      ...options,
    },
  };
};

export const storageProfile: Mapping = ({ spec, metadata }, around) => {
  const fields = fieldsOf(spec);
  if (typeof metadata.name !== 'string') return undefined;
  return {
    construct: 'StorageProfile',
    ownName: true,
    props: {
      storageClassName: value(metadata.name),
      claimPropertySets: each(fields.claimPropertySets, ({ accessModes, volumeMode }) => {
        const modes = choices(around, 'AccessMode', accessModes);
        const mode = choice(around, 'VolumeMode', volumeMode);
        return modes && mode && object({ accessModes: modes, volumeMode: mode });
      }),
      cloneStrategy: choice(around, 'CloneStrategy', fields.cloneStrategy),
      importFormat: choice(around, 'ImportFormat', fields.dataImportCronSourceFormat),
      snapshotClass: named(around, 'VolumeSnapshotClass', fields.snapshotClass),
    },
  };
};
