import { PolicyDecider, type Protocol } from '../../../../../src/local/network/policy/decide';
import type { NetworkPolicy, PolicyPod } from '../../../../../src/local/network/policy/networking-v1';
import type { Labels } from '../../../../../src/local/core-v1';
import { parseNetwork } from '../../../../../src/local/network/policy/ranges';

const pod = (name: string, address: string, more: Partial<PolicyPod> = {}): PolicyPod => ({
  uid: name,
  namespace: 'red',
  labels: { app: name },
  hostNetwork: false,
  addresses: [address],
  ports: [],
  ...more,
});

const web = pod('web', '10.77.0.2', {
  ports: [
    { name: 'http', protocol: 'TCP', port: 8080 },
    { name: 'quic', protocol: 'UDP', port: 8443 },
  ],
});
const client = pod('client', '10.77.0.3', { ports: [{ name: 'http', protocol: 'TCP', port: 9090 }] });
const other = pod('client', '10.77.1.4', {
  uid: 'other',
  namespace: 'blue',
  labels: { app: 'client', constructor: '' },
});
const host = pod('client', '10.77.0.1', { uid: 'host', hostNetwork: true });
const both = pod('dual', '10.77.0.6', { addresses: ['10.77.0.6', 'fd77::6'] });

type Spec = NetworkPolicy['spec'];
const policy = (spec: Spec, namespace = 'red'): NetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'p', namespace },
  spec,
});
const namespaces = new Map<string, Labels>([
  ['red', { team: 'red' }],
  ['blue', { team: 'blue' }],
  ['kube-system', { 'kubernetes.io/metadata.name': 'kube-system' }],
]);

/** Describes whether the Pod `web` may have a connection such as `from 10.0.0.1 tcp 80`; `open` if no policy isolates it. */
function check(policies: NetworkPolicy[], connection: string): string {
  const [direction, address = '', protocol, port = ''] = connection.split(' ');
  const pods = [web, client, other, host, both];
  const decider = new PolicyDecider({ policies, pods, namespaces, dns: ['10.77.0.1', 'fd77::1'] });
  const flows = decider.flowsOf(web, direction === 'from' ? 'Ingress' : 'Egress');
  if (!flows) return 'open';
  const { family, range } = parseNetwork(address)!;
  const within = (ranges: readonly { from: bigint; to: bigint }[] | undefined, value: bigint): boolean =>
    (ranges ?? []).some(({ from, to }) => from <= value && value <= to);
  const allowed = flows.some(
    ({ addresses, ports }) =>
      (!addresses || within(addresses[family], range.from)) &&
      (!ports || within(ports.get(protocol as Protocol), BigInt(port))),
  );
  return allowed ? 'allowed' : 'denied';
}

type Peers = { podSelector?: object; namespaceSelector?: object; ipBlock?: { cidr: string; except?: string[] } }[];
type Ports = { protocol?: string; port?: number | string; endPort?: number }[];
const ingress = (from?: Peers, ports?: Ports): Spec => ({ ingress: [{ from, ports }] }) as Spec;
const egress = (to?: Peers, ports?: Ports): Spec => ({ egress: [{ to, ports }] }) as Spec;
const app = (name: string): object => ({ matchLabels: { app: name } });

const own = { podSelector: {} };
const blue = { namespaceSelector: { matchLabels: { team: 'blue' } } };
const all = { namespaceSelector: {} };
const block = { ipBlock: { cidr: '10.0.0.0/8' } };
const holed = { ipBlock: { cidr: '10.0.0.0/8', except: ['10.77.0.0/24'] } };
const everywhere = { ipBlock: { cidr: '0.0.0.0/0' } };
const node = { ipBlock: { cidr: '10.77.0.1/32' } };
const dns = { namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } };
const prototype = { podSelector: { matchExpressions: [{ key: 'constructor', operator: 'Exists' }] } };
const range = { protocol: 'UDP', port: 80, endPort: 90 };
const onlyEgress: Spec = { policyTypes: ['Egress'] };

test.each<[string, Spec[], string, string]>([
  ['no policy isolates nothing', [], 'from 10.77.0.3 tcp 80', 'open'],
  ['a policy for other Pods isolates nothing', [{ podSelector: app('x') }], 'from 10.77.0.3 tcp 80', 'open'],
  ['a policy without rules denies ingress', [{ podSelector: {} }], 'from 10.77.0.3 tcp 80', 'denied'],
  ['a policy without a selector selects all Pods', [{}], 'from 10.77.0.3 tcp 80', 'denied'],
  ['a policy without egress rules does not isolate egress', [{}], 'to 10.77.0.3 tcp 80', 'open'],
  ['a policy with an empty list of egress rules isolates egress', [{ egress: [] }], 'to 10.77.0.3 tcp 80', 'denied'],
  ['a policy with egress rules isolates ingress', [egress()], 'from 10.77.0.3 tcp 80', 'denied'],
  ['a policy of type Egress does not isolate ingress', [onlyEgress], 'from 10.77.0.3 tcp 80', 'open'],
  ['a policy of type Egress denies egress', [onlyEgress], 'to 10.77.0.3 tcp 80', 'denied'],
  ['an empty rule allows everything', [ingress()], 'from 1.2.3.4 sctp 1', 'allowed'],
  ['an empty list of peers allows everything', [ingress([])], 'from 1.2.3.4 udp 1', 'allowed'],
  ['policies add up', [{}, ingress()], 'from 1.2.3.4 tcp 1', 'allowed'],
  ['a Pod selector allows Pods of the namespace', [ingress([own])], 'from 10.77.0.3 tcp 80', 'allowed'],
  ['a Pod selector denies Pods of other namespaces', [ingress([own])], 'from 10.77.1.4 tcp 80', 'denied'],
  ['a Pod selector denies other labels', [ingress([{ podSelector: app('x') }])], 'from 10.77.0.3 tcp 80', 'denied'],
  ['a selector ignores properties of objects', [ingress([prototype])], 'from 10.77.0.3 tcp 80', 'denied'],
  ['a namespace selector allows the Pods there', [ingress([blue])], 'from 10.77.1.4 tcp 80', 'allowed'],
  ['a namespace selector denies Pods of other namespaces', [ingress([blue])], 'from 10.77.0.3 tcp 80', 'denied'],
  ['two selectors allow', [ingress([{ ...blue, podSelector: app('client') }])], 'from 10.77.1.4 tcp 80', 'allowed'],
  ['two selectors must match', [ingress([{ ...blue, podSelector: app('web') }])], 'from 10.77.1.4 tcp 80', 'denied'],
  ['two peers are alternatives', [ingress([blue, own])], 'from 10.77.0.3 tcp 80', 'allowed'],
  ['no selector matches a Pod in the network of its node', [ingress([all])], 'from 10.77.0.1 tcp 80', 'denied'],
  ['a peer has addresses of both families', [ingress([own])], 'from fd77::6 tcp 80', 'allowed'],
  ['a block allows its addresses', [ingress([block])], 'from 10.77.0.1 tcp 80', 'allowed'],
  ['a block denies other addresses', [ingress([block])], 'from 11.0.0.0 tcp 80', 'denied'],
  ['a block denies its exceptions', [ingress([holed])], 'from 10.77.0.3 tcp 80', 'denied'],
  ['another peer allows an exception', [ingress([holed, own])], 'from 10.77.0.3 tcp 80', 'allowed'],
  ['a port denies the port below', [ingress([], [{ port: 80 }])], 'from 1.2.3.4 tcp 79', 'denied'],
  ['a port allows itself, of TCP by default', [ingress([], [{ port: 80 }])], 'from 1.2.3.4 tcp 80', 'allowed'],
  ['a port denies the port above', [ingress([], [{ port: 80 }])], 'from 1.2.3.4 tcp 81', 'denied'],
  ['a port denies other protocols', [ingress([], [{ port: 80 }])], 'from 1.2.3.4 udp 80', 'denied'],
  ['a range denies the port below', [ingress([], [range])], 'from 1.2.3.4 udp 79', 'denied'],
  ['a range allows its start', [ingress([], [range])], 'from 1.2.3.4 udp 80', 'allowed'],
  ['a range allows its end', [ingress([], [range])], 'from 1.2.3.4 udp 90', 'allowed'],
  ['a range denies the port above', [ingress([], [range])], 'from 1.2.3.4 udp 91', 'denied'],
  ['a protocol allows all its ports', [ingress([], [{ protocol: 'SCTP' }])], 'from 1.2.3.4 sctp 65535', 'allowed'],
  ['ports and peers must match', [ingress([own], [{ port: 80 }])], 'from 10.77.1.4 tcp 80', 'denied'],
  ['a named port of ingress is that of the Pod', [ingress([], [{ port: 'http' }])], 'from 1.2.3.4 tcp 8080', 'allowed'],
  ['a named port has its protocol', [ingress([], [{ port: 'quic' }])], 'from 1.2.3.4 tcp 8443', 'denied'],
  ['an unknown name allows nothing', [ingress([], [{ port: 'nothing' }])], 'from 1.2.3.4 tcp 8080', 'denied'],
  [
    'a named port of egress is that of the peer',
    [egress([own], [{ port: 'http' }])],
    'to 10.77.0.3 tcp 9090',
    'allowed',
  ],
  [
    'a named port of egress is not that of others',
    [egress([own], [{ port: 'http' }])],
    'to 10.77.0.3 tcp 8080',
    'denied',
  ],
  ['a named port to everywhere leads to Pods', [egress([], [{ port: 'http' }])], 'to 10.77.0.3 tcp 9090', 'allowed'],
  ['a block has no named port', [egress([everywhere], [{ port: 'http' }])], 'to 10.77.0.3 tcp 9090', 'denied'],
  ['egress denies DNS', [egress([own])], 'to 10.77.0.1 udp 53', 'denied'],
  ['the labels of DNS allow it', [egress([dns], [{ protocol: 'UDP', port: 53 }])], 'to 10.77.0.1 udp 53', 'allowed'],
  ['DNS has its protocols', [egress([dns], [{ protocol: 'UDP', port: 53 }])], 'to 10.77.0.1 tcp 53', 'denied'],
  ['DNS has named ports', [egress([dns], [{ port: 'dns-tcp' }])], 'to 10.77.0.1 tcp 53', 'allowed'],
  ['DNS needs its port', [egress([dns], [{ port: 52 }])], 'to 10.77.0.1 tcp 53', 'denied'],
  ['all namespaces have DNS', [egress([all])], 'to fd77::1 tcp 53', 'allowed'],
  ['DNS opens no other port of the node', [egress([all])], 'to 10.77.0.1 tcp 6443', 'denied'],
  ['a block has DNS', [egress([node])], 'to 10.77.0.1 udp 53', 'allowed'],
])('%s', (_, specs, connection, want) => {
  expect(
    check(
      specs.map((spec) => policy(spec)),
      connection,
    ),
  ).toBe(want);
});

test('a policy of another namespace does not select a Pod', () => {
  expect(check([policy({}, 'blue')], 'from 10.77.0.3 tcp 80')).toBe('open');
});

test('a namespace that is not known yet matches no selector', () => {
  const decider = new PolicyDecider({
    policies: [policy({ ingress: [{ from: [{ namespaceSelector: {} }] }] })],
    pods: [pod('new', '10.77.0.9', { namespace: 'green' })],
    namespaces,
    dns: [],
  });
  expect(decider.flowsOf(web, 'Ingress')).toEqual([{ addresses: { ip: [], ip6: [] } }]);
});
