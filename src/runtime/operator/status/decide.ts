import type { KubeVirtCondition, KubeVirtStatus } from '../../../api/generated/kubevirt-v1';
import { withCondition } from '../../../api/conditions';
import type { Condition, ConditionStatus } from '../../../api/meta';

/** State of an installation that its status reports. */
export interface Report {
  /** Version of this operator and of the objects that it installs. */
  readonly version: string;
  readonly registry: string;
  /** Hash of the installed objects and settings. */
  readonly deploymentId: string;
  readonly generation: number | undefined;
  /** Missing parts of the installation, in words; empty when it is complete. */
  readonly missing: readonly string[];
  /** Problems that prevent progress, in words. */
  readonly trouble: readonly string[];
  /** Mistakes in the KubeVirt object, in words. */
  readonly mistakes: readonly string[];
  /** Whether VMs can be created: virt-api, virt-controller and a virt-handler serve. */
  readonly isServing: boolean;
}

/** Every program is as it must be, but one has no Pods, such as virt-handler without nodes. */
const NO_POD = 'virt-api, virt-controller and virt-handler need at least one available Pod each; check their placement';

/** Most characters of a message: a condition is for people. */
const MOST_MESSAGE = 1000;

/** Returns the status of an installation, based on its last one. */
export function statusOf(last: KubeVirtStatus, report: Report, now: string): KubeVirtStatus {
  const { version, registry, deploymentId, missing, trouble, mistakes, isServing } = report;
  const isComplete = missing.length === 0;
  const isUpdate = last.observedKubeVirtVersion !== undefined;
  const condition = (type: string, status: ConditionStatus, reason: string, message: string): Change => ({
    ...{ type, status, reason, message: shortened(message) },
  });
  const progress = missing.join('; ');
  const problems = [...trouble, ...mistakes].join('; ');
  const conditions = withAll(last.conditions, now, [
    isServing
      ? condition('Available', 'True', 'AllComponentsReady', 'VMs can be created.')
      : condition(
          'Available',
          'False',
          'DeploymentInProgress',
          `VMs cannot be created: ${progress || problems || NO_POD}`,
        ),
    isComplete
      ? condition('Progressing', 'False', 'AllComponentsReady', 'All programs run in the wanted version.')
      : condition('Progressing', 'True', isUpdate ? 'UpdateInProgress' : 'DeploymentInProgress', progress),
    problems
      ? condition('Degraded', 'True', trouble.length > 0 ? 'ComponentsFail' : 'CustomizationInvalid', problems)
      : condition('Degraded', 'False', 'AllComponentsReady', 'No program reports a problem.'),
    mistakes.length > 0
      ? condition('Synchronized', 'False', 'CustomizationInvalid', mistakes.join('; '))
      : condition(
          'Synchronized',
          'True',
          'Synchronized',
          'The objects of the platform are as the KubeVirt object says.',
        ),
  ]);
  const target = { version, registry, deploymentId };
  return {
    ...last,
    phase: isComplete || last.phase === 'Deployed' ? 'Deployed' : 'Deploying',
    operatorVersion: version,
    targetKubeVirtVersion: target.version,
    targetKubeVirtRegistry: target.registry,
    targetDeploymentID: target.deploymentId,
    ...(isComplete
      ? {
          observedKubeVirtVersion: target.version,
          observedKubeVirtRegistry: target.registry,
          observedDeploymentID: target.deploymentId,
        }
      : {}),
    observedGeneration: report.generation,
    defaultArchitecture: last.defaultArchitecture ?? 'amd64',
    conditions,
  };
}

/** Returns the status of an installation that cannot begin or continue. */
export function blockedStatus(
  last: KubeVirtStatus,
  version: string | undefined,
  reason: string,
  cause: string,
  now: string,
): KubeVirtStatus {
  const message = shortened(cause);
  return {
    ...last,
    phase: last.phase ?? 'Deploying',
    ...(version === undefined ? {} : { operatorVersion: version }),
    conditions: withAll(last.conditions, now, [
      // what runs keeps running: nothing is known about it
      ...(last.conditions?.some(({ type }) => type === 'Available')
        ? []
        : [{ type: 'Available', status: 'False' as const, reason, message }]),
      { type: 'Progressing', status: 'False', reason, message },
      { type: 'Degraded', status: 'True', reason, message },
      { type: 'Synchronized', status: 'False', reason, message },
    ]),
  };
}

/** Returns the status of an installation that is being removed. */
export function deletingStatus(last: KubeVirtStatus, left: readonly string[], now: string): KubeVirtStatus {
  const message = shortened(left.length > 0 ? `still to be removed: ${left.join('; ')}` : 'everything is removed');
  const change = (type: string, status: ConditionStatus): Change => ({
    ...{ type, status, reason: 'DeletionInProgress', message },
  });
  return {
    ...last,
    phase: left.length > 0 ? 'Deleting' : 'Deleted',
    conditions: withAll(last.conditions, now, [
      change('Available', 'False'),
      change('Progressing', 'True'),
      change('Degraded', 'False'),
    ]),
  };
}

interface Change {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
}

function withAll(
  conditions: readonly KubeVirtCondition[] | undefined,
  now: string,
  changes: readonly Change[],
): KubeVirtCondition[] {
  return changes.reduce<readonly Condition[]>(
    (list, change) => withCondition(list, change, now),
    (conditions ?? []) as Condition[],
  ) as KubeVirtCondition[];
}

const shortened = (text: string): string => (text.length > MOST_MESSAGE ? `${text.slice(0, MOST_MESSAGE)}…` : text);
