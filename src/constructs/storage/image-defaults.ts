import { keys } from '../../api/keys';
import type { ApiObjectMetadata } from 'cdk8s';
import type { INamedObject } from '../resource';
import { nameOf } from './reference';

/**
 * Default instance type and preference for VMs that infer theirs from an image: `inferInstancetype: { volume: 'root'
 * }`, `inferPreference: { volume: 'root' }`.
 */
export interface ImageDefaults {
  /**
   * Instance type that suits the image: an `Instancetype`, a `ClusterInstancetype`, or `{ name: 'u1.medium' }` for one
   * of the cluster. An `Instancetype` is looked up in the namespace of the VM.
   * @default - the image suggests none
   */
  readonly defaultInstancetype?: INamedObject;
  /**
   * Preference that suits the image: a `Preference`, a `ClusterPreference`, or `{ name: 'fedora' }` for one of the
   * cluster. A `Preference` is looked up in the namespace of the VM.
   * @default - the image suggests none
   */
  readonly defaultPreference?: INamedObject;
}

const KINDS = {
  instancetype: ['VirtualMachineInstancetype', 'VirtualMachineClusterInstancetype'],
  preference: ['VirtualMachinePreference', 'VirtualMachineClusterPreference'],
} as const;

/** Returns metadata with the labels from which KubeVirt infers instance types and preferences. */
export function withImageDefaults(
  call: string,
  metadata: ApiObjectMetadata | undefined,
  { defaultInstancetype, defaultPreference }: ImageDefaults,
): ApiObjectMetadata | undefined {
  if (!defaultInstancetype && !defaultPreference) return metadata;
  const labels = {
    ...metadata?.labels,
    ...labelsFor(call, 'instancetype', defaultInstancetype),
    ...labelsFor(call, 'preference', defaultPreference),
  };
  return { ...metadata, labels };
}

function labelsFor(
  call: string,
  field: 'instancetype' | 'preference',
  named: INamedObject | undefined,
): { readonly [label: string]: string } {
  if (!named) return {};
  const property = field === 'instancetype' ? 'defaultInstancetype' : 'defaultPreference';
  const remedy = `pass an object of one of these kinds as ${property}, or { name } for one of the cluster`;
  const label = `${keys.defaultPrefix}${field}`;
  const name = nameOf(`${call}: ${property}`, named, KINDS[field], remedy);
  const { kind } = named as { readonly kind?: string };
  return { [label]: name, ...(kind === undefined ? {} : { [`${label}-kind`]: kind }) };
}
