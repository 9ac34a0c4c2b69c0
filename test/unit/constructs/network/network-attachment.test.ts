import { Chart, Testing } from 'cdk8s';
import { Cni, CniIpam, IpvlanMode, MacvlanMode, NetworkAttachment, SriovLinkState, VmNetwork } from '../../../../src';
import { mistakeOf, synthMistake, testChart } from '../fixtures';
import { testApp } from '../../../support/app';

const attach = (config: Cni, metadata: object = {}, chart = testChart()): NetworkAttachment =>
  new NetworkAttachment(chart, 'lan', { config, metadata });
const configOf = (config: Cni, metadata: object = {}): unknown =>
  JSON.parse(attach(config, metadata).apiObject.toJson().spec.config as string);

test('is a NetworkAttachmentDefinition whose configuration is JSON text', () => {
  expect(attach(Cni.bridge('br1')).apiObject.toJson()).toEqual({
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    metadata: { name: 'web-lan' },
    spec: { config: '{"cniVersion":"0.3.1","name":"web-lan","type":"bridge","bridge":"br1"}' },
  });
});

const base = { cniVersion: '0.3.1', name: 'web-lan' };

test.each<[string, Cni, object]>([
  [
    'a bridge with everything',
    Cni.bridge('br1', {
      vlan: 100,
      vlanTrunk: [101, 102],
      preserveDefaultVlan: false,
      macSpoofCheck: true,
      portIsolation: true,
      isGateway: true,
      ipMasquerade: true,
      mtu: 9000,
      cniVersion: '1.0.0',
      ipam: CniIpam.hostLocal('10.1.0.0/24', {
        rangeStart: '10.1.0.10',
        rangeEnd: '10.1.0.99',
        gateway: '10.1.0.1',
        routes: ['0.0.0.0/0'],
      }),
    }),
    {
      name: 'web-lan',
      cniVersion: '1.0.0',
      type: 'bridge',
      bridge: 'br1',
      isGateway: true,
      ipMasq: true,
      mtu: 9000,
      vlan: 100,
      vlanTrunk: [{ id: 101 }, { id: 102 }],
      preserveDefaultVlan: false,
      macspoofchk: true,
      portIsolation: true,
      ipam: {
        type: 'host-local',
        ranges: [[{ subnet: '10.1.0.0/24', rangeStart: '10.1.0.10', rangeEnd: '10.1.0.99', gateway: '10.1.0.1' }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
  ],
  [
    'macvlan',
    Cni.macvlan('eth1', { mode: MacvlanMode.PASSTHRU, mtu: 1400, ipam: CniIpam.dhcp() }),
    { ...base, type: 'macvlan', master: 'eth1', mode: 'passthru', mtu: 1400, ipam: { type: 'dhcp' } },
  ],
  [
    'ipvlan',
    Cni.ipvlan('eth1', {
      mode: IpvlanMode.L3S,
      ipam: CniIpam.whereabouts('10.2.0.0/16', { exclude: ['10.2.0.0/30'], gateway: '10.2.0.1' }),
    }),
    {
      ...base,
      type: 'ipvlan',
      master: 'eth1',
      mode: 'l3s',
      ipam: { type: 'whereabouts', range: '10.2.0.0/16', exclude: ['10.2.0.0/30'], gateway: '10.2.0.1' },
    },
  ],
  [
    'Open vSwitch',
    Cni.ovs('br-int', { vlan: 7, ipam: CniIpam.fixed(['10.3.0.5/24']) }),
    {
      ...base,
      type: 'ovs',
      bridge: 'br-int',
      vlan: 7,
      ipam: { type: 'static', addresses: [{ address: '10.3.0.5/24' }] },
    },
  ],
  [
    'SR-IOV',
    Cni.sriov('example.com/sriov_net', {
      vlan: 9,
      vlanQos: 3,
      spoofCheck: false,
      trust: true,
      linkState: SriovLinkState.ENABLE,
      minTxRate: 100,
      maxTxRate: 1000,
    }),
    {
      ...base,
      type: 'sriov',
      vlan: 9,
      vlanQoS: 3,
      spoofchk: 'off',
      trust: 'on',
      link_state: 'enable',
      min_tx_rate: 100,
      max_tx_rate: 1000,
    },
  ],
  [
    'a chain',
    Cni.chain([Cni.bridge('br1'), Cni.raw({ type: 'tuning', sysctl: { 'net.ipv4.conf.IFNAME.arp_notify': '1' } })]),
    {
      ...base,
      plugins: [
        { type: 'bridge', bridge: 'br1' },
        { type: 'tuning', sysctl: { 'net.ipv4.conf.IFNAME.arp_notify': '1' } },
      ],
    },
  ],
  [
    'anything else',
    Cni.raw({ type: 'host-device', device: 'eth3', ipam: CniIpam.raw({ type: 'mine' })._render() }),
    { ...base, type: 'host-device', device: 'eth3', ipam: { type: 'mine' } },
  ],
])('%s', (_, config, want) => expect(configOf(config)).toEqual(want));

test.each<[string, Cni, object]>([
  [
    'over all nodes',
    Cni.ovnLayer2({
      networkName: 'tenant',
      subnets: ['10.200.0.0/16', 'fd20::/64'],
      excludeSubnets: ['10.200.0.0/28'],
      mtu: 1300,
      allowPersistentIps: true,
    }),
    {
      cniVersion: '0.3.1',
      name: 'tenant',
      type: 'ovn-k8s-cni-overlay',
      topology: 'layer2',
      subnets: '10.200.0.0/16,fd20::/64',
      excludeSubnets: '10.200.0.0/28',
      mtu: 1300,
      allowPersistentIPs: true,
      netAttachDefName: 'vms/web-lan',
    },
  ],
  [
    'of the nodes',
    Cni.ovnLocalnet('physnet', { vlan: 33 }),
    {
      ...base,
      type: 'ovn-k8s-cni-overlay',
      topology: 'localnet',
      physicalNetworkName: 'physnet',
      vlanID: 33,
      netAttachDefName: 'vms/web-lan',
    },
  ],
])('a network of OVN-Kubernetes %s names its attachment', (_, config, want) => {
  expect(configOf(config, { namespace: 'vms' })).toEqual(want);
});

test('a network of OVN-Kubernetes needs its namespace', () => {
  expect(mistakeOf(() => attach(Cni.chain([Cni.ovnLayer2()])))).toBe(
    `NetworkAttachment web/lan: metadata.namespace: OVN-Kubernetes finds the attachment by namespace and name, and there is no namespace
  write metadata: { namespace: '…' }, or give the chart a namespace [attachment-namespace]`,
  );
});

test('the pool of devices is an annotation beside those that were given', () => {
  const attachment = attach(Cni.sriov('example.com/sriov_net'), { annotations: { note: 'x' } });
  expect(attachment.resourceName).toBe('example.com/sriov_net');
  expect(attachment.metadata.toJson().annotations).toEqual({
    'k8s.v1.cni.cncf.io/resourceName': 'example.com/sriov_net',
    note: 'x',
  });
  expect(attach(Cni.raw({ type: 'x' }, { resourceName: 'a/b' })).resourceName).toBe('a/b');
});

test('the text is the same in each synth', () => {
  const text = (): string => {
    const chart = new Chart(testApp(), 'web');
    new NetworkAttachment(chart, 'lan', { config: Cni.bridge('br1', { mtu: 1400, vlan: 2 }) });
    return JSON.stringify([Testing.synth(chart), Testing.synth(chart)]);
  };
  expect(text()).toBe(text());
});

test('a guest is attached by its name, and by its namespace where that is known', () => {
  const here = attach(Cni.bridge('br1'));
  const there = attach(Cni.bridge('br1'), { namespace: 'infra' });
  expect([here, there].map((each) => VmNetwork.multus(each)._renderNetwork())).toEqual([
    { name: 'web-lan', multus: { networkName: 'web-lan' } },
    { name: 'web-lan', multus: { networkName: 'infra/web-lan' } },
  ]);
});

test.each<[string, Cni, string]>([
  [
    'an invalid VLAN',
    Cni.bridge('br1', { vlan: 5000 }),
    'web/lan: config (spec.config): "vlan" is 5000\n  use 0 to 4094 [attachment-range]',
  ],
  ['a trunk with one', Cni.bridge('br1', { vlanTrunk: [4095] }), '"vlanTrunk id" is 4095'],
  ['half a packet', Cni.macvlan('eth1', { mtu: 1.5 }), '"mtu" is 1.5'],
  ['no plugin', Cni.raw({}), '[attachment-type]'],
])('reports %s immediately', (_, config, want) => expect(mistakeOf(() => attach(config))).toContain(want));

test('addresses that shall stay need a network to be from', () => {
  const chart = testChart();
  attach(Cni.ovnLayer2({ allowPersistentIps: true }), { namespace: 'vms' }, chart);
  expect(synthMistake(chart)).toContain('[web/lan] config (spec.config): "allowPersistentIPs" requires "subnets"');
});
