import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { admit, clusterConfig, contextOf, formatFinding, type VirtualMachineInstance } from '../../../../src/api';
import { LinkState, NicModel, VmBinding, VmNetwork, VmNetworkOptions, VmPort, VmPortRange } from '../../../../src';

const attachment = { name: 'infra/lan' };

/** Everything that any interface takes. */
const every: VmNetworkOptions = {
  name: 'nic',
  macAddress: '02:00:00:12:34:56',
  model: NicModel.E1000E,
  bootOrder: 2,
  pciAddress: '0000:81:01.0',
  acpiIndex: 101,
  tag: 'storage',
  dhcpOptions: {
    bootFileName: 'pxe.0',
    tftpServerName: 'boot.example',
    ntpServers: ['192.0.2.1'],
    privateOptions: [{ option: 240, value: 'x' }],
  },
  linkState: LinkState.DOWN,
};
const pod = {
  ports: [VmPort.SSH, VmPort.udp(53, { targetPort: 5353, name: 'dns' })],
  vmNetworkCidr: '10.9.0.0/24',
  vmIpv6NetworkCidr: 'fd10:9::/120',
};
const ports = [
  { name: 'ssh', port: 22, protocol: 'TCP' },
  { name: 'dns', port: 5353, protocol: 'UDP' },
];

/** Feature gates and settings with which KubeVirt takes each of them. */
const config = clusterConfig({
  apiVersion: 'kubevirt.io/v1',
  kind: 'KubeVirt',
  metadata: {},
  spec: {
    configuration: {
      developerConfiguration: { featureGates: ['PortRangesSpec', 'NetworkDevicesWithDRA'] },
      network: { permitSlirpInterface: true, binding: { fast: {} } },
    },
  },
});

/** Findings for an instance on these networks. */
function refused(networks: VmNetwork[], more: object = {}): string[] {
  const instance: VirtualMachineInstance = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'x', namespace: 'default' },
    spec: {
      domain: { memory: { guest: '1Gi' }, devices: { interfaces: networks.map((each) => each._renderInterface()) } },
      networks: networks.map((each) => each._renderNetwork()),
      ...more,
    },
  };
  return admit(instance, contextOf(config)).errors.map(formatFinding);
}

const claims = { resourceClaims: [{ name: 'nics', resourceClaimName: 'nics' }] };

test.each<[string, VmNetwork, object, object, object?]>([
  ['NAT', VmNetwork.masquerade(), { name: 'default', masquerade: {} }, { name: 'default', pod: {} }],
  [
    'NAT with ports and ranges of its own',
    VmNetwork.masquerade({ ...pod, name: 'nic' }),
    { name: 'nic', masquerade: {}, ports },
    { name: 'nic', pod: { vmNetworkCIDR: '10.9.0.0/24', vmIPv6NetworkCIDR: 'fd10:9::/120' } },
  ],
  [
    'NAT with ranges of ports',
    VmNetwork.masquerade({ portRanges: [VmPortRange.tcp(8000, 8099), VmPortRange.udp(5000, 5000)] }),
    {
      name: 'default',
      masquerade: {},
      portRanges: [
        { protocol: 'TCP', start: 8000, end: 8099 },
        { protocol: 'UDP', start: 5000, end: 5000 },
      ],
    },
    { name: 'default', pod: {} },
  ],
  ["the Pod's own address", VmNetwork.bridge(), { name: 'default', bridge: {} }, { name: 'default', pod: {} }],
  [
    'passt',
    VmNetwork.passt({ ports: [VmPort.SSH] }),
    { name: 'default', passtBinding: {}, ports: [ports[0]] },
    { name: 'default', pod: {} },
  ],
  ['slirp', VmNetwork.slirp(), { name: 'default', slirp: {} }, { name: 'default', pod: {} }],
  [
    'Multus',
    VmNetwork.multus(attachment),
    { name: 'lan', bridge: {} },
    { name: 'lan', multus: { networkName: 'infra/lan' } },
  ],
  [
    'Multus by an object of cdk8s-plus, whose namespace counts',
    VmNetwork.multus({ name: 'lan', metadata: { namespace: 'infra' } } as { name: string }),
    { name: 'lan', bridge: {} },
    { name: 'lan', multus: { networkName: 'infra/lan' } },
  ],
  [
    'Multus in place of the Pod network',
    VmNetwork.multus({ name: 'lan' }, { isDefault: true }),
    { name: 'lan', bridge: {} },
    { name: 'lan', multus: { networkName: 'lan', default: true } },
  ],
  [
    'SR-IOV',
    VmNetwork.sriov(attachment),
    { name: 'lan', sriov: {} },
    { name: 'lan', multus: { networkName: 'infra/lan' } },
  ],
  [
    'a binding plugin on the Pod network',
    VmNetwork.binding('fast'),
    { name: 'default', binding: { name: 'fast' } },
    { name: 'default', pod: {} },
  ],
  [
    'a binding plugin on a Multus network',
    VmNetwork.binding('fast', { attachment }),
    { name: 'lan', binding: { name: 'fast' } },
    { name: 'lan', multus: { networkName: 'infra/lan' } },
  ],
  [
    'a claimed device',
    VmNetwork.resourceClaim('nics', 'first'),
    { name: 'nics', sriov: {} },
    { name: 'nics', resourceClaim: { claimName: 'nics', requestName: 'first' } },
    claims,
  ],
  [
    'a claimed device by a plugin',
    VmNetwork.resourceClaim('nics', 'first', { name: 'nic', binding: VmBinding.plugin('fast') }),
    { name: 'nic', binding: { name: 'fast' } },
    { name: 'nic', resourceClaim: { claimName: 'nics', requestName: 'first' } },
    claims,
  ],
  [
    'what the API writes',
    VmNetwork.of({ pod: {} }, { masquerade: {} }, { name: 'raw' }),
    { name: 'raw', masquerade: {} },
    { name: 'raw', pod: {} },
  ],
])('%s is rendered, and KubeVirt takes it', (_, ...[network, iface, source, more]) => {
  expect(network._renderInterface()).toEqual(iface);
  expect(network._renderNetwork()).toEqual(source);
  expect(refused([network], more)).toEqual([]);
});

test('every property of a card reaches its field, and KubeVirt takes it', () => {
  const network = VmNetwork.masquerade(every);
  expect(network._renderInterface()).toEqual({
    name: 'nic',
    masquerade: {},
    macAddress: '02:00:00:12:34:56',
    model: 'e1000e',
    bootOrder: 2,
    pciAddress: '0000:81:01.0',
    acpiIndex: 101,
    tag: 'storage',
    dhcpOptions: {
      bootFileName: 'pxe.0',
      tftpServerName: 'boot.example',
      ntpServers: ['192.0.2.1'],
      privateOptions: [{ option: 240, value: 'x' }],
    },
    state: 'down',
  });
  expect(refused([network])).toEqual([]);
});

test.each([
  NicModel.VIRTIO,
  NicModel.E1000,
  NicModel.E1000E,
  NicModel.IGB,
  NicModel.NE2K_PCI,
  NicModel.PCNET,
  NicModel.RTL8139,
])('KubeVirt knows the card %s', (model) => expect(refused([VmNetwork.masquerade({ model })])).toEqual([]));

test.each([LinkState.UP, LinkState.DOWN])('KubeVirt knows the link state %s', (linkState) =>
  expect(refused([VmNetwork.masquerade({ linkState })])).toEqual([]),
);

test('a card of a Multus bridge can be unplugged', () => {
  expect(refused([VmNetwork.multus(attachment, { linkState: LinkState.ABSENT })])).toEqual([]);
});

test('rendering twice gives the same, and what was given is not shared', () => {
  const ntpServers = ['192.0.2.1'];
  const network = VmNetwork.masquerade({ dhcpOptions: { ntpServers } });
  const before = JSON.stringify(network._renderInterface());
  network._renderInterface().dhcpOptions?.ntpServers?.push('192.0.2.2');
  expect(JSON.stringify(network._renderInterface())).toBe(before);
});

describe('every field of the schema', () => {
  interface Schema {
    $ref?: string;
    items?: Schema;
    properties?: Record<string, Schema>;
  }
  const { definitions } = JSON.parse(
    readFileSync(resolve(__dirname, '../../../../api/schema/kubevirt.io_v1.json'), 'utf8'),
  ) as { definitions: Record<string, Schema> };

  const fields = (schema: Schema, at: string): string[] => {
    const { $ref, items, properties = {} } = schema;
    if ($ref) return fields(definitions[$ref.slice($ref.lastIndexOf('/') + 1)], at);
    if (items) return fields(items, at);
    return [at, ...Object.entries(properties).flatMap(([name, inner]) => fields(inner, `${at}.${name}`))];
  };
  const written = (value: unknown, at: string): string[] => {
    if (Array.isArray(value)) return value.flatMap((item) => written(item, at));
    if (typeof value !== 'object' || value === null) return [at];
    return [at, ...Object.entries(value).flatMap(([name, inner]) => written(inner, `${at}.${name}`))];
  };
  const all = [
    VmNetwork.masquerade({ ...every, ...pod, portRanges: [VmPortRange.tcp(1, 2)] }),
    VmNetwork.bridge(),
    VmNetwork.passt(),
    VmNetwork.slirp(),
    VmNetwork.binding('fast'),
    VmNetwork.sriov(attachment),
    VmNetwork.multus(attachment, { isDefault: true }),
    VmNetwork.resourceClaim('nics', 'first'),
  ];

  test.each([
    [
      'Interface',
      (network: VmNetwork) => network._renderInterface(),
      // refused by every platform: KubeVirt gave them up, and ours never had them
      ['Interface.macvtap', 'Interface.passt'],
    ],
    [
      'Network',
      (network: VmNetwork) => network._renderNetwork(),
      // CNI-Genie, which is no longer kept; VmNetwork.of reaches it
      ['Network.genie', 'Network.genie.networkName'],
    ],
  ])('of %s is reached by a typed factory', (name, render, left) => {
    const reached = new Set(all.flatMap((network) => written(render(network), name)));
    expect(
      fields(definitions[name], name)
        .filter((field) => !reached.has(field))
        .sort(),
    ).toEqual(left);
  });
});

test('a network attachment of another kind is refused', () => {
  const secret = { name: 'lan', kind: 'Secret' };
  expect(() => VmNetwork.multus(secret)).toThrow(
    'VmNetwork: attachment: "lan" is a Secret, not a NetworkAttachmentDefinition',
  );
});
