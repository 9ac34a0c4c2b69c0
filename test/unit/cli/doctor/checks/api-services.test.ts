import { apis } from '../../../../../src/cli/doctor/checks/api-services';
import { type Broken, byName, expectRow, type Row } from '../healthy';

const fail = (f: Broken, message: string, reason = 'FailedDiscoveryCheck', count = 1): void => {
  for (const each of f.apiServices.slice(0, count)) {
    each.status.conditions = [{ type: 'Available', status: 'False', reason, message }];
  }
};

test.each<Row>([
  ['available APIs have no problem', () => {}, []],
  [
    'missing APIs',
    (f) => (f.apiServices = f.apiServices.slice(2)),
    ['error APIServices "v1.subresources.kubevirt.io"'],
  ],
  [
    'all with one reason are one finding',
    (f) => fail(f, 'dial tcp 10.0.0.1:8443: i/o timeout', undefined, 4),
    ['"v1beta1.upload.cdi.kubevirt.io" and 1 more: the API server cannot reach virt-api'],
  ],
  ['an untrusted certificate', (f) => fail(f, 'x509: unknown authority'), ['= virt-operator maintains caBundle']],
  ['no Pods', (f) => fail(f, 'no endpoints', 'MissingEndpoints'), ['= check that Pods of virt-api are ready']],
  ['a network that drops packets', (f) => fail(f, 'timeout'), ['must reach Pods at port 8443']],
  [
    'Pods that do not run are left to the check of programs',
    (f) => [fail(f, 'no endpoints'), (byName(f.deployments, 'virt-api').status = {} as never)],
    [],
  ],
  ['an API that was never tried', (f) => delete f.apiServices[0].status, ['no condition']],
])('%s', (...row) => expectRow(apis, row));
