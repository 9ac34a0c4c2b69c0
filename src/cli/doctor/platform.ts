import type { KubeObject } from '../../api';
import { keys } from '../../api/keys';
import type { Deployment, Facts } from './facts';
import { nameOf } from './words';

/** Facts about the installation that several checks need. Pure. */

/** Part of the version of the engine's API server. */
const ENGINE_SERVER = /\+virt8s$/;
const MANAGED_BY = 'app.kubernetes.io/managed-by';

export const deploymentOf = ({ deployments = [] }: Facts, name: string): Deployment | undefined =>
  deployments.find((each) => nameOf(each) === name);

/** Whether virt-operator is that of this platform, and not of upstream KubeVirt. */
export const hasOwnOperator = (facts: Facts): boolean => {
  const [container] = deploymentOf(facts, 'virt-operator')?.spec?.template?.spec?.containers ?? [];
  return container?.args?.some((each) => each.startsWith('--strategy-hash')) ?? false;
};

/** Whether an engine runs the programs of the platform as processes, and not as Pods. */
export const runsAsProcesses = (facts: Facts): boolean =>
  ENGINE_SERVER.test(facts.server ?? '') &&
  facts.deployments !== undefined &&
  !deploymentOf(facts, 'virt-operator') &&
  isInstalled(facts);

export const isInstalled = ({ kubeVirts = [] }: Facts): boolean => kubeVirts.length > 0;

/** Returns the version of upstream KubeVirt that installed an object; undefined if another program did. */
export function upstreamVersionOf({ metadata }: KubeObject): string | undefined {
  return metadata.labels?.[MANAGED_BY] === 'virt-operator' ? metadata.annotations?.[keys.upstreamVersion] : undefined;
}

/** Objects that upstream KubeVirt may own. */
function installedObjects(facts: Facts): readonly KubeObject[] {
  const { deployments, daemonSets, mutatingWebhooks, validatingWebhooks, apiServices, definitions } = facts;
  const lists: (readonly KubeObject[] | undefined)[] = [
    ...[deployments, daemonSets, mutatingWebhooks, validatingWebhooks, apiServices, definitions],
  ];
  return lists.flatMap((each) => each ?? []);
}

/** Objects of upstream KubeVirt. */
export const upstreamObjects = (facts: Facts): KubeObject[] =>
  installedObjects(facts).filter((each) => upstreamVersionOf(each) !== undefined);

/** Whether the cluster runs upstream KubeVirt instead of this platform: only some checks apply to it. */
export const isUpstream = (facts: Facts): boolean => !hasOwnOperator(facts) && upstreamObjects(facts).length > 0;

/** Whether CDI is installed: its webhooks call its own server. */
export const hasCdi = ({ mutatingWebhooks = [], validatingWebhooks = [] }: Facts): boolean =>
  [...mutatingWebhooks, ...validatingWebhooks].some(({ webhooks = [] }) =>
    webhooks.some(({ clientConfig }) => clientConfig?.service?.name === 'cdi-api'),
  );

/** Whether the platform fills claims itself. */
export const hasImporter = (facts: Facts): boolean =>
  runsAsProcesses(facts) || deploymentOf(facts, 'cdi-uploadproxy') !== undefined;

/** Whether at least one Pod of virt-api serves, as far as known; if not, the check of the programs reports it. */
export const virtApiServes = (facts: Facts): boolean =>
  facts.deployments === undefined ||
  runsAsProcesses(facts) ||
  (deploymentOf(facts, 'virt-api')?.status?.availableReplicas ?? 0) > 0;

/** Whether the configuration lets guests run without KVM. */
export const usesEmulation = ({ kubeVirts = [] }: Facts): boolean =>
  kubeVirts[0]?.spec?.configuration?.developerConfiguration?.useEmulation ?? false;
