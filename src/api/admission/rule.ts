import type { ClusterConfig } from '../cluster-config';
import type { FeatureGate } from '../feature-gates';
import { type Finding, type Message, named, ofKubeVirt, type Path, type RuleId, text, wordsOf } from '../findings';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { closest } from '../names';

/**
 * One rule, or a few that read the same fields. Pure. `at` is the path of the spec in its object. The spec has the
 * right shape and its canonical form: empty fields are absent.
 */
export type InstanceRule = (spec: VirtualMachineInstanceSpec, at: Path, config: ClusterConfig) => Finding[];

export type Extra = Pick<Finding, 'value' | 'allowed' | 'type' | 'field' | 'gates' | 'patched'>;

/** Returns one finding. Default type: `FieldValueInvalid`. */
export function mistake(
  rule: RuleId,
  path: Path,
  message: string | Message,
  remedy: string | Message,
  extra: Extra = {},
): Finding[] {
  return [{ rule, path, ...wordsOf(message, remedy), type: 'FieldValueInvalid', ...extra }];
}

/** Reports a value that is not allowed, and suggests the nearest allowed one. */
export function notOneOf(
  rule: RuleId,
  path: Path,
  got: string | undefined,
  allowed: readonly string[],
  message: string | Message,
  extra: Extra = { type: 'FieldValueNotSupported' },
): Finding[] {
  if (got === undefined || got === '' || allowed.includes(got)) return [];
  return mistake(rule, path, message, nearest(got, allowed), { value: got, allowed, ...extra });
}

/** Returns the remedy for a value that is not allowed. */
export function nearest(got: string, allowed: readonly string[]): string {
  const near = closest(got, allowed);
  return near ? `did you mean "${near}"?` : 'use one of the allowed values';
}

/** Returns a remedy that enables a feature gate. */
export function enableGate(gate: FeatureGate, path: Path): Message {
  return text`add ${gate} to ${GATES} of the KubeVirt object, or remove ${named(path, 'this field')}`;
}

const GATES = ofKubeVirt('developerConfiguration', 'featureGates');

/** Reports a feature whose gate is off. */
export function gateOff(
  rule: RuleId,
  path: Path,
  message: string | Message,
  gate: FeatureGate,
  extra: Extra = {},
): Finding[] {
  return mistake(rule, path, message, enableGate(gate, path), { gates: [gate], ...extra });
}

/** Returns the items whose key an earlier item has, each with both indexes. */
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
