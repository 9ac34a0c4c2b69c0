/** Guests that must migrate when their node is drained, and the devices that prevent it. */
import { keys } from '../keys';
import { mistake } from '../admission/rule';
import type { Finding, RuleId } from '../findings';
import type { KubeObject } from '../meta';
import type { ClusterConfig } from '../cluster-config';
import { type Guests, guestsIn } from './network-guests';
import { listAt, objectAt, textAt } from './read';
import type { World } from './world';

/** On an instance: the guest may migrate although it uses the Pod's address, which then changes. */
const POD_BRIDGE_MAY_MOVE = keys.allowPodBridgeMigration;

const STAYS = 'with evictionStrategy LiveMigrate the guest cannot leave its node, so a drain never ends';
const OTHERWISE = 'or evictionStrategy LiveMigrateIfPossible or None';

/**
 * Reports what the condition `LiveMigratable` of the running guest will say. The storage rules check claims and files:
 * they need the other objects.
 */
export function migrationRules(object: KubeObject, _: World, config: ClusterConfig): Finding[] {
  const guests = guestsIn(object);
  return guests && mustMove(guests, config) ? whatStays(guests) : [];
}

/** Whether a drain waits until the guest has left its node, by its own eviction strategy or that of the platform. */
export const mustMove = ({ spec }: Pick<Guests, 'spec'>, { raw }: ClusterConfig): boolean =>
  (textAt(spec, 'evictionStrategy') ?? raw.evictionStrategy) === 'LiveMigrate';

/** Every label has one value on a node, and that of its name is unique. */
const NODE_NAME = 'kubernetes.io/hostname';

/** What keeps a guest on its node, apart from its disks. */
export function whatStays(guests: Guests): Finding[] {
  const { spec, at } = guests;
  const domain = at.at('domain');
  const says = (rule: RuleId, path: typeof at, what: string, remedy: string): Finding[] =>
    mistake(rule, path, `${what}: ${STAYS}`, `${remedy}, ${OTHERWISE}`);

  const networks = listAt(spec, 'networks');
  const bridged = guests.annotations[POD_BRIDGE_MAY_MOVE] === undefined;
  const interfaces = listAt(spec, 'domain', 'devices', 'interfaces').flatMap(({ name, bridge }, i) => {
    const network = networks.find((each) => each.name === name);
    if (!bridged || !bridge || !network || !objectAt(network, 'pod')) return [];
    const path = domain.at('devices', 'interfaces', i, 'bridge');
    return says('migration-bridge', path, `"${String(name)}" takes over the Pod's address`, 'choose masquerade');
  });
  const devices = ['gpus', 'hostDevices'].flatMap((kind) =>
    listAt(spec, 'domain', 'devices', kind).flatMap(({ name }, i) =>
      says('migration-device', domain.at('devices', kind, i), `"${String(name)}" is a device of its node`, 'remove it'),
    ),
  );
  const security = objectAt(spec, 'domain', 'launchSecurity')
    ? says('migration-security', domain.at('launchSecurity'), 'the memory is encrypted for one node', 'remove it')
    : [];
  const pinned = textAt(spec, 'nodeSelector', NODE_NAME)
    ? says('migration-pinned', at.at('nodeSelector', NODE_NAME), 'the guest may run on one node only', 'remove it')
    : [];
  return [...interfaces, ...devices, ...security, ...pinned];
}
