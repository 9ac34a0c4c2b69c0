/** Networks of a guest: network and interface as one property. Pure. */
import { call, type Expression, list, object, value } from '../expression';
import type { Surroundings } from './kind';
import { choice, each, type Fields, fieldsOf, flag, itemsOf, number, some, text, texts } from './values';

type Options = Readonly<Record<string, Expression | undefined>>;

interface MadeNetwork {
  _renderInterface(): unknown;
  _renderNetwork(): unknown;
}

/** Maps the networks of a guest, including the default; undefined if networks and interfaces do not pair up. */
export function networksOf(spec: Fields, around: Surroundings): Expression | undefined {
  const interfaces = itemsOf(fieldsOf(fieldsOf(spec.domain).devices).interfaces ?? []);
  const networks = itemsOf(spec.networks ?? []);
  if (!interfaces || !networks || interfaces.length !== networks.length) return undefined;
  const isAttached = fieldsOf(fieldsOf(spec.domain).devices).autoattachPodInterface !== false;
  if (interfaces.length === 0 && isAttached) return list([call('VmNetwork.platform')]);
  const made = interfaces.map((nic) => {
    const network = networks.find(({ name }) => name === nic.name);
    return network && networkOf(nic, network, around);
  });
  return made.every((each): each is Expression => each !== undefined) ? list(made) : undefined;
}

/** Default networks of a guest: the code omits them. */
export function isUsual(networks: Expression | undefined): boolean {
  if (networks?.type !== 'list' || networks.items.length !== 1) return false;
  const [only] = networks.items;
  return (
    only?.type === 'call' &&
    only.args.length === 0 &&
    only.callee.type === 'exported' &&
    only.callee.path.join('.') === 'VmNetwork.masquerade'
  );
}

/** Most specific factory that renders the network exactly, or the plain network and interface. */
function networkOf(nic: Fields, network: Fields, around: Surroundings): Expression | undefined {
  const { name: _, ...source } = network;
  const { name } = nic;
  if (typeof name !== 'string') return undefined;
  const wanted = [nic, network];
  const both = (made: MadeNetwork): unknown => [made._renderInterface(), made._renderNetwork()];
  const options = optionsOf(nic, around);
  for (const made of candidates(name, nic, fieldsOf(source), options, around)) {
    const exact = around.exact<MadeNetwork>(made, wanted, both);
    if (exact) return exact;
  }
  const binding = without(nic, ['name', ...OPTIONS]);
  const usual = name === 'default' ? undefined : value(name);
  const raw = call('VmNetwork.of', value(source), value(binding), object({ name: usual, ...options }));
  return (
    around.exact<MadeNetwork>(raw, wanted, both) ??
    call('VmNetwork.of', value(source), value(without(nic, ['name'])), object({ name: usual }))
  );
}

/** Fields of an interface that are options of the factories. */
const OPTIONS = ['macAddress', 'model', 'bootOrder', 'pciAddress', 'acpiIndex', 'tag', 'dhcpOptions', 'state'];

const without = (fields: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));

function* candidates(
  name: string,
  nic: Fields,
  source: Fields,
  options: Options,
  around: Surroundings,
): Generator<Expression> {
  const named = (usual: string): Expression | undefined => (name === usual ? undefined : value(name));
  const binding = bindingOf(nic);
  const ports = each(nic.ports, port);
  if (source.pod !== undefined) {
    const { vmNetworkCIDR, vmIPv6NetworkCIDR } = fieldsOf(source.pod);
    const pod = object({
      name: named('default'),
      ports,
      portRanges: each(nic.portRanges, portRange),
      vmNetworkCidr: text(vmNetworkCIDR),
      vmIpv6NetworkCidr: text(vmIPv6NetworkCIDR),
      ...options,
    });
    const factory = { masquerade: 'masquerade', bridge: 'bridge', passtBinding: 'passt', slirp: 'slirp' }[
      binding ?? ''
    ];
    if (factory) yield call(`VmNetwork.${factory}`, pod);
    const plugin = fieldsOf(nic.binding).name;
    if (typeof plugin === 'string') yield call('VmNetwork.binding', value(plugin), pod);
  }
  const { networkName, default: isDefault } = fieldsOf(source.multus);
  if (typeof networkName === 'string') {
    const [namespace, short] = networkName.includes('/') ? split(networkName) : [undefined, networkName];
    const own = around.object.namespace;
    // a constant with a namespace renders the namespace
    const known = around.reference('NetworkAttachmentDefinition', short, namespace ?? own);
    const subjects = [known, object({ name: value(networkName) })];
    const many = { name: named(short), isDefault: flag(isDefault), ...options };
    for (const subject of subjects) {
      if (binding === 'bridge') yield call('VmNetwork.multus', subject, object(many));
      if (binding === 'sriov') yield call('VmNetwork.sriov', subject, object(many));
      const plugin = fieldsOf(nic.binding).name;
      if (typeof plugin === 'string') {
        yield call('VmNetwork.binding', value(plugin), object({ attachment: subject, ...many }));
      }
    }
  }
  const { claimName, requestName } = fieldsOf(source.resourceClaim);
  if (typeof claimName === 'string' && typeof requestName === 'string') {
    const more = object({ name: named(claimName), ...options });
    yield call('VmNetwork.resourceClaim', value(claimName), value(requestName), more);
  }
}

const split = (reference: string): [string, string] => [
  reference.slice(0, reference.indexOf('/')),
  reference.slice(reference.indexOf('/') + 1),
];

const BINDINGS = ['masquerade', 'bridge', 'passtBinding', 'slirp', 'sriov', 'binding'];

const bindingOf = (nic: Fields): string | undefined => BINDINGS.find((binding) => nic[binding] !== undefined);

/** Port such as `VmPort.tcp(8080)`, or a constant such as `VmPort.HTTP`. */
function port(given: Fields): Expression | undefined {
  const { name, port: at, protocol } = given;
  if (typeof at !== 'number') return undefined;
  const usual = USUAL_PORTS[`${String(protocol)} ${at} ${String(name)}`];
  if (usual) return { type: 'exported', library: 'virt8s', path: ['VmPort', usual] };
  if (protocol !== 'TCP' && protocol !== 'UDP') return undefined;
  const options = name === `${protocol.toLowerCase()}-${at}` ? object({}) : object({ name: text(name) });
  return call(`VmPort.${protocol.toLowerCase()}`, value(at), options);
}

/** Protocol, number and name of ports with a constant. */
export const USUAL_PORTS: Readonly<Record<string, string>> = {
  'TCP 22 ssh': 'SSH',
  'TCP 80 http': 'HTTP',
  'TCP 443 https': 'HTTPS',
  'TCP 3389 rdp': 'RDP',
  'TCP 5986 winrm': 'WINRM',
  'TCP 5432 postgresql': 'POSTGRESQL',
  'TCP 3306 mysql': 'MYSQL',
};

function portRange({ protocol, start, end }: Fields): Expression | undefined {
  if (protocol !== 'TCP' && protocol !== 'UDP') return undefined;
  const [from, to] = [number(start), number(end)];
  return from && to && call(`VmPortRange.${protocol.toLowerCase()}`, from, to);
}

function optionsOf(nic: Fields, around: Surroundings): Options {
  return {
    macAddress: text(nic.macAddress),
    model: choice(around, 'NicModel', nic.model),
    bootOrder: number(nic.bootOrder),
    pciAddress: text(nic.pciAddress),
    acpiIndex: number(nic.acpiIndex),
    tag: text(nic.tag),
    dhcpOptions: dhcp(fieldsOf(nic.dhcpOptions)),
    linkState: choice(around, 'LinkState', nic.state),
  };
}

const dhcp = ({ bootFileName, tftpServerName, ntpServers, privateOptions }: Fields): Expression | undefined =>
  some({
    bootFileName: text(bootFileName),
    tftpServerName: text(tftpServerName),
    ntpServers: texts(ntpServers),
    privateOptions: each(privateOptions, ({ option, value: given }) =>
      typeof option === 'number' && typeof given === 'string'
        ? object({ option: value(option), value: value(given) })
        : undefined,
    ),
  });
