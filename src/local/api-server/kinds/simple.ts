import { Cell, Column, Kind, Printer } from '../registry/kind';
import { age, labels, selector } from '../table/format';
import { AnyObject, deepEqual } from '../types';
import { pathSegmentName, subdomainName } from '../validation/names';
import { define } from './define';

/** A printer of text columns between name and age; `wide` columns come after. */
export function textPrinter(
  columns: Record<string, (object: AnyObject, now: number) => Cell>,
  wide: Record<string, (object: AnyObject, now: number) => Cell> = {},
  types: Record<string, Column['type']> = {},
): Printer {
  const column = (name: string, priority = 0): Column => ({ name, type: types[name] ?? 'string', priority });
  return {
    columns: [
      { name: 'Name', type: 'string', format: 'name' },
      ...Object.keys(columns).map((name) => column(name)),
      { name: 'Age', type: 'string' },
      ...Object.keys(wide).map((name) => column(name, 1)),
    ],
    row: (object, now) => [
      object.metadata.name!,
      ...Object.values(columns).map((cell) => cell(object, now)),
      age(object.metadata.creationTimestamp, now),
      ...Object.values(wide).map((cell) => cell(object, now)),
    ],
  };
}

const nameOnly: Printer = {
  columns: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Created At', type: 'date' },
  ],
  row: ({ metadata }) => [metadata.name!, metadata.creationTimestamp ?? null],
};

interface Subject {
  kind: string;
  name: string;
  namespace?: string;
}

const subjects = (kind: string) => (binding: AnyObject) =>
  ((binding.subjects ?? []) as Subject[])
    .filter((subject) => subject.kind === kind)
    .map(({ name, namespace }) => (namespace ? `${namespace}/${name}` : name))
    .join(', ');

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1', nameRule: pathSegmentName } as const;

function validateRoleRef(next: AnyObject, old: AnyObject, fields: Parameters<Kind['validateUpdate']>[2]): void {
  if (!deepEqual(next.roleRef, old.roleRef)) fields.child('roleRef').invalid(next.roleRef, 'cannot change roleRef');
}

const bindingPrinter = textPrinter(
  { Role: ({ roleRef }) => `${roleRef?.kind}/${roleRef?.name}` },
  { Users: subjects('User'), Groups: subjects('Group'), ServiceAccounts: subjects('ServiceAccount') },
);

function defaultBinding(binding: AnyObject): void {
  if (binding.roleRef) binding.roleRef.apiGroup ||= RBAC.group;
  for (const subject of (binding.subjects ?? []) as (Subject & { apiGroup?: string })[]) {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ??= RBAC.group;
  }
}

export const rbacKinds: Kind[] = [
  define({ ...RBAC, kind: 'Role', plural: 'roles', namespaced: true, printer: nameOnly }),
  define({ ...RBAC, kind: 'ClusterRole', plural: 'clusterroles', namespaced: false, printer: nameOnly }),
  define({
    ...RBAC,
    kind: 'RoleBinding',
    plural: 'rolebindings',
    namespaced: true,
    printer: bindingPrinter,
    defaults: defaultBinding,
    validateUpdate: validateRoleRef,
  }),
  define({
    ...RBAC,
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    namespaced: false,
    printer: bindingPrinter,
    defaults: defaultBinding,
    validateUpdate: validateRoleRef,
  }),
];

interface SlicePort {
  name?: string;
  port?: number;
}

/** At most three, then how many more. */
function few(items: string[], max = 3): string {
  if (!items.length) return '<unset>';
  return items.length > max ? `${items.slice(0, max).join(',')} + ${items.length - max} more...` : items.join(',');
}

export const discoveryKinds: Kind[] = [
  define({
    group: 'discovery.k8s.io',
    version: 'v1',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    namespaced: true,
    generation: true,
    printer: textPrinter({
      AddressType: ({ addressType }) => addressType ?? '',
      Ports: ({ ports }) =>
        few(((ports ?? []) as SlicePort[]).map((item) => (item.port === undefined ? '*' : String(item.port)))),
      Endpoints: ({ endpoints }) =>
        few(((endpoints ?? []) as { addresses: string[] }[]).flatMap((item) => item.addresses)),
    }),
    defaults(slice) {
      for (const port of (slice.ports ?? []) as (SlicePort & { protocol?: string })[]) {
        port.name ??= '';
        port.protocol ??= 'TCP';
      }
    },
    prepareForUpdate(slice, old) {
      const content = ({ endpoints, ports, addressType }: AnyObject) => [endpoints, ports, addressType];
      const labelled = deepEqual(slice.metadata.labels, old.metadata.labels);
      if (deepEqual(content(slice), content(old)) && labelled) return;
      slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validate({ addressType, endpoints }, fields) {
      const types = ['FQDN', 'IPv4', 'IPv6'];
      if (!addressType) fields.child('addressType').required();
      else if (!types.includes(addressType)) fields.child('addressType').notSupported(addressType, types);
      ((endpoints ?? []) as { addresses?: string[] }[]).forEach((endpoint, i) => {
        if (!endpoint.addresses?.length) {
          fields.child('endpoints').index(i).child('addresses').required('must contain at least 1 address');
        }
      });
    },
    validateUpdate(next, old, fields) {
      this.validate!(next, fields);
      if (next.addressType !== old.addressType) {
        fields.child('addressType').invalid(next.addressType, 'field is immutable');
      }
    },
  }),
  define({
    group: '',
    version: 'v1',
    kind: 'Endpoints',
    plural: 'endpoints',
    singular: 'endpoints',
    listKind: 'EndpointsList',
    namespaced: true,
    shortNames: ['ep'],
    printer: textPrinter({
      Endpoints: ({ subsets }) => {
        const all = ((subsets ?? []) as { addresses?: { ip: string }[]; ports?: { port: number }[] }[]).flatMap(
          ({ addresses = [], ports = [] }) =>
            ports.length
              ? ports.flatMap(({ port }) =>
                  addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)),
                )
              : addresses.map(({ ip }) => ip),
        );
        return all.length ? few(all) : '<none>';
      },
    }),
  }),
];

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

const webhookPrinter: Printer = {
  columns: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Webhooks', type: 'integer' },
    { name: 'Age', type: 'string' },
  ],
  row: ({ metadata, webhooks }, now) => [metadata.name!, webhooks?.length ?? 0, age(metadata.creationTimestamp, now)],
};

interface WebhookSpec {
  name?: string;
  clientConfig?: { url?: string; service?: { port?: number } };
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: object;
  objectSelector?: object;
  timeoutSeconds?: number;
  reinvocationPolicy?: string;
  sideEffects?: string;
  admissionReviewVersions?: string[];
  rules?: { scope?: string }[];
}

function webhookConfiguration(kind: string, plural: string, mutating: boolean): Kind {
  return define({
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind,
    plural,
    namespaced: false,
    categories: ['api-extensions'],
    printer: webhookPrinter,
    defaults(object) {
      for (const webhook of (object.webhooks ?? []) as WebhookSpec[]) {
        webhook.failurePolicy ??= 'Fail';
        webhook.matchPolicy ??= 'Equivalent';
        webhook.namespaceSelector ??= {};
        webhook.objectSelector ??= {};
        webhook.timeoutSeconds ??= 10;
        if (mutating) webhook.reinvocationPolicy ??= 'Never';
        if (webhook.clientConfig?.service) webhook.clientConfig.service.port ??= 443;
        for (const rule of webhook.rules ?? []) rule.scope ??= '*';
      }
    },
    prepareForCreate(object) {
      object.metadata.generation = 1;
    },
    prepareForUpdate(object, old) {
      if (!deepEqual(object.webhooks, old.webhooks)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validate({ webhooks }, fields) {
      const names = new Set<string>();
      ((webhooks ?? []) as WebhookSpec[]).forEach((webhook, i) => {
        const at = fields.child('webhooks').index(i);
        if (!webhook.name) at.child('name').required();
        else if (webhook.name.split('.').length < 3) {
          at.child('name').invalid(webhook.name, 'should be a domain with at least three segments separated by dots');
        } else if (names.has(webhook.name)) at.child('name').duplicate(webhook.name);
        names.add(webhook.name ?? '');
        const { url, service } = webhook.clientConfig ?? {};
        if (!url === !service) {
          at.child('clientConfig').required('exactly one of url or service is required');
        } else if (url && !url.startsWith('https://')) {
          at.child('clientConfig', 'url').invalid(
            url.split(':')[0],
            "'https' is the only allowed URL scheme; desired format: https://host[/path]",
          );
        }
        const { sideEffects } = webhook;
        if (!sideEffects) at.child('sideEffects').required('must specify one of None, NoneOnDryRun');
        else if (!['None', 'NoneOnDryRun'].includes(sideEffects)) {
          at.child('sideEffects').notSupported(sideEffects, ['None', 'NoneOnDryRun']);
        }
        const versions = webhook.admissionReviewVersions ?? [];
        if (!versions.length) {
          at.child('admissionReviewVersions').required('must specify one of v1, v1beta1');
        } else if (!versions.some((version) => version === 'v1' || version === 'v1beta1')) {
          at.child('admissionReviewVersions').invalid(versions, 'must include at least one of v1, v1beta1');
        }
        const timeout = webhook.timeoutSeconds ?? 10;
        if (timeout > 30 || timeout < 1) {
          at.child('timeoutSeconds').invalid(timeout, 'the timeout value must be between 1 and 30 seconds');
        }
      });
    },
  });
}

export const webhookKinds: Kind[] = [
  webhookConfiguration('ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', false),
  webhookConfiguration('MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', true),
];

export const apiService = define({
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  singular: 'apiservice',
  namespaced: false,
  categories: ['api-extensions'],
  status: true,
  nameRule: (name, isPrefix) => pathSegmentName(name, isPrefix),
  printer: textPrinter({
    Service: ({ spec }) => (spec?.service ? `${spec.service.namespace}/${spec.service.name}` : 'Local'),
    Available: ({ status }) => {
      const conditions: { type: string; status: string; reason: string }[] = status?.conditions ?? [];
      const found = conditions.find((condition) => condition.type === 'Available');
      if (!found) return 'Unknown';
      return found.status === 'True' ? 'True' : `${found.status} (${found.reason})`;
    },
  }),
  defaults({ spec }) {
    if (spec?.service) spec.service.port ??= 443;
  },
  validate({ metadata, spec }, fields) {
    const expected = `${spec?.version}.${spec?.group ?? ''}`;
    const at = fields.child('spec');
    if (metadata.name !== expected) {
      fields
        .child('metadata', 'name')
        .invalid(metadata.name, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`);
    }
    if (!spec?.version) at.child('version').required();
    if (!(spec?.groupPriorityMinimum > 0 && spec.groupPriorityMinimum <= 20_000)) {
      at.child('groupPriorityMinimum').invalid(spec?.groupPriorityMinimum ?? 0, 'must be positive and less than 20000');
    }
    if (!(spec?.versionPriority > 0 && spec.versionPriority <= 1000)) {
      at.child('versionPriority').invalid(spec?.versionPriority ?? 0, 'must be positive and less than 1000');
    }
    if (!spec?.service) {
      if (spec?.caBundle)
        at.child('caBundle').invalid(`${spec.caBundle.length} bytes`, 'local APIServices may not have a caBundle');
      return;
    }
    if (!spec.service.namespace) at.child('service', 'namespace').required();
    if (!spec.service.name) at.child('service', 'name').required();
    if (spec.insecureSkipTLSVerify && spec.caBundle) {
      at.child('insecureSkipTLSVerify').invalid(true, 'may not be true if caBundle is present');
    }
  },
});

interface Workload {
  replicas?: number;
  template?: { spec?: { containers?: { name: string; image: string }[] } };
  selector?: Parameters<typeof selector>[0];
}

const containerNames = ({ spec }: AnyObject) =>
  ((spec as Workload)?.template?.spec?.containers ?? []).map((item) => item.name).join(',');
const images = ({ spec }: AnyObject) =>
  ((spec as Workload)?.template?.spec?.containers ?? []).map((item) => item.image).join(',');
const wide = {
  Containers: containerNames,
  Images: images,
  Selector: ({ spec }: AnyObject) => selector(spec?.selector),
};
const APPS = {
  group: 'apps',
  version: 'v1',
  namespaced: true,
  categories: ['all'],
  status: true,
  generation: true,
} as const;
const REPLICAS = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};

/** Stored and shown; no controller of this engine acts on them. */
export const workloadKinds: Kind[] = [
  define({
    ...APPS,
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    scale: REPLICAS,
    defaults({ spec }) {
      if (spec) spec.replicas ??= 1;
    },
    printer: textPrinter(
      {
        Ready: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
        'Up-to-date': ({ status }) => String(status?.updatedReplicas ?? 0),
        Available: ({ status }) => String(status?.availableReplicas ?? 0),
      },
      wide,
    ),
  }),
  define({
    ...APPS,
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    scale: REPLICAS,
    defaults({ spec }) {
      if (spec) spec.replicas ??= 1;
    },
    printer: textPrinter(
      {
        Desired: ({ spec }) => spec?.replicas ?? 0,
        Current: ({ status }) => status?.replicas ?? 0,
        Ready: ({ status }) => status?.readyReplicas ?? 0,
      },
      wide,
      { Desired: 'integer', Current: 'integer', Ready: 'integer' },
    ),
  }),
  define({
    ...APPS,
    kind: 'DaemonSet',
    plural: 'daemonsets',
    shortNames: ['ds'],
    printer: textPrinter(
      {
        Desired: ({ status }) => status?.desiredNumberScheduled ?? 0,
        Current: ({ status }) => status?.currentNumberScheduled ?? 0,
        Ready: ({ status }) => status?.numberReady ?? 0,
        'Up-to-date': ({ status }) => status?.updatedNumberScheduled ?? 0,
        Available: ({ status }) => status?.numberAvailable ?? 0,
        'Node Selector': ({ spec }) => labels(spec?.template?.spec?.nodeSelector),
      },
      wide,
      { Desired: 'integer', Current: 'integer', Ready: 'integer', 'Up-to-date': 'integer', Available: 'integer' },
    ),
  }),
  define({
    group: 'apps',
    version: 'v1',
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
    namespaced: true,
    printer: textPrinter(
      {
        Controller: ({ metadata }) => {
          const owner = metadata.ownerReferences?.find((reference) => reference.controller);
          if (!owner) return '<none>';
          const [group] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : [''];
          return `${owner.kind.toLowerCase()}${group ? `.${group}` : ''}/${owner.name}`;
        },
        Revision: ({ revision }) => revision ?? 0,
      },
      {},
      { Revision: 'integer' },
    ),
    validateUpdate(next, old, fields) {
      if (!deepEqual(next.data, old.data)) fields.child('data').invalid(next.data, 'field is immutable');
    },
  }),
];

/** Other kinds that are stored as they come. */
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
