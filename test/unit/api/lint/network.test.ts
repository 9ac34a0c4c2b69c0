import type { Loose } from '../fixtures';
import { alone, object, pool, replicaSet, together, vm, vmi, words } from './worlds';

const service = (
  name: string,
  selector: Loose,
  ports: Loose[] = [{ port: 80 }],
  more: Loose = {},
  metadata: Loose = {},
): Loose => object('v1', 'Service', name, { selector, ports, ...more }, metadata);
const byName = { 'vm.kubevirt.io/name': 'db' };
const nat = (more: Loose = {}): Loose => ({
  interfaces: [{ name: 'default', masquerade: {}, ...more }],
  networks: [{ name: 'default', pod: {} }],
});
const ssh = { name: 'ssh', port: 22 };
const dns = { name: 'dns', port: 53, protocol: 'UDP' };
const at = 'service-port-open spec.ports[0].targetPort';

describe('a Service', () => {
  test.each<[string, Loose[], string[]]>([
    ['to a guest that opens everything', [vm('db', nat()), service('s', byName)], []],
    ["to a guest whose networks are the platform's default", [vm('db'), service('s', byName)], []],
    [
      'to a port that is open',
      [vm('db', nat({ ports: [ssh] })), service('s', byName, [{ port: 2222, targetPort: 22 }])],
      [],
    ],
    ['to a port that is not open', [vm('db', nat({ ports: [ssh] })), service('s', byName)], [at]],
    [
      'to a target port that is not open',
      [vm('db', nat({ ports: [ssh] })), service('s', byName, [{ port: 22, targetPort: 23 }])],
      [at],
    ],
    ['to a port of the other protocol', [vm('db', nat({ ports: [dns] })), service('s', byName, [{ port: 53 }])], [at]],
    ['to that protocol', [vm('db', nat({ ports: [dns] })), service('s', byName, [{ port: 53, protocol: 'UDP' }])], []],
    ['to a named port', [vm('db', nat({ ports: [ssh] })), service('s', byName, [{ port: 22, targetPort: 'ssh' }])], []],
    [
      'to a name that no port has',
      [vm('db', nat({ ports: [ssh] })), service('s', byName, [{ port: 22, targetPort: 'shh' }])],
      [at],
    ],
    [
      'to a name where no port has any',
      [vm('db', nat()), service('s', byName, [{ port: 22, targetPort: 'ssh' }])],
      [at],
    ],
    [
      'to a port in a range',
      [
        vm('db', nat({ portRanges: [{ protocol: 'TCP', start: 8000, end: 8099 }] })),
        service('s', byName, [{ port: 80, targetPort: 8099 }]),
      ],
      [],
    ],
    [
      'to a port behind a range',
      [
        vm('db', nat({ portRanges: [{ protocol: 'TCP', start: 8000, end: 8099 }] })),
        service('s', byName, [{ port: 8100 }]),
      ],
      [at],
    ],
    [
      'to a port that the bridge binding only mentions',
      [
        vm('db', {
          interfaces: [{ name: 'default', bridge: {}, ports: [ssh] }],
          networks: [{ name: 'default', pod: {} }],
        }),
        service('s', byName),
      ],
      [],
    ],
    [
      'to a port that passt does not forward',
      [
        vm('db', { interfaces: [{ name: 'a', passtBinding: {}, ports: [ssh] }], networks: [{ name: 'a', pod: {} }] }),
        service('s', byName),
      ],
      [at],
    ],
    [
      'to a guest that is only on another network',
      [
        vm('db', {
          interfaces: [{ name: 'a', bridge: {} }],
          networks: [{ name: 'a', multus: { networkName: 'lan' } }],
        }),
        service('s', byName),
      ],
      ['service-network spec.selector'],
    ],
    [
      "to a guest on a Multus network in place of the Pod's",
      [
        vm('db', {
          interfaces: [{ name: 'a', bridge: {} }],
          networks: [{ name: 'a', multus: { networkName: 'lan', default: true } }],
        }),
        service('s', byName),
      ],
      [],
    ],
    [
      'to a guest of another namespace',
      [vm('db', { ...nat({ ports: [ssh] }), namespace: 'a' }), service('s', byName, undefined, {}, { namespace: 'b' })],
      ['service-namespace spec.selector.vm.kubevirt.io/name'],
    ],
    [
      'to a guest of a namespace that is not said',
      [vm('db', { ...nat({ ports: [ssh] }), namespace: 'a' }), service('s', byName)],
      [],
    ],
    ['to a VM that is not declared', [vm('other', nat({ ports: [ssh] })), service('s', byName)], []],
    [
      'to one of a series that is not declared',
      [vm('db-1', nat()), service('s', { 'vm.kubevirt.io/name': 'db-2' })],
      [],
    ],
    [
      'to a misspelt VM',
      [vm('database', nat()), service('s', { 'vm.kubevirt.io/name': 'databse' })],
      ['service-selects spec.selector.vm.kubevirt.io/name'],
    ],
    [
      'to a misspelt instance',
      [vmi('database', nat()), service('s', { 'vmi.kubevirt.io/id': 'databse' })],
      ['service-selects spec.selector.vmi.kubevirt.io/id'],
    ],
    [
      'to a VM whose host name is another',
      [vm('db', { ...nat(), hostname: 'primary' }), service('s', byName)],
      ['service-selects spec.selector.vm.kubevirt.io/name'],
    ],
    [
      'to that host name',
      [vm('db', { ...nat({ ports: [ssh] }), hostname: 'primary' }), service('s', { 'vm.kubevirt.io/name': 'primary' })],
      [at],
    ],
    [
      'to an instance by its labels',
      [vmi('db', { ...nat({ ports: [ssh] }), labels: { app: 'x' } }), service('s', { app: 'x' })],
      [at],
    ],
    [
      'to a replica set',
      [replicaSet('web', { ...nat({ ports: [ssh] }), labels: { app: 'x' } }), service('s', { app: 'x' })],
      [at],
    ],
    ['to a pool', [pool('web', { ...nat({ ports: [ssh] }), labels: { app: 'x' } }), service('s', { app: 'x' })], [at]],
    [
      'to Pods that carry more',
      [pool('web', { ...nat({ ports: [ssh] }), labels: { app: 'x', tier: 'y' } }), service('s', { tier: 'y' })],
      [at],
    ],
    [
      'to Pods that carry less',
      [pool('web', { ...nat({ ports: [ssh] }), labels: { app: 'x' } }), service('s', { app: 'x', tier: 'y' })],
      [],
    ],
    ['to every launcher', [vm('db', nat({ ports: [ssh] })), service('s', { 'kubevirt.io': 'virt-launcher' })], [at]],
    [
      'to a Pod with a container of a mesh',
      [
        vm('db', { ...nat({ ports: [ssh] }), annotations: { 'sidecar.istio.io/inject': 'true' } }),
        service('s', byName),
      ],
      [],
    ],
    ['without a selector', [vm('db', nat({ ports: [ssh] })), service('s', {})], []],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

  test('reports the guests that it does not reach, and the open ports', () => {
    expect(words(vm('db', nat({ ports: [ssh, dns] })), service('s', byName))).toEqual([
      'VirtualMachine "db" does not open TCP 80; add it to the ports of its network "default", or expose one that is there',
    ]);
    expect(words(vm('db', { ...nat(), hostname: 'primary' }), service('s', byName))).toEqual([
      'the host name of VirtualMachine "db" is "primary", and so is this label of its Pod; select vmi.kubevirt.io/id: db',
    ]);
  });

  test.each<[string, Loose, string[]]>([
    ['with one port needs no name for it', service('s', {}), []],
    [
      'with two needs names',
      service('s', {}, [{ port: 1 }, { port: 2, name: 'b' }]),
      ['service-port-name spec.ports[0].name'],
    ],
    [
      'has each name once',
      service('s', {}, [
        { port: 1, name: 'a' },
        { port: 2, name: 'a' },
      ]),
      ['port-name-unique spec.ports[1].name'],
    ],
    [
      'has each port once',
      service('s', {}, [
        { port: 1, name: 'a' },
        { port: 1, name: 'b' },
      ]),
      ['service-port-unique spec.ports[1].port'],
    ],
    [
      'has a port for each protocol',
      service('s', {}, [
        { port: 1, name: 'a' },
        { port: 1, name: 'b', protocol: 'UDP' },
      ]),
      [],
    ],
    ['needs a port', service('s', {}, []), ['service-ports spec.ports']],
    ['needs none without an address', service('s', {}, [], { clusterIP: 'None' }), []],
    ['needs none when it is a name', service('s', {}, [], { type: 'ExternalName' }), []],
    [
      'has ports up to 65535',
      service('s', {}, [{ port: 65536 }]),
      ['port-range spec.ports[0].port', 'port-range spec.ports[0].targetPort'],
    ],
  ])('%s', (_, object_, want) => expect(alone(object_)).toEqual(want));
});

test.each<[string, Loose[], string[]]>([
  [
    'reports one node port for two ports of a Service',
    [
      service(
        'web',
        {},
        [
          { port: 80, nodePort: 30080 },
          { port: 81, nodePort: 30080 },
        ],
        { type: 'NodePort' },
      ),
    ],
    ['node-port-unique spec.ports[1].nodePort'],
  ],
  [
    'accepts one node port for TCP and UDP',
    [
      service('web', {}, [
        { port: 53, nodePort: 30053 },
        { port: 53, protocol: 'UDP', nodePort: 30053 },
      ]),
    ],
    [],
  ],
  [
    'reports ExternalName for a guest',
    [vm('db', nat()), service('s', byName, [{ port: 80 }], { type: 'ExternalName', externalName: 'a.example' })],
    ['service-type spec.type'],
  ],
  ...(
    [
      ['accepts a headless Service of the subdomain', { clusterIP: 'None' }, []],
      ['reports a Service of the subdomain with an address', {}, ['subdomain-service spec.template.spec.subdomain']],
    ] as [string, Loose, string[]][]
  ).map(([title, more, want]): [string, Loose[], string[]] => {
    const guest = vm('db', nat());
    guest.spec.template.spec.subdomain = 'shop';
    return [title, [service('shop', byName, undefined, more), guest], want];
  }),
])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

describe('an Ingress', () => {
  const ingress = (service_: Loose, path = '/', metadata: Loose = {}): Loose =>
    object(
      'networking.k8s.io/v1',
      'Ingress',
      'in',
      { rules: [{ http: { paths: [{ path, pathType: 'Prefix', backend: { service: service_ } }] } }] },
      metadata,
    );
  const web = service('web', {}, [{ name: 'http', port: 80 }]);
  const where = 'spec.rules[0].http.paths[0].backend.service';

  test.each<[string, Loose[], string[]]>([
    ['to a port', [web, ingress({ name: 'web', port: { number: 80 } })], []],
    ['to a port by its name', [web, ingress({ name: 'web', port: { name: 'http' } })], []],
    [
      'to a port that is not there',
      [web, ingress({ name: 'web', port: { number: 8080 } })],
      [`ingress-service-port ${where}.port.number`],
    ],
    [
      'to a name that is not there',
      [web, ingress({ name: 'web', port: { name: 'htpp' } })],
      [`ingress-service-port ${where}.port.name`],
    ],
    [
      'to a name outside of the cluster, which has no ports of its own',
      [
        object('v1', 'Service', 'web', { type: 'ExternalName', externalName: 'a.example' }),
        ingress({ name: 'web', port: { number: 8080 } }),
      ],
      [],
    ],
    ['to a Service without a port', [web, ingress({ name: 'web' })], []],
    [
      'to a UDP port',
      [service('dns', {}, [{ port: 53, protocol: 'UDP' }]), ingress({ name: 'dns', port: { number: 53 } })],
      [`ingress-service-port ${where}.port.number`],
    ],
    [
      'to a port of both protocols',
      [
        service('dns', {}, [{ port: 53, protocol: 'UDP' }, { port: 53 }]),
        ingress({ name: 'dns', port: { number: 53 } }),
      ],
      [],
    ],
    ['to a Service that is not declared', [web, ingress({ name: 'elsewhere', port: { number: 1 } })], []],
    [
      'to a misspelt Service',
      [service('frontend', {}), ingress({ name: 'frontned', port: { number: 80 } })],
      [`ingress-service ${where}.name`],
    ],
    [
      'to a Service of another namespace',
      [web, ingress({ name: 'web', port: { number: 1 } }, '/', { namespace: 'other' })],
      [],
    ],
    [
      'by default to a port that is not there',
      [
        web,
        object('networking.k8s.io/v1', 'Ingress', 'in', {
          defaultBackend: { service: { name: 'web', port: { number: 1 } } },
        }),
      ],
      ['ingress-service-port spec.defaultBackend.service.port.number'],
    ],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

  test('says which ports there are, and which one was meant', () => {
    expect(words(web, ingress({ name: 'web', port: { name: 'htpp' } }))).toEqual([
      'Service "web" has no port htpp; did you mean "http"?',
    ]);
  });
});

describe('a Multus network', () => {
  const on = (networkName: string, namespace?: string, binding: Loose = { bridge: {} }): Loose =>
    vm('db', {
      namespace,
      interfaces: [{ name: 'lan', ...binding }],
      networks: [{ name: 'lan', multus: { networkName } }],
    });
  const nad = (name: string, namespace?: string, annotations: Loose = {}): Loose =>
    object(
      'k8s.cni.cncf.io/v1',
      'NetworkAttachmentDefinition',
      name,
      { config: '{"type":"bridge"}' },
      { ...(namespace ? { namespace } : {}), annotations },
    );
  const where = 'spec.template.spec.networks[0].multus.networkName';
  const pool_ = { 'k8s.v1.cni.cncf.io/resourceName': 'example.com/net' };

  test.each<[string, Loose[], string[]]>([
    ['that is here', [nad('lan', 'a'), on('lan', 'a')], []],
    ['that is elsewhere, as it says', [nad('lan', 'b'), on('b/lan', 'a')], []],
    ['that is elsewhere', [nad('lan', 'b'), on('lan', 'a')], [`attachment-namespace ${where}`]],
    ['that is not where it says', [nad('lan', 'a'), on('b/lan', 'a')], [`attachment-namespace ${where}`]],
    ['that may be elsewhere: it is not said where the VM is', [nad('lan', 'b'), on('lan')], []],
    ['that is not declared', [nad('lan'), on('wan')], []],
    ['of a series that is not declared', [nad('vlan-100'), on('vlan-101')], []],
    ['that is misspelt', [nad('storage'), on('storgae')], [`attachment-name ${where}`]],
    [
      'without devices, for SR-IOV',
      [nad('lan'), on('lan', undefined, { sriov: {} })],
      ['sriov-resource spec.template.spec.domain.devices.interfaces[0].sriov'],
    ],
    ['with devices, for SR-IOV', [nad('lan', undefined, pool_), on('lan', undefined, { sriov: {} })], []],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

  test('is found where it is', () => {
    expect(words(nad('lan', 'b'), on('lan', 'a'))).toEqual([
      'NetworkAttachmentDefinition "lan" (app/lan) is in the namespace "b", not in "a"; write b/lan',
    ]);
  });

  const attachment = (config: unknown, metadata: Loose = {}): Loose =>
    object(
      'k8s.cni.cncf.io/v1',
      'NetworkAttachmentDefinition',
      'lan',
      { config: typeof config === 'string' ? config : JSON.stringify(config) },
      metadata,
    );
  const ovn = { type: 'ovn-k8s-cni-overlay', topology: 'layer2', netAttachDefName: 'a/lan' };

  test.each<[string, Loose, string[]]>([
    ['of a file of the node', object('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', 'lan', {}), []],
    ['of a bridge', attachment({ type: 'bridge', vlan: 100, mtu: 9000 }), []],
    ['of a bridge with a trunk', attachment({ type: 'bridge', mtu: 9000, vlanTrunk: [{ id: 5 }] }), []],
    ['that is not a JSON', attachment('{"type": bridge}'), ['attachment-config spec.config']],
    ['that is a list', attachment('[]'), ['attachment-config spec.config']],
    ['of no plugin', attachment({ bridge: 'br1' }), ['attachment-type spec.config']],
    ['of a chain with a gap', attachment({ plugins: [{ type: 'bridge' }, {}] }), ['attachment-type spec.config']],
    ['with a VLAN that is not valid', attachment({ type: 'bridge', vlan: 4095 }), ['attachment-range spec.config']],
    ['with a VLAN as text', attachment({ type: 'bridge', vlan: '100' }), ['attachment-range spec.config']],
    ['of SR-IOV with devices', attachment({ type: 'sriov' }, { annotations: pool_ }), []],
    [
      'of SR-IOV without',
      attachment({ type: 'sriov' }),
      ['sriov-resource metadata.annotations.k8s.v1.cni.cncf.io/resourceName'],
    ],
    ['of OVN', attachment(ovn, { namespace: 'a' }), []],
    ['of OVN, applied anywhere', attachment(ovn), []],
    [
      'of OVN for another attachment',
      attachment({ ...ovn, netAttachDefName: 'a/wan' }),
      ['ovn-attachment-name spec.config'],
    ],
    ['of OVN for another namespace', attachment(ovn, { namespace: 'b' }), ['ovn-attachment-name spec.config']],
    [
      'of OVN with a topology that is not valid',
      attachment({ ...ovn, topology: 'layer4' }),
      ['ovn-topology spec.config'],
    ],
    [
      'of OVN that keeps addresses it has not',
      attachment({ ...ovn, allowPersistentIPs: true }),
      ['ovn-subnets spec.config'],
    ],
  ])('%s', (_, given, want) => expect(alone(given)).toEqual(want));
});

describe('a network attachment', () => {
  const nad = (config: Loose, name = 'lan'): Loose =>
    object('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', name, { config: JSON.stringify(config) });
  const on = (name: string, binding: Loose = { bridge: {} }): Loose =>
    vm(name, {
      interfaces: [{ name: 'a', ...binding }],
      networks: [{ name: 'a', multus: { networkName: 'lan' } }],
    });
  const fixed = nad({ type: 'bridge', ipam: { type: 'static', addresses: [{ address: '10.1.0.5/24' }] } });
  const bound = 'attachment-binding spec.template.spec.domain.devices.interfaces[0].bridge';
  const networkName = 'networks[0].multus.networkName';

  test.each<[string, Loose[], string[]]>([
    ['accepts a bridge', [nad({ type: 'bridge' }), on('a')], []],
    ['reports a bridged guest on macvlan', [nad({ type: 'macvlan' }), on('a')], [bound]],
    [
      'reports a bridged guest on ipvlan',
      [nad({ plugins: [{ type: 'ipvlan' }, { type: 'tuning' }] }), on('a')],
      [bound],
    ],
    ['accepts macvlan that passes the card through', [nad({ type: 'macvlan', mode: 'passthru' }), on('a')], []],
    ['accepts a binding plugin on macvlan', [nad({ type: 'macvlan' }), on('a', { binding: { name: 'x' } })], []],
    ['accepts a fixed address of one guest', [fixed, on('a')], []],
    ['accepts it for the first of two guests', [fixed, on('b'), on('a')].toReversed(), []],
    [
      'reports it for the second of two guests',
      [fixed, on('a'), on('b')],
      [`attachment-shared-address spec.template.spec.${networkName}`],
    ],
    [
      'reports it for a pool',
      [
        fixed,
        pool('p', {
          interfaces: [{ name: 'a', bridge: {} }],
          networks: [{ name: 'a', multus: { networkName: 'lan' } }],
        }),
      ],
      [`attachment-shared-address spec.virtualMachineTemplate.spec.template.spec.${networkName}`],
    ],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
});

describe('a MAC address', () => {
  const mac = '02:00:00:00:00:01';
  const lan = (name: string, macAddress: string, networkName = 'lan', namespace?: string): Loose =>
    vm(name, {
      namespace,
      interfaces: [{ name: 'n', bridge: {}, macAddress }],
      networks: [{ name: 'n', multus: { networkName } }],
    });
  const twice = ['mac-unique spec.template.spec.domain.devices.interfaces[0].macAddress'];

  test.each<[string, Loose[], string[]]>([
    ['twice on a network', [lan('a', mac), lan('b', mac)], twice],
    ['twice, in another notation', [lan('a', mac), lan('b', '02-00-00-00-00-01')], twice],
    ['twice, with the namespace and without', [lan('a', mac, 'x/lan', 'y'), lan('b', mac, 'lan', 'x')], twice],
    ['on two networks', [lan('a', mac), lan('b', mac, 'wan')], []],
    ['in two namespaces', [lan('a', mac, 'lan', 'x'), lan('b', mac, 'lan', 'y')], []],
    ['behind NAT, where nobody sees it', [vm('a', nat({ macAddress: mac })), vm('b', nat({ macAddress: mac }))], []],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

  test('of all guests of a pool is reported at the pool', () => {
    const options = {
      interfaces: [{ name: 'n', bridge: {}, macAddress: mac }],
      networks: [{ name: 'n', multus: { networkName: 'lan' } }],
    };
    expect(words(pool('web', options, 3))).toEqual([
      'all 3 guests would have this MAC address; leave it out: each guest then gets its own',
    ]);
    expect(words(pool('web', options, 1))).toEqual([]);
  });
});

test.each<[string, unknown]>([
  ['Service', { selector: ['x'], ports: 'y' }],
  ['Service', { selector: { app: 1 }, ports: [null, 7, { port: {}, targetPort: [] }] }],
  ['Service', null],
])('a %s of another shape breaks nothing: %j', (kind, spec) => {
  const given = { apiVersion: 'v1', kind, metadata: { name: 'x' }, spec } as Loose;
  expect(() => [together(vm('db', nat()), given), alone(given)]).not.toThrow();
});

test.each<unknown>([
  null,
  7,
  { template: { spec: { domain: 1, networks: 'x' } } },
  { template: { spec: { domain: { devices: { interfaces: [null, 3] } }, networks: [null] } } },
])('a VM of another shape breaks nothing: %j', (spec) => {
  const given = { ...vm('x'), spec } as Loose;
  expect(() => together(given, service('s', byName))).not.toThrow();
  expect(() => together(given)).not.toThrow();
});
