import type { NetworkPolicy, PolicyPod } from '../../../../../src/local/network/policy/networking-v1';
import { policyPod } from '../../../../../src/local/network/policy/policies';
import { policyTable } from '../../../../../src/local/network/policy/policy-table';
import { vethName } from '../../../../../src/local/network/names';
import type { Pod } from '../../../../../src/local/core-v1';

const pod = (uid: string, address: string, labels: Record<string, string> = {}): PolicyPod => ({
  uid,
  namespace: 'ns',
  labels,
  hostNetwork: false,
  addresses: [address],
  ports: [],
});
const policy = (spec: NetworkPolicy['spec']): NetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'p', namespace: 'ns' },
  spec,
});
const table = (policies: NetworkPolicy[], local: PolicyPod[], pods = local): string =>
  policyTable({ id: 'x', policies, local, pods, namespaces: new Map([['ns', {}]]), dns: ['10.77.0.1'] });

const [a, b] = [pod('a', '10.77.0.2'), pod('b', '10.77.0.3')];
const [linkA, linkB] = [vethName('x', 'a'), vethName('x', 'b')];
const REMOVAL = 'table inet virt8s_x_policies\ndelete table inet virt8s_x_policies\n';

test.each<[string, NetworkPolicy[], PolicyPod[]]>([
  ['no policy exists', [], [a]],
  ['the node has no Pod', [policy({})], []],
  ['no policy selects a Pod', [policy({ podSelector: { matchLabels: { app: 'x' } } })], [a]],
  ['the only Pod has the network of the node', [policy({})], [{ ...a, hostNetwork: true }]],
  ['all is allowed', [policy({ ingress: [{}] })], [a]],
])('the table is removed if %s', (_, policies, pods) => expect(table(policies, pods)).toBe(REMOVAL));

test('the whole table', () => {
  const spec: NetworkPolicy['spec'] = {
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      { from: [{ podSelector: {} }, { ipBlock: { cidr: 'fd00::/64' } }], ports: [{ port: 80 }, { protocol: 'UDP' }] },
    ],
    egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ port: 443 }, { port: 8000, endPort: 8010 }] }],
  };
  expect(table([policy(spec)], [b, a])).toBe(`${REMOVAL}table inet virt8s_x_policies {
  set peers-1 {
    type ipv4_addr
    flags interval
    elements = { 10.77.0.2-10.77.0.3 }
  }
  set peers-2 {
    type ipv6_addr
    flags interval
    elements = { fd00::-fd00::ffff:ffff:ffff:ffff }
  }
  set self {
    type ifname . ifname
    elements = { "${linkA}" . "${linkA}", "${linkB}" . "${linkB}" }
  }
  chain egress-1 {
    meta nfproto ipv4 tcp dport { 443, 8000-8010 } return
    drop
  }
  chain ingress-1 {
    iifname "${linkA.slice(0, 7)}*" fib saddr . iif oif missing drop
    ip saddr @peers-1 tcp dport { 80 } return
    ip saddr @peers-1 meta l4proto udp return
    ip6 saddr @peers-2 tcp dport { 80 } return
    ip6 saddr @peers-2 meta l4proto udp return
    drop
  }
  map egress {
    type ifname : verdict
    elements = { "${linkA}" : jump egress-1, "${linkB}" : jump egress-1 }
  }
  map ingress {
    type ifname : verdict
    elements = { "${linkA}" : jump ingress-1, "${linkB}" : jump ingress-1 }
  }
  chain forward {
    type filter hook forward priority filter; policy accept;
    ct state established,related accept
    iifname . oifname @self accept
    iifname vmap @egress
    oifname vmap @ingress
  }
  chain input {
    type filter hook input priority filter; policy accept;
    ct state established,related accept
    icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept
    iifname vmap @egress
  }
}
`);
});

test('a direction without restriction has no entry', () => {
  const text = table([policy({ policyTypes: ['Ingress', 'Egress'], egress: [{}] })], [a]);
  expect(text).toContain('map egress {\n    type ifname : verdict\n  }');
  expect(text).toContain(`"${linkA}" : jump ingress-1`);
});

test('the same input in another order has the same text', () => {
  const policies = [policy({ ingress: [{ from: [{ podSelector: {} }] }] })];
  expect(table(policies, [a, b])).toBe(table(policies, [b, a], [a, b]));
});

test('a Pod is known by its link before it has an address', () => {
  expect(table([policy({})], [{ ...a, addresses: [] }])).toContain(`"${linkA}" : jump ingress-1`);
});

test('a status cannot write rules', () => {
  const text = table(
    [policy({ ingress: [{ from: [{ podSelector: {} }] }] })],
    [a],
    [{ ...a, addresses: ['1.2.3.4 }; #'] }],
  );
  expect(text).not.toContain('#');
});

test('a Pod is reduced to what policies need', () => {
  const given: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { uid: 'u', namespace: 'ns', name: 'p', labels: { app: 'x' } },
    spec: {
      nodeName: 'n',
      initContainers: [{ name: 'i', ports: [{ name: 'side', containerPort: 1, protocol: 'UDP' }] }],
      containers: [{ name: 'c', ports: [{ containerPort: 2 }, { name: 'web', containerPort: 80 }] }],
    },
    status: { phase: 'Running', podIPs: [{ ip: '10.77.0.2' }, { ip: 'fd77::2' }] },
  };
  const want = {
    uid: 'u',
    namespace: 'ns',
    labels: { app: 'x' },
    nodeName: 'n',
    hostNetwork: false,
    addresses: ['10.77.0.2', 'fd77::2'],
    ports: [
      { name: 'side', protocol: 'UDP', port: 1 },
      { name: 'web', protocol: 'TCP', port: 80 },
    ],
  };
  expect(policyPod(given)).toEqual(want);
  expect(policyPod({ ...given, status: { ...given.status, phase: 'Failed' } })).toEqual({ ...want, addresses: [] });
});
