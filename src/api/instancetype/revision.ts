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

/** The same VM, object and generation have the same revision: storing it twice is storing it once. */
export function revisionName(vm: VirtualMachine, { metadata }: Instancetype | Preference): string {
  const { name, uid = '', generation = 0 } = metadata;
  return [vm.metadata.name, name, INSTANCETYPE_VERSION, uid, generation].join('-');
}

/** The copy that a VM keeps of its instance type or preference, so that later changes of these leave it alone. */
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

/** Do two revisions keep the same spec, whatever the version that each was written in? */
export function sameRevision(a: ControllerRevision, b: ControllerRevision, field: MatcherField): boolean {
  const [left, right] = [a, b].map((revision) => specOfRevision(revision, field));
  // a sentence says why there is no spec
  return typeof left !== 'string' && isDeepStrictEqual(comparable(left), comparable(right));
}

/** Kubernetes' equality: absent and empty are one, and quantities are numbers. */
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

/** Was it written by this version? One without the label was not. */
export const isCurrent = ({ metadata }: ControllerRevision): boolean =>
  metadata.labels?.[OBJECT_VERSION_LABEL] === INSTANCETYPE_VERSION;

/** The same content as this version would write it; a sentence when it cannot be read. */
export function upgradedRevision(
  vm: VirtualMachine,
  revision: ControllerRevision,
  field: MatcherField,
): ControllerRevision | string {
  const object = objectOfRevision(revision, field);
  if (typeof object === 'string') return object;
  // the first version kept no name: it is the one that the VM says
  object.metadata.name ??= vm.spec[field]?.name;
  return revisionOf(vm, object);
}

type StatusRef = InstancetypeStatusRef & { inferFromVolumeFailurePolicy?: string };

/**
 * What a VM's status says about its reference. A reference that was changed drops the revision of the former one; a
 * revision that the user names counts. Without a revision in the answer, one has to be stored.
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
