import type { KubeVirt } from '../../../api';
import { findCondition, isConditionTrue } from '../../../api/conditions';
import type { Condition } from '../../../api/meta';
import { OperatorReason } from '../../../api/reasons';
import { error, warning, type Check, type Finding } from '../finding';
import type { Facts } from '../facts';
import { counted, fullNameOf, spanText } from '../words';

/** The KubeVirt object, and what its status reports. */
export const installation: Check = { name: 'installation', reads: ['kubeVirts'], find };

/** Time after which an installation or update that has not ended is a problem: images of 200 MB must be pulled. */
const PROGRESS_LIMIT_MS = 15 * 60_000;
const LOG = 'read the log of virt-operator: kubectl -n NAMESPACE logs deploy/virt-operator';

/** Remedies by the reason of a condition. */
const REMEDIES: Readonly<Record<string, string>> = {
  [OperatorReason.ExistingDeployment]: 'delete the KubeVirt object that is not in use; a cluster has one',
  [OperatorReason.UpstreamKubeVirt]:
    'keep one of them: remove KubeVirt by deleting its KubeVirt object while its own operator runs, then apply the platform again',
  [OperatorReason.StrategyMismatch]: 'apply all manifests of one version of the platform, in particular its ConfigMap',
  [OperatorReason.ApiNotReadable]: 'apply the ClusterRole of virt-operator again; the message names the permission',
  [OperatorReason.CertificatesNotWritten]: 'apply the Role of virt-operator in its namespace again',
  CustomizationInvalid: 'correct spec.customizeComponents of the KubeVirt object',
};

function find({ kubeVirts, absent, now }: Facts): Finding[] {
  if (absent.has('kubeVirts')) {
    const remedy =
      'apply the manifests of VirtPlatform (docs/guides/platform.md), or start an engine on this machine: virt8s up';
    return [error('Platform', 'it is not installed: the API server does not know the kind KubeVirt', remedy)];
  }
  if (!kubeVirts) return [];
  const [first, ...others] = kubeVirts;
  if (!first) {
    const remedy = 'apply the KubeVirt object of VirtPlatform; virt-operator installs the platform when it exists';
    return [error('Platform', 'no KubeVirt object exists, so no program of the platform is configured', remedy)];
  }
  const several = others.length > 0 ? [tooMany(kubeVirts)] : [];
  return [...several, ...ofStatus(first, now), ...ofWorkloads(first)];
}

const tooMany = (kubeVirts: readonly KubeVirt[]): Finding =>
  error(
    'Platform',
    `${kubeVirts.length} KubeVirt objects exist (${kubeVirts.map(fullNameOf).join(', ')}), and only one applies`,
    'delete the ones that are not in use',
  );

function ofStatus(kubeVirt: KubeVirt, now: number): Finding[] {
  const subject = `KubeVirt "${fullNameOf(kubeVirt)}"`;
  const { phase, conditions = [] } = kubeVirt.status ?? {};
  const list = conditions as Condition[];
  if (phase === 'Deleting' || phase === 'Deleted') {
    const message = findCondition(list, 'Progressing')?.message;
    return [
      warning(
        subject,
        `the platform is being removed${message ? `: ${message}` : ''}`,
        'wait, or delete what the message names',
      ),
    ];
  }
  if (list.length === 0) {
    return [error(subject, 'no program has reported its state', `check that virt-operator runs; ${logOf(kubeVirt)}`)];
  }
  // a condition that repeats the message of another one says nothing new
  const messages = new Set<string>();
  return [
    ...problem(list, 'Available', 'False'),
    ...problem(list, 'Degraded', 'True'),
    ...problem(list, 'Synchronized', 'False'),
    ...(isConditionTrue(list, 'Progressing') ? progress(list, now) : []),
  ].flatMap(({ type, message = '', reason = '' }) => {
    if (messages.has(message)) return [];
    messages.add(message);
    const remedy = REMEDIES[reason] ?? logOf(kubeVirt);
    return [error(subject, `${type}: ${message || 'no message'} (${reason})`, remedy)];
  });
}

type Problem = Pick<Condition, 'type' | 'message' | 'reason'>;

function problem(list: readonly Condition[], type: string, bad: string): Problem[] {
  const found = findCondition(list, type);
  return found?.status === bad ? [{ ...found, type: bad === 'False' ? `not ${type}` : type }] : [];
}

function progress(list: readonly Condition[], now: number): Problem[] {
  const found = findCondition(list, 'Progressing');
  const ms = now - Date.parse(found?.lastTransitionTime ?? '');
  // an installation that is not available yet is reported already
  if (!found || !(ms > PROGRESS_LIMIT_MS) || !isConditionTrue(list, 'Available')) return [];
  return [{ ...found, type: `the update has not ended for ${spanText(ms)}` }];
}

function ofWorkloads(kubeVirt: KubeVirt): Finding[] {
  const count = kubeVirt.status?.outdatedVirtualMachineInstanceWorkloads ?? 0;
  if (count === 0) return [];
  return [
    warning(
      `KubeVirt "${fullNameOf(kubeVirt)}"`,
      `${counted(count, 'guest')} ${count === 1 ? 'runs' : 'run'} in a launcher of an earlier version`,
      'restart or migrate these VMs (kubectl get vmi -A -l kubevirt.io/outdatedLauncherImage), or set spec.workloadUpdateStrategy',
    ),
  ];
}

const logOf = ({ metadata }: KubeVirt): string => LOG.replace('NAMESPACE', metadata.namespace ?? 'kubevirt');
