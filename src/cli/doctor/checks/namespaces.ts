import type { VirtualMachine } from '../../../api';
import { error, type Check, type Finding } from '../finding';
import type { Facts } from '../facts';
import { isInstalled, runsAsProcesses } from '../platform';
import { counted, fullNameOf, nameOf } from '../words';

/** Pod Security of the platform's namespace, and of namespaces with VMs. */
export const namespaces: Check = {
  name: 'pod-security',
  reads: ['namespaces', 'virtualMachines', 'kubeVirts', 'deployments'],
  find,
};

const ENFORCED = 'pod-security.kubernetes.io/enforce';
/** Policies that reject some Pods. */
const STRICT = ['baseline', 'restricted'];

function find(facts: Facts): Finding[] {
  if (!facts.namespaces || !isInstalled(facts)) return [];
  const policies = new Map(
    facts.namespaces.map((each) => [nameOf(each), each.metadata.labels?.[ENFORCED] ?? 'privileged']),
  );
  return [...ofPlatform(facts, policies), ...ofMachines(facts, policies)];
}

function ofPlatform(facts: Facts, policies: ReadonlyMap<string, string>): Finding[] {
  const { namespace } = facts;
  const policy = policies.get(namespace) ?? '';
  if (!STRICT.includes(policy) || runsAsProcesses(facts)) return [];
  return [
    error(
      `Namespace "${namespace}"`,
      `it enforces the Pod Security policy ${policy}, which rejects virt-handler: it must be privileged`,
      `kubectl label --overwrite namespace ${namespace} ${ENFORCED}=privileged`,
    ),
  ];
}

/** Launchers follow the policy `restricted`, except for what these VMs request. */
function ofMachines({ virtualMachines = [] }: Facts, policies: ReadonlyMap<string, string>): Finding[] {
  const byNamespace = new Map<string, VirtualMachine[]>();
  for (const vm of virtualMachines) {
    const namespace = vm.metadata.namespace ?? '';
    if (!STRICT.includes(policies.get(namespace) ?? '') || !hasHostDisk(vm)) continue;
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), vm]);
  }
  return [...byNamespace].map(([namespace, vms]) =>
    error(
      `Namespace "${namespace}"`,
      `it enforces the Pod Security policy ${policies.get(namespace)}, which forbids directories of the node, and ${counted(vms.length, 'VM')} (${fullNameOf(vms[0]!)}) with a hostDisk ${vms.length === 1 ? 'needs' : 'need'} one`,
      `use a claim instead of hostDisk, or allow it: kubectl label --overwrite namespace ${namespace} ${ENFORCED}=privileged`,
    ),
  );
}

const hasHostDisk = ({ spec }: VirtualMachine): boolean =>
  spec.template.spec?.volumes?.some(({ hostDisk }) => hostDisk !== undefined) ?? false;
