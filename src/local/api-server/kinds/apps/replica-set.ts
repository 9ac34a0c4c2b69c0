import { deepEqual } from '../../json/values';
import { AnyObject } from '../../types';
import { Fields } from '../../validation/fields';
import { define } from '../define';
import { textPrinter } from '../printers';
import {
  APPS,
  defaultTemplate,
  immutableSelector,
  nonNegative,
  notGreater,
  REPLICAS,
  validateReplicated,
  warnAboutName,
  warnAboutTemplate,
  wideWithSelector,
} from './shared';

function validate({ spec = {} }: AnyObject, fields: Fields): void {
  const at = fields.child('spec');
  nonNegative(spec, ['replicas', 'minReadySeconds'], at);
  validateReplicated(spec, at);
}

const COUNTS = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
  'terminatingReplicas',
];

export const replicaSet = define({
  ...APPS,
  kind: 'ReplicaSet',
  plural: 'replicasets',
  shortNames: ['rs'],
  scale: REPLICAS,
  defaults(object) {
    defaultTemplate(object).replicas ??= 1;
  },
  prepareForCreate(object, context) {
    warnAboutName(object, context);
    warnAboutTemplate(object, context);
  },
  prepareForUpdate(object, old, context) {
    if (!deepEqual(object.spec, old.spec)) warnAboutTemplate(object, context);
  },
  validate,
  validateUpdate(next, old, fields) {
    validate(next, fields);
    immutableSelector(next, old, fields);
  },
  validateStatus({ status = {} }, _old, fields) {
    const at = fields.child('status');
    nonNegative(status, COUNTS, at);
    const all = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];
    notGreater(status, all, 'replicas', 'cannot be greater than status.replicas', at);
    notGreater(status, ['availableReplicas'], 'readyReplicas', 'cannot be greater than readyReplicas', at);
  },
  printer: textPrinter(
    {
      Desired: ({ spec }) => spec?.replicas ?? 0,
      Current: ({ status }) => status?.replicas ?? 0,
      Ready: ({ status }) => status?.readyReplicas ?? 0,
    },
    wideWithSelector,
    { Desired: 'integer', Current: 'integer', Ready: 'integer' },
  ),
});
