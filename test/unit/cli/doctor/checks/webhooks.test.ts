import { webhooks } from '../../../../../src/cli/doctor/checks/webhooks';
import { byName, expectRow, type Row } from '../healthy';

test.each<Row>([
  ['complete registrations have no problem', () => {}, []],
  ['nothing is claimed about objects that cannot be read', (f) => (f.mutatingWebhooks = undefined), []],
  [
    'a missing configuration',
    (f) => (f.mutatingWebhooks = []),
    ['error MutatingWebhookConfiguration "virt-api-mutator": it does not exist'],
  ],
  [
    'a missing webhook',
    (f) => f.validatingWebhooks[0].webhooks.pop(),
    ['error ValidatingWebhookConfiguration "virt-api-validator": it lacks the webhooks "cdi-validate.cdi.kubevirt.io"'],
  ],
  [
    'a webhook without authorities',
    (f) => delete f.validatingWebhooks[0].webhooks[3].clientConfig.caBundle,
    ['it has no caBundle, so the API server rejects every write of VMs'],
  ],
  [
    'a webhook that may fail',
    (f) => (f.mutatingWebhooks[0].webhooks[0].failurePolicy = 'Ignore'),
    [
      'warning MutatingWebhookConfiguration "virt-api-mutator": failurePolicy of "virtualmachines-mutator.kubevirt.io" is Ignore',
    ],
  ],
  ['a missing Service', (f) => (f.services = []), ['error Service "kubevirt/virt-api": it does not exist']],
  [
    'a Service without ready Pods',
    (f) => (f.endpointSlices[0].endpoints[0].conditions.ready = false),
    ['error Service "kubevirt/virt-api": it has no ready endpoint'],
  ],
  [
    'Pods that do not run are left to the check of programs',
    (f) => [(f.endpointSlices = []), (byName(f.deployments, 'virt-api').status = {} as never)],
    [],
  ],
  ['without the platform, nothing is registered', (f) => [(f.kubeVirts = []), (f.mutatingWebhooks = [])], []],
])('%s', (...row) => expectRow(webhooks, row));
