import type { InstancetypeMatcher, PreferenceMatcher } from '../../api/generated/kubevirt-v1';
import type { INamedObject } from '../resource';
import { defined } from '../defined';

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

/** An instancetype or preference that exists, by its name. */
export class SizingReference implements INamedObject {
  /** Its name. */
  public readonly name: string;
  /** Its kind, such as `VirtualMachineClusterInstancetype`. */
  public readonly kind: string;

  /**
   * @param kind kind of the object
   * @param name name of the object
   * @param options revision of the object
   * @internal
   */
  public constructor(
    kind: string,
    name: string,
    private readonly options: SizingReferenceOptions,
  ) {
    this.kind = kind;
    this.name = name;
  }

  /** @internal */
  public _revision(): string | undefined {
    return this.options.revision;
  }
}

/**
 * What a VM says of its instancetype or preference. By structure: a `kind` says whether it belongs to the namespace;
 * without one it belongs to the cluster, which is the API's default.
 */
export function renderMatcher(
  named: INamedObject | undefined,
  inferred: InferenceOptions | undefined,
): (InstancetypeMatcher & PreferenceMatcher) | undefined {
  if (!named && !inferred) return undefined;
  const { kind, _revision } = (named ?? {}) as { kind?: string; _revision?: () => string | undefined };
  return defined<InstancetypeMatcher & PreferenceMatcher>({
    name: named?.name,
    kind,
    revisionName: named && _revision?.call(named),
    inferFromVolume: inferred?.volume,
    inferFromVolumeFailurePolicy: inferred?.optional ? ('Ignore' as const) : undefined,
  });
}
