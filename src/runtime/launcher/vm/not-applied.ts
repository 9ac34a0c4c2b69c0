/** The fields of the desired spec that a running guest does not have. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { VirtualMachineInstanceSpec } from '../../../api';
import { withoutHotplugged } from '../../../api/hotplug-volumes';

/** Fields that do not affect a running guest, or that this launcher applies immediately. */
const SERVED = new Set([
  'nodeSelector',
  'affinity',
  'tolerations',
  'evictionStrategy',
  'terminationGracePeriodSeconds',
  'utilityVolumes',
]);

/** Longest list: a spec that differs in more fields might as well be a different one. */
const MAX_FIELDS = 20;

/** Fields in which the desired spec differs from the one that the guest was started with: `spec.volumes[data]`. */
export function notApplied(started: VirtualMachineInstanceSpec, wanted: VirtualMachineInstanceSpec): string[] {
  return differences(withoutHotplugged(started), withoutHotplugged(wanted), 'spec')
    .filter((path) => !SERVED.has(path.split('.')[1] ?? ''))
    .slice(0, MAX_FIELDS);
}

/** The started VMI with the fields that a running guest gets immediately. */
export function withServed<T extends { spec: VirtualMachineInstanceSpec }>(started: T, wanted: T): T {
  const { terminationGracePeriodSeconds } = wanted.spec;
  return { ...started, spec: { ...started.spec, terminationGracePeriodSeconds } };
}

type Fields = Record<string, unknown>;

function differences(before: unknown, after: unknown, path: string): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [one, two] = [fieldsOf(before), fieldsOf(after)];
  if (!one || !two) return [path];
  const isList = Array.isArray(before);
  const names = [...new Set([...Object.keys(one), ...Object.keys(two)])];
  const inner = names.flatMap((name) =>
    differences(one[name], two[name], isList ? `${path}[${name}]` : `${path}.${name}`),
  );
  // the same items in another order
  return inner.length > 0 || !isList ? inner : [path];
}

/** Fields of an object, or items of a list by their names; undefined for everything else. */
function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return value as Fields;
  const names = value.map((item: unknown) => (item as { name?: unknown } | null)?.name);
  const areNames = names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
  return areNames ? Object.fromEntries(names.map((name, i) => [name as string, value[i] as unknown])) : undefined;
}
