import { monitoring } from '../../../../../src/cli/doctor/checks/monitoring';
import { expectRow, type Row } from '../healthy';

test.each<Row>([
  ['a cluster with the Prometheus operator has no problem', () => {}, []],
  ['a cluster without it', (f) => (f.groups = []), ['warning Service "kubevirt/kubevirt-prometheus-metrics"']],
  ['a platform that is not monitored', (f) => [(f.groups = []), f.services.pop()], []],
  ['groups that cannot be read', (f) => (f.groups = undefined), []],
])('%s', (...row) => expectRow(monitoring, row));
