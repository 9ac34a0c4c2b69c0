import { tryParseQuantity } from '../../../api/quantity';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { isDns1123Label, isPathSegment, isQualifiedName } from '../validation/names';

type Spec = AnyObject['spec'];

const SOURCES: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};
/** Order in which the first source of a metric is validated. */
const SOURCE_ORDER = ['object', 'external', 'pods', 'resource', 'containerResource'];
const MAX_PERIOD_SECONDS = 1800;
const MAX_WINDOW_SECONDS = 3600;

/** Validates an autoscaler in version 2. `old`: the spec before an update. */
export function validateAutoscaler({ spec = {} }: AnyObject, fields: Fields, old?: Spec): void {
  const at = fields.child('spec');
  const { minReplicas: min, maxReplicas: max = 0, scaleTargetRef: target = {} } = spec;
  const least = old?.minReplicas === 0 ? 0 : 1;
  if (min < least) at.child('minReplicas').invalid(min, `must be greater than or equal to ${least}`);
  if (max === 0) at.child('maxReplicas').required('must be set and greater than 0');
  else if (max < 0) at.child('maxReplicas').invalid(max, 'must be greater than or equal to 1');
  if (max < min) at.child('maxReplicas').invalid(max, 'must be greater than or equal to `minReplicas`');
  const before = old?.scaleTargetRef;
  const same = before && before.apiVersion === target.apiVersion && before.kind === target.kind;
  validateReference(target, at.child('scaleTargetRef'), !same, target.kind === 'ReplicationController');
  const metrics: Spec[] = spec.metrics ?? [];
  metrics.forEach((metric, i) => validateMetric(metric, at.child('metrics').index(i)));
  if (min === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const rule = 'must specify at least one Object or External metric to support scaling to zero replicas';
    at.child('metrics').forbidden(rule);
  }
  validateRules(spec.behavior?.scaleUp, at.child('behavior', 'scaleUp'));
  validateRules(spec.behavior?.scaleDown, at.child('behavior', 'scaleDown'));
}

function validateReference(reference: Spec, at: Fields, strict: boolean, coreAllowed: boolean): void {
  for (const name of ['kind', 'name']) {
    if (!reference[name]) at.child(name).required();
    else at.child(name).invalidEach(reference[name], isPathSegment(reference[name]));
  }
  if (!strict) return;
  const version = String(reference.apiVersion ?? '');
  const slashes = version.split('/').length - 1;
  if (slashes > 1) at.child('apiVersion').invalid(version, `unexpected GroupVersion string: ${version}`);
  else if (!slashes && !coreAllowed) at.child('apiVersion').invalid(version, 'apiVersion must specify API group');
}

function validateRules(rules: Spec | undefined, at: Fields): void {
  if (!rules) return;
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance } = rules;
  const windowAt = at.child('stabilizationWindowSeconds');
  if (window < 0) windowAt.invalid(window, 'must be greater than or equal to zero');
  if (window > MAX_WINDOW_SECONDS) windowAt.invalid(window, `must be less than or equal to ${MAX_WINDOW_SECONDS}`);
  const allowed = ['Disabled', 'Max', 'Min'];
  if (selectPolicy !== undefined && !allowed.includes(selectPolicy)) {
    at.child('selectPolicy').notSupported(selectPolicy, allowed);
  }
  if (!policies.length) at.child('policies').required('must specify at least one Policy');
  (policies as Spec[]).forEach(({ type = '', value = 0, periodSeconds: period = 0 }, i) => {
    const field = at.child('policies').index(i);
    if (!['Pods', 'Percent'].includes(type)) field.child('type').notSupported(type, ['Percent', 'Pods']);
    if (value <= 0) field.child('value').invalid(value, 'must be greater than zero');
    if (period <= 0) field.child('periodSeconds').invalid(period, 'must be greater than zero');
    if (period > MAX_PERIOD_SECONDS) {
      field.child('periodSeconds').invalid(period, `must be less than or equal to ${MAX_PERIOD_SECONDS}`);
    }
  });
  if (tolerance !== undefined && (tryParseQuantity(tolerance)?.nanos ?? 0n) < 0n) {
    at.child('tolerance').invalid(tolerance, 'must be greater than or equal to 0');
  }
}

function validateMetric(metric: Spec, at: Fields): void {
  const { type = '' } = metric;
  const types = Object.keys(SOURCES);
  if (!type) at.child('type').required('must specify a metric source type');
  if (!types.includes(type)) at.child('type').notSupported(type, types);
  const present = SOURCE_ORDER.filter((name) => metric[name]);
  const [first] = present;
  if (first) validateSource(first, metric[first], at.child(first));
  const expected = Object.hasOwn(SOURCES, type) ? SOURCES[type]! : '';
  if (!expected) at.child('type').notSupported(type, types);
  else if (!metric[expected]) at.child(expected).required('must populate information for the given metric source');
  if (present.length === 1) return;
  for (const name of present.filter((other) => other !== expected)) {
    at.child(name).forbidden('must populate the given metric source only');
  }
}

function validateSource(name: string, source: Spec, at: Fields): void {
  const { target = {} } = source;
  const field = at.child('target');
  if (name === 'object') validateReference(source.describedObject ?? {}, at.child('describedObject'), true, true);
  if (['object', 'external', 'pods'].includes(name)) {
    const metric = String(source.metric?.name ?? '');
    if (!metric) at.child('metric', 'name').required('must specify a metric name');
    else at.child('metric', 'name').invalidEach(metric, isPathSegment(metric));
  } else validateResource(name, source, at);
  validateTarget(target, field);
  const { value, averageValue, averageUtilization } = target;
  switch (name) {
    case 'object':
      if (!value && !averageValue) {
        field.child('averageValue').required('must set either a target value or averageValue');
      }
      return;
    case 'external':
      if (!value && !averageValue) {
        field.child('averageValue').required('must set either a target value for metric or a per-pod target');
      }
      if (value && averageValue) {
        field.child('value').forbidden('may not set both a target value for metric and a per-pod target');
      }
      return;
    case 'pods':
      if (!averageValue) field.child('averageValue').required('must specify a positive target averageValue');
      return;
    default:
      if (averageUtilization === undefined && !averageValue) {
        const rule = 'must set either a target raw value or a target utilization';
        field.child('averageUtilization').required(rule);
      }
      if (averageUtilization !== undefined && averageValue) {
        field.child('averageValue').forbidden('may not set both a target raw value and a target utilization');
      }
  }
}

function validateResource(name: string, source: Spec, at: Fields): void {
  if (!source.name) at.child('name').required('must specify a resource name');
  if (name === 'resource') return;
  if (source.name) {
    const standard = /^(cpu|memory|ephemeral-storage|hugepages-.*)$/.test(source.name) || source.name.includes('/');
    at.child('name').invalidEach(source.name, isQualifiedName(source.name));
    if (!standard) {
      at.child('name').invalid(source.name, 'must be a standard resource type or fully qualified');
      at.child('name').invalid(source.name, 'must be a standard resource for containers');
    }
  }
  if (!source.container) at.child('container').required('must specify a container');
  else at.child('container').invalidEach(source.container, isDns1123Label(source.container));
}

function validateTarget({ type = '', value, averageValue, averageUtilization }: Spec, at: Fields): void {
  if (!type) at.child('type').required('must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    at.child('type').invalid(type, 'must be either Utilization, Value, or AverageValue');
  }
  const positive = (name: string, amount: unknown): unknown =>
    amount !== undefined &&
    (tryParseQuantity(amount)?.nanos ?? 0n) <= 0n &&
    at.child(name).invalid(amount, 'must be positive');
  positive('value', value);
  positive('averageValue', averageValue);
  if (averageUtilization < 1) at.child('averageUtilization').invalid(averageUtilization, 'must be greater than 0');
}
