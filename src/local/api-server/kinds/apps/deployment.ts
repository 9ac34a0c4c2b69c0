import { deepEqual } from '../../json/values';
import { AnyObject } from '../../types';
import { Fields } from '../../validation/fields';
import { define, keep } from '../define';
import { textPrinter } from '../printers';
import {
  APPS,
  atMost100Percent,
  DEFAULT_HISTORY,
  defaultTemplate,
  immutableSelector,
  nonNegative,
  notDecremented,
  notGreater,
  numberIn,
  REPLICAS,
  validateIntOrPercent,
  validateReplicated,
  warnAboutName,
  warnAboutTemplate,
  wideWithSelector,
} from './shared';

const DEFAULT_DEADLINE = 600;

function setDefaults(object: AnyObject): void {
  const spec = defaultTemplate(object);
  spec.replicas ??= 1;
  const strategy = (spec.strategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate = { maxUnavailable: '25%', maxSurge: '25%', ...strategy.rollingUpdate };
  }
  spec.revisionHistoryLimit ??= DEFAULT_HISTORY;
  spec.progressDeadlineSeconds ??= DEFAULT_DEADLINE;
}

function validate({ spec = {} }: AnyObject, fields: Fields): void {
  const at = fields.child('spec');
  nonNegative(spec, ['replicas'], at);
  validateReplicated(spec, at);
  validateStrategy(spec.strategy ?? {}, at.child('strategy'));
  nonNegative(spec, ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'], at);
  const { progressDeadlineSeconds, minReadySeconds = 0 } = spec;
  if (progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds) {
    at.child('progressDeadlineSeconds').invalid(progressDeadlineSeconds, 'must be greater than minReadySeconds');
  }
}

function validateStrategy({ type = '', rollingUpdate }: AnyObject['spec'], at: Fields): void {
  const field = at.child('rollingUpdate');
  if (type === 'Recreate') {
    if (rollingUpdate) field.forbidden("may not be specified when strategy `type` is 'Recreate'");
  } else if (type === 'RollingUpdate') {
    const { maxUnavailable, maxSurge } = rollingUpdate ?? {};
    validateIntOrPercent(maxUnavailable, field.child('maxUnavailable'));
    validateIntOrPercent(maxSurge, field.child('maxSurge'));
    if (numberIn(maxUnavailable) === 0 && numberIn(maxSurge) === 0) {
      field.child('maxUnavailable').invalid(maxUnavailable, 'may not be 0 when `maxSurge` is 0');
    }
    atMost100Percent(maxUnavailable, field.child('maxUnavailable'));
  } else {
    const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
    const shown = {
      Type: type,
      RollingUpdate: rollingUpdate ? { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge } : null,
    };
    at.notSupported(shown, ['Recreate', 'RollingUpdate']);
  }
}

const COUNTS = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
];

export const deployment = define({
  ...APPS,
  kind: 'Deployment',
  plural: 'deployments',
  shortNames: ['deploy'],
  scale: REPLICAS,
  defaults: setDefaults,
  prepareForCreate(object, context) {
    warnAboutName(object, context);
    warnAboutTemplate(object, context);
  },
  prepareForUpdate(object, old, context) {
    const isSame = deepEqual(object.spec, old.spec) && deepEqual(object.metadata.annotations, old.metadata.annotations);
    if (isSame) return;
    // a changed spec raises the generation as well, for every kind
    if (deepEqual(object.spec, old.spec)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    warnAboutTemplate(object, context);
  },
  prepareStatus(object, old) {
    keep(object.metadata as AnyObject, old.metadata as AnyObject, 'labels');
  },
  resetFields: (subresource) => (subresource === 'status' ? ['spec', 'metadata.labels'] : ['status']),
  validate,
  validateUpdate(next, old, fields) {
    validate(next, fields);
    immutableSelector(next, old, fields);
  },
  validateStatus({ status = {} }, old, fields) {
    const at = fields.child('status');
    nonNegative(status, COUNTS, at);
    const all = ['updatedReplicas', 'readyReplicas', 'availableReplicas'];
    notGreater(status, all, 'replicas', 'cannot be greater than status.replicas', at);
    notGreater(status, ['availableReplicas'], 'readyReplicas', 'cannot be greater than readyReplicas', at);
    notDecremented(status, old.status, at);
  },
  printer: textPrinter(
    {
      Ready: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      'Up-to-date': ({ status }) => status?.updatedReplicas ?? 0,
      Available: ({ status }) => status?.availableReplicas ?? 0,
    },
    wideWithSelector,
  ),
});
