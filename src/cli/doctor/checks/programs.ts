import type { Pod } from '../../../local/core-v1';
import { error, warning, type Check, type Finding } from '../finding';
import type { DaemonSet, Deployment, Facts } from '../facts';
import { deploymentOf, isInstalled, runsAsProcesses } from '../platform';
import { podProblem, pullProblems } from '../pods';
import { tagOf } from '../versions';
import { counted, nameOf, spanText } from '../words';

/** The programs of the platform: whether they run, in one version, and have a leader. */
export const programs: Check = {
  name: 'programs',
  reads: ['kubeVirts', 'deployments', 'daemonSets', 'platformPods', 'leases'],
  find,
};

const OPERATOR = 'virt-operator';
const DEPLOYMENTS = [OPERATOR, 'virt-api', 'virt-controller'] as const;
/** Not part of an installation that leaves claims to CDI. */
const OPTIONAL = 'cdi-uploadproxy';
const HANDLER = 'virt-handler';
const LED = ['virt-controller', OPERATOR] as const;
const CREATED_BY_OPERATOR =
  'virt-operator creates it; check that virt-operator runs, and the conditions of the KubeVirt object';
/** A leader renews its lease every few seconds. */
const LEASE_LIMIT_MS = 60_000;

function find(facts: Facts): Finding[] {
  const { deployments, daemonSets, platformPods, leases } = facts;
  if (!deployments || !daemonSets || !isInstalled(facts)) return [];
  if (runsAsProcesses(facts)) return leases ? ofLeases(facts, ['virt-controller'], true) : [];
  const pods = platformPods ?? [];
  return [
    ...DEPLOYMENTS.flatMap((name) => ofDeployment(facts, name, pods)),
    ...(deploymentOf(facts, OPTIONAL) ? ofDeployment(facts, OPTIONAL, pods) : []),
    ...ofHandler(facts, pods),
    ...ofVersions(deployments, daemonSets),
    ...(leases
      ? ofLeases(
          facts,
          LED.filter((name) => availableOf(deploymentOf(facts, name)) > 0),
          false,
        )
      : []),
  ];
}

const availableOf = (deployment: Deployment | undefined): number => deployment?.status?.availableReplicas ?? 0;

function ofDeployment(facts: Facts, name: string, pods: readonly Pod[]): Finding[] {
  const found = deploymentOf(facts, name);
  const subject = `Deployment "${facts.namespace}/${name}"`;
  if (!found) {
    const remedy = name === OPERATOR ? 'apply the manifests of the platform again' : CREATED_BY_OPERATOR;
    return [error(subject, 'it does not exist', remedy)];
  }
  const wanted = found.spec?.replicas ?? 1;
  const available = availableOf(found);
  if (available >= wanted && wanted > 0) return [];
  const own = podsOf(pods, name);
  // the check of images reports them, with the cause
  if (own.some((pod) => pullProblems(pod).length > 0)) return [];
  const cause = wanted === 0 ? 'it is scaled to 0' : `${available} of ${wanted} Pods are available${causeIn(own)}`;
  const remedy = remedyFor(facts.namespace, name, wanted, own.length);
  return [available === 0 || wanted === 0 ? error(subject, cause, remedy) : warning(subject, cause, remedy)];
}

function ofHandler({ daemonSets = [], namespace }: Facts, pods: readonly Pod[]): Finding[] {
  const found = daemonSets.find((each) => nameOf(each) === HANDLER);
  const subject = `DaemonSet "${namespace}/${HANDLER}"`;
  if (!found) {
    return [error(subject, 'it does not exist', CREATED_BY_OPERATOR)];
  }
  const { desiredNumberScheduled: wanted = 0, numberAvailable: available = 0 } = found.status ?? {};
  if (wanted === 0) {
    const remedy =
      'it needs nodes with Linux on amd64; check spec.workloads of the KubeVirt object, and the taints of the nodes';
    return [error(subject, 'it selects no node, so no node can run guests', remedy)];
  }
  const own = podsOf(pods, HANDLER);
  if (available >= wanted || own.some((pod) => pullProblems(pod).length > 0)) return [];
  const cause = `it is available on ${available} of ${counted(wanted, 'node')}${causeIn(own)}`;
  const remedy = remedyFor(namespace, HANDLER, wanted, own.length);
  return [available === 0 ? error(subject, cause, remedy) : warning(subject, cause, remedy)];
}

const podsOf = (pods: readonly Pod[], program: string): Pod[] =>
  pods.filter(({ metadata }) => metadata.labels?.['kubevirt.io'] === program);

function causeIn(pods: readonly Pod[]): string {
  const problems = pods.flatMap((pod) => podProblem(pod) ?? []);
  return problems.length > 0 ? `: ${problems[0]}` : '';
}

function remedyFor(namespace: string, name: string, wanted: number, pods: number): string {
  if (wanted === 0 && name === OPERATOR) return `kubectl -n ${namespace} scale deployment ${OPERATOR} --replicas 2`;
  if (wanted === 0) return 'virt-operator sets the number of replicas; check that it runs, and remove other scalers';
  const command = `kubectl -n ${namespace} describe pod -l kubevirt.io=${name}`;
  // a Pod that admission rejects does not exist
  if (pods === 0) return `find out why no Pod is created: kubectl -n ${namespace} get events`;
  return `${command}; kubectl -n ${namespace} logs -l kubevirt.io=${name}`;
}

/** All programs of an installation have one version. Images that are referenced by digest alone cannot be compared. */
function ofVersions(deployments: readonly Deployment[], daemonSets: readonly DaemonSet[]): Finding[] {
  const names: readonly string[] = [...DEPLOYMENTS, OPTIONAL, HANDLER];
  const tags = [...deployments, ...daemonSets]
    .filter((each) => names.includes(nameOf(each)))
    .flatMap((each) => {
      const tag = tagOf(each.spec?.template?.spec?.containers?.[0]?.image ?? '');
      return tag === undefined ? [] : [{ name: nameOf(each), tag }];
    });
  if (new Set(tags.map(({ tag }) => tag)).size < 2) return [];
  return [
    warning(
      'Programs',
      `they have different versions: ${tags.map(({ name, tag }) => `${name} ${tag}`).join(', ')}`,
      'wait for the end of an update; if there is none, apply all manifests of one version, and remove images from spec.customizeComponents',
    ),
  ];
}

function ofLeases({ leases = [], namespace, now }: Facts, names: readonly string[], asProcess: boolean): Finding[] {
  return names.flatMap((name) => {
    const renewTime = leases.find((each) => nameOf(each) === name)?.spec?.renewTime;
    const age = renewTime === undefined ? Infinity : now - Date.parse(renewTime);
    if (age < LEASE_LIMIT_MS) return [];
    const cause =
      renewTime === undefined
        ? `no ${name} leads`
        : `no ${name} has led for ${spanText(age)}, so nothing is reconciled`;
    const remedy = asProcess
      ? 'restart the engine: virt8s down --keep-state, then virt8s up; its logs are in the state folder'
      : `read its log: kubectl -n ${namespace} logs -l kubevirt.io=${name}; check its Role for leases`;
    return [error(`Lease "${namespace}/${name}"`, cause, remedy)];
  });
}
