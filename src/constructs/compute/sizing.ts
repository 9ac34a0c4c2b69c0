import type { InstancetypeMatcher, PreferenceMatcher } from '../../api/generated/kubevirt-v1';
import { defined } from '../defined';
import type { IInstancetype, IPreference } from '../references';
import { nameOf } from '../storage/reference';

/** What an instancetype or preference by name takes. */
export interface SizingReferenceOptions {
  /**
   * Name of the ControllerRevision with the copy to use.
   * @default - the object as it is when the VM first starts
   */
  readonly revision?: string;
}

/** How an instancetype or preference is found by a volume. */
export interface InferenceOptions {
  /** Name of the disk whose DataVolume, DataSource or claim is labelled with the name. */
  readonly volume: string;
  /**
   * A volume without such labels is no mistake: the VM goes without.
   * @default false
   */
  readonly optional?: boolean;
}

/** Kinds that each of the two properties takes. */
const KINDS = {
  instancetype: ['VirtualMachineInstancetype', 'VirtualMachineClusterInstancetype'],
  preference: ['VirtualMachinePreference', 'VirtualMachineClusterPreference'],
} as const;

const REMEDIES = {
  instancetype: "use an Instancetype, a ClusterInstancetype, or ClusterInstancetype.fromName('u1.medium')",
  preference: "use a Preference, a ClusterPreference, or ClusterPreference.fromName('fedora')",
} as const;

/**
 * Renders the reference to an instance type or preference. Its `kind` says whether it belongs to the namespace; without
 * one it belongs to the cluster, which is the API's default.
 *
 * @throws when the object has another kind
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
