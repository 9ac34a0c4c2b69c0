/** Settings of CNI plugins that contradict each other, have no effect, or are misspelt. */
import { mistake, nearest } from '../admission/rule';
import { type Finding, root, type RuleId } from '../findings';
import { closest } from '../names';
import { type Json, objectAt, read, shown, textAt } from './read';

const at = root.at('spec', 'config');
const none: readonly Finding[] = [];

const VERSIONS = ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'];

/** Fields that each plugin reads, besides those of every plugin. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  bridge: [
    ...['bridge', 'isGateway', 'isDefaultGateway', 'forceAddress', 'ipMasq', 'ipMasqBackend', 'mtu', 'hairpinMode'],
    ...['promiscMode', 'vlan', 'vlanTrunk', 'preserveDefaultVlan', 'macspoofchk', 'enabledad', 'uplinkInterface'],
    ...['disableContainerInterface', 'portIsolation'],
  ],
  macvlan: ['master', 'mode', 'mtu', 'linkInContainer', 'bcqueuelen'],
  ipvlan: ['master', 'mode', 'mtu', 'linkInContainer'],
  ovs: ['bridge', 'vlan', 'mtu', 'trunk', 'ofport_request', 'interface_type', 'configuration_path', 'socket_file'],
  sriov: [
    ...['deviceID', 'vlan', 'vlanQoS', 'vlanProto', 'mac', 'spoofchk', 'trust', 'link_state', 'min_tx_rate'],
    ...['max_tx_rate', 'logLevel', 'logFile'],
  ],
};
const COMMON = ['cniVersion', 'name', 'type', 'ipam', 'capabilities', 'dns', 'args', 'runtimeConfig', 'disableCheck'];
const PLUGINS = [...Object.keys(FIELDS), 'host-device', 'ovn-k8s-cni-overlay', 'cnv-bridge', 'tuning', 'vlan', 'bond'];
const IPAM = ['host-local', 'whereabouts', 'static', 'dhcp'];

/** Fields with few values. */
const CHOICES: Readonly<Record<string, readonly (readonly [field: string, allowed: readonly string[]])[]>> = {
  macvlan: [['mode', ['bridge', 'private', 'vepa', 'passthru']]],
  ipvlan: [['mode', ['l2', 'l3', 'l3s']]],
  sriov: [
    ['spoofchk', ['on', 'off']],
    ['trust', ['on', 'off']],
    ['link_state', ['auto', 'enable', 'disable']],
  ],
};

/** Returns the mistakes in one plugin of a configuration. */
export function pluginMistakes(plugin: Json): readonly Finding[] {
  const type = textAt(plugin, 'type') ?? '';
  return [
    ...misspeltPlugin(type),
    ...misspeltFields(plugin, type),
    ...choices(plugin, type),
    ...(type === 'bridge' ? bridge(plugin) : none),
    ...(type === 'sriov' ? sriov(plugin) : none),
    ...ipamType(plugin),
  ];
}

/** Reports a version that no plugin has. */
export function versionMistakes(config: Json): readonly Finding[] {
  const { cniVersion } = config;
  if (cniVersion === undefined || VERSIONS.includes(cniVersion as string)) return none;
  const cause = `"cniVersion" is ${JSON.stringify(cniVersion)}, which no plugin supports`;
  return mistake('attachment-choice', at, cause, 'leave it out, or write "0.3.1"', {
    value: cniVersion,
    allowed: VERSIONS,
  });
}

const wrong = (rule: RuleId, cause: string, remedy: string, value?: unknown, allowed?: readonly string[]): Finding[] =>
  mistake(rule, at, cause, remedy, { ...(value === undefined ? {} : { value }), ...(allowed && { allowed }) });

/** Other programs provide plugins, too: only a name that resembles a known one is a mistake. */
function misspeltPlugin(type: string): readonly Finding[] {
  const meant = PLUGINS.includes(type) || type.length < 5 ? undefined : closest(type, PLUGINS, type.length < 9 ? 1 : 2);
  return meant === undefined
    ? none
    : wrong('attachment-choice', `no plugin is called "${type}"`, `did you mean "${meant}"?`, type);
}

function misspeltFields(plugin: Json, type: string): readonly Finding[] {
  if (!Object.hasOwn(FIELDS, type)) return none;
  const fields = [...FIELDS[type], ...COMMON];
  return Object.keys(plugin).flatMap((field) => {
    if (fields.includes(field)) return [];
    const same = fields.find((each) => each.toLowerCase() === field.toLowerCase());
    const meant = same ?? (field.length < 4 ? undefined : closest(field, fields, field.length < 7 ? 1 : 2));
    // Go reads the names of fields in any case
    if (meant === undefined || same !== undefined) return [];
    return wrong('attachment-field', `the plugin ${type} does not read "${field}"`, `did you mean "${meant}"?`, field);
  });
}

const choices = (plugin: Json, type: string): readonly Finding[] =>
  (Object.hasOwn(CHOICES, type) ? CHOICES[type] : []).flatMap(([field, allowed]) => {
    const got = plugin[field];
    if (got === undefined || got === '' || allowed.includes(got as string)) return [];
    const cause = `"${field}" is ${JSON.stringify(got)}`;
    return wrong('attachment-choice', cause, nearest(shown(got), allowed), got, allowed);
  });

function bridge(plugin: Json): readonly Finding[] {
  const hasTrunk = Array.isArray(plugin.vlanTrunk) && plugin.vlanTrunk.length > 0;
  const hasAddresses = textAt(plugin, 'ipam', 'type') !== undefined;
  return [
    ...(hasTrunk && Number(plugin.vlan ?? 0) > 0
      ? wrong('attachment-vlan', 'the plugin rejects "vlan" and "vlanTrunk" together', 'keep one')
      : none),
    ...['isGateway', 'isDefaultGateway', 'ipMasq'].flatMap((field) =>
      plugin[field] === true && !hasAddresses
        ? wrong('attachment-ipam', `"${field}" has no effect without "ipam"`, 'add ipam, such as CniIpam.hostLocal(…)')
        : [],
    ),
  ];
}

function sriov(plugin: Json): readonly Finding[] {
  const { vlan, vlanQoS, min_tx_rate: low, max_tx_rate: high } = plugin;
  return [
    ...(Number(vlanQoS ?? 0) > 0 && !Number(vlan ?? 0)
      ? wrong('attachment-vlan', 'the plugin rejects "vlanQoS" without "vlan"', 'add vlan, or leave vlanQoS out')
      : none),
    ...(typeof low === 'number' && typeof high === 'number' && high > 0 && low > high
      ? wrong(
          'attachment-range',
          `"min_tx_rate" is ${low}, more than "max_tx_rate", ${high}`,
          `use at most ${high}`,
          low,
        )
      : none),
  ];
}

function ipamType(plugin: Json): readonly Finding[] {
  const type = textAt(objectAt(plugin, 'ipam'), 'type') ?? '';
  const meant = IPAM.includes(type) || type.length < 4 ? undefined : closest(type, IPAM, type.length < 7 ? 1 : 2);
  return meant === undefined
    ? none
    : wrong('attachment-choice', `no address management is called "${type}"`, `did you mean "${meant}"?`, type);
}

/** Addresses that the `static` plugin gives to every Pod of the network. */
export function fixedAddresses(config: unknown): readonly unknown[] {
  if (read(config, 'ipam', 'type') !== 'static') return [];
  const list = read(config, 'ipam', 'addresses');
  return Array.isArray(list) ? (list as unknown[]) : [];
}
