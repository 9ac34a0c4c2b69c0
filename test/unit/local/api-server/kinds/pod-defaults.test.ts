import { defaultPodSpec, pullPolicy } from '../../../../../src/local/api-server/kinds/pod-defaults';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests write specs in part
type Spec = any;

const defaulted = (given: Spec, isPod = true): Spec => {
  const spec = structuredClone(given);
  defaultPodSpec(spec, isPod);
  return spec;
};
const container = (more: object, isPod = true): Spec =>
  defaulted({ containers: [{ name: 'main', image: 'a:1', ...more }] }, isPod).containers[0];
const volume = (more: object): Spec => defaulted({ volumes: [{ name: 'a', ...more }] }).volumes[0];

test.each([
  ['a', 'Always'],
  ['a:latest', 'Always'],
  ['a:1', 'IfNotPresent'],
  ['registry:5000/a', 'Always'],
  ['registry:5000/a:1', 'IfNotPresent'],
  ['a:latest@sha256:0', 'IfNotPresent'],
  ['', 'Always'],
])('the image "%s" is pulled %s', (image, want) => {
  expect(pullPolicy(image)).toBe(want);
  expect(container({ image }).imagePullPolicy).toBe(want);
  expect(volume({ image: { reference: image } }).image.pullPolicy).toBe(want);
});

const least = {
  dnsPolicy: 'ClusterFirst',
  restartPolicy: 'Always',
  securityContext: {},
  terminationGracePeriodSeconds: 30,
  schedulerName: 'default-scheduler',
};
test('a minimal Pod gets all defaults, a minimal template none for links to Services', () => {
  expect(defaulted({})).toEqual({ ...least, enableServiceLinks: true });
  expect(defaulted({}, false)).toEqual(least);
  expect(container({})).toEqual({
    name: 'main',
    image: 'a:1',
    imagePullPolicy: 'IfNotPresent',
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
});

test('values that a Pod sets stay', () => {
  const said = {
    dnsPolicy: 'Default',
    restartPolicy: 'Never',
    securityContext: { fsGroup: 1 },
    terminationGracePeriodSeconds: 0,
    schedulerName: 'mine',
    enableServiceLinks: false,
  };
  expect(defaulted({ ...said })).toEqual(said);
});

test.each([
  [{ serviceAccountName: 'a' }, 'a'],
  [{ serviceAccount: 'b' }, 'b'],
  [{ serviceAccountName: 'a', serviceAccount: 'b' }, 'a'],
])('the account of %j has both names', (spec, want) => {
  const { serviceAccount, serviceAccountName } = defaulted({ ...spec });
  expect([serviceAccount, serviceAccountName]).toEqual([want, want]);
});

test.each(['containers', 'initContainers', 'ephemeralContainers'])('all %s have their defaults', (list) => {
  expect(defaulted({ [list]: [{ name: 'a', image: 'a' }] })[list][0].imagePullPolicy).toBe('Always');
});

const probe = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
const http = { path: '/', scheme: 'HTTP' };
test.each<[string, object, object]>([
  [
    'a port is of TCP',
    { ports: [{ containerPort: 1 }, { protocol: 'UDP' }] },
    { ports: [{ containerPort: 1, protocol: 'TCP' }, { protocol: 'UDP' }] },
  ],
  [
    'a field of the Pod is of v1',
    {
      env: [
        { name: 'A', valueFrom: { fieldRef: { fieldPath: 'x' } } },
        { name: 'B', value: 'b' },
      ],
    },
    {
      env: [
        { name: 'A', valueFrom: { fieldRef: { fieldPath: 'x', apiVersion: 'v1' } } },
        { name: 'B', value: 'b' },
      ],
    },
  ],
  ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((name): [string, object, object] => [
    `a ${name} is complete`,
    { [name]: { httpGet: { port: 80 } } },
    { [name]: { ...probe, httpGet: { port: 80, ...http } } },
  ]),
  [
    'a probe of gRPC names no service',
    { livenessProbe: { grpc: { port: 1 } } },
    { livenessProbe: { ...probe, grpc: { port: 1, service: '' } } },
  ],
  [
    'values of a probe stay',
    {
      livenessProbe: {
        timeoutSeconds: 2,
        periodSeconds: 3,
        successThreshold: 4,
        failureThreshold: 5,
        httpGet: { path: '/x', scheme: 'HTTPS' },
      },
    },
    {
      livenessProbe: {
        timeoutSeconds: 2,
        periodSeconds: 3,
        successThreshold: 4,
        failureThreshold: 5,
        httpGet: { path: '/x', scheme: 'HTTPS' },
      },
    },
  ],
  [
    'hooks over HTTP are complete',
    { lifecycle: { postStart: { httpGet: {} }, preStop: { httpGet: { path: '/x' } } } },
    { lifecycle: { postStart: { httpGet: http }, preStop: { httpGet: { ...http, path: '/x' } } } },
  ],
  [
    'other hooks are not changed',
    { lifecycle: { preStop: { sleep: { seconds: 1 } } } },
    { lifecycle: { preStop: { sleep: { seconds: 1 } } } },
  ],
  [
    'limits become requests, unless a smaller request is set',
    { resources: { limits: { cpu: '2', memory: '2Gi' }, requests: { cpu: '1' } } },
    { resources: { limits: { cpu: '2', memory: '2Gi' }, requests: { cpu: '1', memory: '2Gi' } } },
  ],
])('of a container: %s', (_, given, want) => expect(container(given)).toMatchObject(want));

test('limits of a template do not become its requests', () => {
  expect(container({ resources: { limits: { cpu: '2' } } }, false).resources).toEqual({ limits: { cpu: '2' } });
});

test.each([
  [true, [80, 8080]],
  [undefined, [undefined, 8080]],
])('on the network of the node (%s) a port is the node’s', (hostNetwork, want) => {
  const ports = [{ containerPort: 80 }, { containerPort: 80, hostPort: 8080 }];
  const spec = defaulted({ hostNetwork, containers: [{ name: 'a', image: 'a', ports }] });
  expect(spec.containers[0].ports.map(({ hostPort }: { hostPort?: number }) => hostPort)).toEqual(want);
});

const field = { fieldRef: { fieldPath: 'x' } };
const fieldOfV1 = { fieldRef: { fieldPath: 'x', apiVersion: 'v1' } };
test.each<[object, object]>([
  [{}, { emptyDir: {} }],
  [{ hostPath: { path: '/' } }, { hostPath: { path: '/', type: '' } }],
  [{ hostPath: { path: '/', type: 'Directory' } }, { hostPath: { path: '/', type: 'Directory' } }],
  [{ secret: {} }, { secret: { defaultMode: 0o644 } }],
  [{ configMap: { defaultMode: 0 } }, { configMap: { defaultMode: 0 } }],
  [{ downwardAPI: { items: [field, {}] } }, { downwardAPI: { defaultMode: 0o644, items: [fieldOfV1, {}] } }],
  [
    { projected: { sources: [{ serviceAccountToken: {} }, { downwardAPI: { items: [field] } }] } },
    {
      projected: {
        defaultMode: 0o644,
        sources: [{ serviceAccountToken: { expirationSeconds: 3600 } }, { downwardAPI: { items: [fieldOfV1] } }],
      },
    },
  ],
  [
    { projected: { sources: [{ serviceAccountToken: { expirationSeconds: 600 } }] } },
    { projected: { defaultMode: 0o644, sources: [{ serviceAccountToken: { expirationSeconds: 600 } }] } },
  ],
  [
    { ephemeral: { volumeClaimTemplate: { spec: {} } } },
    { ephemeral: { volumeClaimTemplate: { spec: { volumeMode: 'Filesystem' } } } },
  ],
  [
    { ephemeral: { volumeClaimTemplate: { spec: { volumeMode: 'Block' } } } },
    { ephemeral: { volumeClaimTemplate: { spec: { volumeMode: 'Block' } } } },
  ],
])('the volume %j becomes %j', (given, want) => expect(volume(given)).toEqual({ name: 'a', ...want }));
