/** Migrations that somebody asks for, and whether their guest can move there. */
import { mistake } from '../admission/rule';
import { type Finding, root } from '../findings';
import type { KubeObject } from '../meta';
import { obstaclesOf } from './migration';
import { guestsIn } from './network-guests';
import { keyOf, textAt, textsAt } from './read';
import { disksThatStay } from './storage';
import { diskOwner, usesOf } from './storage-guests';
import type { World } from './world';

/** The webhook rejects a migration of a guest that cannot move, and no node fits selectors that contradict. */
export function migrationCanSucceed(object: KubeObject, world: World): Finding[] {
  if (keyOf(object) !== 'VirtualMachineInstanceMigration.kubevirt.io') return [];
  const name = textAt(object, 'spec', 'vmiName');
  const vm = name && world.find('VirtualMachine', object.metadata.namespace, name);
  const guests = vm && guestsIn(vm);
  if (!guests) return [];
  const own = textsAt(guests.spec, 'nodeSelector');
  const added = Object.entries(textsAt(object, 'spec', 'addedNodeSelector'));
  const contrary = added.flatMap(([label, got]) => {
    if (own[label] === undefined || own[label] === got) return [];
    const cause = `VirtualMachine "${name}" runs on nodes with ${label}=${own[label]} only: none fits`;
    const path = root.at('spec', 'addedNodeSelector', label);
    return mistake('migration-selector', path, cause, 'leave it out, or change the nodeSelector of the VM', {
      value: got,
      allowed: [own[label]],
    });
  });
  const owner = diskOwner(vm);
  const [first] = [...obstaclesOf(guests), ...(owner ? disksThatStay(owner, usesOf(owner), world) : [])];
  if (!first) return contrary;
  const cause = `VirtualMachine "${name}" cannot move: ${first.cause}`;
  const remedy = `${first.remedy}, or remove the migration`;
  return [...contrary, ...mistake('migration-stays', root.at('spec', 'vmiName'), cause, remedy, { value: name })];
}
