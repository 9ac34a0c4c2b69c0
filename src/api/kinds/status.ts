/** What may be written to the status of an object by itself. */
import { volumeRequests } from '../admission/volume-requests';
import { lockedBySnapshot } from '../admission/snapshot-lock';
import { canonicalForm } from '../defaulting/canonical';
import type { Finding } from '../findings';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { KubeObject } from '../meta';
import { validateSchema, withoutNulls } from '../schema';
import type { AdmissionContext } from './kind';
import { first } from './refusal';

/** Every mistake in the status of an object: its shape, and for a VM what it asks of the running guest. */
export function admitStatus(
  given: KubeObject,
  old: KubeObject | null | undefined,
  context: AdmissionContext,
): Finding[] {
  const object = withoutNulls(given);
  const breaks = ({ rule }: Finding): boolean => rule === 'schema-type' || rule === 'schema-required';
  // by itself: mistakes elsewhere must not take the place of these
  const shape = validateSchema(object, (error) => breaks(error) && error.path.parts[0] === 'status');
  if (shape.length > 0 || object.kind !== 'VirtualMachine') return shape;
  // a broken spec is not judged here, nor read
  if (validateSchema(object, breaks).length > 0) return [];
  const vm = canonicalForm(object) as VirtualMachine;
  return first(
    () => volumeRequests(vm, context),
    () => (old ? lockedBySnapshot(vm, canonicalForm(old) as VirtualMachine) : []),
  );
}
