import { ingress } from '../../../../../src/local/api-server/kinds/ingress';
import { ingressClass } from '../../../../../src/local/api-server/kinds/ingress-class';
import { networkPolicy } from '../../../../../src/local/api-server/kinds/network-policy';
import { podDisruptionBudget } from '../../../../../src/local/api-server/kinds/policy';
import { Kind } from '../../../../../src/local/api-server/registry/kind';
import { Fields } from '../../../../../src/local/api-server/validation/fields';

const reported = (kind: Kind, spec: object, metadata: object = {}): string[] => {
  const object = {
    apiVersion: 'v1',
    kind: kind.kind,
    metadata: { name: 'x', ...metadata },
    spec: JSON.parse(JSON.stringify(spec)),
  };
  kind.decode(object);
  const fields = Fields.root();
  kind.validate(object, fields);
  return fields.causes.map(({ field, message }) => `${field}: ${message}`);
};

const backend = { service: { name: 's', port: { number: 80 } } };
const path = (more: object) => ({
  rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...more }] } }],
});
const AT = 'spec.rules[0].http.paths[0]';

test.each<[string, object, string[]]>([
  ['a default backend', { defaultBackend: backend }, []],
  ['nothing', {}, ['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified']],
  [
    'an address as host',
    { rules: [{ host: '1.2.3.4' }] },
    ['spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address'],
  ],
  ['a wildcard', { rules: [{ host: '*.example.com' }] }, []],
  ['no path type', path({ pathType: undefined }), [`${AT}.pathType: Required value: pathType must be specified`]],
  ['a relative path', path({ path: 'x' }), [`${AT}.path: Invalid value: "x": must be an absolute path`]],
  ['an empty segment', path({ path: '/a//b' }), [`${AT}.path: Invalid value: "/a//b": must not contain '//'`]],
  ['no backend', path({ backend: {} }), [`${AT}.backend: Invalid value: "": resource or service backend is required`]],
  [
    'no port',
    path({ backend: { service: { name: 's' } } }),
    [`${AT}.backend: Required value: port name or number is required`],
  ],
  [
    'a port too high',
    path({ backend: { service: { name: 's', port: { number: 65536 } } } }),
    [`${AT}.backend.service.port.number: Invalid value: 65536: must be between 1 and 65535, inclusive`],
  ],
])('an Ingress with %s is validated', (_, spec, want) => expect(reported(ingress, spec)).toEqual(want));

test('the class of an Ingress is the same in both places', () => {
  const annotations = { 'kubernetes.io/ingress.class': 'a' };
  const spec = { defaultBackend: backend, ingressClassName: 'b' };
  expect(reported(ingress, spec, { annotations })).toEqual([
    'annotations.kubernetes.io/ingress.class: Invalid value: "a": must match `ingressClassName` when both are specified',
  ]);
});

const REGEX = "regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+'";
const parameters = (more: object) => ({ controller: 'a.io/b', parameters: { kind: 'K', name: 'n', ...more } });
const PARAMETERS = 'spec.parameters';

test.each<[string, object, string[]]>([
  ['a controller', { controller: 'a.io/b/c' }, []],
  ['no controller', {}, ['spec.controller: Required value']],
  [
    'a controller without a domain',
    { controller: '/b' },
    ['spec.controller: Invalid value: "/b": must be a domain-prefixed path (such as "acme.io/foo")'],
  ],
  ['a wrong path', { controller: 'a.io/b c' }, [`spec.controller: Invalid value: "b c": Invalid path (${REGEX})`]],
  ['250 bytes', { controller: `a.io/${'b'.repeat(245)}` }, []],
  [
    '251 bytes',
    { controller: `a.io/${'b'.repeat(246)}` },
    ['spec.controller: Too long: may not be more than 250 bytes'],
  ],
  ['parameters of the cluster', parameters({}), []],
  ['parameters of a namespace', parameters({ scope: 'Namespace', namespace: 'n' }), []],
  [
    'parameters of an unnamed namespace',
    parameters({ scope: 'Namespace' }),
    [`${PARAMETERS}.namespace: Required value: \`parameters.scope\` is set to 'Namespace'`],
  ],
  [
    'a namespace for parameters of the cluster',
    parameters({ namespace: 'n' }),
    [`${PARAMETERS}.namespace: Forbidden: \`parameters.scope\` is set to 'Cluster'`],
  ],
  [
    'parameters of another scope',
    parameters({ scope: 'World', kind: 'a/b', name: '' }),
    [
      `${PARAMETERS}.kind: Invalid value: "a/b": may not contain '/'`,
      `${PARAMETERS}.name: Required value`,
      `${PARAMETERS}.scope: Unsupported value: "World": supported values: "Cluster", "Namespace"`,
    ],
  ],
])('an IngressClass with %s is validated', (_, spec, want) => expect(reported(ingressClass, spec)).toEqual(want));

test('the controller of an IngressClass is immutable', () => {
  const of = (controller: string) => ({ apiVersion: 'v1', kind: 'IngressClass', metadata: {}, spec: { controller } });
  const fields = Fields.root();
  ingressClass.validateUpdate(of('a.io/b'), of('a.io/c'), fields);
  expect(fields.causes.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    'spec.controller: Invalid value: "a.io/b": field is immutable',
  ]);
});

test.each([
  ['a', {}, 'acme.io/c', undefined, ['a', 'acme.io/c', '<none>']],
  ['b', { 'ingressclass.kubernetes.io/is-default-class': 'true' }, 'c', undefined, ['b (default)', 'c', '<none>']],
  ['c', {}, 'c', { kind: 'K', name: 'n' }, ['c', 'c', 'K/n']],
  ['d', {}, 'c', { apiGroup: 'g.io', kind: 'K', name: 'n' }, ['d', 'c', 'K.g.io/n']],
])('the row of IngressClass %s names its controller and parameters', (name, annotations, controller, given, want) => {
  const object = { apiVersion: 'v1', kind: 'IngressClass', metadata: { name, annotations } };
  const row = ingressClass.printer.row({ ...object, spec: { controller, parameters: given } }, 0);
  expect(row.slice(0, 3)).toEqual(want);
});

const port = (more: object) => ({ podSelector: {}, ingress: [{ ports: [more] }] });
const peer = (more: object) => ({ podSelector: {}, ingress: [{ from: [more] }] });
const block = (cidr: string, ...except: string[]) => peer({ ipBlock: { cidr, except } });

test.each<[string, object, string[]]>([
  ['nothing', {}, []],
  ['port 65535', port({ port: 65535 }), []],
  [
    'port 65536',
    port({ port: 65536 }),
    ['spec.ingress[0].ports[0].port: Invalid value: 65536: must be between 1 and 65535, inclusive'],
  ],
  ['a range of one port', port({ port: 80, endPort: 80 }), []],
  [
    'a range that ends before it begins',
    port({ port: 80, endPort: 79 }),
    ['spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`'],
  ],
  ['no peer', peer({}), ['spec.ingress[0].from[0]: Required value: must specify a peer']],
  ['a smaller exception', block('10.0.0.0/8', '10.1.0.0/16'), []],
  [
    'the same range as exception',
    block('10.0.0.0/8', '10.0.0.0/8'),
    ['spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`'],
  ],
  [
    'an exception elsewhere',
    block('10.0.0.0/8', '1.2.3.0/24'),
    ['spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "1.2.3.0/24": must be a strict subset of `cidr`'],
  ],
  [
    'three types',
    { policyTypes: ['Ingress', 'Egress', 'Ingress'] },
    ['spec.policyTypes: Invalid value: ["Ingress","Egress","Ingress"]: may not specify more than two policyTypes'],
  ],
])('a NetworkPolicy with %s is validated', (_, spec, want) => expect(reported(networkPolicy, spec)).toEqual(want));

test('a NetworkPolicy gets its types and protocols', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'NetworkPolicy',
    metadata: {},
    spec: { ...port({ port: 80 }), egress: [{}] },
  };
  networkPolicy.decode(object);
  expect(object.spec).toMatchObject({
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ ports: [{ port: 80, protocol: 'TCP' }] }],
  });
});

test.each<[string, object, string[]]>([
  ['0', { minAvailable: 0 }, []],
  [
    'less than 0',
    { maxUnavailable: -1 },
    ['spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0'],
  ],
  ['100 %', { maxUnavailable: '100%' }, []],
  ['101 %', { maxUnavailable: '101%' }, ['spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%']],
])('a budget of %s is validated', (_, spec, want) => expect(reported(podDisruptionBudget, spec)).toEqual(want));
