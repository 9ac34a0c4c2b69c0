import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';

let server: TestApiServer;
let send: Send;

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
});

afterAll(() => server.close());

const NS = '/api/v1/namespaces/default';
const container = { name: 'c', image: 'i' };
const pod = (spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
const podOf = (more: object) => pod({ containers: [{ ...container, ...more }] });
const service = (spec: object, name = 's') => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec });
const claim = (spec: object) => ({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'x' }, spec });
const map = (more: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, ...more });
const secret = (more: object) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' }, ...more });
const decoding = (kind: string, why: string) => `${kind} in version "v1" cannot be handled as a ${kind}: ${why}`;
const unmarshal = (what: string, field: string, type: string) =>
  decoding('Pod', `json: cannot unmarshal ${what} into Go struct field ${field} of type ${type}`);

/** Mistake, path of the request, and answer. Wording of Kubernetes 1.36. */
const pods: [string, object, number, string][] = [
  ['no containers', pod({}), 422, 'Pod "p" is invalid: spec.containers: Required value'],
  [
    'no image',
    pod({ containers: [{ name: 'c' }] }),
    422,
    'Pod "p" is invalid: spec.containers[0].image: Required value',
  ],
  [
    'two containers of one name',
    pod({ containers: [container, container] }),
    422,
    'Pod "p" is invalid: spec.containers[1].name: Duplicate value: "c"',
  ],
  [
    'an unknown restart policy',
    pod({ containers: [container], restartPolicy: 'Sometimes' }),
    422,
    'Pod "p" is invalid: spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
  ],
  [
    'a mount without a volume',
    podOf({ volumeMounts: [{ name: 'v', mountPath: '/x' }] }),
    422,
    'Pod "p" is invalid: spec.containers[0].volumeMounts[0].name: Not found: "v"',
  ],
  [
    'a request above its limit',
    podOf({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
    422,
    'Pod "p" is invalid: spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ],
  [
    'a port out of range',
    podOf({ ports: [{ containerPort: 70000 }] }),
    422,
    'Pod "p" is invalid: spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    'a bad quantity',
    podOf({ resources: { requests: { cpu: 'lots' } } }),
    400,
    decoding('Pod', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
  ],
  ['text for a list', pod({ containers: 'x' }), 400, unmarshal('string', 'PodSpec.spec.containers', '[]v1.Container')],
  [
    'text for a number',
    pod({ containers: [container], terminationGracePeriodSeconds: '30' }),
    400,
    unmarshal('string', 'PodSpec.spec.terminationGracePeriodSeconds', 'int64'),
  ],
  [
    'a number for text',
    podOf({ env: [{ name: 'a', value: 1 }] }),
    400,
    unmarshal('number', 'EnvVar.spec.containers.env.value', 'string'),
  ],
  [
    'a ServiceAccount that is not there',
    pod({ containers: [container], serviceAccountName: 'nope' }),
    403,
    'pods "p" is forbidden: error looking up service account default/nope: serviceaccount "nope" not found',
  ],
  [
    'a PriorityClass that is not there',
    pod({ containers: [container], priorityClassName: 'nope' }),
    403,
    'pods "p" is forbidden: no PriorityClass with name nope was found',
  ],
  [
    'a probe at no port',
    podOf({ livenessProbe: { httpGet: { port: 0 } } }),
    422,
    'Pod "p" is invalid: spec.containers[0].livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive',
  ],
  [
    'a hook that does nothing',
    podOf({ lifecycle: { preStop: {} } }),
    422,
    'Pod "p" is invalid: spec.containers[0].lifecycle.preStop: Required value: must specify a handler type',
  ],
  [
    'a user below zero',
    podOf({ securityContext: { runAsUser: -1 } }),
    422,
    'Pod "p" is invalid: spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
  ],
  [
    'privileges and none',
    podOf({ securityContext: { privileged: true, allowPrivilegeEscalation: false } }),
    422,
    'Pod "p" is invalid: spec.containers[0].securityContext: Invalid value: {"Capabilities":null,"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
  ],
  [
    'an unknown seccomp profile',
    podOf({ securityContext: { seccompProfile: { type: 'Q' } } }),
    422,
    'Pod "p" is invalid: spec.containers[0].securityContext.seccompProfile.type: Unsupported value: "Q": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
  ],
  [
    'a variable from an unknown field',
    podOf({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.foo' } } }] }),
    422,
    'Pod "p" is invalid: spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.foo": error converting fieldPath: field label not supported: metadata.foo',
  ],
  [
    'another kind',
    map({}),
    400,
    'ConfigMap in version "v1" cannot be handled as a Pod: converting (v1.ConfigMap) to (core.Pod): unknown conversion',
  ],
];

const others: [string, string, string, object | undefined, number, string][] = [
  [
    'a Service without ports',
    'POST',
    `${NS}/services`,
    service({}),
    422,
    'Service "s" is invalid: spec.ports: Required value',
  ],
  [
    'a Service of an unknown type',
    'POST',
    `${NS}/services`,
    service({ type: 'X', ports: [{ port: 80 }] }),
    422,
    'Service "s" is invalid: spec.type: Unsupported value: "X": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
  ],
  [
    'two ports without names',
    'POST',
    `${NS}/services`,
    service({ ports: [{ port: 80 }, { port: 81 }] }),
    422,
    'Service "s" is invalid: [spec.ports[0].name: Required value, spec.ports[1].name: Required value]',
  ],
  [
    'a node port out of range',
    'POST',
    `${NS}/services`,
    // eslint-disable-next-line virt8s/patience-of-programs -- rejected: it is outside of the range
    service({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }),
    422,
    'Service "s" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  ],
  [
    'a Service name that is not a label',
    'POST',
    `${NS}/services`,
    service({ ports: [{ port: 80 }] }, 'a.b'),
    422,
    'Service "a.b" is invalid: metadata.name: Invalid value: "a.b": must not contain dots',
  ],
  [
    'a Service at no address',
    'POST',
    `${NS}/services`,
    service({ clusterIP: 'x', ports: [{ port: 80 }] }),
    422,
    'Service "s" is invalid: spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  [
    'a Service with an unknown traffic policy',
    'POST',
    `${NS}/services`,
    service({ internalTrafficPolicy: 'x', ports: [{ port: 80 }] }),
    422,
    'Service "s" is invalid: spec.internalTrafficPolicy: Unsupported value: "x": supported values: "Cluster", "Local"',
  ],
  [
    'a volume of nothing',
    'POST',
    '/api/v1/persistentvolumes',
    { metadata: { name: 'x' }, spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } } },
    422,
    'PersistentVolume "x" is invalid: spec: Required value: must specify a volume type',
  ],
  [
    'Endpoints without addresses',
    'POST',
    `${NS}/endpoints`,
    { metadata: { name: 'x' }, subsets: [{}] },
    422,
    'Endpoints "x" is invalid: subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`',
  ],
  [
    'an EndpointSlice of the other family',
    'POST',
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    { metadata: { name: 'x' }, addressType: 'IPv4', endpoints: [{ addresses: ['::1'] }] },
    422,
    'EndpointSlice.discovery.k8s.io "x" is invalid: endpoints[0].addresses: Invalid value: "::1": must be an IPv4 address',
  ],
  [
    'an object with a version',
    'POST',
    `${NS}/configmaps`,
    { metadata: { name: 'x', resourceVersion: '5' } },
    500,
    'resourceVersion should not be set on objects to be created',
  ],
  [
    'a finalizer without a domain',
    'POST',
    `${NS}/configmaps`,
    { metadata: { name: 'x', finalizers: ['mine'] } },
    422,
    'ConfigMap "x" is invalid: metadata.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
  ],
  [
    'a version that does not exist',
    'POST',
    `${NS}/configmaps`,
    { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'x' } },
    400,
    'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/api/legacyscheme/scheme.go:30"',
  ],
  [
    'a load balancer class of another type',
    'POST',
    `${NS}/services`,
    service({ ports: [{ port: 80 }], loadBalancerClass: 'a.com/b' }),
    422,
    `Service "s" is invalid: spec.loadBalancerClass: Forbidden: may only be used when \`type\` is 'LoadBalancer'`,
  ],
  [
    'an affinity of more than a day',
    'POST',
    `${NS}/services`,
    service({
      ports: [{ port: 80 }],
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } },
    }),
    422,
    'Service "s" is invalid: spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400',
  ],
  [
    'an unknown effect of a taint',
    'POST',
    '/api/v1/nodes',
    { metadata: { name: 'n' }, spec: { taints: [{ key: 'a', effect: 'Never' }] } },
    422,
    'Node "n" is invalid: metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
  ],

  [
    'a rule without verbs',
    'POST',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    { metadata: { name: 'x' }, rules: [{ apiGroups: [''], resources: ['pods'] }] },
    422,
    'ClusterRole.rbac.authorization.k8s.io "x" is invalid: rules[0].verbs: Required value: verbs must contain at least one value',
  ],
  [
    'a binding to and of nothing',
    'POST',
    '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings',
    { metadata: { name: 'x' }, roleRef: { kind: 'X', name: 'a' }, subjects: [{ kind: 'Q', name: 'q' }] },
    422,
    'RoleBinding.rbac.authorization.k8s.io "x" is invalid: [roleRef.kind: Unsupported value: "X": supported values: "Role", "ClusterRole", subjects[0].kind: Unsupported value: "Q": supported values: "ServiceAccount", "User", "Group"]',
  ],
  [
    'a Deployment that does not select its Pods',
    'POST',
    '/apis/apps/v1/namespaces/default/deployments',
    {
      metadata: { name: 'x' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'c' } }, spec: { containers: [container] } },
      },
    },
    422,
    'Deployment.apps "x" is invalid: spec.template.metadata.labels: Invalid value: {"a":"c"}: `selector` does not match template `labels`',
  ],
  [
    'an empty claim',
    'POST',
    `${NS}/persistentvolumeclaims`,
    claim({}),
    422,
    'PersistentVolumeClaim "x" is invalid: [spec.accessModes: Required value: at least 1 access mode is required, spec.resources[storage]: Required value]',
  ],
  [
    'a bad key of a ConfigMap',
    'POST',
    `${NS}/configmaps`,
    map({ data: { 'a b': 'c' } }),
    422,
    `ConfigMap "x" is invalid: data[a b]: Invalid value: "a b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
  ],
  [
    'a number in a ConfigMap',
    'POST',
    `${NS}/configmaps`,
    map({ data: { a: 1 } }),
    400,
    decoding('ConfigMap', 'json: cannot unmarshal number into Go struct field ConfigMap.data of type string'),
  ],
  [
    'a TLS Secret without its keys',
    'POST',
    `${NS}/secrets`,
    secret({ type: 'kubernetes.io/tls' }),
    422,
    'Secret "x" is invalid: [data[tls.crt]: Required value, data[tls.key]: Required value]',
  ],
  [
    'a registry Secret that is not JSON',
    'POST',
    `${NS}/secrets`,
    secret({ type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'eA==' } }),
    422,
    `Secret "x" is invalid: data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid character 'x' looking for beginning of value`,
  ],
  [
    'a Secret that is not base64',
    'POST',
    `${NS}/secrets`,
    secret({ data: { a: '%%' } }),
    400,
    decoding('Secret', 'illegal base64 data at input byte 0'),
  ],
  [
    'a Namespace with a dot',
    'POST',
    '/api/v1/namespaces',
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a.b' } },
    422,
    'Namespace "a.b" is invalid: metadata.name: Invalid value: "a.b": must not contain dots',
  ],
  [
    'a namespace that is not there',
    'POST',
    '/api/v1/namespaces/nope/configmaps',
    map({}),
    404,
    'namespaces "nope" not found',
  ],
  [
    'the end of the default namespace',
    'DELETE',
    '/api/v1/namespaces/default',
    undefined,
    403,
    'namespaces "default" is forbidden: this namespace may not be deleted',
  ],
  [
    'an unknown core resource',
    'GET',
    '/api/v1/foos',
    undefined,
    404,
    'the server could not find the requested resource',
  ],
  ['an unknown group', 'GET', '/apis/foo.io/v1/foos', undefined, 404, '404 page not found\n'],
  [
    'a method that is not served',
    'PUT',
    `${NS}/pods`,
    pod({}),
    405,
    'the server does not allow this method on the requested resource',
  ],
  [
    'an unknown field selector',
    'GET',
    `${NS}/configmaps?fieldSelector=data.x%3D1`,
    undefined,
    400,
    '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
  [
    'a role name with a slash',
    'POST',
    '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'a/b' } },
    422,
    `Role.rbac.authorization.k8s.io "a/b" is invalid: metadata.name: Invalid value: "a/b": may not contain '/'`,
  ],
];

test.each(pods)('a Pod with %s is rejected', async (_, body, code, message) => {
  const answer = await send('POST', `${NS}/pods`, body);
  expect([answer.code, answer.body.message]).toEqual([code, message]);
});

test.each(others)('%s is rejected', async (_, method, path, body, code, message) => {
  const answer = await send(method, path, body);
  expect([answer.code, answer.body.message]).toEqual([code, message]);
});

test('rejected requests do not change the store', async () => {
  const before = (await send('GET', '/api/v1/namespaces')).body.metadata.resourceVersion;
  for (const [, body] of pods) await send('POST', `${NS}/pods`, body);
  for (const [, method, path, body] of others) await send(method, path, body);
  expect((await send('GET', '/api/v1/namespaces')).body.metadata.resourceVersion).toBe(before);
});

test('an anonymous user sees health and version only', async () => {
  const anonymous = client(server, {});
  expect((await anonymous('GET', '/version')).body.gitVersion).toMatch(/^v1\.36\.\d+\+virt8s$/);
  for (const path of ['/healthz', '/livez', '/readyz']) expect((await anonymous('GET', path)).body.message).toBe('ok');
  const refused = await anonymous('GET', `${NS}/pods`);
  expect([refused.code, refused.body.message]).toEqual([
    403,
    'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "default"',
  ]);
  expect((await anonymous('GET', `${NS}/pods`, undefined, '', { Authorization: 'Bearer nonsense' })).code).toBe(401);
});

test('a certificate of another authority is 401', async () => {
  const { TestCa } = await import('../../../support/pki');
  const stranger = await (await TestCa.create('stranger')).issue([{ CN: ['admin'] }, { O: ['system:masters'] }]);
  expect((await client(server, stranger)('GET', `${NS}/pods`)).code).toBe(401);
});

test('a patch does not make another kind of a built-in object', async () => {
  await send('POST', `${NS}/configmaps`, { ...map({}), metadata: { name: 'kind' } });
  const path = `${NS}/configmaps/kind`;
  const refused = await send('PATCH', path, { kind: 'Pod' }, 'application/merge-patch+json');
  expect(refused.code).toBe(422);
  expect(refused.body.message).toMatch(/: converting \(v1\.Pod\) to \(core\.ConfigMap\): unknown conversion$/);
  const ignored = await send('PATCH', path, { kind: 'Pod' }, 'application/strategic-merge-patch+json');
  expect([ignored.code, ignored.body.kind]).toEqual([200, 'ConfigMap']);
});

test("a Service's address cannot change", async () => {
  await send('POST', `${NS}/services`, service({ ports: [{ port: 80 }] }, 'fixed'));
  const body = { spec: { clusterIP: '10.96.77.77' } };
  const answer = await send('PATCH', `${NS}/services/fixed`, body, 'application/merge-patch+json');
  expect([answer.code, answer.body.message]).toEqual([
    422,
    'Service "fixed" is invalid: spec.clusterIPs[0]: Invalid value: ["10.96.77.77"]: may not change once set',
  ]);
});

test('an administrator can impersonate another user', async () => {
  const review = (headers: Record<string, string>) =>
    send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, 'application/json', headers);
  expect((await review({})).body.status.userInfo).toEqual({
    username: 'admin',
    groups: ['system:masters', 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[\da-f]{64}$/)] },
  });
  const headers = { 'Impersonate-User': 'bob', 'Impersonate-Group': 'dev', 'Impersonate-Extra-Scopes': 'a' };
  expect((await review(headers)).body.status.userInfo).toEqual({
    username: 'bob',
    groups: ['dev', 'system:authenticated'],
    extra: { scopes: ['a'] },
  });
  const account = await review({ 'Impersonate-User': 'system:serviceaccount:default:x' });
  expect(account.body.status.userInfo.groups).toEqual([
    'system:serviceaccounts',
    'system:serviceaccounts:default',
    'system:authenticated',
  ]);
  const anonymous = client(server, {});
  const refused = await anonymous('GET', '/version', undefined, '', { 'Impersonate-User': 'bob' });
  expect([refused.code, refused.body.message]).toEqual([
    403,
    'forbidden: User "system:anonymous" cannot impersonate-on:user-info:get path "/version"',
  ]);
});

test('an unusual but valid Pod is accepted with warnings', async () => {
  const body = podOf({
    env: [
      { name: 'A', value: 'x' },
      { name: 'A', value: 'y' },
    ],
    ports: [{ containerPort: 80 }, { containerPort: 80 }],
    resources: { requests: { memory: '1500m' } },
  });
  const answer = await send('POST', `${NS}/pods?dryRun=All`, body);
  expect(answer.code).toBe(201);
  expect(String(answer.headers.warning).split(', 299 - ')).toEqual([
    '299 - "spec.containers[0].resources.requests[memory]: fractional byte value \\"1500m\\" is invalid, must be an integer"',
    '"spec.containers[0].env[1]: hides previous definition of \\"A\\", which may be dropped when using apply"',
    '"spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]"',
  ]);
});
