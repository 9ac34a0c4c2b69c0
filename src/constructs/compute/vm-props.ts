import type { IInstancetype, IPreference } from '../references';
import type { GuestProps } from './guest-props';
import type { InferenceOptions } from './sizing';
import type { RunStrategy, UpdateVolumesStrategy } from './strategies';

/** What a VM takes, and each VM of a pool. */
export interface VirtualMachineProps extends GuestProps {
  /**
   * When the VM runs, and whether it is started again.
   * @default RunStrategy.ALWAYS
   */
  readonly runStrategy?: RunStrategy;
  /**
   * The size, by reference: an `Instancetype`, a `ClusterInstancetype`, or `{ name: 'u1.medium' }` for one of the
   * cluster. The VM must not set what it decides.
   * @default - the VM says itself
   */
  readonly instancetype?: IInstancetype;
  /**
   * Finds the instancetype by labels of a volume, instead of `instancetype`.
   * @default - not looked for
   */
  readonly inferInstancetype?: InferenceOptions;
  /**
   * What the VM gets where it says nothing, by reference: a `Preference`, a `ClusterPreference`, or `{ name: 'fedora' }`
   * for one of the cluster.
   * @default - the platform's defaults
   */
  readonly preference?: IPreference;
  /**
   * Finds the preference by labels of a volume, instead of `preference`.
   * @default - not looked for
   */
  readonly inferPreference?: InferenceOptions;
  /**
   * What a change of disks means for a running guest.
   * @default UpdateVolumesStrategy.REPLACEMENT
   */
  readonly updateVolumesStrategy?: UpdateVolumesStrategy;
}
