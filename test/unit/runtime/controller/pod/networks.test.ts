import { createHash } from 'node:crypto';
import type { Interface, Network } from '../../../../../src/api';
import { compute, configured, mountsOf, render, withoutGates } from './fixtures';
import type { Change, More } from './fixtures';

const NETWORKS = 'k8s.v1.cni.cncf.io/networks';
const connected =
  (...pairs: [Partial<Interface>, Omit<Network, 'name'>][]): Change =>
  (v) => {
    v.spec.domain.devices.interfaces = pairs.map(([device], i) => ({ name: `n${i}`, ...device }));
    v.spec.networks = pairs.map(([, network], i) => ({ name: `n${i}`, ...network }));
  };
const annotationsOf = (change: Change, more?: More) => render(change, more).metadata.annotations ?? {};
const multusOf = (change: Change, more?: More) => {
  const text = annotationsOf(change, more)[NETWORKS];
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
};
const hashed = (name: string) => `pod${createHash('sha256').update(name).digest('hex').slice(0, 11)}`;
const multus = (networkName: string, more: object = {}) => ({ multus: { networkName, ...more } });
const network = { binding: { p: { networkAttachmentDefinition: 'other/plug' }, q: {} } };

test.each<[string, Change, object, unknown]>([
  ['the network of the Pod', connected([{ masquerade: {} }, { pod: {} }]), {}, undefined],
  [
    'secondary ones, under names that follow from theirs',
    connected([{ bridge: {}, macAddress: '02:00:00:00:00:01' }, multus('other/net')], [{ bridge: {} }, multus('own')]),
    {},
    [
      { name: 'net', namespace: 'other', mac: '02:00:00:00:00:01', interface: hashed('n0') },
      { name: 'own', namespace: 'web', interface: hashed('n1') },
    ],
  ],
  ['one that is unplugged', connected([{ bridge: {}, state: 'absent' }, multus('own')]), {}, undefined],
  ['one without an interface', (v) => v.spec.networks!.push({ name: 'x', ...multus('own') }), {}, undefined],
  [
    'that of a binding plugin beside its own',
    connected([{ binding: { name: 'p' } }, multus('own')]),
    { network },
    [
      { name: 'own', namespace: 'web', interface: hashed('n0') },
      { name: 'plug', namespace: 'other', 'cni-args': { logicNetworkName: 'n0' } },
    ],
  ],
  [
    'that of a binding plugin on the Pod’s network',
    connected([{ binding: { name: 'p' } }, { pod: {} }], [{ binding: { name: 'q' } }, { pod: {} }]),
    { network },
    [{ name: 'plug', namespace: 'other', 'cni-args': { logicNetworkName: 'n0' } }],
  ],
])('Multus’ annotation requests %s', (_, change, configuration, want) =>
  expect(multusOf(change, { config: configured(configuration) })).toEqual(want),
);

test('the name of an interface is a hash of its network’s, short enough for the kernel', () => {
  const [element] = multusOf((v) => {
    v.spec.networks = [{ name: 'a', ...multus('own') }];
    v.spec.domain.devices.interfaces = [{ name: 'a', bridge: {} }];
  }) as { interface: string }[];
  expect(element.interface).toBe('podca978112ca1');
});

test('Multus’ networks have the order of the interfaces', () => {
  const elements = multusOf((v) => {
    v.spec.networks = ['a', 'b'].map((name) => ({ name, ...multus(name) }));
    v.spec.domain.devices.interfaces = ['b', 'a'].map((name) => ({ name, bridge: {} }));
  }) as { name: string }[];
  expect(elements.map(({ name }) => name)).toEqual(['b', 'a']);
});

test('another main network is named as the user wrote it', () => {
  const annotations = annotationsOf(connected([{ bridge: {} }, multus('main', { default: true })]));
  expect(annotations).toHaveProperty(['v1.multus-cni.io/default-network'], 'main');
  expect(annotations).not.toHaveProperty([NETWORKS]);
});

test('CNI-Genie gets a list of names, as KubeVirt once gave it', () => {
  const genie = (networkName: string) => ({ genie: { networkName } });
  const change = connected([{ bridge: {} }, genie('flannel')], [{ bridge: {} }, genie('calico')]);
  expect(annotationsOf(change)).toHaveProperty(['cni'], 'flannel,calico');
  expect(annotationsOf(connected([{ bridge: {} }, genie('a')], [{ bridge: {} }, multus('b')]))).not.toHaveProperty(
    'cni',
  );
});

test('a mesh gets the name of the bridge behind masquerade', () => {
  expect(annotationsOf(() => {})).toMatchObject({
    'istio.io/reroute-virtual-interfaces': 'k6t-eth0',
    'traffic.sidecar.istio.io/kubevirtInterfaces': 'k6t-eth0',
  });
  expect(annotationsOf(connected([{ bridge: {} }, { pod: {} }]))).not.toHaveProperty(
    'istio.io/reroute-virtual-interfaces',
  );
});

test('the launcher learns which devices its networks got', () => {
  const pod = render(connected([{ sriov: {} }, multus('sr')]));
  expect(mountsOf(pod, 'network-info-annotation')).toEqual([
    { name: 'network-info-annotation', mountPath: '/etc/podinfo' },
  ]);
  expect(pod.spec.volumes).toContainEqual({
    name: 'network-info-annotation',
    downwardAPI: {
      items: [{ path: 'network-info', fieldRef: { fieldPath: "metadata.annotations['kubevirt.io/network-info']" } }],
    },
  });
});

describe('devices that networks need', () => {
  const change = connected(
    [{ sriov: {} }, multus('sr')],
    [{ sriov: {} }, multus('other/sr')],
    [{ bridge: {} }, multus('x')],
  );
  const attachmentDefinitions = new Map([
    ['web/sr', { resourceName: 'x.com/nic' }],
    ['other/sr', { resourceName: 'x.com/nic' }],
    ['web/x', {}],
  ]);
  const nics = (more: More) => compute(render(change, more)).resources?.requests?.['x.com/nic'];
  const config = withoutGates('ExternalNetResourceInjection');
  test('are added by the network operator', () => expect(nics({ attachmentDefinitions })).toBeUndefined());
  test('are requested where it does not', () => expect(nics({ attachmentDefinitions, config })).toBe('2'));
  test('are undefined if they were not looked up', () => expect(nics({ config })).toBeUndefined());
  test('must be known', () => {
    expect(() => nics({ attachmentDefinitions: new Map(), config })).toThrow(
      'network "n0": NetworkAttachmentDefinition "web/sr" does not exist; create it or name another ' +
        '(the VM will start automatically)',
    );
  });
});
