import type { EndpointSlice, Service } from '../../../../src/local/core-v1';
import type { Ingress, IngressBackend } from '../../../../src/local/ingress/networking-v1';
import { match, routesOf, type Backend, type Observed } from '../../../../src/local/ingress/routes';

const service = (name: string, spec: Service['spec'] = {}): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'n' },
  spec: { ports: [{ name: 'http', port: 80, targetPort: 8080 }], ...spec },
});

const slice = (of: string, more: Partial<EndpointSlice> = {}): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: `${of}-1`, namespace: 'n', labels: { 'kubernetes.io/service-name': of } },
  addressType: 'IPv4',
  endpoints: [{ addresses: [`of-${of}`], conditions: { ready: true } }],
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  ...more,
});

const NAMES = ['a', 'b', 'c', 'd'];
const to = (name: string, port: object = { number: 80 }): IngressBackend => ({ service: { name, port } });

/** `host path` -> backend; a path is exact with `=`. */
function ingress(rules: Record<string, string>, spec: Ingress['spec'] = {}, metadata: object = {}): Ingress {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'i', namespace: 'n', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
    spec: {
      rules: Object.entries(rules).map(([key, name]) => {
        const [host = '', path = ''] = key.split(' ');
        const pathType = path.startsWith('=') ? 'Exact' : 'Prefix';
        return { host, http: { paths: [{ path: path.replace('=', ''), pathType, backend: to(name) }] } };
      }),
      ...spec,
    },
  };
}

const observed = (ingresses: Ingress[], more: Partial<Observed> = {}): Observed => ({
  ingresses,
  services: NAMES.map((name) => service(name)),
  slices: NAMES.map((name) => slice(name)),
  certificateProblem: () => undefined,
  ...more,
});

const nameOf = (backend?: Backend): string | undefined => backend?.targets[0]?.host.replace('of-', '');

test.each<[string, Record<string, string>, string, string | undefined]>([
  // the table of Kubernetes' documentation
  ['a prefix of everything', { ' /': 'a' }, 'x /any/path', 'a'],
  ['an exact path', { ' =/foo': 'a' }, 'x /foo', 'a'],
  ['an exact path with a slash at its end', { ' =/foo': 'a' }, 'x /foo/', undefined],
  ['an exact path that ends with a slash', { ' =/foo/': 'a' }, 'x /foo', undefined],
  ['another exact path', { ' =/foo': 'a' }, 'x /bar', undefined],
  ['a prefix that is the whole path', { ' /foo': 'a' }, 'x /foo', 'a'],
  ['a prefix and a slash', { ' /foo': 'a' }, 'x /foo/', 'a'],
  ['a prefix that ends with a slash', { ' /foo/': 'a' }, 'x /foo', 'a'],
  ['a part of an element', { ' /aaa/bb': 'a' }, 'x /aaa/bbb', undefined],
  ['two elements', { ' /aaa/bbb': 'a' }, 'x /aaa/bbb', 'a'],
  ['two elements with a slash', { ' /aaa/bbb/': 'a' }, 'x /aaa/bbb', 'a'],
  ['a longer path', { ' /aaa/bbb': 'a' }, 'x /aaa/bbb/ccc', 'a'],
  ['a prefix without a slash at its end', { ' /aaa/bbb': 'a' }, 'x /aaa/bbbxyz', undefined],
  ['case', { ' /foo': 'a' }, 'x /FOO', undefined],
  ['the longest prefix', { ' /': 'a', ' /aaa': 'b', ' /aaa/bbb': 'c' }, 'x /aaa/ccc', 'b'],
  ['the longest prefix in another order', { ' /aaa/bbb': 'c', ' /': 'a', ' /aaa': 'b' }, 'x /aaa/bbb', 'c'],
  ['a prefix beside an exact path', { ' /foo': 'a', ' =/foo': 'b' }, 'x /foo', 'b'],
  ['a prefix with a slash beside an exact path', { ' /foo/': 'a', ' =/foo': 'b' }, 'x /foo', 'b'],
  ['below an exact path', { ' /foo': 'a', ' =/foo': 'b' }, 'x /foo/1', 'a'],
  // hosts
  ['its host', { 'a.io /': 'a', 'b.io /': 'b' }, 'b.io /', 'b'],
  ['a host in other letters and with a dot', { 'a.io /': 'a' }, 'A.io. /', 'a'],
  ['another host', { 'a.io /': 'a' }, 'b.io /', undefined],
  ['a wildcard', { '*.a.io /': 'a' }, 'x.a.io /', 'a'],
  ['a wildcard of two labels', { '*.a.io /': 'a' }, 'x.y.a.io /', undefined],
  ['a wildcard of no label', { '*.a.io /': 'a' }, 'a.io /', undefined],
  ['a host before a wildcard', { '*.a.io /': 'a', 'x.a.io /': 'b' }, 'x.a.io /', 'b'],
  ['a wildcard before any host', { ' /': 'a', '*.a.io /': 'b' }, 'x.a.io /', 'b'],
  ['any host, if no path of the host matches', { ' /': 'a', 'a.io /x': 'b' }, 'a.io /y', 'a'],
  ['no prototype key', { 'a.io /': 'a' }, '__proto__ /', undefined],
])('a request is routed by %s', (_, rules, request, want) => {
  const [host = '', path = ''] = request.split(' ');
  const { table } = routesOf(observed([ingress(rules)]));
  expect(nameOf(match(table, host, path))).toBe(want);
});

test.each<[string, Ingress[], string, string | undefined]>([
  ['an Ingress without rules', [ingress({}, { defaultBackend: to('d') })], 'x /', 'd'],
  ['an Ingress whose paths do not match', [ingress({ 'a.io /x': 'a' }, { defaultBackend: to('d') })], 'a.io /y', 'd'],
  ['a request for another host', [ingress({ 'a.io /x': 'a' }, { defaultBackend: to('d') })], 'b.io /', 'd'],
  [
    'the Ingress of the host before others',
    [
      ingress({}, { defaultBackend: to('c') }, { name: 'first', creationTimestamp: '2025-01-01T00:00:00Z' }),
      ingress({ 'a.io /x': 'a' }, { defaultBackend: to('d') }),
    ],
    'a.io /y',
    'd',
  ],
  [
    'the older of two',
    [
      ingress({}, { defaultBackend: to('d') }, { name: 'new', creationTimestamp: '2026-01-01T00:00:01Z' }),
      ingress({}, { defaultBackend: to('c') }, { name: 'old' }),
    ],
    'x /',
    'c',
  ],
])('a default backend gets the requests of %s', (_, ingresses, request, want) => {
  const [host = '', path = ''] = request.split(' ');
  expect(nameOf(match(routesOf(observed(ingresses)).table, host, path))).toBe(want);
});

test('of two Ingresses with the same rule, the older one wins, then the first by name', () => {
  const rule = (name: string, backend: string, creationTimestamp: string) =>
    ingress({ 'a.io /': backend }, {}, { name, creationTimestamp });
  const of = (...ingresses: Ingress[]) => nameOf(match(routesOf(observed(ingresses)).table, 'a.io', '/'));
  expect(of(rule('x', 'a', '2026-01-02T00:00:00Z'), rule('y', 'b', '2026-01-01T00:00:00Z'))).toBe('b');
  expect(of(rule('y', 'a', '2026-01-01T00:00:00Z'), rule('x', 'b', '2026-01-01T00:00:00Z'))).toBe('b');
});

const NO_PORT = 'Service "a" has no TCP port';
test.each<[string, IngressBackend, Partial<Observed>, string[]]>([
  ['a number', to('a'), {}, []],
  ['a name', to('a', { name: 'http' }), {}, []],
  ['an unknown number', to('a', { number: 81 }), {}, [`PortNotFound ${NO_PORT} 81: its ports are 80 ("http")`]],
  ['an unknown name', to('a', { name: 'x' }), {}, [`PortNotFound ${NO_PORT} "x": its ports are 80 ("http")`]],
  [
    'another protocol',
    to('a'),
    { services: [service('a', { ports: [{ port: 80, protocol: 'UDP' }] })] },
    [`PortNotFound ${NO_PORT} 80: its ports are 80`],
  ],
  [
    'a missing Service',
    to('z'),
    {},
    ['ServiceNotFound Service "z" does not exist in namespace "n": create it, or correct the name of the backend'],
  ],
  [
    'a name outside of the cluster',
    to('a'),
    { services: [service('a', { type: 'ExternalName' })] },
    ['UnsupportedBackend Service "a" has type ExternalName: name a Service that selects Pods'],
  ],
  [
    'a resource',
    { resource: { kind: 'Bucket', name: 'b' } },
    {},
    ['UnsupportedBackend backend Bucket "b" is not supported: name a Service'],
  ],
])('a backend with %s is resolved', (_, backend, more, want) => {
  const { table, problems } = routesOf(observed([ingress({}, { defaultBackend: backend })], more));
  expect((problems.get('n/i') ?? []).map(({ reason, message }) => `${reason} ${message}`)).toEqual(want);
  expect(match(table, '', '/')!.targets).toHaveLength(want.length ? 0 : 1);
});

const endpoint = (host: string, ready?: boolean, uid?: string) => ({
  addresses: [host],
  conditions: { ready },
  targetRef: { uid },
});
test.each<[string, EndpointSlice[], string[]]>([
  [
    'ready endpoints',
    [slice('a', { endpoints: [endpoint('1', true), endpoint('2', false), endpoint('3')] })],
    ['1', '3'],
  ],
  ['no endpoints', [slice('a', { endpoints: undefined })], []],
  ['another port', [slice('a', { ports: [{ name: 'x', port: 8080 }] })], []],
  ['another namespace', [{ ...slice('a'), metadata: { ...slice('a').metadata, namespace: 'm' } }], []],
  [
    'one address of a Pod with both families',
    [
      slice('a', { addressType: 'IPv6', endpoints: [endpoint('f::1', true, 'u')] }),
      slice('a', { endpoints: [endpoint('1', true, 'u')] }),
    ],
    ['1'],
  ],
])('a backend has %s', (_, slices, want) => {
  const { table, problems } = routesOf(observed([ingress({ ' /': 'a' })], { slices }));
  const { targets, problem } = match(table, '', '/')!;
  expect(targets.map(({ host }) => host)).toEqual(want);
  expect(problem).toBe('Service "a" has no ready endpoints');
  // it is not a mistake of the user that Pods still start
  expect(problems.size).toBe(0);
});

test('a port with the protocol https is reached with TLS', () => {
  const slices = [slice('a', { ports: [{ name: 'http', port: 8443, appProtocol: 'https' }] })];
  const { table } = routesOf(observed([ingress({ ' /': 'a' })], { slices }));
  expect(match(table, '', '/')!.targets).toEqual([{ host: 'of-a', port: 8443, tls: true }]);
});

test('certificates belong to the named hosts, or to those of the rules', () => {
  const { table, problems } = routesOf(
    observed(
      [
        ingress({ 'a.io /': 'a' }, { tls: [{ secretName: 's' }, { hosts: ['*.b.io', 'a.io'], secretName: 't' }, {}] }),
        ingress({}, { tls: [{ hosts: ['a.io'], secretName: 'late' }] }, { name: 'z' }),
      ],
      { certificateProblem: (secret) => (secret === 'n/t' ? 'is broken' : undefined) },
    ),
  );
  expect(Object.fromEntries(table.certificates)).toEqual({ 'a.io': 'n/s', '*.b.io': 'n/t' });
  expect(problems.get('n/i')).toEqual([
    {
      reason: 'CertificateMissing',
      message:
        'Secret "t" is broken, so a self-signed certificate is used: run kubectl create secret tls t -n n --cert=FILE --key=FILE',
    },
  ]);
});

test('a problem of several paths is reported once', () => {
  const { problems } = routesOf(observed([ingress({ ' /x': 'z', ' /y': 'z' })]));
  expect(problems.get('n/i')).toHaveLength(1);
});
