/** Rules for writes to the status subresource. */
import { volumeRequests } from '../admission/volume-requests';
import { lockedBySnapshot } from '../admission/snapshot-lock';
import { canonicalForm } from '../defaulting/canonical';
import type { Finding } from '../findings';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { KubeObject } from '../meta';
import { validateSchema, withoutNulls } from '../schema';
import type { AdmissionContext } from './kind';
import { first } from './refusal';

/** Returns every mistake in the status of an object: in its shape, and for a VM in the requests to the running guest. */
export function admitStatus(
  given: KubeObject,
  old: KubeObject | null | undefined,
  context: AdmissionContext,
): Finding[] {
  const object = withoutNulls(given);
  const breaks = ({ rule }: Finding): boolean => rule === 'schema-type' || rule === 'schema-required';
  // mistakes elsewhere are left out, so that they do not use up the limit of findings
  const shape = validateSchema(object, (error) => breaks(error) && error.path.parts[0] === 'status');
  if (shape.length > 0 || object.kind !== 'VirtualMachine') return shape;
  // a broken spec is neither reported nor read here
  if (validateSchema(object, breaks).length > 0) return [];
  const vm = canonicalForm(object) as VirtualMachine;
  return first(
    () => volumeRequests(vm, context),
    () => (old ? lockedBySnapshot(vm, canonicalForm(old) as VirtualMachine) : []),
  );
}
