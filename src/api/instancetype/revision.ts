import { isDeepStrictEqual } from 'node:util';
import { KUBEVIRT_API_VERSION } from '../constants';
import type { InstancetypeStatusRef, VirtualMachine } from '../generated/kubevirt-v1';
import { canonicalQuantity } from '../quantity';
import { withoutNulls } from '../schema';
import { objectOfRevision, specOfRevision } from './compatibility';
import {
  OBJECT_GENERATION_LABEL,
  OBJECT_KIND_LABEL,
  OBJECT_NAME_LABEL,
  OBJECT_UID_LABEL,
  OBJECT_VERSION_LABEL,
} from './revision-labels';
import { INSTANCETYPE_API_VERSION, INSTANCETYPE_VERSION } from './types';
import type { ControllerRevision, Instancetype, MatcherField, Preference } from './types';

/** Returns the name of a revision. The same VM, object and generation have the same name, so that it is stored only once. */
export function revisionName(vm: VirtualMachine, { metadata }: Instancetype | Preference): string {
  const { name, uid = '', generation = 0 } = metadata;
  return [vm.metadata.name, name, INSTANCETYPE_VERSION, uid, generation].join('-');
}

/** Returns the copy of its instance type or preference that a VM keeps, so that later changes do not affect it. */
export function revisionOf(vm: VirtualMachine, object: Instancetype | Preference): ControllerRevision {
  const { name = '', uid = '', generation = 0 } = object.metadata;
  const { name: ownerName = '', uid: ownerUid = '' } = vm.metadata;
  const metadata = { ...object.metadata };
  for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences', 'managedFields'] as const) {
    delete metadata[field];
  }
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: revisionName(vm, object),
      namespace: vm.metadata.namespace,
      labels: {
        [OBJECT_GENERATION_LABEL]: `${generation}`,
        [OBJECT_KIND_LABEL]: object.kind,
        [OBJECT_NAME_LABEL]: name,
        [OBJECT_UID_LABEL]: uid,
        [OBJECT_VERSION_LABEL]: INSTANCETYPE_VERSION,
      },
      ownerReferences: [
        {
          apiVersion: KUBEVIRT_API_VERSION,
          kind: 'VirtualMachine',
          name: ownerName,
          uid: ownerUid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    data: { apiVersion: INSTANCETYPE_API_VERSION, kind: object.kind, metadata, spec: structuredClone(object.spec) },
    revision: 0,
  };
}

/** Whether two revisions have the same spec, regardless of the versions in which they were written. */
export function sameRevision(a: ControllerRevision, b: ControllerRevision, field: MatcherField): boolean {
  const [left, right] = [a, b].map((revision) => specOfRevision(revision, field));
  // a string is the reason why there is no spec
  return typeof left !== 'string' && isDeepStrictEqual(comparable(left), comparable(right));
}

/** Compares as Kubernetes does: absent and empty values are equal, and quantities are compared as numbers. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(withoutNulls(value))
      .map(([key, inner]) => [key, comparable(inner)] as const)
      .filter(([, inner]) => inner !== '' && inner !== 0 && !isEmptyList(inner));
    return Object.fromEntries(entries);
  }
  return typeof value === 'string' ? canonicalQuantity(value) : value;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Whether the revision has the current version. */
export const isCurrent = ({ metadata }: ControllerRevision): boolean =>
  metadata.labels?.[OBJECT_VERSION_LABEL] === INSTANCETYPE_VERSION;

/** Returns the revision in the current version; a sentence when it cannot be read. */
export function upgradedRevision(
  vm: VirtualMachine,
  revision: ControllerRevision,
  field: MatcherField,
): ControllerRevision | string {
  const object = objectOfRevision(revision, field);
  if (typeof object === 'string') return object;
  // v1alpha1 stored no name: the name is in the VM
  object.metadata.name ??= vm.spec[field]?.name;
  return revisionOf(vm, object);
}

type StatusRef = InstancetypeStatusRef & { inferFromVolumeFailurePolicy?: string };

/**
 * Returns the status of a VM's reference. A changed reference drops the revision of the former one; a
 * revision in the spec takes precedence. Without a revision in the result, the caller must store one.
 */
export function statusRefOf(vm: VirtualMachine, field: MatcherField): StatusRef | undefined {
  const matcher = vm.spec[field];
  if (!matcher) return undefined;
  const before = field === 'instancetype' ? vm.status?.instancetypeRef : vm.status?.preferenceRef;
  const ref: StatusRef = { ...before };
  for (const part of ['name', 'kind', 'inferFromVolume'] as const) {
    const value = matcher[part];
    if (!value || value === ref[part]) continue;
    ref[part] = value;
    delete ref.controllerRevisionRef;
  }
  if (matcher.inferFromVolumeFailurePolicy) ref.inferFromVolumeFailurePolicy = matcher.inferFromVolumeFailurePolicy;
  if (matcher.revisionName) ref.controllerRevisionRef = { name: matcher.revisionName };
  if (!ref.controllerRevisionRef?.name) delete ref.controllerRevisionRef;
  return ref;
}
