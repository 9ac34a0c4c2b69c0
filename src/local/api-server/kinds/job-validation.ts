import { clone, deepEqual } from '../json/values';
import { matchLabelSelector } from '../registry/label-selector';
import { AnyObject } from '../types';
import { validateDomainPrefixedPath } from '../validation/domain-prefixed-path';
import { Fields } from '../validation/fields';
import { isDns1123Label, isQualifiedName } from '../validation/names';
import { nonNegative, validateTemplate } from './apps/shared';
import { countIndexes } from './job-indexes';

type Spec = AnyObject['spec'];

const SUPPORTED_ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const MAX_INDEXES = 100_000;
const MAX_PARALLELISM_OF_MANY = 10_000;
const MAX_MANAGED_BY = 63;
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_INDEXES_TEXT = 64 * 1024;

/** Quotes values as Go prints a list of strings. */
const quoted = (values: readonly string[]): string =>
  `valid values: [${values.map((value) => JSON.stringify(value)).join(' ')}]`;

/** Validates a Job as a whole. */
export function validateJob({ metadata, spec = {} }: AnyObject, fields: Fields, prefixed = true): void {
  validateGeneratedSelector(metadata, spec, fields, prefixed);
  validateOwnSpec(spec, fields.child('spec'));
  if (spec.completionMode !== 'Indexed' || !(spec.completions > 0)) return;
  const hostname = `${metadata.name}-${spec.completions - 1}`;
  if (!isDns1123Label(hostname).length) return;
  fields
    .child('metadata', 'name')
    .invalid(metadata.name, `will not able to create pod with invalid DNS label: ${hostname}`);
}

/** Validates changes of a Job's spec; the rules for new Jobs apply as well. */
export function validateJobUpdate(next: AnyObject, old: AnyObject, fields: Fields): void {
  const before = old.spec?.template?.metadata?.labels ?? {};
  const prefixed = ['batch.kubernetes.io/job-name', 'batch.kubernetes.io/controller-uid'].every(
    (label) => before[label] !== undefined,
  );
  validateJob(next, fields, prefixed);
  const { spec } = next;
  const at = fields.child('spec');
  validateOwnSpec(spec, at);
  if (spec.completionMode !== 'Indexed') immutable(spec, old.spec, 'completions', at);
  else if (spec.completions !== undefined && spec.completions !== old.spec.completions) {
    if (spec.completions !== spec.parallelism) {
      at.child('completions').invalid(spec.completions, 'can only be modified in tandem with spec.parallelism');
    }
  }
  immutable(spec, old.spec, 'selector', at);
  validateTemplateUpdate(spec, old, at);
  for (const name of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy']) {
    immutable(spec, old.spec, name, at);
  }
}

function immutable(next: Spec, old: Spec, name: string, at: Fields): void {
  if (!deepEqual(next[name], old[name])) at.child(name).invalid(next[name] ?? null, 'field is immutable');
}

/** A Job that is suspended and has no Pods may still change where its Pods run, and their resources. */
function validateTemplateUpdate(spec: Spec, old: AnyObject, at: Fields): void {
  const conditions: { type: string; status: string }[] = old.status?.conditions ?? [];
  const suspended = conditions.some(({ type, status }) => type === 'Suspended' && status === 'True');
  const mutable = old.spec.suspend === true && (!old.status?.startTime || suspended) && !(old.status?.active > 0);
  const allowed = mutable ? withMutableFields(old.spec.template, spec.template) : old.spec.template;
  if (deepEqual(spec.template, allowed)) return;
  if (mutable) at.child('template', 'spec').invalid(spec.template.spec, 'field is immutable');
  else at.child('template').invalid(spec.template, 'field is immutable');
}

function withMutableFields(old: Spec, next: Spec): Spec {
  const allowed = clone(old as AnyObject) as Spec;
  const { affinity } = next.spec;
  if (affinity?.nodeAffinity) (allowed.spec.affinity ??= {}).nodeAffinity = affinity.nodeAffinity;
  else if (allowed.spec.affinity) delete allowed.spec.affinity.nodeAffinity;
  if (!affinity && allowed.spec.affinity && !Object.keys(allowed.spec.affinity).length) delete allowed.spec.affinity;
  for (const name of ['nodeSelector', 'tolerations', 'schedulingGates']) copy(next.spec, allowed.spec, name);
  allowed.metadata = next.metadata;
  for (const list of ['containers', 'initContainers']) {
    (allowed.spec[list] ?? []).forEach((container: Spec, i: number) => {
      const other = next.spec[list]?.[i];
      if (other?.name === container.name) copy(other, container, 'resources');
    });
  }
  return allowed;
}

function copy(from: Spec, to: Spec, name: string): void {
  if (from[name] === undefined) delete to[name];
  else to[name] = from[name];
}

function validateGeneratedSelector(
  metadata: AnyObject['metadata'],
  spec: Spec,
  fields: Fields,
  prefixed: boolean,
): void {
  if (spec.manualSelector || !spec.selector) return;
  const at = fields.child('spec', 'template', 'metadata', 'labels');
  const { uid = '', name = '' } = metadata;
  const expected: Record<string, string> = { 'controller-uid': uid, 'job-name': name };
  if (prefixed)
    Object.assign(expected, { 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': name });
  const labels = spec.template?.metadata?.labels ?? {};
  for (const [label, want] of Object.entries(expected)) {
    if (labels[label] === undefined) at.key(label).required(`must be '${want}'`);
    else if (labels[label] !== want) at.key(label).invalid(labels, `must be '${want}'`);
  }
  if (!matchLabelSelector(spec.selector)(expected)) {
    fields.child('spec', 'selector').invalid(spec.selector, '`selector` not auto-generated');
  }
}

function validateOwnSpec(spec: Spec, at: Fields): void {
  validateJobSpec(spec, at);
  if (!spec.selector) at.child('selector').required();
  const labels = spec.template?.metadata?.labels;
  if (!spec.selector || !matchLabelSelector(spec.selector)(labels)) {
    at.child('template', 'metadata', 'labels').invalid(labels ?? null, '`selector` does not match template `labels`');
  }
}

/** Validates the rules that Jobs share with the template of a CronJob. */
export function validateJobSpec(spec: Spec, at: Fields): void {
  nonNegative(
    spec,
    [
      ...['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'],
      ...['backoffLimitPerIndex', 'maxFailedIndexes'],
    ],
    at,
  );
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    at.child('backoffLimitPerIndex').required('when maxFailedIndexes is specified');
  }
  if (spec.managedBy !== undefined) validateManagedBy(String(spec.managedBy), at.child('managedBy'));
  const mode = spec.completionMode ?? 'NonIndexed';
  if (!['NonIndexed', 'Indexed'].includes(mode)) {
    at.child('completionMode').notSupported(mode, ['NonIndexed', 'Indexed']);
  }
  if (mode === 'Indexed') validateIndexed(spec, at);
  if (mode === 'NonIndexed') {
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
      if (spec[name] !== undefined) at.child(name).invalid(spec[name], 'requires indexed completion mode');
    }
  }
  if (spec.podFailurePolicy) validateFailurePolicy(spec, at.child('podFailurePolicy', 'rules'));
  if (spec.successPolicy) {
    if (mode !== 'Indexed') {
      const rules = (spec.successPolicy.rules ?? []).map(({ succeededIndexes, succeededCount }: Spec) => ({
        SucceededIndexes: succeededIndexes ?? null,
        SucceededCount: succeededCount ?? null,
      }));
      at.child('successPolicy').invalid({ Rules: rules }, 'requires indexed completion mode');
    } else validateSuccessPolicy(spec, at.child('successPolicy', 'rules'));
  }
  validateReplacement(spec, at.child('podReplacementPolicy'));
  const template = at.child('template');
  validateTemplate(spec.template, template);
  validateRestartPolicy(spec, template.child('spec', 'restartPolicy'));
}

function validateManagedBy(value: string, at: Fields): void {
  validateDomainPrefixedPath(value, at);
  if (value.length > MAX_MANAGED_BY) at.tooLong(MAX_MANAGED_BY);
}

function validateIndexed(spec: Spec, at: Fields): void {
  const { completions, parallelism, maxFailedIndexes: most } = spec;
  if (completions === undefined) at.child('completions').required('when completion mode is Indexed');
  if (parallelism > MAX_INDEXES) {
    const detail = `must be less than or equal to ${MAX_INDEXES} when completion mode is Indexed`;
    at.child('parallelism').invalid(parallelism, detail);
  }
  if (most > completions) at.child('maxFailedIndexes').invalid(most, 'must be less than or equal to completions');
  if (most > MAX_INDEXES) at.child('maxFailedIndexes').invalid(most, `must be less than or equal to ${MAX_INDEXES}`);
  if (!(completions > MAX_INDEXES) || spec.backoffLimitPerIndex === undefined) return;
  if (most === undefined) {
    at.child('maxFailedIndexes').required(`must be specified when completions is above ${MAX_INDEXES}`);
  }
  const detail = `must be less than or equal to ${MAX_PARALLELISM_OF_MANY} when completions are above ${MAX_INDEXES} and used with backoff limit per index`;
  for (const name of ['parallelism', 'maxFailedIndexes']) {
    if (spec[name] > MAX_PARALLELISM_OF_MANY) at.child(name).invalid(spec[name], detail);
  }
}

function validateRestartPolicy(spec: Spec, at: Fields): void {
  const policy: string = spec.template?.spec?.restartPolicy ?? '';
  if (!policy || policy === 'Always') at.required('valid values: "OnFailure", "Never"');
  else if (!['OnFailure', 'Never'].includes(policy)) at.notSupported(policy, ['OnFailure', 'Never']);
  else if (spec.podFailurePolicy && policy !== 'Never') {
    at.invalid(policy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}

function validateReplacement({ podReplacementPolicy: policy, podFailurePolicy }: Spec, at: Fields): void {
  if (policy === undefined) return;
  const allowed = podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  if (!allowed.includes(policy)) at.notSupported(policy, allowed);
}

function validateFailurePolicy(spec: Spec, at: Fields): void {
  const rules: Spec[] = spec.podFailurePolicy.rules ?? [];
  if (rules.length > MAX_RULES) at.tooMany(rules.length, MAX_RULES);
  const pod = spec.template?.spec ?? {};
  const names = [...(pod.containers ?? []), ...(pod.initContainers ?? [])].map(({ name }: Spec) => name);
  rules.forEach((rule, i) => validateFailureRule(spec, rule, names, at.index(i)));
}

function validateFailureRule(spec: Spec, rule: Spec, names: readonly string[], at: Fields): void {
  const { action, onExitCodes: codes, onPodConditions: conditions = [] } = rule;
  if (!action) at.child('action').required(quoted(SUPPORTED_ACTIONS));
  else if (!SUPPORTED_ACTIONS.includes(action)) at.child('action').notSupported(action, SUPPORTED_ACTIONS);
  else if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    at.child('action').invalid(action, 'requires the backoffLimitPerIndex to be set');
  }
  if (codes) validateExitCodes(codes, names, at.child('onExitCodes'));
  if (conditions.length) validateConditions(conditions, at.child('onPodConditions'));
  if (codes && conditions.length) {
    at.invalidField('specifying both OnExitCodes and OnPodConditions is not supported');
  }
  if (!codes && !conditions.length) {
    at.invalidField('specifying one of OnExitCodes and OnPodConditions is required');
  }
}

function validateConditions(patterns: { type?: string; status?: string }[], at: Fields): void {
  if (patterns.length > MAX_RULES) at.tooMany(patterns.length, MAX_RULES);
  const allowed = ['False', 'True', 'Unknown'];
  patterns.forEach(({ type = '', status }, i) => {
    at.index(i).child('type').invalidEach(type, isQualifiedName(type));
    const field = at.index(i).child('status');
    if (!status) field.required(quoted(allowed));
    else if (!allowed.includes(status)) field.notSupported(status, allowed);
  });
}

function validateExitCodes(codes: Spec, names: readonly string[], at: Fields): void {
  const { operator, containerName } = codes;
  const values: number[] = codes.values ?? [];
  if (!operator) at.child('operator').required(quoted(['In', 'NotIn']));
  else if (!['In', 'NotIn'].includes(operator)) at.child('operator').notSupported(operator, ['In', 'NotIn']);
  if (containerName !== undefined && !names.includes(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    at.child('containerName').invalid(containerName, detail);
  }
  const list = at.child('values');
  if (!values.length) list.invalid(null, 'at least one value is required');
  else if (values.length > MAX_EXIT_CODES) list.tooMany(values.length, MAX_EXIT_CODES);
  const seen = new Set<number>();
  values.forEach((value, i) => {
    if (operator === 'In' && value === 0) list.index(i).invalid(value, 'must not be 0 for the In operator');
    if (seen.has(value)) list.index(i).duplicate(value);
    seen.add(value);
  });
  if (values.some((value, i) => i > 0 && values[i - 1]! > value)) list.invalid(values, 'must be ordered');
}

function validateSuccessPolicy(spec: Spec, at: Fields): void {
  const rules: Spec[] = spec.successPolicy.rules ?? [];
  if (!rules.length) at.required('at least one rules must be specified when the successPolicy is specified');
  if (rules.length > MAX_RULES) at.tooMany(rules.length, MAX_RULES);
  const completions: number = spec.completions ?? 0;
  rules.forEach(({ succeededIndexes: indexes, succeededCount: count }, i) => {
    const rule = at.index(i);
    if (count === undefined && indexes === undefined) {
      rule.required('at least one of succeededCount or succeededIndexes must be specified');
    }
    let total = 0;
    if (indexes !== undefined) {
      const field = rule.child('succeededIndexes');
      if (indexes.length > MAX_INDEXES_TEXT) field.tooLong(MAX_INDEXES_TEXT);
      const counted = countIndexes(indexes, completions);
      if (typeof counted === 'number') total = counted;
      else field.invalid(indexes, `error parsing succeededIndexes: ${counted.error}`);
    }
    if (count === undefined) return;
    const field = rule.child('succeededCount');
    if (count < 0) field.invalid(count, 'must be greater than or equal to 0');
    const limit = (most: number, what: string): unknown =>
      count > most && field.invalid(count, `must be less than or equal to ${most} (the number of ${what})`);
    limit(completions, 'specified completions');
    if (indexes !== undefined) limit(total, 'indexes in the specified succeededIndexes field');
  });
}
