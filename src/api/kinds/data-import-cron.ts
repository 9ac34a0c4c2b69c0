import { isSchedule, scheduleRemedy } from '../cdi/cron';
import { dataVolumeRules, nameFits } from '../cdi/data-volume';
import { inside, mistakeAt, type CdiField } from '../cdi/sources';
import { parseDuration } from '../duration';
import { Finding, root } from '../findings';
import type { DataImportCron, DataImportCronSpec } from '../generated/cdi-v1beta1';
import type { KindAdmission } from './kind';
import { first, refusal, when } from './refusal';
import { semanticDeepEqual, shaped } from './shape';

const spec: CdiField = { at: root.at('spec'), field: 'spec' };
const name: CdiField = { at: root.at('metadata', 'name'), field: '' };
const LABEL_LENGTH = 63;

export const dataImportCronAdmission: KindAdmission<DataImportCron> = shaped<DataImportCron>({
  create: (cron) =>
    first(
      () => nameFits(cron.metadata.name, LABEL_LENGTH, name),
      () => cronRules(cron.spec),
    ),
  update: (cron, old) =>
    first(
      () => nameFits(cron.metadata.name, LABEL_LENGTH, name),
      () =>
        when(
          !semanticDeepEqual(cron.spec, old.spec),
          refusal('spec-immutable', spec.at, 'Cannot update DataImportCron Spec', 'create another one', {
            type: 'FieldValueDuplicate',
            field: 'DataImportCron.Spec',
          }),
        ),
    ),
});

function cronRules(cron: DataImportCronSpec): Finding[] {
  const template = cron.template.spec;
  return first(
    () =>
      template.source?.registry || template.source?.pvc
        ? []
        : mistakeAt(
            inside(spec, ['template', 'spec', 'source'], 'Template'),
            'cron-source',
            'Missing source',
            'add source with registry or pvc',
          ),
    () => settable(cron),
    () => dataVolumeRules(template, { at: spec.at.at('template', 'spec'), field: 'Template' }),
    () => schedule(cron.schedule),
    () => choice(cron),
    () => managed(cron.managedDataSource),
  );
}

function settable({ template }: DataImportCronSpec): Finding[] {
  const { sourceRef, contentType, checkpoints = [], finalCheckpoint } = template.spec;
  if (!sourceRef && !contentType && checkpoints.length === 0 && !finalCheckpoint) return [];
  return mistakeAt(
    inside(spec, ['template', 'spec'], 'Template'),
    'cron-template',
    'Unsettable fields: SourceRef, ContentType, Checkpoints, FinalCheckpoint',
    'remove them',
  );
}

function schedule(got: string): Finding[] {
  if (got === '' || isSchedule(got, (text) => parseDuration(text) !== undefined)) return [];
  return mistakeAt(
    inside(spec, ['schedule'], 'Schedule'),
    'cron-schedule',
    'Illegal cron schedule',
    scheduleRemedy(got),
    { value: got },
  );
}

function choice({ importsToKeep, garbageCollect }: DataImportCronSpec): Finding[] {
  if (importsToKeep !== undefined && importsToKeep < 0) {
    return mistakeAt(
      inside(spec, ['importsToKeep'], 'ImportsToKeep'),
      'cron-keep',
      'Illegal ImportsToKeep value',
      'write 0 or more',
      { value: importsToKeep },
    );
  }
  const allowed = ['Never', 'Outdated'];
  if (garbageCollect === undefined || allowed.includes(garbageCollect)) return [];
  return mistakeAt(
    inside(spec, ['garbageCollect'], 'GarbageCollect'),
    'cron-garbage',
    'Illegal GarbageCollect value',
    'use one of the allowed values',
    { value: garbageCollect, allowed },
  );
}

function managed(got: string): Finding[] {
  const place = inside(spec, ['managedDataSource'], 'ManagedDataSource');
  if (got) return nameFits(got, LABEL_LENGTH, { ...place, field: '' });
  return mistakeAt(
    place,
    'cron-data-source',
    'Illegal ManagedDataSource value',
    'write the name of the DataSource to manage',
  );
}
