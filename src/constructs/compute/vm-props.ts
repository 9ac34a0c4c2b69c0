import type { IInstancetype, IPreference } from '../references';
import type { GuestProps } from './guest-props';
import type { InferenceOptions } from './sizing';
import type { RunStrategy, UpdateVolumesStrategy } from './strategies';

/** Properties of a VM, and of each VM of a pool. */
export interface VirtualMachineProps extends GuestProps {
  /**
   * Policy that decides when the VM runs and whether it is restarted.
   * @default RunStrategy.ALWAYS
   */
  readonly runStrategy?: RunStrategy;
  /**
   * Instance type that sizes the VM: an `Instancetype`, a `ClusterInstancetype`, or `{ name: 'u1.medium' }` for one of
   * the cluster. The VM must not set properties that the instance type sets.
   * @default - none: the VM sets its own size
   */
  readonly instancetype?: IInstancetype;
  /**
   * Volume from whose labels the instance type is inferred. Excludes `instancetype`.
   * @default - not inferred
   */
  readonly inferInstancetype?: InferenceOptions;
  /**
   * Preference with the VM's defaults: a `Preference`, a `ClusterPreference`, or `{ name: 'fedora' }` for one of the
   * cluster.
   * @default - the platform's defaults
   */
  readonly preference?: IPreference;
  /**
   * Volume from whose labels the preference is inferred. Excludes `preference`.
   * @default - not inferred
   */
  readonly inferPreference?: InferenceOptions;
  /**
   * Effect of a change of disks on a running guest.
   * @default UpdateVolumesStrategy.REPLACEMENT
   */
  readonly updateVolumesStrategy?: UpdateVolumesStrategy;
}
