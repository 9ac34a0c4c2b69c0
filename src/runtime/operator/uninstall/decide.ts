import type { KubeObject } from '../../../api';
import type { InstalledKindName } from '../../../api/install/kinds';

/** Objects that are left of an installation. */
export interface Left {
  readonly kind: string;
  readonly object: KubeObject;
}

/** Result of a pass over an installation that is being removed. */
export interface Removal {
  readonly delete: readonly Left[];
  /** What is left, in words; empty when the installation is removed. */
  readonly left: readonly string[];
}

/**
 * Order of the removal: the webhooks first, because they would reject changes after virt-api has ended; the permissions
 * and certificates last, because the programs need them to end. Definitions and the objects of their kinds stay.
 */
const STEPS: readonly (readonly InstalledKindName[])[] = [
  ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration', 'APIService'],
  ['Deployment', 'DaemonSet', 'PodDisruptionBudget', 'Service'],
  ['ValidatingAdmissionPolicyBinding', 'ValidatingAdmissionPolicy'],
  ['ClusterRoleBinding', 'ClusterRole', 'RoleBinding', 'Role', 'ServiceAccount'],
  ['Secret', 'ConfigMap'],
];

/**
 * Decides what to delete next. Workloads are guests that must end first; each step waits until the one before it is done.
 *
 * @param workloads VMs and instances that the uninstall strategy removes
 * @param objects everything that the operator installed
 * @param pods names of Pods of the programs that still exist
 */
export function decideRemoval(workloads: readonly Left[], objects: readonly Left[], pods: readonly string[]): Removal {
  if (workloads.length > 0) return step(workloads);
  for (const kinds of STEPS) {
    const found = objects.filter(({ kind }) => (kinds as readonly string[]).includes(kind));
    if (found.length > 0) return step(found);
    if (kinds.includes('Deployment') && pods.length > 0) {
      return { delete: [], left: pods.map((name) => `Pod ${name}`) };
    }
  }
  return { delete: [], left: [] };
}

const step = (found: readonly Left[]): Removal => ({
  delete: found.filter(({ object }) => !object.metadata.deletionTimestamp),
  left: found.map(({ kind, object }) => `${kind} ${object.metadata.name}`),
});
