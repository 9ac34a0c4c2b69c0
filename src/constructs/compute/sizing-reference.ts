import type { INamedObject } from '../resource';
import type { SizingReferenceOptions } from './sizing';

/** Reference to an existing instance type or preference, by name. */
export class SizingReference<Kind extends string> implements INamedObject {
  public constructor(
    /** Kind of the object, such as `VirtualMachineClusterInstancetype`. */
    public readonly kind: Kind,
    /** Name of the object. */
    public readonly name: string,
    private readonly options: SizingReferenceOptions,
  ) {}

  /** @internal */
  public _revision(): string | undefined {
    return this.options.revision;
  }
}
