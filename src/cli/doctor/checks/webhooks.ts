import { mutatingWebhooks, validatingWebhooks, type Webhook } from '../../../api/webhook-table';
import { error, warning, type Check, type Finding } from '../finding';
import type { Facts, WebhookConfiguration } from '../facts';
import { isInstalled, isUpstream, virtApiServes } from '../platform';
import { listed, nameOf } from '../words';

/** Registration of virt-api's webhooks, and whether the API server can reach them. */
export const webhooks: Check = {
  name: 'webhooks',
  reads: ['deployments', 'mutatingWebhooks', 'validatingWebhooks', 'services', 'endpointSlices'],
  find,
};

const MAINTAINED = 'virt-operator maintains it; check that it runs, and remove other writers of this object';
const SERVICE = 'virt-api';

function find(facts: Facts): Finding[] {
  if (!isInstalled(facts) || isUpstream(facts)) return [];
  return [
    ...ofConfiguration('MutatingWebhookConfiguration', 'virt-api-mutator', mutatingWebhooks, facts.mutatingWebhooks),
    ...ofConfiguration(
      'ValidatingWebhookConfiguration',
      'virt-api-validator',
      validatingWebhooks,
      facts.validatingWebhooks,
    ),
    ...ofService(facts),
  ];
}

function ofConfiguration(
  kind: string,
  name: string,
  table: readonly Webhook[],
  found: readonly WebhookConfiguration[] | undefined,
): Finding[] {
  if (!found) return [];
  const subject = `${kind} "${name}"`;
  const configuration = found.find((each) => nameOf(each) === name);
  if (!configuration) {
    return [error(subject, 'it does not exist, so objects are stored without defaults or validation', MAINTAINED)];
  }
  const hooks = new Map((configuration.webhooks ?? []).map((each) => [each.name, each]));
  const missing = table.filter((each) => !hooks.has(each.name)).map((each) => each.name);
  const untrusted = [...hooks.values()].filter(({ clientConfig }) => !clientConfig?.caBundle);
  const lenient = table.filter((each) => !each.mayFail && hooks.get(each.name)?.failurePolicy === 'Ignore');
  return [
    ...(missing.length > 0 ? [error(subject, `it lacks the webhooks ${listed(missing)}`, MAINTAINED)] : []),
    ...(untrusted.length > 0
      ? [error(subject, 'it has no caBundle, so the API server rejects every write of VMs', MAINTAINED)]
      : []),
    ...(lenient.length > 0
      ? [
          warning(
            subject,
            `failurePolicy of ${listed(lenient.map(({ name: hook }) => hook))} is Ignore, so invalid objects are stored while virt-api does not answer`,
            MAINTAINED,
          ),
        ]
      : []),
  ];
}

function ofService(facts: Facts): Finding[] {
  const { services, endpointSlices, namespace } = facts;
  if (!services || !endpointSlices) return [];
  const subject = `Service "${namespace}/${SERVICE}"`;
  if (!services.some((each) => nameOf(each) === SERVICE)) {
    return [error(subject, 'it does not exist, so the API server cannot call virt-api', MAINTAINED)];
  }
  const isReady = endpointSlices
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === SERVICE)
    .some(({ endpoints }) => endpoints?.some(({ conditions }) => conditions?.ready !== false));
  // without any Pod of virt-api, the check of the programs reports why
  if (isReady || !virtApiServes(facts)) return [];
  const remedy = `compare the selector of the Service with the labels of the Pods: kubectl -n ${namespace} get endpointslices -l kubernetes.io/service-name=${SERVICE}`;
  return [error(subject, 'it has no ready endpoint, so the API server rejects every write of VMs', remedy)];
}
