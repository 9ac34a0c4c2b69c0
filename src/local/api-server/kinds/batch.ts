import { parseSchedule } from '../../../api/schedule';
import { zoneExists } from '../../../api/time-zone';
import { deepEqual, sortKeys } from '../json/values';
import { Kind, StrategyContext } from '../registry/kind';
import { age, humanDuration } from '../table/format';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { warnAboutName, wideWithSelectorOf } from './apps/shared';
import { define } from './define';
import { validateJobStatus } from './job-status';
import { validateJob, validateJobSpec, validateJobUpdate } from './job-validation';
import { defaultPodSpec } from './pod-defaults';
import { podWarnings } from './pod-warnings';
import { textPrinter } from './printers';

type Spec = AnyObject['spec'];

const BATCH = {
  group: 'batch',
  version: 'v1',
  namespaced: true,
  categories: ['all'],
  status: true,
  generation: true,
} as const;
const DEFAULT_BACKOFF_LIMIT = 6;
const UNLIMITED = 2 ** 31 - 1;
/** A Job's name is that of its CronJob and eleven more characters; it must fit into a label. */
const MAX_CRON_JOB_NAME = 52;

function defaultTemplate(spec: Spec): void {
  const template = (spec.template ??= {});
  template.metadata ??= {};
  defaultPodSpec((template.spec ??= {}), false);
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
  }
}

function defaultJob(job: AnyObject): void {
  const { metadata } = job;
  const spec = (job.spec ??= {});
  defaultTemplate(spec);
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? DEFAULT_BACKOFF_LIMIT : UNLIMITED;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  spec.manualSelector ??= false;
  labelAsTemplate(metadata, spec);
}

/** A Job without labels has those of its Pods. */
function labelAsTemplate(metadata: AnyObject['metadata'], spec: Spec): void {
  const labels = spec.template?.metadata?.labels;
  if (labels && !Object.keys(metadata.labels ?? {}).length) metadata.labels = { ...labels };
}

/** A stored Job that was created without labels. */
function labelled(job: AnyObject): AnyObject {
  const labels = job.spec?.template?.metadata?.labels;
  if (!labels || Object.keys(job.metadata.labels ?? {}).length) return job;
  return { ...job, metadata: { ...job.metadata, labels } };
}

function generateSelector({ metadata, spec }: AnyObject): void {
  const labels: Record<string, string> | undefined = (spec.template.metadata ??= {}).labels;
  const inherited = labels !== undefined && deepEqual(metadata.labels, labels);
  const { uid, name = '' } = metadata;
  const known = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  spec.template.metadata.labels = sortKeys({ ...known, ...labels });
  if (inherited) metadata.labels = { ...spec.template.metadata.labels };
  ((spec.selector ??= {}).matchLabels ??= {})['batch.kubernetes.io/controller-uid'] ??= metadata.uid;
}

function warn(object: AnyObject, spec: Spec, path: string, context: StrategyContext, old?: Spec): void {
  if (!old) warnAboutName(object, context);
  if (spec.completionMode === 'Indexed' && spec.completions > 100_000 && spec.parallelism > 10_000) {
    context.warn(
      `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
    );
  }
  podWarnings(spec.template ?? {}, `${path}.template.`).forEach((warning) => context.warn(warning));
}

const conditionOf = ({ status }: AnyObject, type: string): boolean =>
  ((status?.conditions ?? []) as { type: string; status: string }[]).some(
    (condition) => condition.type === type && condition.status === 'True',
  );

function jobStatusText(job: AnyObject): string {
  const first = ['Complete', 'Failed'].find((type) => conditionOf(job, type));
  if (first) return first;
  if (job.metadata.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => conditionOf(job, type)) ?? 'Running';
}

function completionsText({ spec, status }: AnyObject): string {
  const succeeded: number = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  return spec?.parallelism > 1 ? `${succeeded}/1 of ${spec.parallelism}` : `${succeeded}/1`;
}

function durationText({ status }: AnyObject, now: number): string {
  if (!status?.startTime) return '';
  const end = status.completionTime ? Date.parse(status.completionTime) : now;
  return humanDuration(end - Date.parse(status.startTime));
}

const job = define({
  ...BATCH,
  kind: 'Job',
  plural: 'jobs',
  orphansDependents: true,
  selectableFields: ['status.successful'],
  unsupportedField: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
  fields: ({ status }) => ({ 'status.successful': String(status?.succeeded ?? 0) }),
  defaults: defaultJob,
  prepareForCreate(object, context) {
    const spec = (object.spec ??= {});
    if (!spec.manualSelector) generateSelector(object);
    warn(object, spec, 'spec', context);
  },
  prepareForUpdate(object, old, context) {
    labelAsTemplate(object.metadata, object.spec ?? {});
    if (object.spec && !deepEqual(object.spec, old.spec)) {
      warn(object, object.spec, 'spec', context, old.spec);
    }
  },
  fromStorage: labelled,
  validate: (object, fields) => validateJob(object, fields),
  validateUpdate: validateJobUpdate,
  validateStatus: validateJobStatus,
  printer: textPrinter(
    { Status: jobStatusText, Completions: completionsText, Duration: durationText },
    wideWithSelectorOf(({ spec }) => spec),
  ),
});

function defaultCronJob(cronJob: AnyObject): void {
  const spec = (cronJob.spec ??= {});
  spec.concurrencyPolicy ||= 'Allow';
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  const template = (spec.jobTemplate ??= {});
  template.metadata ??= {};
  defaultTemplate((template.spec ??= {}));
}

function validateCronJob({ spec = {} }: AnyObject, fields: Fields, old?: Spec): void {
  const at = fields.child('spec');
  const zoneAllowed = String(old?.schedule ?? '').includes('TZ');
  if (!spec.schedule) at.child('schedule').required();
  else validateSchedule(spec, zoneAllowed, at.child('schedule'));
  const nonNegative = (name: string): unknown =>
    spec[name] < 0 && at.child(name).invalid(spec[name], 'must be greater than or equal to 0');
  nonNegative('startingDeadlineSeconds');
  if (spec.timeZone !== undefined && spec.timeZone !== old?.timeZone) {
    validateTimeZone(String(spec.timeZone), at.child('timeZone'));
  }
  const policies = ['Allow', 'Forbid', 'Replace'];
  if (!policies.includes(spec.concurrencyPolicy)) {
    at.child('concurrencyPolicy').notSupported(spec.concurrencyPolicy, policies);
  }
  const template = spec.jobTemplate?.spec ?? {};
  const inner = at.child('jobTemplate', 'spec');
  validateJobSpec(template, inner);
  if (template.selector) inner.child('selector').invalid(template.selector, '`selector` will be auto-generated');
  if (template.manualSelector) inner.child('manualSelector').notSupported(true, ['nil', 'false']);
  nonNegative('successfulJobsHistoryLimit');
  nonNegative('failedJobsHistoryLimit');
}

function validateSchedule({ schedule, timeZone }: Spec, zoneAllowed: boolean, at: Fields): void {
  try {
    parseSchedule(schedule);
  } catch (error) {
    at.invalid(schedule, (error as Error).message);
  }
  if (!schedule.includes('TZ')) return;
  if (!zoneAllowed) at.invalid(schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  else if (timeZone !== undefined) {
    at.invalid(schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule');
  }
}

function validateTimeZone(zone: string, at: Fields): void {
  if (!zone) return void at.invalid(zone, 'timeZone must be nil or non-empty string');
  const isPart = (part: string): boolean =>
    part !== '.' && part !== '..' && !part.startsWith('-') && /^[A-Za-z.\-_0-9+]{1,14}$/.test(part);
  if (!zone.split('/').every(isPart)) return void at.invalid(zone, `unknown time zone ${zone}`);
  if (zone.toLowerCase() === 'local') {
    at.invalid(zone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones');
  }
  if (zone !== 'Local' && !zoneExists(zone)) at.invalid(zone, `unknown time zone ${zone}`);
}

const cronJob = define({
  ...BATCH,
  kind: 'CronJob',
  plural: 'cronjobs',
  shortNames: ['cj'],
  defaults: defaultCronJob,
  prepareForCreate(object, context) {
    warn(object, object.spec?.jobTemplate?.spec ?? {}, 'spec.jobTemplate.spec', context);
  },
  prepareForUpdate(object, old, context) {
    const spec = object.spec ?? {};
    if (!deepEqual(spec, old.spec)) {
      warn(object, spec.jobTemplate?.spec ?? {}, 'spec.jobTemplate.spec', context, old.spec);
    }
    if (String(spec.schedule ?? '').includes('TZ')) {
      context.warn(
        'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
      );
    }
  },
  validate(object, fields) {
    validateCronJob(object, fields);
    const name = object.metadata.name ?? '';
    if (name.length > MAX_CRON_JOB_NAME) {
      fields.child('metadata', 'name').invalid(name, `must be no more than ${MAX_CRON_JOB_NAME} characters`);
    }
  },
  validateUpdate: (next, old, fields) => validateCronJob(next, fields, old.spec),
  printer: textPrinter(
    {
      Schedule: ({ spec }) => spec?.schedule ?? '',
      Timezone: ({ spec }) => spec?.timeZone ?? '<none>',
      Suspend: ({ spec }) => (spec?.suspend ? 'True' : 'False'),
      Active: ({ status }) => status?.active?.length ?? 0,
      'Last Schedule': ({ status }, now) => (status?.lastScheduleTime ? age(status.lastScheduleTime, now) : '<none>'),
    },
    wideWithSelectorOf(({ spec }) => spec?.jobTemplate?.spec),
    { Suspend: 'boolean', Active: 'integer' },
  ),
});

export const batchKinds: Kind[] = [job, cronJob];
