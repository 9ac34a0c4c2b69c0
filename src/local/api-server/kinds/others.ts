import { Kind } from '../registry/kind';
import { age, selector } from '../table/format';
import { subdomainName } from '../validation/names';
import { define } from './define';
import { few, nameOnly, textPrinter } from './printers';

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
  validate({ metadata, value }, fields) {
    const system = ['system-node-critical', 'system-cluster-critical'].includes(metadata.name!);
    if (metadata.name!.startsWith('system-') && !system) {
      fields
        .child('metadata', 'name')
        .forbidden(
          `priority class names with 'system-' prefix are reserved for system use only. error: ${metadata.name} is not a known system priority class`,
        );
    } else if (!system && value > 1_000_000_000) {
      fields.child('value').forbidden('maximum allowed value of a user defined priority is 1000000000');
    }
  },
  validateUpdate(next, old, fields) {
    if (next.value !== old.value) fields.child('value').invalid(next.value, 'field is immutable');
    if (next.preemptionPolicy !== old.preemptionPolicy) {
      fields.child('preemptionPolicy').invalid(next.preemptionPolicy, 'field is immutable');
    }
  },
});

export const podDisruptionBudget = define({
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  namespaced: true,
  shortNames: ['pdb'],
  status: true,
  generation: true,
  nameRule: subdomainName,
  printer: textPrinter(
    {
      'Min Available': ({ spec }) => String(spec?.minAvailable ?? 'N/A'),
      'Max Unavailable': ({ spec }) => String(spec?.maxUnavailable ?? 'N/A'),
      'Allowed Disruptions': ({ status }) => status?.disruptionsAllowed ?? 0,
    },
    {},
    { 'Allowed Disruptions': 'integer' },
  ),
  validate({ spec }, fields) {
    if (spec?.minAvailable !== undefined && spec?.maxUnavailable !== undefined) {
      fields.child('spec').invalid(spec, 'minAvailable and maxUnavailable cannot be both set');
    }
  },
});

/** Other kinds, stored without special rules. */
export const storedKinds: Kind[] = [
  define({
    group: 'networking.k8s.io',
    version: 'v1',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    singular: 'networkpolicy',
    namespaced: true,
    shortNames: ['netpol'],
    generation: true,
    printer: textPrinter({ 'Pod-Selector': ({ spec }) => selector(spec?.podSelector) }),
    defaults({ spec }) {
      if (spec && !spec.policyTypes) spec.policyTypes = spec.egress ? ['Ingress', 'Egress'] : ['Ingress'];
    },
  }),
  define({
    group: 'networking.k8s.io',
    version: 'v1',
    kind: 'Ingress',
    plural: 'ingresses',
    singular: 'ingress',
    namespaced: true,
    shortNames: ['ing'],
    status: true,
    generation: true,
    printer: textPrinter({
      Class: ({ spec }) => spec?.ingressClassName ?? '<none>',
      Hosts: ({ spec }) => {
        const hosts = ((spec?.rules ?? []) as { host?: string }[]).map((rule) => rule.host).filter(Boolean) as string[];
        return hosts.length ? few(hosts) : '*';
      },
      Address: ({ status }) =>
        ((status?.loadBalancer?.ingress ?? []) as { ip?: string; hostname?: string }[])
          .map((item) => item.ip ?? item.hostname)
          .join(','),
      Ports: ({ spec }) => (spec?.tls?.length ? '80, 443' : '80'),
    }),
  }),
  define({
    group: '',
    version: 'v1',
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    namespaced: true,
    shortNames: ['quota'],
    status: true,
    returnsDeleted: true,
    printer: textPrinter({ Request: () => '', Limit: () => '' }),
  }),
  define({
    group: '',
    version: 'v1',
    kind: 'LimitRange',
    plural: 'limitranges',
    namespaced: true,
    shortNames: ['limits'],
    printer: nameOnly,
  }),
];
