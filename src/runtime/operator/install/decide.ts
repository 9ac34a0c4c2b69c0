import type { KubeObject } from '../../../api';
import type { InstalledKindName } from '../../../api/install/kinds';
import { keys } from '../../../api/keys';
import type { PlatformObject } from '../../../api/platform';
import { driftOf } from './drift';
import { troubleOf, type ProgramPod } from './pods';
import { progressOf, serves, withCanary, type Workload } from './rollout';

/** State of an installation in the cluster. */
export interface Observed {
  readonly desired: readonly PlatformObject[];
  /** Returns the stored object of the same kind and name. */
  readonly find: (object: PlatformObject) => KubeObject | undefined;
  /** Whether exactly this content was written to the stored object, which has not changed since. */
  readonly isApplied: (object: PlatformObject, found: KubeObject) => boolean;
  /** Pods of a program. */
  readonly podsOf: (name: string) => readonly ProgramPod[];
  /** Whether every Secret has its certificate: programs cannot start without. */
  readonly hasCertificates: boolean;
  readonly direction: Direction;
}

/** Order in which programs change. */
export type Direction = 'install' | 'upgrade' | 'rollback';

/** Write of an object. */
export interface Apply {
  readonly object: PlatformObject;
  /** Field in which the stored object differs; undefined if there is none. */
  readonly drift?: string;
}

/** Result of a pass. */
export interface Plan {
  readonly apply: readonly Apply[];
  /** Missing parts of the installation, in words; empty when it is complete. */
  readonly missing: readonly string[];
  /** Problems that prevent progress, in words. */
  readonly trouble: readonly string[];
}

/** Objects that programs need, in the order in which they are written. */
const BASIS: readonly InstalledKindName[] = [
  ...([
    'CustomResourceDefinition',
    'ServiceAccount',
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
  ] as const),
  ...(['ConfigMap', 'Service', 'PodDisruptionBudget'] as const),
  ...(['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'] as const),
];
/** Objects that let the API server call virt-api: registered before it serves, they would block every VM. */
const REGISTRATION: readonly InstalledKindName[] = [
  ...(['APIService', 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] as const),
];
const VIRT_API = 'virt-api';
const VIRT_HANDLER = 'virt-handler';
const VIRT_OPERATOR = 'virt-operator';

/**
 * Decides what to write. Programs change in KubeVirt's order: in an upgrade, first virt-handler (on one node, then on the
 * others), then the controllers, then virt-api, which accepts the new fields only when everything else knows them. A
 * rollback has the reverse order, and a new installation needs none.
 */
export function decide(observed: Observed): Plan {
  const { desired, hasCertificates } = observed;
  const apply: Apply[] = [];
  const missing: string[] = [];
  // the next virt-operator cannot report why it does not start
  const trouble = observed
    .podsOf(VIRT_OPERATOR)
    .filter(isCurrent)
    .flatMap((pod) => troubleOf(pod) ?? []);
  const write = (object: PlatformObject): boolean => {
    const found = observed.find(object);
    const drift = found && !observed.isApplied(object, found) ? driftOf(object, found) : undefined;
    const isNeeded = !found || drift !== undefined;
    if (isNeeded) apply.push({ object, ...(drift === undefined ? {} : { drift }) });
    return isNeeded;
  };
  for (const kind of BASIS) desired.filter((each) => each.kind === kind).forEach(write);
  if (!hasCertificates) return { apply, missing: ['certificates'], trouble };

  let isBlocked = false;
  for (const step of orderOf(desired.filter(isWorkload), observed.direction)) {
    let isStepComplete = true;
    for (const object of step) {
      const {
        kind,
        metadata: { name = '' },
      } = object;
      const found = observed.find(object) as Workload | undefined;
      const isChange = found !== undefined && isOutdated(observed, object, found);
      // a program that was deleted, or only scaled, is repaired at any time
      if (isBlocked && isChange) {
        missing.push(`${name} waits for the programs before it`);
        continue;
      }
      const current =
        kind === 'DaemonSet' && observed.direction !== 'install' ? withCanary(object, found, isChange) : object;
      const isWritten = write(current);
      const progress = found && !isWritten ? progressOf(found) : undefined;
      if (progress?.isComplete && current === object) continue;
      isStepComplete = false;
      missing.push(
        progress
          ? `${name}: ${progress.available} of ${progress.wanted} Pods are available`
          : `${name} is being created or changed`,
      );
      trouble.push(...observed.podsOf(name).flatMap((pod) => troubleOf(pod) ?? []));
    }
    // a new installation starts everything at once
    isBlocked ||= !isStepComplete && observed.direction !== 'install';
  }

  const api = desired.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === VIRT_API);
  const stored = api && (observed.find(api) as Workload | undefined);
  const registration = REGISTRATION.flatMap((kind) => desired.filter((each) => each.kind === kind));
  for (const object of registration) {
    // what is registered already is kept as it must be, even if virt-api does not serve at the moment
    if ((stored && serves(stored)) || observed.find(object)) write(object);
    else missing.push(`${object.kind} ${object.metadata.name} waits for ${VIRT_API}`);
  }
  return { apply, missing, trouble };
}

/** Whether a Pod is neither deleted nor one that has ended, which its Deployment has replaced. */
const isCurrent = ({ metadata, status }: ProgramPod): boolean =>
  !metadata.deletionTimestamp && status?.phase !== 'Failed' && status?.phase !== 'Succeeded';

const isWorkload = ({ kind }: PlatformObject): boolean => kind === 'Deployment' || kind === 'DaemonSet';

/** Whether a workload has another content than what is desired, so that its Pods may be replaced. */
function isOutdated({ isApplied }: Observed, desired: PlatformObject, found: Workload): boolean {
  // what still looks different after it was written was normalized by the API server
  if (isApplied(desired, found) || isApplied(withCanary(desired, found, true), found)) return false;
  const contentOf = ({ metadata }: KubeObject): string | undefined => metadata.annotations?.[keys.installedContent];
  return contentOf(desired) !== contentOf(found) || driftOf(templateOf(desired), templateOf(found)) !== undefined;
}

const templateOf = (object: KubeObject): unknown => (object as { spec?: { template?: unknown } }).spec?.template;

/** Groups of programs that change one after the other. */
function orderOf(workloads: readonly PlatformObject[], direction: Direction): PlatformObject[][] {
  const named = (names: readonly string[], isIn = true): PlatformObject[] =>
    workloads.filter(({ metadata: { name = '' } }) => names.includes(name) === isIn);
  const steps = [named([VIRT_HANDLER]), named([VIRT_HANDLER, VIRT_API], false), named([VIRT_API])];
  return direction === 'rollback' ? steps.reverse() : steps;
}
