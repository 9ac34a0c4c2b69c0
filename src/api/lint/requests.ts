/** Orders and policies whose values the platform accepts and cannot carry out. */
import { mistake, nearest } from '../admission/rule';
import { parseDuration } from '../duration';
import { type Finding, root } from '../findings';
import type { KubeObject } from '../meta';
import { isDnsSubdomain } from '../names';
import { guestsIn } from './network-guests';
import { keyOf, listAt, read, textAt } from './read';
import type { World } from './world';

type Rule = (object: KubeObject, world: World) => Finding[];

/** By group and kind. */
const rules: Readonly<Record<string, Rule>> = {
  'VirtualMachineClone.clone.kubevirt.io': (object) => [...targetIsNamed(object), ...filtersAreExpressions(object)],
  'VirtualMachineRestore.snapshot.kubevirt.io': (object, world) => [
    ...targetIsNamed(object),
    ...overridesAreVolumes(object, world),
  ],
  'VirtualMachineExport.export.kubevirt.io': exportLasts,
  'MigrationPolicy.migrations.kubevirt.io': postCopyMayDisrupt,
};

/** Every mistake of an order or a policy. */
export function requestRules(object: KubeObject, world: World): Finding[] {
  const key = keyOf(object);
  return Object.hasOwn(rules, key) ? rules[key](object, world) : [];
}

/** A VM is made with this name. */
function targetIsNamed(object: KubeObject): Finding[] {
  const got = textAt(object, 'spec', 'target', 'name');
  if (got === undefined || isDnsSubdomain(got)) return [];
  const path = root.at('spec', 'target', 'name');
  return mistake(
    'target-name',
    path,
    `"${got}" cannot be the name of a VM`,
    'use lower case letters, digits and dashes',
    {
      value: got,
    },
  );
}

const FILTERS = [
  ['labelFilters'],
  ['annotationFilters'],
  ['template', 'labelFilters'],
  ['template', 'annotationFilters'],
];

/** KubeVirt reads each filter as a regular expression, and skips one that it cannot read. */
function filtersAreExpressions(object: KubeObject): Finding[] {
  return FILTERS.flatMap((fields) => {
    const list = read(object, 'spec', ...fields);
    if (!Array.isArray(list)) return [];
    return list.flatMap((filter: unknown, i) => {
      if (typeof filter !== 'string' || isExpression(filter.replace(/^!/, ''))) return [];
      const cause = `"${filter}" is not a regular expression, so it matches nothing`;
      const path = root.at('spec', ...fields, i);
      return mistake('clone-filter', path, cause, 'close each bracket, or write the key followed by *', {
        value: filter,
      });
    });
  });
}

function isExpression(text: string): boolean {
  // syntax that only Go has
  if (text === '*' || /\(\?|\[\[:|\\/.test(text)) return true;
  try {
    return Boolean(new RegExp(text));
  } catch {
    return false;
  }
}

function overridesAreVolumes(object: KubeObject, world: World): Finding[] {
  const { namespace } = object.metadata;
  const snapshot = textAt(object, 'spec', 'virtualMachineSnapshotName');
  const source =
    snapshot && textAt(world.find('VirtualMachineSnapshot', namespace, snapshot), 'spec', 'source', 'name');
  const vm = source && world.find('VirtualMachine', namespace, source);
  const allowed = vm ? listAt(guestsIn(vm)?.spec, 'volumes').map(({ name }) => String(name)) : [];
  if (allowed.length === 0) return [];
  return listAt(object, 'spec', 'volumeRestoreOverrides').flatMap((override, i) => {
    const got = textAt(override, 'volumeName');
    if (got === undefined || allowed.includes(got)) return [];
    const path = root.at('spec', 'volumeRestoreOverrides', i, 'volumeName');
    const cause = `VirtualMachine "${source}" has no volume "${got}"`;
    return mistake('restore-override', path, cause, nearest(got, allowed), { value: got, allowed });
  });
}

function exportLasts(object: KubeObject): Finding[] {
  const got = textAt(object, 'spec', 'ttlDuration');
  if (got === undefined || parseDuration(got) !== 0) return [];
  const path = root.at('spec', 'ttlDuration');
  return mistake('export-ttl', path, 'the export is deleted at once', 'use more, such as 2h', { value: got });
}

/** Post-copy is one of the disruptions. */
function postCopyMayDisrupt(object: KubeObject): Finding[] {
  if (read(object, 'spec', 'allowPostCopy') !== true || read(object, 'spec', 'allowWorkloadDisruption') !== false) {
    return [];
  }
  const cause = 'post-copy disrupts the guest, and allowWorkloadDisruption is false: it is never used';
  const remedy = 'leave allowWorkloadDisruption out, or set allowPostCopy: false';
  return mistake('migration-post-copy', root.at('spec', 'allowPostCopy'), cause, remedy, { value: true });
}
