import { changedVm as vm, type Loose } from '../fixtures';
import { alone, object, together } from './worlds';

const at = 'spec.template.spec';
const devices = `${at}.domain.devices`;

const image = (text: string): Loose =>
  vm(({ volumes }) => (volumes[0] = { name: volumes[0].name, containerDisk: { image: text } }));
const card = (iface: Loose, pod: Loose = {}): Loose =>
  vm((spec) => {
    spec.networks = [{ name: 'default', pod }];
    spec.domain.devices.interfaces = [{ name: 'default', masquerade: {}, ...iface }];
  });
const probed = (probe: Loose, iface: Loose = {}, field = 'readinessProbe'): Loose => {
  const made = card(iface);
  made.spec.template.spec[field] = probe;
  return made;
};
const ssh = { ports: [{ port: 22 }, { port: 53, protocol: 'UDP' }] };

test.each<[string, Loose, string[]]>([
  ['accepts an image', image('registry.example/os:1'), []],
  [
    'reports the URL of an image',
    image('docker://registry.example/os:1'),
    [`image-reference ${at}.volumes[0].containerDisk.image`],
  ],
  [
    'reports an image for containers',
    image('ubuntu:24.04'),
    [`container-disk-library ${at}.volumes[0].containerDisk.image`],
  ],
  ['accepts a unicast address', card({ macAddress: '52:54:00:12:34:56' }), []],
  ['accepts an address that is locally administered', card({ macAddress: 'fe-00-00-00-00-01' }), []],
  [
    'reports a multicast address',
    card({ macAddress: '03:00:00:00:00:01' }),
    [`mac-unicast ${devices}.interfaces[0].macAddress`],
  ],
  [
    'reports the address for everybody',
    card({ macAddress: 'ff:ff:ff:ff:ff:ff' }),
    [`mac-unicast ${devices}.interfaces[0].macAddress`],
  ],
  [
    'reports an address of zeros',
    card({ macAddress: '00:00:00:00:00:00' }),
    [`mac-unicast ${devices}.interfaces[0].macAddress`],
  ],
  [
    'leaves a malformed address to its rule',
    card({ macAddress: '03:00' }),
    [`mac-format ${devices}.interfaces[0].macAddress`],
  ],
  ['accepts a network of four addresses', card({}, { vmNetworkCIDR: '10.0.2.0/30' }), []],
  [
    'reports a network of two addresses',
    card({}, { vmNetworkCIDR: '10.0.2.0/31' }),
    [`network-cidr ${at}.networks[0].pod.vmNetworkCIDR`],
  ],
  [
    'reports an address without prefix',
    card({}, { vmNetworkCIDR: '10.0.2.0' }),
    [`network-cidr ${at}.networks[0].pod.vmNetworkCIDR`],
  ],
  [
    'reports IPv6 where IPv4 is expected',
    card({}, { vmNetworkCIDR: 'fd10::/120' }),
    [`network-cidr ${at}.networks[0].pod.vmNetworkCIDR`],
  ],
  ['accepts an IPv6 network', card({}, { vmIPv6NetworkCIDR: 'fd10:0:2::/120' }), []],
  [
    'reports an IPv6 prefix that is too long',
    card({}, { vmIPv6NetworkCIDR: 'fd10:0:2::/129' }),
    [`network-cidr ${at}.networks[0].pod.vmIPv6NetworkCIDR`],
  ],
  ['accepts a probe of a port that is open', probed({ tcpSocket: { port: 22 } }, ssh), []],
  ['accepts a probe where all ports are open', probed({ tcpSocket: { port: 80 } }), []],
  ['accepts a probe of another host', probed({ tcpSocket: { port: 80, host: '192.0.2.1' } }, ssh), []],
  [
    'reports a TCP probe of a closed port',
    probed({ tcpSocket: { port: 80 } }, ssh),
    [`probe-port-open ${at}.readinessProbe.tcpSocket.port`],
  ],
  [
    'reports a probe of a UDP port',
    probed({ tcpSocket: { port: 53 } }, ssh),
    [`probe-port-open ${at}.readinessProbe.tcpSocket.port`],
  ],
  [
    'reports an HTTP probe of a closed port',
    probed({ httpGet: { port: 8080 } }, ssh, 'livenessProbe'),
    [`probe-port-open ${at}.livenessProbe.httpGet.port`],
  ],
  [
    'reports a path without a slash',
    probed({ httpGet: { port: 80, path: 'health' } }),
    [`probe-path ${at}.readinessProbe.httpGet.path`],
  ],
  ['accepts two successes of a readiness probe', probed({ tcpSocket: { port: 22 }, successThreshold: 2 }), []],
  [
    'reports two successes of a liveness probe',
    probed({ tcpSocket: { port: 22 }, successThreshold: 2 }, {}, 'livenessProbe'),
    [`probe-success-threshold ${at}.livenessProbe.successThreshold`],
  ],
  [
    'reports nodes of another architecture',
    vm((spec) => Object.assign(spec, { architecture: 'amd64', nodeSelector: { 'kubernetes.io/arch': 'arm64' } })),
    [`node-architecture ${at}.nodeSelector.kubernetes.io/arch`],
  ],
  [
    'accepts nodes of its architecture',
    vm((spec) => Object.assign(spec, { architecture: 'amd64', nodeSelector: { 'kubernetes.io/arch': 'amd64' } })),
    [],
  ],
  [
    'reports two disks with one serial',
    vm((spec) => {
      spec.domain.devices.disks.push({ name: 'a', disk: {}, serial: 's' }, { name: 'b', disk: {}, serial: 's' });
      spec.volumes.push({ name: 'a', emptyDisk: { capacity: '1Gi' } }, { name: 'b', emptyDisk: { capacity: '1Gi' } });
    }),
    [`disk-serial-unique ${devices}.disks[4].serial`],
  ],
])('%s', (_, made, want) => expect(alone(made)).toEqual(want));

test('reports the values of a pool where its template has them', () => {
  const { spec } = image('docker://registry.example/os:1');
  const template = { metadata: { labels: { a: 'b' } }, spec };
  const pool = object('pool.kubevirt.io/v1beta1', 'VirtualMachinePool', 'web', {
    replicas: 2,
    selector: { matchLabels: { a: 'b' } },
    virtualMachineTemplate: template,
  });
  expect(alone(pool)).toEqual([
    'image-reference spec.virtualMachineTemplate.spec.template.spec.volumes[0].containerDisk.image',
  ]);
  expect(together(pool)).toEqual([]);
});

const dataVolume = (source: Loose, more: Loose = {}): Loose =>
  object('cdi.kubevirt.io/v1beta1', 'DataVolume', 'disk', {
    source,
    storage: { resources: { requests: { storage: '10Gi' } } },
    ...more,
  });
const http = (file: string, more?: Loose): Loose =>
  dataVolume({ http: { url: `https://files.example/${file}` } }, more);

test.each<[string, Loose, string[]]>([
  ['accepts qcow2', http('os.qcow2?sig=a.zip'), []],
  ['accepts a compressed disk', http('os.raw.xz'), []],
  ['accepts a URL without a file', http(''), []],
  ['reports an appliance', http('os.ova'), ['source-format spec.source.http.url']],
  ['reports a zip', http('os.vmdk.ZIP'), ['source-format spec.source.http.url']],
  ['reports an archive for a disk', http('files.tar.gz'), ['source-format spec.source.http.url']],
  ['accepts an archive for files', http('files.tar.gz', { contentType: 'archive' }), []],
  ['accepts an image of a registry', dataVolume({ registry: { url: 'docker://registry.example/os:1' } }), []],
  ['accepts a file of an image', dataVolume({ registry: { url: 'oci-archive://Some_File.tar' } }), []],
  [
    'reports a malformed image',
    dataVolume({ registry: { url: 'docker://registry.example/os:' } }),
    ['image-reference spec.source.registry.url'],
  ],
  [
    'reports two schemes',
    dataVolume({ registry: { url: 'docker://docker://os:1' } }),
    ['image-reference spec.source.registry.url'],
  ],
])('%s', (_, made, want) => expect(alone(made)).toEqual(want));
