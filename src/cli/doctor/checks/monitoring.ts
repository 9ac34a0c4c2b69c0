import { warning, type Check, type Finding } from '../finding';
import type { Facts } from '../facts';
import { hasOwnOperator } from '../platform';
import { nameOf } from '../words';

/** Whether the Prometheus operator is installed, if the platform is to be monitored. */
export const monitoring: Check = { name: 'monitoring', reads: ['deployments', 'services', 'groups'], find };

const SERVICE = 'kubevirt-prometheus-metrics';
const GROUP = 'monitoring.coreos.com';

function find(facts: Facts): Finding[] {
  const { services = [], groups, namespace } = facts;
  const isWanted = hasOwnOperator(facts) && services.some((each) => nameOf(each) === SERVICE);
  if (!isWanted || !groups || groups.includes(GROUP)) return [];
  return [
    warning(
      `Service "${namespace}/${SERVICE}"`,
      `the platform is to be monitored, and the API server does not serve ${GROUP}`,
      'install the Prometheus operator, then apply the ServiceMonitor and the PrometheusRule again',
    ),
  ];
}
