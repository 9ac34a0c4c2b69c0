import type { ClusterConfig } from '../cluster-config';
import type { Finding, Path, RuleId } from '../findings';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { closest } from '../names';

/**
 * One rule, or a few that read the same fields. Pure; `at` is where the spec sits in its object. The spec has the
 * right shape and its canonical form: what is empty is not there.
 */
export type InstanceRule = (spec: VirtualMachineInstanceSpec, at: Path, config: ClusterConfig) => Finding[];

export type Extra = Pick<Finding, 'value' | 'allowed' | 'type' | 'field'>;

/** One mistake. Default type: `FieldValueInvalid`. */
export function mistake(rule: RuleId, path: Path, message: string, remedy: string, extra: Extra = {}): Finding[] {
  return [{ rule, path, cause: message, remedy, type: 'FieldValueInvalid', ...extra }];
}

/** A value that is none of the known ones; names the nearest. */
export function notOneOf(
  rule: RuleId,
  path: Path,
  got: string | undefined,
  allowed: readonly string[],
  message: string,
  extra: Extra = { type: 'FieldValueNotSupported' },
): Finding[] {
  if (got === undefined || got === '' || allowed.includes(got)) return [];
  return mistake(rule, path, message, nearest(got, allowed), { value: got, allowed, ...extra });
}

/** The remedy for a word that is none of the known ones. */
export function nearest(got: string, allowed: readonly string[]): string {
  const near = closest(got, allowed);
  return near ? `did you mean "${near}"?` : 'use one of the allowed values';
}

/** What switches a gate on, for remedies. */
export function enableGate(gate: string): string {
  return `add ${gate} to spec.configuration.developerConfiguration.featureGates of the KubeVirt object, or remove this`;
}

/** A feature whose gate is off. */
export function gateOff(rule: RuleId, path: Path, message: string, gate: string, extra: Extra = {}): Finding[] {
  return mistake(rule, path, message, enableGate(gate), extra);
}

/** Items whose key an earlier item has already; with the index of each and of that earlier one. */
export function duplicates<T>(
  items: readonly T[],
  keyOf: (item: T) => string | number | undefined,
): { key: string | number; index: number; first: number }[] {
  if (items.length < 2) return [];
  const seen = new Map<string | number, number>();
  return items.flatMap((item, index) => {
    const key = keyOf(item);
    if (key === undefined) return [];
    const first = seen.get(key);
    if (first !== undefined) return [{ key, index, first }];
    seen.set(key, index);
    return [];
  });
}
