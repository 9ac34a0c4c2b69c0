import { configured, gated, Loose, refused, vmRefused } from '../fixtures';

type Case = [string, (spec: Loose) => void, string[]];

const n = 'spec.domain.devices.interfaces';
const nic = (change: Loose) => (s: Loose) => Object.assign(s.domain.devices.interfaces[0], change);
const bound =
  (binding: Loose, network: Loose = { pod: {} }) =>
  (s: Loose) => {
    s.domain.devices.interfaces = [{ name: 'default', ...binding }];
    s.networks = [{ name: 'default', ...network }];
  };
const second = (iface: Loose, network: Loose) => (s: Loose) => {
  s.domain.devices.interfaces.push({ name: 'second', bridge: {}, ...iface });
  s.networks.push({ name: 'second', multus: { networkName: 'nad' }, ...network });
};

describe('networks and interfaces', () => {
  test.each<Case>([
    ['a second network', second({}, {}), []],
    ['two Pod networks', second({}, { multus: undefined, pod: {} }), ['Duplicate spec.interfaces']],
    [
      'a Pod network beside the default of Multus',
      second({}, { multus: { networkName: 'x', default: true } }),
      ['Invalid spec.networks'],
    ],
    ['a network of no kind', second({}, { multus: undefined }), ['Required spec.networks[1]']],
    ['a network of two kinds', second({}, { pod: {} }), ['Duplicate spec.interfaces', 'Required spec.networks[1]']],
    ['Multus without a name', second({}, { multus: {} }), ['Required spec.networks[1]']],
    [
      'an interface without a network',
      nic({ name: 'other' }),
      [`Invalid ${n}[0].name`, 'Required spec.networks[0].name'],
    ],
    [
      'a network twice',
      second({ name: 'default' }, { name: 'default' }),
      [`Invalid ${n}[0].name`, 'Duplicate spec.networks[1].name', `Duplicate ${n}[1].name`],
    ],
    [
      'a name with a blank',
      (s) => {
        nic({ name: 'a b' })(s);
        s.networks[0].name = 'a b';
      },
      [`Invalid ${n}[0].name`],
    ],
    ['an unknown model', nic({ model: 'virtoi' }), [`NotSupported ${n}[0].model`]],
    ['a MAC address by dashes', nic({ macAddress: 'DE-AD-00-00-BE-AF' }), []],
    ['a malformed MAC address', nic({ macAddress: '02:00' }), [`Invalid ${n}[0].macAddress`]],
    ['a MAC address of eight bytes', nic({ macAddress: '02:00:00:00:00:00:00:01' }), [`Invalid ${n}[0].macAddress`]],
    ['the MAC address of the bridge', nic({ macAddress: '02:00:00:00:00:00' }), [`Invalid ${n}[0].macAddress`]],
    ['a malformed PCI address', nic({ pciAddress: '81:01.0' }), [`Invalid ${n}[0].pciAddress`]],
    ['an unknown state', nic({ state: 'sideways' }), [`Invalid ${n}[0].state`]],
    ['an absent default interface', nic({ state: 'absent' }), [`Invalid ${n}[0].state`]],
    ['an absent bridge', second({ state: 'absent' }, {}), []],
    [
      'an SR-IOV link that is down',
      second({ bridge: undefined, sriov: {}, state: 'down' }, {}),
      [`Invalid ${n}[1].state`],
    ],
    ['boot order zero', nic({ bootOrder: 0 }), ['Invalid spec[0].bootOrder']],
    ['a boot order that a disk has', nic({ bootOrder: 1 }), [`Invalid ${n}[0].bootOrder`]],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));
});

describe('bindings', () => {
  test.each<Case>([
    ['none', bound({}), [`Invalid ${n}[0]`]],
    ['two', bound({ bridge: {}, masquerade: {} }), [`Invalid ${n}[0]`]],
    ['masquerade on Multus', bound({ masquerade: {} }, { multus: { networkName: 'x' } }), [`Invalid ${n}[0].name`]],
    ['passt on Multus', bound({ passtBinding: {} }, { multus: { networkName: 'x' } }), [`Invalid ${n}[0].name`]],
    ['a plugin', bound({ binding: { name: 'x' } }), []],
    ['slirp', bound({ slirp: {} }), [`Invalid ${n}[0].slirp`, `Invalid ${n}[0]`]],
    ['macvtap', bound({ macvtap: {} }), [`Invalid ${n}[0].macvtap`, `Invalid ${n}[0]`]],
    ['CNI-Genie', bound({ bridge: {} }, { genie: { networkName: 'x' } }), []],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));

  test('a VM with a discontinued binding gets only that finding, and that of its gate first', () => {
    const change = (s: Loose) => bound({ passt: {} })(s.template.spec);
    expect(vmRefused(change)).toEqual([`Invalid ${n}[0].passt`]);
    expect(vmRefused(change, gated('Passt'))).toEqual(['NotSupported ']);
  });

  test('the configuration decides about slirp, bridge and the default', () => {
    expect(refused(bound({ slirp: {} }), configured({ network: { permitSlirpInterface: true } }))).toEqual([]);
    const noBridge = configured({ network: { permitBridgeInterfaceOnPodNetwork: false } });
    expect(refused(bound({ bridge: {} }), noBridge)).toEqual([`Invalid ${n}[0].name`]);
    const bare = (s: Loose) => {
      delete s.networks;
      delete s.domain.devices.interfaces;
    };
    expect(refused(bare, noBridge)).toEqual(['Invalid ']);
    expect(vmRefused((s) => bare(s.template.spec), noBridge)).toEqual(['Invalid ']);
    expect(refused(bare)).toEqual([]);
  });
});

describe('ports', () => {
  const ports = (...list: Loose[]) => nic({ ports: list });
  test.each<Case>([
    ['without a number', ports({}), [`Required ${n}[0].ports[0].port`]],
    ['out of range', ports({ port: 65536 }), [`Invalid ${n}[0].ports[0].port`]],
    ['of another protocol', ports({ port: 80, protocol: 'SCTP' }), [`Invalid ${n}[0].ports[0].protocol`]],
    ['with a name that is not valid', ports({ port: 80, name: 'HTTP_' }), [`Invalid ${n}[0].ports[0].name`]],
    ['of one name', ports({ port: 80, name: 'http' }, { port: 81, name: 'http' }), [`Duplicate ${n}[0].ports[1].name`]],
    ['as ranges, behind their gate', nic({ ports: undefined, portRanges: [] }), []],
    [
      'as ranges that say something, behind their gate',
      nic({ ports: undefined, portRanges: [{ protocol: 'TCP', start: 1, end: 2 }] }),
      [`Invalid ${n}[0].name`],
    ],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));

  const ranges = (list: Loose[], more: Loose = { ports: undefined }) => nic({ portRanges: list, ...more });
  const tcp = (start: number, end: number) => ({ protocol: 'TCP', start, end });
  test.each<Case>([
    ['a sound range', ranges([tcp(1, 2), tcp(3, 4), { ...tcp(1, 4), protocol: 'UDP' }]), []],
    ['ranges that overlap', ranges([tcp(5, 9), tcp(1, 5)]), [`Invalid ${n}[0].portRanges`]],
    ['a range that ends before it starts', ranges([tcp(9, 5)]), [`Invalid ${n}[0].portRanges[0].start`]],
    ['a range from zero', ranges([tcp(0, 5)]), [`Invalid ${n}[0].portRanges[0].start`]],
    ['a range out of bounds', ranges([tcp(1, 65536)]), [`Invalid ${n}[0].portRanges[0].end`]],
    ['a range of no protocol', ranges([{ start: 1, end: 2 }]), [`Invalid ${n}[0].portRanges[0].protocol`]],
    ['beside ports', ranges([tcp(1, 2)], {}), [`Invalid ${n}[0].name`]],
    ['eleven ranges', ranges(Array.from({ length: 11 }, (_, i) => tcp(i + 1, i + 1))), [`Invalid ${n}[0].portRanges`]],
  ])('%s', (_, change, want) => expect(refused(change, gated('PortRangesSpec'))).toEqual(want));
});

describe('DHCP', () => {
  const dhcp = (dhcpOptions: Loose) => nic({ dhcpOptions });
  test.each<Case>([
    ['a private option', dhcp({ privateOptions: [{ option: 240, value: 'x' }] }), []],
    ['an option that is not private', dhcp({ privateOptions: [{ option: 223, value: 'x' }] }), ['Invalid spec']],
    [
      'an option twice',
      dhcp({ privateOptions: [240, 240].map((option) => ({ option, value: 'x' })) }),
      ['Invalid spec'],
    ],
    ['a time server by name', dhcp({ ntpServers: ['1.2.3.4', 'ntp'] }), [`Invalid ${n}[0].dhcpOptions.ntpServers[1]`]],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));
});

describe('networks of resource claims', () => {
  const claimed =
    (resourceClaim: Loose, iface: Loose = { sriov: {} }) =>
    (s: Loose) => {
      bound(iface, { resourceClaim })(s);
      s.resourceClaims = [{ name: 'c', resourceClaimName: 'x' }];
    };
  const gate = gated('NetworkDevicesWithDRA');
  test('they are behind a gate', () =>
    expect(refused(claimed({ claimName: 'c', requestName: 'r' }))).toEqual(['Invalid spec.networks']));
  test.each<Case>([
    ['with SR-IOV', claimed({ claimName: 'c', requestName: 'r' }), []],
    ['with a bridge', claimed({ claimName: 'c', requestName: 'r' }, { bridge: {} }), [`Invalid ${n}`]],
    ['without a request', claimed({ claimName: 'c' }), ['Required spec.networks[0].resourceClaim.requestName']],
    [
      'of a claim that is not there',
      claimed({ claimName: 'd', requestName: 'r' }),
      ['NotFound spec.networks[0].resourceClaim.claimName'],
    ],
  ])('%s', (_, change, want) => expect(refused(change, gate)).toEqual(want));
});
