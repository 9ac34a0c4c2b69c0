import type { InstancetypeMatcher, PreferenceMatcher } from '../../api/generated/kubevirt-v1';
import { defined } from '../defined';
import type { IInstancetype, IPreference } from '../references';
import { nameOf } from '../storage/reference';

/** Options of a reference to an instance type or preference. */
export interface SizingReferenceOptions {
  /**
   * Name of the ControllerRevision that holds the revision to use.
   * @default - the revision that is current when the VM first starts
   */
  readonly revision?: string;
}

/** Volume from whose labels an instance type or preference is inferred. */
export interface InferenceOptions {
  /** Name of the disk whose DataVolume, DataSource or claim has the labels. */
  readonly volume: string;
  /**
   * Whether the labels may be missing. The VM then uses none.
   * @default false
   */
  readonly optional?: boolean;
}

/** Kinds that each of the two properties accepts. */
const KINDS = {
  instancetype: ['VirtualMachineInstancetype', 'VirtualMachineClusterInstancetype'],
  preference: ['VirtualMachinePreference', 'VirtualMachineClusterPreference'],
} as const;

const REMEDIES = {
  instancetype: "use an Instancetype, a ClusterInstancetype, or ClusterInstancetype.fromName('u1.medium')",
  preference: "use a Preference, a ClusterPreference, or ClusterPreference.fromName('fedora')",
} as const;

/**
 * Renders the reference to an instance type or preference. Its `kind` states whether the object is namespaced; without
 * a kind, the API looks for an object of the cluster.
 *
 * @throws if the object has another kind
 */
export function renderMatcher(
  property: keyof typeof KINDS,
  named: IInstancetype | IPreference | undefined,
  inferred: InferenceOptions | undefined,
): (InstancetypeMatcher & PreferenceMatcher) | undefined {
  if (!named && !inferred) return undefined;
  const { kind, _revision } = (named ?? {}) as { kind?: string; _revision?: () => string | undefined };
  return defined<InstancetypeMatcher & PreferenceMatcher>({
    name: named && nameOf(property, named, KINDS[property], REMEDIES[property]),
    kind,
    revisionName: named && _revision?.call(named),
    inferFromVolume: inferred?.volume,
    inferFromVolumeFailurePolicy: inferred?.optional ? ('Ignore' as const) : undefined,
  });
}
