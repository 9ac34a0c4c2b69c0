/** Guests that must migrate when their node is drained, and the devices that prevent it. */
import { keys } from '../keys';
import { type Extra, mistake } from '../admission/rule';
import type { Finding, Path, RuleId } from '../findings';
import type { KubeObject } from '../meta';
import type { ClusterConfig } from '../cluster-config';
import { type Guests, guestsIn } from './network-guests';
import { isObject, listAt, objectAt, textAt } from './read';
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
  return guests && mustMove(guests, config) ? obstaclesOf(guests).flatMap(neverLeaves) : [];
}

/** A part of a guest that keeps it on its node. */
export interface Obstacle {
  readonly rule: RuleId;
  readonly path: Path;
  readonly cause: string;
  readonly remedy: string;
  readonly extra?: Extra;
}

/** Reports an obstacle of a guest that must leave its node when the node is drained. */
export const neverLeaves = ({ rule, path, cause, remedy, extra }: Obstacle): Finding[] =>
  mistake(rule, path, `${cause}: ${STAYS}`, `${remedy}, ${OTHERWISE}`, extra);

/** Whether a drain waits until the guest has left its node, by its own eviction strategy or that of the platform. */
export const mustMove = ({ spec }: Pick<Guests, 'spec'>, { raw }: ClusterConfig): boolean =>
  (textAt(spec, 'evictionStrategy') ?? raw.evictionStrategy) === 'LiveMigrate';

/** Every label has one value on a node, and that of its name is unique. */
const NODE_NAME = 'kubernetes.io/hostname';

/** Returns what keeps a guest on its node, apart from its disks. */
export function obstaclesOf(guests: Guests): Obstacle[] {
  const { spec, at } = guests;
  const domain = at.at('domain');
  const networks = listAt(spec, 'networks');
  const bridged = guests.annotations[POD_BRIDGE_MAY_MOVE] === undefined;
  const interfaces = listAt(spec, 'domain', 'devices', 'interfaces').flatMap(({ name, bridge }, i): Obstacle[] => {
    const network = networks.find((each) => each.name === name);
    if (!bridged || !bridge || !network || !objectAt(network, 'pod')) return [];
    const path = domain.at('devices', 'interfaces', i, 'bridge');
    const cause = `"${String(name)}" takes over the Pod's address`;
    return [{ rule: 'migration-bridge', path, cause, remedy: 'choose masquerade' }];
  });
  const devices = ['gpus', 'hostDevices'].flatMap((kind) =>
    listAt(spec, 'domain', 'devices', kind).map(({ name }, i): Obstacle => {
      const cause = `"${String(name)}" is a device of its node`;
      return { rule: 'migration-device', path: domain.at('devices', kind, i), cause, remedy: 'remove it' };
    }),
  );
  const parts: Obstacle[] = [...interfaces, ...devices];
  if (objectAt(spec, 'domain', 'launchSecurity')) {
    const cause = 'the memory is encrypted for one node';
    parts.push({ rule: 'migration-security', path: domain.at('launchSecurity'), cause, remedy: 'remove it' });
  }
  listAt(spec, 'domain', 'devices', 'disks').forEach((disk, i) => {
    if (!isObject(disk.lun) || disk.lun.reservation !== true) return;
    const cause = `disk "${String(disk.name)}" reserves its LUN for one node`;
    const path = domain.at('devices', 'disks', i, 'lun', 'reservation');
    parts.push({ rule: 'migration-reservation', path, cause, remedy: 'remove the reservation' });
  });
  const passthrough = objectAt(spec, 'domain', 'features', 'hypervPassthrough');
  if (passthrough && passthrough.enabled !== false) {
    const cause = 'the guest has the enlightenments of its node';
    const path = domain.at('features', 'hypervPassthrough');
    parts.push({ rule: 'migration-hyperv', path, cause, remedy: 'choose enlightenments (HyperV.windows())' });
  }
  if (textAt(spec, 'nodeSelector', NODE_NAME)) {
    const cause = 'the guest may run on one node only';
    parts.push({ rule: 'migration-pinned', path: at.at('nodeSelector', NODE_NAME), cause, remedy: 'remove it' });
  }
  return parts;
}
