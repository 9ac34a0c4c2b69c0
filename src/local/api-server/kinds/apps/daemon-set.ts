import { deepEqual } from '../../json/values';
import { labels } from '../../table/format';
import { AnyObject } from '../../types';
import { Fields } from '../../validation/fields';
import { define } from '../define';
import { textPrinter } from '../printers';
import {
  APPS,
  atMost100Percent,
  DEFAULT_HISTORY,
  defaultTemplate,
  immutableSelector,
  nonNegative,
  notDecremented,
  numberIn,
  reportMismatch,
  validateIntOrPercent,
  validateLongRunning,
  validateSelector,
  validateTemplate,
  warnAboutTemplate,
  wideWithSelector,
} from './shared';

/** Annotation with the number of templates that the DaemonSet has had. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

function setDefaults(object: AnyObject): void {
  setTemplateGeneration(object, templateGeneration(object));
  const spec = defaultTemplate(object);
  const strategy = (spec.updateStrategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate = { maxUnavailable: 1, maxSurge: 0, ...strategy.rollingUpdate };
  } else if (strategy.rollingUpdate) {
    strategy.rollingUpdate = { maxUnavailable: 0, maxSurge: 0, ...strategy.rollingUpdate };
  }
  spec.revisionHistoryLimit ??= DEFAULT_HISTORY;
}

function validate({ spec = {} }: AnyObject, fields: Fields): void {
  const at = fields.child('spec');
  const before = at.causes.length;
  const matches = validateSelector(spec, { subject: 'daemonset', required: false }, at);
  if (matches === false) {
    // the mismatch comes before an empty selector, but a selector that does not match is not empty
    reportMismatch(spec, at);
  }
  if (matches === undefined && at.causes.length === before) at.child('selector').required();
  validateTemplate(spec.template, at.child('template'));
  validateLongRunning(spec, 'DaemonSet', at);
  nonNegative(spec, ['minReadySeconds'], at);
  validateStrategy(spec.updateStrategy ?? {}, at.child('updateStrategy'));
  nonNegative(spec, ['revisionHistoryLimit'], at);
}

function validateStrategy({ type = '', rollingUpdate }: AnyObject['spec'], at: Fields): void {
  if (type === 'OnDelete') return;
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
  if (type !== 'RollingUpdate') {
    const shown = {
      Type: type,
      RollingUpdate: rollingUpdate ? { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge } : null,
    };
    at.notSupported(shown, ['RollingUpdate', 'OnDelete']);
    return;
  }
  const field = at.child('rollingUpdate');
  const [unavailable, surge] = [field.child('maxUnavailable'), field.child('maxSurge')];
  validateIntOrPercent(maxUnavailable, unavailable);
  validateIntOrPercent(maxSurge, surge);
  atMost100Percent(maxUnavailable, unavailable);
  atMost100Percent(maxSurge, surge);
  const [mayMiss, mayAdd] = [numberIn(maxUnavailable) !== 0, numberIn(maxSurge) !== 0];
  if (mayMiss && mayAdd) surge.invalid(maxSurge, 'may not be set when maxUnavailable is non-zero');
  if (!mayMiss && !mayAdd) unavailable.required('cannot be 0 when maxSurge is 0');
}

const COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];

function setTemplateGeneration(object: AnyObject, generation: number): void {
  (object.metadata.annotations ??= {})[TEMPLATE_GENERATION] = String(generation);
}

const templateGeneration = ({ metadata }: AnyObject): number =>
  Number(metadata.annotations?.[TEMPLATE_GENERATION]) || 0;

export const daemonSet = define({
  ...APPS,
  kind: 'DaemonSet',
  plural: 'daemonsets',
  shortNames: ['ds'],
  defaults: setDefaults,
  prepareForCreate(object, context) {
    setTemplateGeneration(object, Math.max(1, templateGeneration(object)));
    warnAboutTemplate(object, context);
  },
  prepareForUpdate(object, old, context) {
    const isChanged = !deepEqual(object.spec?.template, old.spec?.template);
    setTemplateGeneration(object, templateGeneration(old) + (isChanged ? 1 : 0));
    if (isChanged) warnAboutTemplate(object, context);
  },
  validate,
  validateUpdate(next, old, fields) {
    immutableSelector(next, old, fields);
    validate(next, fields);
  },
  validateStatus({ status = {} }, old, fields) {
    nonNegative(status, COUNTS, fields.child('status'));
    notDecremented(status, old.status, fields.child('status'));
  },
  printer: textPrinter(
    {
      Desired: ({ status }) => status?.desiredNumberScheduled ?? 0,
      Current: ({ status }) => status?.currentNumberScheduled ?? 0,
      Ready: ({ status }) => status?.numberReady ?? 0,
      'Up-to-date': ({ status }) => status?.updatedNumberScheduled ?? 0,
      Available: ({ status }) => status?.numberAvailable ?? 0,
      'Node Selector': ({ spec }) => labels(spec?.template?.spec?.nodeSelector),
    },
    wideWithSelector,
    { Desired: 'integer', Current: 'integer', Ready: 'integer', 'Up-to-date': 'integer', Available: 'integer' },
  ),
});
