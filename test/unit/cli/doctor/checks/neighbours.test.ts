import { neighbours } from '../../../../../src/cli/doctor/checks/neighbours';
import { keys } from '../../../../../src/api/keys';
import { type Broken, byName, expectRow, type Row } from '../healthy';

const upstream = (f: Broken): void => {
  const labels = { 'app.kubernetes.io/managed-by': 'virt-operator' };
  Object.assign(f.validatingWebhooks[0].metadata, { labels, annotations: { [keys.upstreamVersion]: 'v1.6.0' } });
};
const cdi = (f: Broken): void => {
  const service = { name: 'cdi-api', namespace: 'cdi' };
  f.mutatingWebhooks.push({
    metadata: { name: 'cdi-api-datavolume-mutate' },
    webhooks: [{ clientConfig: { service } }],
  });
};

test.each<Row>([
  ['a platform alone has no problem', () => {}, []],
  [
    'KubeVirt beside it',
    upstream,
    ['error KubeVirt: KubeVirt v1.6.0 owns ValidatingWebhookConfiguration "virt-api-validator", beside this platform'],
  ],
  [
    'a cluster may have KubeVirt alone',
    (f) => [upstream(f), (byName(f.deployments, 'virt-operator').spec.template.spec.containers[0].args = [])],
    [],
  ],
  [
    'objects that virt-operator has installed carry the same label',
    (f) => [upstream(f), delete f.validatingWebhooks[0].metadata.annotations[keys.upstreamVersion]],
    [],
  ],
  ['CDI beside an importer', cdi, ['error CDI: it is installed, and this platform imports disks as well']],
  ['CDI beside a platform without importer', (f) => [cdi(f), (f.deployments = f.deployments.slice(0, 3))], []],
])('%s', (...row) => expectRow(neighbours, row));
