import { clone } from '../json/values';
import { Kind } from '../registry/kind';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { fromV1, toV1 } from './autoscaling-v1';
import { validateAutoscaler } from './autoscaling-validation';
import { define } from './define';
import { textPrinter } from './printers';

type Any = AnyObject['spec'];

const DEFAULT_CPU_PERCENT = 80;
const MAX_SHOWN = 2;
const UNKNOWN = '<unknown>';
const SCALE_UP = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const SCALE_DOWN = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };

function setDefaults(object: AnyObject): void {
  const spec = (object.spec ??= {});
  spec.minReplicas ??= 1;
  if (!spec.metrics?.length) {
    const target = { type: 'Utilization', averageUtilization: DEFAULT_CPU_PERCENT };
    spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  }
  const { behavior } = spec;
  if (!behavior) return;
  behavior.scaleUp = { ...clone(SCALE_UP), ...behavior.scaleUp };
  behavior.scaleDown = { ...clone(SCALE_DOWN), ...behavior.scaleDown };
}

/** The status always lists metrics, `null` if there are none. */
function printStatus(object: AnyObject): void {
  const status = (object.status ??= {});
  status.currentMetrics ??= null;
  status.desiredReplicas ??= 0;
}

/** Targets of an autoscaler: `cpu: 12%/80%`. */
function targets({ spec, status }: AnyObject): string {
  const metrics: Any[] = spec?.metrics ?? [];
  if (!metrics.length) return '<none>';
  const texts = metrics.map((metric, i) => targetText(metric, status?.currentMetrics?.[i] ?? {}));
  const shown = texts.slice(0, MAX_SHOWN).join(', ');
  return texts.length > MAX_SHOWN ? `${shown} + ${texts.length - MAX_SHOWN} more...` : shown;
}

function targetText(metric: Any, status: Any): string {
  switch (metric.type) {
    case 'Resource':
      return resourceText(metric.resource, status.resource);
    case 'ContainerResource':
      return resourceText(metric.containerResource, status.containerResource);
    case 'Pods':
      return `${status.pods?.current?.averageValue ?? UNKNOWN}/${metric.pods?.target?.averageValue}`;
    case 'Object':
      return valueText(metric.object, status.object);
    case 'External':
      return valueText(metric.external, status.external);
    default:
      return '<unknown type>';
  }
}

function resourceText(source: Any, status: Any): string {
  const { name, target = {} } = source ?? {};
  const { averageValue, averageUtilization } = target;
  if (averageValue !== undefined) return `${name}: ${status?.current?.averageValue ?? UNKNOWN}/${averageValue}`;
  const percent = (value: unknown, other: string): string => (value === undefined ? other : `${String(value)}%`);
  const current = percent(status?.current?.averageUtilization, UNKNOWN);
  return `${name}: ${current}/${percent(averageUtilization, '<auto>')}`;
}

function valueText(source: Any, status: Any): string {
  const { value, averageValue } = source?.target ?? {};
  const current = status?.current ?? {};
  return averageValue === undefined
    ? `${current.value ?? UNKNOWN}/${value}`
    : `${current.averageValue ?? UNKNOWN}/${averageValue} (avg)`;
}

const AUTOSCALER = {
  group: 'autoscaling',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  namespaced: true,
  shortNames: ['hpa'],
  categories: ['all'],
  status: true,
  validateStatus({ status = {} }: AnyObject, _old: AnyObject, fields: Fields) {
    for (const name of ['currentReplicas', 'desiredReplicas']) {
      if (status[name] < 0) fields.child('status', name).invalid(status[name], 'must be greater than or equal to 0');
    }
  },
};

const printer = textPrinter({
  Reference: ({ spec }) => `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`,
  Targets: targets,
  MinPods: ({ spec }) => String(spec?.minReplicas ?? '<unset>'),
  MaxPods: ({ spec }) => spec?.maxReplicas ?? 0,
  Replicas: ({ status }) => status?.currentReplicas ?? 0,
});

const v2 = define({
  ...AUTOSCALER,
  version: 'v2',
  printer,
  defaults: setDefaults,
  prepareForCreate: printStatus,
  prepareForUpdate: printStatus,
  prepareStatus: printStatus,
  validate: (object, fields) => validateAutoscaler(object, fields),
  validateUpdate: (next, old, fields) => validateAutoscaler(next, fields, old.spec),
});

/** Version 1 is converted: autoscalers are stored in version 2. */
const v1 = define({
  ...AUTOSCALER,
  version: 'v1',
  printer: { ...printer, row: (object, now) => printer.row(fromV1(object), now) },
  defaults({ spec }) {
    if (spec) spec.minReplicas ??= 1;
  },
  validate: (object, fields) => validateAutoscaler(fromV1(object), fields),
  validateUpdate: (next, old, fields) => validateAutoscaler(fromV1(next), fields, fromV1(old).spec),
  fromStorage: toV1,
  toStorage(object) {
    const stored = fromV1(object);
    setDefaults(stored);
    return stored;
  },
});

export const autoscalingKinds: Kind[] = [v2, v1];
