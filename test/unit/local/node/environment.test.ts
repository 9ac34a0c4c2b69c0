import { argumentsOf, environmentOf, expand, resourceOf } from '../../../../src/local/node/pods/environment';
import { qosClassOf } from '../../../../src/local/node/pods/qos';
import {
  forbiddenSysctl,
  hostnameOf,
  hostsFile,
  resolvConf,
  sysctlPath,
} from '../../../../src/local/node/pods/sandbox';
import { quantityOf, milliOf } from '../../../../src/local/quantity';
import { capabilitiesOf } from '../../../../src/local/node/runtime/capabilities';
import { parseLine } from '../../../../src/local/node/kubelet-api/logs';
import { formatHeaders, parseHeaders } from '../../../../src/local/node/kubelet-api/spdy';
import type { Container, Pod } from '../../../../src/local/core-v1';

const pod = (spec: Partial<Pod['spec']> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'ns', uid: 'u', labels: { b: '2', a: '1' } },
  spec: { containers: [{ name: 'c' }], ...spec },
});
const facts = {
  podIPs: ['10.0.0.2', 'fd::2'],
  hostIPs: ['10.0.0.1'],
  nodeName: 'n',
  allocatable: { memory: '1Gi', cpu: '2' },
};
const sources = {
  configMap: (name: string) => (name === 'cm' ? { K: 'v', 'bad key': 'x' } : undefined),
  secret: () => undefined,
};

test.each([
  ['$(A)', 'one'],
  ['$(A)/$(B)', 'one/$(B)'],
  ['$$(A)', '$(A)'],
  ['$$$(A)', '$one'],
  ['$A $( $(A', '$A $( $(A'],
])('%s expands to %s', (text, want) => expect(expand(text, new Map([['A', 'one']]))).toBe(want));

test('later variables see earlier ones, envFrom comes first, invalid names are left out', () => {
  const container: Container = {
    name: 'c',
    envFrom: [{ prefix: 'P_', configMapRef: { name: 'cm' } }, { secretRef: { name: 'no', optional: true } }],
    env: [
      { name: 'A', value: '$(P_K)-$(B)' },
      { name: 'B', value: '$(A)' },
      { name: 'LABELS', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } },
      { name: 'ONE', valueFrom: { fieldRef: { fieldPath: "metadata.labels['b']" } } },
      { name: 'IPS', valueFrom: { fieldRef: { fieldPath: 'status.podIPs' } } },
    ],
  };
  expect(Object.fromEntries(environmentOf(pod(), container, facts, sources))).toEqual({
    P_K: 'v',
    A: 'v-$(B)',
    B: 'v-$(B)',
    LABELS: 'a="1"\nb="2"',
    ONE: '2',
    IPS: '10.0.0.2,fd::2',
  });
});

test.each<[string, Container, string]>([
  ['a missing ConfigMap', { name: 'c', envFrom: [{ configMapRef: { name: 'none' } }] }, 'configmap "none" not found'],
  [
    'a missing key',
    { name: 'c', env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'cm', key: 'no' } } }] },
    "couldn't find key no in ConfigMap ns/cm",
  ],
])('%s is an error that names it', (_, container, want) =>
  expect(() => environmentOf(pod(), container, facts, sources)).toThrow(want),
);

test.each<[string, Partial<Container>, string[]]>([
  ['the image alone', {}, ['entry', 'cmd']],
  ['args replace the command', { args: ['$(A)'] }, ['entry', 'one']],
  ['command replaces both', { command: ['x'] }, ['x']],
  ['both', { command: ['x'], args: ['y'] }, ['x', 'y']],
])('command line: %s', (_, container, want) =>
  expect(
    argumentsOf({ name: 'c', ...container }, { Entrypoint: ['entry'], Cmd: ['cmd'] }, new Map([['A', 'one']])),
  ).toEqual(want),
);

test('an unset limit is the capacity of the node', () => {
  const container: Container = { name: 'c', resources: { requests: { cpu: '1500m' } } };
  const of = (resource: string, divisor?: string) =>
    resourceOf(pod({ containers: [container] }), container, { resource, divisor }, facts);
  expect([of('limits.memory', '1Mi'), of('requests.cpu'), of('requests.cpu', '1m')]).toEqual(['1024', '2', '1500']);
});

test.each<[string, number]>([
  ['1Ki', 1024],
  ['1.5G', 1.5e9],
  ['2e3', 2000],
  ['100m', 0.1],
  ['-1', -1],
  ['x', 0],
])('quantity %s is %d', (text, want) => expect(quantityOf(text)).toBeCloseTo(want));
test('cpu is rounded up to thousandths', () => expect(milliOf('0.0001')).toBe(1));

test.each<[string, object[], string]>([
  ['nothing', [{}], 'BestEffort'],
  [
    'requests equal limits',
    [{ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } }],
    'Guaranteed',
  ],
  ['limits only', [{ limits: { cpu: '1', memory: '1Gi' } }], 'Guaranteed'],
  ['one container without', [{ limits: { cpu: '1', memory: '1Gi' } }, {}], 'Burstable'],
  ['a request', [{ requests: { memory: '1' } }], 'Burstable'],
])('quality of service with %s', (_, list, want) =>
  expect(qosClassOf(pod({ containers: list.map((resources, index) => ({ name: String(index), resources })) }))).toBe(
    want,
  ),
);

const ALL = new Set(['CHOWN', 'NET_BIND_SERVICE', 'NET_ADMIN', 'KILL']);
test.each<[string, object | undefined, boolean, string[]]>([
  ['default', undefined, false, ['CAP_CHOWN', 'CAP_NET_BIND_SERVICE', 'CAP_KILL']],
  ['drop ALL, add one', { drop: ['ALL'], add: ['NET_BIND_SERVICE'] }, false, ['CAP_NET_BIND_SERVICE']],
  ['drop one', { drop: ['KILL'] }, false, ['CAP_CHOWN', 'CAP_NET_BIND_SERVICE']],
  [
    'add ALL, drop one',
    { add: ['ALL'], drop: ['CAP_KILL'] },
    false,
    ['CAP_CHOWN', 'CAP_NET_BIND_SERVICE', 'CAP_NET_ADMIN'],
  ],
  ['privileged', undefined, true, ['CAP_CHOWN', 'CAP_KILL', 'CAP_NET_BIND_SERVICE', 'CAP_NET_ADMIN']],
  [
    'what the engine lacks is left out',
    { add: ['SYS_ADMIN'] },
    false,
    ['CAP_CHOWN', 'CAP_NET_BIND_SERVICE', 'CAP_KILL'],
  ],
])('capabilities: %s', (_, wanted, privileged, want) => expect(capabilitiesOf(wanted, privileged, ALL)).toEqual(want));

const HOST = 'search example.org\nnameserver 192.0.2.53\noptions edns0\n';
test.each<[string, Partial<Pod['spec']>, string]>([
  ['ClusterFirst', {}, 'search ns.svc.d svc.d d example.org\nnameserver 10.77.0.1\noptions ndots:5\n'],
  ['Default', { dnsPolicy: 'Default' }, 'search example.org\nnameserver 192.0.2.53\noptions edns0\n'],
  ['hostNetwork', { hostNetwork: true }, 'search example.org\nnameserver 192.0.2.53\noptions edns0\n'],
  [
    'None',
    { dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1'], options: [{ name: 'ndots', value: '2' }] } },
    'nameserver 1.1.1.1\noptions ndots:2\n',
  ],
])('resolv.conf of %s', (_, spec, want) => expect(resolvConf(pod(spec), '10.77.0.1', 'd', HOST)).toBe(want));

test("host names are the Pod's, short, or full with a subdomain", () => {
  const of = (spec: Partial<Pod['spec']>) => hostnameOf(pod(spec), { nodeName: 'n', clusterDomain: 'd' });
  expect([
    of({}),
    of({ hostname: 'h' }),
    of({ hostNetwork: true }),
    of({ hostname: 'h', subdomain: 's', setHostnameAsFQDN: true }),
  ]).toEqual(['web', 'h', 'n', 'h.s.ns.svc.d']);
  expect(
    hostsFile(
      pod({ subdomain: 's', hostAliases: [{ ip: '1.2.3.4', hostnames: ['a', 'b'] }] }),
      ['10.0.0.2'],
      'web',
      'd',
    ),
  ).toMatch(/^10\.0\.0\.2\tweb\.s\.ns\.svc\.d\tweb$[\s\S]*^1\.2\.3\.4\ta\tb$/m);
  expect([sysctlPath('net.ipv4.ip_forward'), sysctlPath('net/ipv4/conf/eth0.1/forwarding')]).toEqual([
    '/proc/sys/net/ipv4/ip_forward',
    '/proc/sys/net/ipv4/conf/eth0.1/forwarding',
  ]);
});

test('log entries are read with their stream, also empty and partial ones', () => {
  expect(parseLine('2026-11-20T13:30:00.1+00:00 stdout F hello world')).toEqual({
    time: '2026-11-20T13:30:00.1+00:00',
    stream: 'stdout',
    partial: false,
    text: 'hello world',
  });
  expect(parseLine('t stderr P ')).toMatchObject({ stream: 'stderr', partial: true, text: '' });
  expect(parseLine('rubbish')).toBeUndefined();
});

test('SPDY header blocks survive a round trip in lower case', () => {
  expect(parseHeaders(formatHeaders({ StreamType: 'data', port: '80' }))).toEqual({ streamtype: 'data', port: '80' });
});

test.each<[string, boolean, string | undefined]>([
  ['net.ipv4.tcp_syncookies', false, undefined],
  ['net.ipv4.tcp_syncookies', true, 'net.ipv4.tcp_syncookies'],
  ['kernel.shm_rmid_forced', false, undefined],
  ['kernel.panic', false, 'kernel.panic'],
  ['vm.overcommit_memory', false, 'vm.overcommit_memory'],
  ['net/../vm/swappiness', false, 'net/../vm/swappiness'],
])('sysctl %s with hostNetwork %s', (name, hostNetwork, want) =>
  expect(forbiddenSysctl(pod({ hostNetwork, securityContext: { sysctls: [{ name, value: '1' }] } }))).toBe(want),
);
