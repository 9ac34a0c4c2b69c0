/** Settings of network cards that contradict each other or have no effect. */
import { duplicates, mistake } from '../admission/rule';
import type { Finding, Path } from '../findings';
import type { KubeObject } from '../meta';
import { guestsIn } from './network-guests';
import { type Json, listAt, shown, textAt } from './read';

const none: readonly Finding[] = [];

/** Returns the mistakes in the interfaces of a guest. */
export function guestInterfaces(object: KubeObject): readonly Finding[] {
  const guests = guestsIn(object);
  if (!guests) return none;
  const interfaces = listAt(guests.spec, 'domain', 'devices', 'interfaces');
  if (interfaces.length === 0) return none;
  const at = guests.at.at('domain', 'devices');
  return [...sameIndex(interfaces, at), ...functions(interfaces, at)];
}

/** QEMU does not start with two cards of one index. */
const sameIndex = (interfaces: readonly Json[], at: Path): readonly Finding[] =>
  duplicates(interfaces, ({ acpiIndex }) => (typeof acpiIndex === 'number' ? acpiIndex : undefined)).flatMap(
    ({ key, index, first }) =>
      mistake(
        'acpi-index-unique',
        at.at('interfaces', index, 'acpiIndex'),
        `interface "${shown(interfaces[first].name)}" also has the ACPI index ${key}: the guest does not start`,
        'give each interface its own',
        { value: key, type: 'FieldValueDuplicate' },
      ),
  );

/** A virtual function is a device of the node: the platform neither emulates a card nor answers DHCP on it. */
const functions = (interfaces: readonly Json[], at: Path): readonly Finding[] =>
  interfaces.flatMap((iface, i) => {
    if (iface.sriov === undefined) return [];
    const model = textAt(iface, 'model');
    const path = at.at('interfaces', i);
    const ignored = (field: string, cause: string, remedy: string): Finding[] =>
      mistake('sriov-setting', path.at(field), cause, remedy, { value: iface[field] });
    return [
      ...(model === undefined || model === 'virtio'
        ? none
        : ignored(
            'model',
            `the guest has the virtual function itself, not a card of the model ${model}`,
            'leave it out',
          )),
      ...(iface.dhcpOptions === undefined
        ? none
        : ignored(
            'dhcpOptions',
            'the platform does not answer DHCP on a virtual function, so the guest does not receive these options',
            "leave them out, and configure the network's own DHCP server",
          )),
    ];
  });
