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
  /** Remaining parts, in words; empty when the installation is removed. */
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

/** Remaining parts of an installation. */
export interface Remains {
  /** VMs and instances. */
  readonly workloads: readonly Left[];
  /** Whether the uninstall strategy lets the operator delete them; otherwise the user must. */
  readonly mayDeleteWorkloads: boolean;
  /** Everything that the operator installed. */
  readonly objects: readonly Left[];
  /** Names of Pods of the programs that still exist. */
  readonly pods: readonly string[];
}

/** Decides what to delete next. Guests must end first; each step waits until the one before it is done. */
export function decideRemoval({ workloads, mayDeleteWorkloads, objects, pods }: Remains): Removal {
  if (workloads.length > 0) return mayDeleteWorkloads ? step(workloads) : { ...step(workloads), delete: [] };
  for (const kinds of STEPS) {
    const found = objects.filter(({ kind }) => (kinds as readonly string[]).includes(kind));
    if (found.length > 0) return step(found);
    if (kinds.includes('Deployment') && pods.length > 0) {
      return { delete: [], left: pods.map((name) => `Pod ${name}`) };
    }
  }
  return { delete: [], left: [] };
}

/** Name of an object in a status, such as `VirtualMachine default/web`. */
export const nameOf = ({ kind, object: { metadata } }: Left): string =>
  `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;

const step = (found: readonly Left[]): Removal => ({
  delete: found.filter(({ object }) => !object.metadata.deletionTimestamp),
  left: found.map(nameOf),
});
