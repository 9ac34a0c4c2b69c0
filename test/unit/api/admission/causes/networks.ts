import { device, spec, disk, nic, bound, second, both, claim, claimed, pair, gpus, ranges, type Row } from './changes';

export const networks: readonly Row[] = [
  // networks
  ['two Pod networks', second({}, { multus: undefined, pod: {} })],
  [
    'two defaults',
    both(
      second({}, { multus: { networkName: 'x', default: true } }),
      (s) => Object.assign(s.networks[0], { pod: undefined, multus: { networkName: 'y', default: true } }),
      nic({ masquerade: undefined, bridge: {} }),
    ),
  ],
  ['one default', both(bound({ bridge: {} }, { multus: { networkName: 'x', default: true } }))],
  ['a default beside the Pod network', second({}, { multus: { networkName: 'x', default: true } })],
  ['a network of no source', second({}, { multus: undefined })],
  ['a network of two sources', second({}, { multus: { networkName: 'x' }, resourceClaim: pair })],
  ['a network without a name', second({}, { multus: {} })],
  ['CNI-Genie without a name', second({}, { multus: undefined, genie: {} })],
  ['CNI-Genie', second({}, { multus: undefined, genie: { networkName: 'x' } })],
  ['networks that do not pair up', both(second({ name: 'other' }, {}))],
  [
    'two interfaces of one network',
    device({
      interfaces: [
        { name: 'default', masquerade: {} },
        { name: 'default', masquerade: {} },
      ],
    }),
  ],
  ['two networks of one name', (s) => s.networks.push({ name: 'default', multus: { networkName: 'x' } })],
  ['networks of claims behind their gate', claimed([pair], [{ sriov: {} }]), 'default'],
  [
    'networks of claims',
    claimed([pair, { claimName: 'c', requestName: 's' }], [{ sriov: {} }, { binding: { name: 'x' } }]),
  ],
  ['a network of a claim beside Multus', both(claimed([pair], [{ sriov: {} }]), second({}, {}))],
  ['a network of a claim on a bridge', claimed([pair, pair], [{ sriov: {} }, { bridge: {} }])],
  [
    'a network of a claim of no name',
    claimed([{ requestName: 'r' }, { claimName: 'c' }, {}], [{ sriov: {} }, { sriov: {} }, { sriov: {} }]),
  ],
  ['a network of a claim that is not there', claimed([{ claimName: 'd', requestName: 'r' }], [{ sriov: {} }])],
  ['a network of a claim without an interface', claimed([pair], [])],
  ['slirp', bound({ slirp: {} })],
  ['slirp where it is permitted', bound({ slirp: {} }), 'slirp'],
  ['slirp and masquerade where it is permitted', bound({ slirp: {}, masquerade: {} }), 'slirp'],
  ['slirp on Multus', bound({ slirp: {} }, { multus: { networkName: 'x' } }), 'slirp'],
  ['passt as it was', bound({ passt: {} })],
  ['macvtap as it was', bound({ macvtap: {} })],
  ['passt behind its gate', bound({ passtBinding: {} }), 'noGates'],
  ['passt on Multus', bound({ passtBinding: {} }, { multus: { networkName: 'x' } })],
  ['no binding', bound({})],
  ['two bindings', bound({ bridge: {}, sriov: {} })],
  ['masquerade on Multus', bound({ masquerade: {} }, { multus: { networkName: 'x' } })],
  ['the MAC address of the bridge', nic({ macAddress: '02:00:00:00:00:00' })],
  ['the MAC address of the bridge on a bridge', bound({ bridge: {}, macAddress: '02:00:00:00:00:00' })],
  ['a bridge on the Pod network', bound({ bridge: {} }), 'noBridge'],
  ['a plugin that is not registered', bound({ binding: { name: 'x' } }), 'bound'],
  ['a plugin that is registered', bound({ binding: { name: 'known' } }), 'bound'],
  ...['up', 'down', 'absent', 'sideways'].flatMap((state): Row[] => [
    [`a cable that is ${state}`, second({ state }, {})],
    [`a cable of the default that is ${state}`, nic({ state })],
    [
      `a cable of a default Multus network that is ${state}`,
      bound({ bridge: {}, state }, { multus: { networkName: 'x', default: true } }),
    ],
    [`a cable of SR-IOV that is ${state}`, second({ bridge: undefined, sriov: {}, state }, {})],
  ]),
  ['an interface with a blank in its name', both(nic({ name: 'a b' }), (s) => (s.networks[0].name = 'a b'))],
  ['an unknown model', nic({ model: 'e100' })],
  ...['virtio', 'e1000', 'e1000e', 'igb', 'ne2k_pci', 'pcnet', 'rtl8139'].map((model): Row => [
    `the model ${model}`,
    nic({ model }),
  ]),
  ...[
    '02-00-00-12-34-56',
    '0200.0012.3456',
    '02:00',
    '02:00:00:12:34:56:78:9a',
    `02${':00'.repeat(19)}`,
    `02${':00'.repeat(8)}`,
  ].map((macAddress): Row => [`the MAC address ${macAddress}`, nic({ macAddress })]),
  [
    'a MAC address twice',
    both(nic({ macAddress: '02:00:00:12:34:AB' }), second({ macAddress: '02:00:00:12:34:ab' }, {})),
  ],
  ...['0000:81:01.0', '0000:81:01.8', '81:01.0'].flatMap((pciAddress): Row[] => [
    [`an interface at ${pciAddress}`, nic({ pciAddress })],
    [`a disk at ${pciAddress}`, disk({ disk: { bus: 'virtio', pciAddress } })],
  ]),
  [
    'ports',
    nic({
      ports: [
        { port: 1 },
        { port: 65535, protocol: 'UDP' },
        { port: 65536, name: 'H_' },
        { port: -1 },
        {},
        { port: 2, protocol: 'SCTP' },
      ],
    }),
  ],
  ['a name of two ports', nic({ ports: [{ port: 1, name: 'a' }, { port: 2, name: 'a' }, { port: 3 }, { port: 4 }] })],
  ['ports of another network', second({ ports: [{ port: 70000 }] }, {})],
  ['ranges', ranges([1, 2], [3, 3], [65535, 65535], [1, 65535, 'UDP'])],
  ['ranges that overlap', ranges([5, 9], [1, 5], [10, 12], [4, 4])],
  ['ranges that start together', ranges([5, 9], [5, 5])],
  ['ranges that are not valid', ranges([0, 1], [1, 65536], [2, 1], [1, 1, 'SCTP'])],
  ['ten ranges', ranges(...Array.from({ length: 10 }, (_, i): [number, number] => [i + 1, i + 1]))],
  ['eleven ranges', ranges(...Array.from({ length: 11 }, (_, i): [number, number] => [i + 1, i + 1]))],
  ['ranges beside ports', nic({ portRanges: [{ start: 1, end: 1, protocol: 'TCP' }] })],
  ['ranges of a bridge', bound({ bridge: {}, portRanges: [{ start: 1, end: 1, protocol: 'TCP' }] })],
  ['ranges of another network', second({ portRanges: [{ start: 2, end: 1, protocol: 'TCP' }] }, {})],
  ['ranges behind their gate', ranges([1, 2]), 'default'],
  ...[223, 224, 254, 255].map((option): Row => [
    `the private DHCP option ${option}`,
    nic({ dhcpOptions: { privateOptions: [{ option, value: 'x' }] } }),
  ]),
  [
    'a private DHCP option twice',
    nic({ dhcpOptions: { privateOptions: [1, 2, 2].map((n) => ({ option: n + 230, value: 'x' })) } }),
  ],
  ['time servers', nic({ dhcpOptions: { ntpServers: ['1.2.3.4', '::ffff:1.2.3.4', '::1', 'ntp'] } })],
  // claims
  [
    'claims',
    spec({ resourceClaims: [claim('c'), claim('c'), claim('C_'), { name: 'n' }, { resourceClaimName: 'x' }] }),
  ],
  [
    'claims of templates',
    spec({
      resourceClaims: [
        { name: 't', resourceClaimTemplateName: 'T_' },
        { name: 'u', resourceClaimTemplateName: 'x', resourceClaimName: 'X_' },
      ],
    }),
  ],
  [
    'GPUs of claims',
    gpus([pair, pair, { claimName: 'c' }, { requestName: 's' }, { claimName: 'd', requestName: 's' }]),
  ],
  ['GPUs of both kinds', gpus([pair, { deviceName: 'x' }])],
  ['GPUs of nothing', gpus([{}, { deviceName: 'x', ...pair }, { deviceName: 'x', requestName: 'r' }])],
  ['GPUs of claims behind their gate', gpus([pair]), 'noGates'],
  ['GPUs of plugins', gpus([{ deviceName: 'x' }])],
  [
    'host devices of claims',
    gpus([], {
      hostDevices: [{ name: 'h', ...pair }, { name: 'i', deviceName: 'x' }, { name: 'j' }, { name: 'k', ...pair }],
    }),
  ],
  ['host devices of claims behind their gate', gpus([], { hostDevices: [{ name: 'h', ...pair }] }), 'noGates'],
  ['a request of a GPU and a host device', gpus([pair], { hostDevices: [{ name: 'h', ...pair }] })],
  ['a request of a GPU and a network', both(claimed([pair], [{ sriov: {} }]), gpus([pair]))],
];
