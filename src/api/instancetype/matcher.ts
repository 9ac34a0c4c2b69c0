import { isDeepStrictEqual } from 'node:util';
import { mistake, notOneOf } from '../admission/rule';
import { root } from '../findings';
import type { Finding } from '../findings';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { Matcher, MatcherField } from './types';

/** The kinds that a matcher may name, in singular or plural and any case; without one the cluster's is meant. */
const kinds: Record<MatcherField, { own: string; cluster: string }> = {
  instancetype: { own: 'VirtualMachineInstancetype', cluster: 'VirtualMachineClusterInstancetype' },
  preference: { own: 'VirtualMachinePreference', cluster: 'VirtualMachineClusterPreference' },
};

/** The Kind that a matcher means; undefined when it means none of ours. */
export function kindOf(field: MatcherField, matcher: Pick<Matcher, 'kind'>): string | undefined {
  const { own, cluster } = kinds[field];
  if (!matcher.kind) return cluster;
  const written = matcher.kind.toLowerCase().replace(/s$/, '');
  return [own, cluster].find((kind) => kind.toLowerCase() === written);
}

/** Is it an object of the VM's namespace, not of the cluster? */
export const isNamespaced = (field: MatcherField, matcher: Pick<Matcher, 'kind'>): boolean =>
  kindOf(field, matcher) === kinds[field].own;

/** `InstancetypeMatcher`, the name of the type, as KubeVirt's messages have it. */
export const matcherName = (field: MatcherField): string =>
  field === 'instancetype' ? 'InstancetypeMatcher' : 'PreferenceMatcher';

/** What is wrong with a reference as such: it names an object, or a volume that tells one. */
export function validateMatcher(vm: VirtualMachine, field: MatcherField): Finding[] {
  const matcher = vm.spec[field];
  if (!matcher) return [];
  const at = root.at('spec', field);
  const { name, kind, inferFromVolume, inferFromVolumeFailurePolicy: policy } = matcher;
  const errors: Finding[] = [];
  if (!name && !inferFromVolume) {
    const message = `Either Name or InferFromVolume should be provided within the ${matcherName(field)}`;
    errors.push(...mistake(`${field}-name`, at, message, 'name it', { type: 'FieldValueNotFound' }));
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

/** A revision belongs to a name: who changes the name lets go of the revision. */
export function validateMatcherUpdate(vm: VirtualMachine, old: VirtualMachine, field: MatcherField): Finding[] {
  const now = vm.spec[field];
  const before = old.spec[field];
  if (!now?.revisionName || !before || isDeepStrictEqual(now, before)) return [];
  if (now.name === before.name || now.revisionName !== before.revisionName) return [];
  return mistake(
    `${field}-revision`,
    root.at('spec', field, 'revisionName'),
    'the Matcher Name has been updated without updating the RevisionName',
    'remove revisionName: it is of the former one',
    { value: now.revisionName },
  );
}
