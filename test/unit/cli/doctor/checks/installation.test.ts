import { installation } from '../../../../../src/cli/doctor/checks/installation';
import { OperatorReason } from '../../../../../src/api/reasons';
import { blockedStatus, statusOf } from '../../../../../src/runtime/operator/status/decide';
import { ago, type Broken, expectRow, type Row } from '../healthy';

const report = {
  ...{ version: 'v1', registry: 'r', deploymentId: '1', generation: 1, missing: [], trouble: [], mistakes: [] },
  isServing: true,
};
/** Status as virt-operator writes it. */
const status = (f: Broken, of: object): void => {
  f.kubeVirts[0].status = of;
};

test.each<Row>([
  ['an installation that is complete has no problem', (f) => status(f, statusOf({}, report, ago(60))), []],
  [
    'a cluster without the platform has no such kind',
    (f) => [(f.kubeVirts = []), (f.absent = new Set(['kubeVirts']))],
    ['error Platform: it is not installed'],
  ],
  [
    'without a KubeVirt object, nothing is installed',
    (f) => (f.kubeVirts = []),
    ['error Platform: no KubeVirt object'],
  ],
  ['nothing is claimed about objects that cannot be read', (f) => (f.kubeVirts = undefined), []],
  [
    'two KubeVirt objects are one too many',
    (f) => f.kubeVirts.push(f.kubeVirts[0]),
    ['2 KubeVirt objects exist (kubevirt/kubevirt, kubevirt/kubevirt)'],
  ],
  [
    'a status that nobody wrote',
    (f) => status(f, {}),
    [
      'error KubeVirt "kubevirt/kubevirt": no program has reported its state = check that virt-operator runs; read the log',
    ],
  ],
  [
    'one cause in several conditions is one finding, with the remedy of its reason',
    (f) => status(f, blockedStatus({}, 'v1', OperatorReason.UpstreamKubeVirt, 'KubeVirt v1.6.0 owns X', ago(1))),
    ['not Available: KubeVirt v1.6.0 owns X (UpstreamKubeVirt) = keep one of them'],
  ],
  [
    'an installation that is not available says what is missing',
    (f) => status(f, statusOf({}, { ...report, isServing: false, missing: ['virt-api: 0 of 2 Pods'] }, ago(60))),
    ['not Available: VMs cannot be created: virt-api: 0 of 2 Pods'],
  ],
  [
    'an update may take some time',
    (f) => status(f, statusOf({ observedKubeVirtVersion: 'v0' }, { ...report, missing: ['virt-handler'] }, ago(14))),
    [],
  ],
  [
    'an update that does not end is reported',
    (f) => status(f, statusOf({ observedKubeVirtVersion: 'v0' }, { ...report, missing: ['virt-handler'] }, ago(16))),
    ['the update has not ended for 16 minutes: virt-handler'],
  ],
  [
    'trouble and mistakes are two findings',
    (f) => status(f, statusOf({}, { ...report, trouble: ['a Pod fails'], mistakes: ['patch 1 is wrong'] }, ago(60))),
    ['Degraded: a Pod fails; patch 1', 'not Synchronized: patch 1 is wrong (CustomizationInvalid) = correct spec'],
  ],
  ['a removal is a warning', (f) => status(f, { phase: 'Deleting' }), ['warning KubeVirt']],
  [
    'launchers of an earlier version',
    (f) => (f.kubeVirts[0].status.outdatedVirtualMachineInstanceWorkloads = 2),
    ['warning KubeVirt "kubevirt/kubevirt": 2 guests run in a launcher of an earlier version'],
  ],
])('%s', (...row) => expectRow(installation, row));
