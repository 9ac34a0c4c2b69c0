import { isDeepStrictEqual } from 'node:util';
import { mistake, notOneOf } from '../admission/rule';
import { root } from '../findings';
import type { Finding } from '../findings';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { Matcher, MatcherField } from './types';

/** Kinds that a matcher may have, in singular or plural and any case. Default: the cluster-scoped kind. */
const kinds: Record<MatcherField, { own: string; cluster: string }> = {
  instancetype: { own: 'VirtualMachineInstancetype', cluster: 'VirtualMachineClusterInstancetype' },
  preference: { own: 'VirtualMachinePreference', cluster: 'VirtualMachineClusterPreference' },
};

/** Returns the kind of a matcher; undefined for an unknown one. */
export function kindOf(field: MatcherField, matcher: Pick<Matcher, 'kind'>): string | undefined {
  const { own, cluster } = kinds[field];
  if (!matcher.kind) return cluster;
  const written = matcher.kind.toLowerCase().replace(/s$/, '');
  return [own, cluster].find((kind) => kind.toLowerCase() === written);
}

/** Whether the target is in the VM's namespace, instead of cluster-scoped. */
export const isNamespaced = (field: MatcherField, matcher: Pick<Matcher, 'kind'>): boolean =>
  kindOf(field, matcher) === kinds[field].own;

/** Returns the name of the type in KubeVirt's messages: `InstancetypeMatcher`. */
export const matcherName = (field: MatcherField): string =>
  field === 'instancetype' ? 'InstancetypeMatcher' : 'PreferenceMatcher';

/** Validates a reference: it must have the name of an object, or a volume to infer it from. */
export function validateMatcher(vm: VirtualMachine, field: MatcherField): Finding[] {
  const matcher = vm.spec[field];
  if (!matcher) return [];
  const at = root.at('spec', field);
  const { name, kind, inferFromVolume, inferFromVolumeFailurePolicy: policy } = matcher;
  const errors: Finding[] = [];
  if (!name && !inferFromVolume) {
    const message = `Either Name or InferFromVolume should be provided within the ${matcherName(field)}`;
    errors.push(...mistake(`${field}-name`, at, message, 'write a name', { type: 'FieldValueNotFound' }));
  }
  if (inferFromVolume) {
    for (const [part, value] of [['name', name] as const, ['kind', kind] as const]) {
      if (!value) continue;
      const word = part === 'name' ? 'Name' : 'Kind';
      errors.push(
        ...mistake(
          `${field}-infer`,
          at.at(part),
          `${word} already set, should be cleared before setting inferFromVolume`,
          `remove ${part}, or inferFromVolume`,
          { type: 'FieldValueNotSupported', value: value },
        ),
      );
    }
  }
  if (policy !== undefined) {
    errors.push(
      ...notOneOf(
        `${field}-infer-policy`,
        at.at('inferFromVolumeFailurePolicy'),
        policy || '""',
        ['Reject', 'Ignore'],
        `Invalid value '${policy}' for InferFromVolumeFailurePolicy`,
        { type: 'FieldValueInvalid' },
      ),
    );
  }
  return errors;
}

/** A revision belongs to a name: a change of the name requires the removal of the revision. */
export function validateMatcherUpdate(vm: VirtualMachine, old: VirtualMachine, field: MatcherField): Finding[] {
  const now = vm.spec[field];
  const before = old.spec[field];
  if (!now?.revisionName || !before || isDeepStrictEqual(now, before)) return [];
  if (now.name === before.name || now.revisionName !== before.revisionName) return [];
  return mistake(
    `${field}-revision`,
    root.at('spec', field, 'revisionName'),
    'the Matcher Name has been updated without updating the RevisionName',
    'remove revisionName: it belongs to the former name',
    { value: now.revisionName },
  );
}
