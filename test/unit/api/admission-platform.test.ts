import { Interface, VirtualMachineInstanceSpec } from '../../../src/api';
import { configured, Loose, reported } from './fixtures';

type Case = [string, (spec: Loose) => void, string[]];

const nic = (change: Partial<Interface>) => (spec: VirtualMachineInstanceSpec) =>
  Object.assign(spec.domain.devices.interfaces![0], change);
const second = (name: string, iface: object, network: object) => (spec: Loose) => {
  spec.domain.devices.interfaces.push({ name, ...iface });
  spec.networks.push({ name, ...network });
};
const n = 'spec.domain.devices.interfaces';

describe('networks', () => {
  test.each<Case>([
    [
      'a network name with a blank',
      (s) => (s.networks[0].name = s.domain.devices.interfaces[0].name = 'my net'),
      ['network-name spec.networks[0].name'],
    ],
    ['any other network name', (s) => (s.networks[0].name = s.domain.devices.interfaces[0].name = 'My_net'), []],
    [
      'an interface without a network',
      nic({ name: 'defualt' }),
      [`interface-has-network ${n}[0].name`, 'network-has-interface spec.networks[0].name'],
    ],
    [
      'a network twice',
      (s) => s.networks.push({ name: 'default', pod: {} }),
      ['network-name-unique spec.networks[1].name', `pod-network-one ${n}`],
    ],
    [
      'two interfaces on one network',
      (s) => s.domain.devices.interfaces.push({ name: 'default', bridge: {} }),
      [`interface-name-unique ${n}[1].name`],
    ],
    ['two Pod networks', second('other', { masquerade: {} }, { pod: {} }), [`pod-network-one ${n}`]],
    [
      'a network of no kind',
      (s) => (s.networks[0] = { name: 'default' }),
      ['network-source spec.networks[0]', `masquerade-pod-network ${n}[0].name`],
    ],
    [
      'multus without a name',
      second('other', { bridge: {} }, { multus: { networkName: '' } }),
      ['multus-name spec.networks[1].multus.networkName'],
    ],
    [
      'masquerade on multus',
      second('other', { masquerade: {} }, { multus: { networkName: 'x' } }),
      [`masquerade-pod-network ${n}[1].name`],
    ],
    ['no binding', nic({ masquerade: undefined }), [`interface-has-binding ${n}[0]`]],
    ['two bindings', nic({ bridge: {} }), [`interface-one-binding ${n}[0]`]],
    ['slirp', nic({ masquerade: undefined, slirp: {} }), [`binding-discontinued ${n}[0].slirp`]],
    ['macvtap', nic({ masquerade: undefined, macvtap: {} }), [`binding-discontinued ${n}[0].macvtap`]],
    [
      'a plugin that nobody registered',
      nic({ masquerade: undefined, binding: { name: 'x' } }),
      [`binding-plugin ${n}[0].binding.name`],
    ],
    ['SR-IOV on the Pod network', nic({ masquerade: undefined, sriov: {} }), [`sriov-network ${n}[0].name`]],
    ['an unknown model', nic({ model: 'e2000' as never }), [`interface-model ${n}[0].model`]],
    ['a malformed MAC address', nic({ macAddress: '02:00:00' }), [`mac-format ${n}[0].macAddress`]],
    ['the MAC address of the bridge', nic({ macAddress: '02:00:00:00:00:00' }), [`mac-reserved ${n}[0].macAddress`]],
    ['an unknown link state', nic({ state: 'on' as never }), [`interface-state ${n}[0].state`]],
    ['a port out of range', nic({ ports: [{ port: 70000 }] }), [`port-range ${n}[0].ports[0]`]],
    ['a port without a number', nic({ ports: [{ port: 0 }] }), [`port-required ${n}[0].ports[0]`]],
    [
      'a protocol that is not forwarded',
      nic({ ports: [{ port: 80, protocol: 'SCTP' as never }] }),
      [`port-protocol ${n}[0].ports[0].protocol`],
    ],
    [
      'one port name twice',
      nic({
        ports: [
          { name: 'a', port: 1 },
          { name: 'a', port: 2 },
        ],
      }),
      [`port-name-unique ${n}[0].ports[1].name`],
    ],
    [
      'a DHCP option that is not private',
      nic({ dhcpOptions: { privateOptions: [{ option: 12, value: 'x' }] } }),
      [`dhcp-private-range ${n}[0].dhcpOptions.privateOptions[0].option`],
    ],
    [
      'a time server by name',
      nic({ dhcpOptions: { ntpServers: ['ntp.example'] } }),
      [`dhcp-ntp ${n}[0].dhcpOptions.ntpServers[0]`],
    ],
    [
      'a guest range that is none',
      (s) => (s.networks[0].pod = { vmNetworkCIDR: '10.0.2.0' }),
      ['pod-network-cidr spec.networks[0].pod.vmNetworkCIDR'],
    ],
  ])('%s', (_, change, want) => expect(reported(change)).toEqual(want));

  test('the configuration decides about bridge, slirp and plugins', () => {
    const bridge = nic({ masquerade: undefined, bridge: {} });
    expect(reported(bridge, configured({ network: { permitBridgeInterfaceOnPodNetwork: false } }))).toEqual([
      `bridge-permitted ${n}[0].name`,
    ]);
    expect(
      reported(nic({ masquerade: undefined, slirp: {} }), configured({ network: { permitSlirpInterface: true } })),
    ).toEqual([]);
    expect(
      reported(nic({ masquerade: undefined, binding: { name: 'x' } }), configured({ network: { binding: { x: {} } } })),
    ).toEqual([]);
  });
});

describe('platform and devices', () => {
  test.each<Case>([
    ['an unknown architecture', (s) => (s.architecture = 'x86'), ['architecture spec.architecture']],
    [
      'a machine type that is not allowed',
      (s) => (s.domain.machine = { type: 'pc' }),
      ['machine-type spec.domain.machine.type'],
    ],
    [
      'BIOS and EFI',
      (s) => (s.domain.firmware = { bootloader: { bios: {}, efi: {} } }),
      ['bootloader-one spec.domain.firmware.bootloader'],
    ],
    [
      'secure boot without SMM',
      (s) => (s.domain.firmware = { bootloader: { efi: {} } }),
      ['secure-boot-smm spec.domain.firmware.bootloader'],
    ],
    [
      'kernel arguments without a kernel',
      (s) => (s.domain.firmware = { kernelBoot: { kernelArgs: 'x' } }),
      ['kernel-args spec.domain.firmware.kernelBoot.kernelArgs'],
    ],
    [
      'a kernel image without paths',
      (s) => (s.domain.firmware = { kernelBoot: { container: { image: 'x' } } }),
      ['kernel-paths spec.domain.firmware.kernelBoot.container'],
    ],
    ['a UUID that is none', (s) => (s.domain.firmware = { uuid: 'web' }), ['firmware-uuid spec.domain.firmware.uuid']],
    [
      'an ACPI table of no volume',
      (s) => (s.domain.firmware = { acpi: { slicNameRef: 'x' } }),
      ['acpi-volume spec.domain.firmware.acpi.slicNameRef'],
    ],
    [
      'an enlightenment without its base',
      (s) => (s.domain.features = { hyperv: { synic: {}, vpindex: { enabled: false } } }),
      ['hyperv-dependency spec.domain.features.hyperv.synic'],
    ],
    [
      'an unknown IO thread policy',
      (s) => (s.domain.ioThreadsPolicy = 'share'),
      ['io-threads-policy spec.domain.ioThreadsPolicy'],
    ],
    [
      'an unknown input bus',
      (s) => (s.domain.devices.inputs = [{ name: 'x', type: 'tablet', bus: 'ps2' }]),
      ['input-bus spec.domain.devices.inputs[0].bus'],
    ],
    [
      'an unknown sound model',
      (s) => (s.domain.devices.sound = { name: 'x', model: 'sb16' }),
      ['sound-model spec.domain.devices.sound'],
    ],
    [
      'an unknown video type',
      (s) => (s.domain.devices.video = { type: 'qxl' }),
      ['video-type spec.domain.devices.video.type'],
    ],
    [
      'an unknown watchdog action',
      (s) => (s.domain.devices.watchdog = { name: 'w', i6300esb: { action: 'bark' } }),
      ['watchdog-action spec.domain.devices.watchdog.i6300esb.action'],
    ],
    [
      'a watchdog of no kind',
      (s) => (s.domain.devices.watchdog = { name: 'w' }),
      ['watchdog-type spec.domain.devices.watchdog'],
    ],
    [
      'a host device behind its gate',
      (s) => (s.domain.devices.hostDevices = [{ name: 'x', deviceName: 'a/b' }]),
      ['gate-host-devices spec.HostDevices'],
    ],
    [
      'a GPU from nowhere',
      (s) => (s.domain.devices.gpus = [{ name: 'x' }]),
      ['device-source spec.domain.devices.gpus[0]'],
    ],
    [
      'VSOCK behind its gate',
      (s) => (s.domain.devices.autoattachVSOCK = true),
      ['gate-vsock spec.domain.devices.autoattachVSOCK'],
    ],
    [
      'a shared folder of no volume',
      (s) => (s.domain.devices.filesystems = [{ name: 'x', virtiofs: {} }]),
      ['filesystem-has-volume spec.domain.devices.filesystems[0].name'],
    ],
    [
      'TDX behind its gate',
      (s) => (s.domain.launchSecurity = { tdx: {} }),
      ['gate-tdx spec.domain.launchSecurity', 'launch-security-efi spec.domain.launchSecurity'],
    ],
  ])('%s', (_, change, want) => expect(reported(change)).toEqual(want));
});

describe('lifecycle and placement', () => {
  test.each<Case>([
    ['a host name that is none', (s) => (s.hostname = 'Web_1'), ['hostname spec.hostname']],
    ['a subdomain that is none', (s) => (s.subdomain = '-x'), ['subdomain spec.subdomain']],
    [
      'an unknown eviction strategy',
      (s) => (s.evictionStrategy = 'Migrate'),
      ['eviction-strategy spec.evictionStrategy'],
    ],
    ['an unknown start strategy', (s) => (s.startStrategy = 'paused'), ['start-strategy spec.startStrategy']],
    [
      'paused with a liveness probe',
      (s) => {
        s.startStrategy = 'Paused';
        s.livenessProbe = { tcpSocket: { port: 1 } };
      },
      ['start-paused-probe spec.startStrategy'],
    ],
    [
      'a negative grace period',
      (s) => (s.terminationGracePeriodSeconds = -1),
      ['grace-period spec.terminationGracePeriodSeconds'],
    ],
    ['a probe that asks nothing', (s) => (s.readinessProbe = {}), ['probe-handler spec.readinessProbe']],
    [
      'a probe that asks two things',
      (s) => (s.readinessProbe = { tcpSocket: { port: 1 }, guestAgentPing: {} }),
      ['probe-handler spec.readinessProbe'],
    ],
    [
      'a network probe without a Pod network',
      (s) => {
        s.domain.devices.autoattachPodInterface = false;
        s.domain.devices.interfaces = [];
        s.networks = [];
        s.readinessProbe = { httpGet: { port: 80 } };
      },
      ['probe-network spec.readinessProbe.httpGet'],
    ],
    ['DNS policy None without servers', (s) => (s.dnsPolicy = 'None'), ['dns-nameserver spec.dnsConfig.nameservers']],
    ['an unknown DNS policy', (s) => (s.dnsPolicy = 'Cluster'), ['dns-policy spec.dnsPolicy']],
    [
      'a node selector that is no label',
      (s) => (s.nodeSelector = { 'a b': 'c' }),
      ['node-selector spec.nodeSelector.a b'],
    ],
    [
      'a toleration of everything that names a value',
      (s) => (s.tolerations = [{ operator: 'Exists', value: 'x' }]),
      ['toleration-value spec.tolerations[0].value'],
    ],
    [
      'a key without a Secret',
      (s) => (s.accessCredentials = [{ sshPublicKey: { source: {}, propagationMethod: { noCloud: {} } } }]),
      ['credential-source spec.accessCredentials[0].sshPublicKey.source.secret.secretName'],
    ],
    ['two credentials in one', (s) => (s.accessCredentials = [{}]), ['credential-kind spec.accessCredentials[0]']],
    [
      'agent keys for nobody',
      (s) =>
        (s.accessCredentials = [
          {
            sshPublicKey: {
              source: { secret: { secretName: 'x' } },
              propagationMethod: { qemuGuestAgent: { users: [] } },
            },
          },
        ]),
      ['credential-users spec.accessCredentials[0].sshPublicKey.propagationMethod.qemuGuestAgent.users'],
    ],
  ])('%s', (_, change, want) => expect(reported(change)).toEqual(want));
});
