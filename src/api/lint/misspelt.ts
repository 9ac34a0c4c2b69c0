/** Names of objects that are written nearly as they are declared, or whose kind is another one. */
import { mistake } from '../admission/rule';
import type { Finding, Path } from '../findings';
import type { KubeObject } from '../meta';
import { isClusterScoped } from '../kinds/registry';
import { type Reference, referencesOf } from '../references';
import { misspelt } from './names';
import { describeObject } from './network-guests';
import type { World } from './world';

/** Kinds that have no rule of their own for this. */
const KINDS: ReadonlySet<string> = new Set([
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'PriorityClass',
  'VirtualMachineInstancetype',
  'VirtualMachineClusterInstancetype',
  'VirtualMachinePreference',
  'VirtualMachineClusterPreference',
]);

/** The same for one namespace, or for all. */
const SIBLINGS: Readonly<Record<string, string>> = {
  VirtualMachineClusterInstancetype: 'VirtualMachineInstancetype',
  VirtualMachineInstancetype: 'VirtualMachineClusterInstancetype',
  VirtualMachineClusterPreference: 'VirtualMachinePreference',
  VirtualMachinePreference: 'VirtualMachineClusterPreference',
};

/** Beyond as many, each name that the cluster holds would be compared with all of them. */
const MOST_COMPARED = 500;

/** Objects that the app does not declare are in the cluster, unless a declared one has a similar name. */
export function referencesAreSpeltRight(object: KubeObject, world: World): Finding[] {
  return referencesOf(object)
    .filter(({ isMade, kind, namespace }) => !isMade && namespace === undefined && KINDS.has(kind))
    .flatMap((reference) => speltRight(reference, object.metadata.namespace, world));
}

function speltRight({ kind, name, path: at }: Reference, own: string | undefined, world: World): Finding[] {
  const namespace = isClusterScoped(kind) ? undefined : own;
  const path = SIBLINGS[kind] && at.parts.at(-1) !== 'name' ? at.at('name') : at;
  // found by its name in most apps, without a look at all others
  if (world.named(kind, namespace, name).length > 0) return [];
  const declared = world.all(kind);
  if (declared.some((each) => each.name === name)) return [];
  const sibling = SIBLINGS[kind];
  const other = sibling && world.named(sibling, isClusterScoped(sibling) ? undefined : own, name)[0];
  if (other) {
    const cause = `"${name}" is ${describeObject(other)}, and this names a ${kind}`;
    const remedy = `write kind: ${sibling} (in code, pass the construct itself)`;
    return mistake('reference-kind', path, cause, remedy, { value: name });
  }
  const allowed = declared.filter((each) => each.namespace === namespace).map((each) => each.name);
  return allowed.length > MOST_COMPARED ? [] : misspeltReference(kind, name, path, allowed);
}

/** Reports a reference to an object that is not declared, if its name is nearly that of a declared one. */
export function misspeltReference(
  kind: string,
  name: string,
  path: Path,
  allowed: readonly string[],
  hasShortNames = false,
): Finding[] {
  const meant = misspelt(name, allowed, hasShortNames);
  if (meant === undefined) return [];
  const remedy = `did you mean "${meant}"?`;
  return mistake('reference-name', path, `no ${kind} is called "${name}"`, remedy, { value: name, allowed });
}
