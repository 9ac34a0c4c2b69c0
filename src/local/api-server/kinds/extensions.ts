import { Kind, Printer } from '../registry/kind';
import { age } from '../table/format';
import { deepEqual } from '../types';
import { pathSegmentName } from '../validation/names';
import { define } from './define';
import { textPrinter } from './printers';

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
