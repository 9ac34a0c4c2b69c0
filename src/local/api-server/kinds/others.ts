import { age } from '../table/format';
import { define } from './define';
import { textPrinter } from './printers';

export const leaseKind = define({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
  createOnUpdate: true,
  unconditionalUpdate: false,
  printer: textPrinter({ Holder: ({ spec }) => spec?.holderIdentity ?? '' }),
  validate({ spec }, fields) {
    const at = fields.child('spec');
    for (const field of ['leaseDurationSeconds']) {
      if (spec?.[field] !== undefined && spec[field] <= 0)
        at.child(field).invalid(spec[field], 'must be greater than 0');
    }
    if (spec?.leaseTransitions < 0)
      at.child('leaseTransitions').invalid(spec.leaseTransitions, 'must be greater than or equal to 0');
  },
});

export const priorityClass = define({
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  namespaced: false,
  shortNames: ['pc'],
  printer: {
    columns: [
      { name: 'Name', type: 'string', format: 'name' },
      { name: 'Value', type: 'integer' },
      { name: 'Global-Default', type: 'boolean' },
      { name: 'Age', type: 'string' },
      { name: 'PreemptionPolicy', type: 'string' },
    ],
    row: ({ metadata, value, globalDefault = false, preemptionPolicy = '' }, now) => [
      metadata.name!,
      value ?? 0,
      globalDefault,
      age(metadata.creationTimestamp, now),
      preemptionPolicy,
    ],
  },
  defaults(object) {
    object.preemptionPolicy ??= 'PreemptLowerPriority';
  },
  prepareForCreate(object) {
    object.metadata.generation = 1;
  },
  validate({ metadata: { name = '' }, value, preemptionPolicy }, fields) {
    const system = ['system-node-critical', 'system-cluster-critical'].includes(name);
    if (name.startsWith('system-') && !system) {
      fields
        .child('metadata', 'name')
        .forbidden(
          `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`,
        );
    } else if (!system && value > 1_000_000_000) {
      fields.child('value').forbidden('maximum allowed value of a user defined priority is 1000000000');
    }
    const policies = ['PreemptLowerPriority', 'Never'];
    if (!preemptionPolicy) fields.child('preemptionPolicy').required();
    else if (!policies.includes(preemptionPolicy)) {
      fields.child('preemptionPolicy').notSupported(preemptionPolicy, policies);
    }
  },
  validateUpdate(next, old, fields) {
    if (next.value !== old.value) fields.child('value').forbidden('may not be changed in an update.');
    if (next.preemptionPolicy !== old.preemptionPolicy) {
      fields.child('preemptionPolicy').invalid(next.preemptionPolicy, 'field is immutable');
    }
  },
});
