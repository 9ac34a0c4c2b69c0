import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';
import { until } from '../../../support/until';

let server: TestApiServer;
let send: Send;

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
});

afterAll(() => server.close());

const NS = '/api/v1/namespaces/default';
const MERGE = 'application/merge-patch+json';

describe('claims and volumes', () => {
  const CLAIMS = `${NS}/persistentvolumeclaims`;
  const claim = (name: string) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  const gone = (path: string) => until(async () => (await send('GET', path)).code === 404);

  test('a claim that no Pod uses disappears when it is deleted', async () => {
    const created = await send('POST', CLAIMS, claim('free'));
    expect(created.body.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
    const deleted = await send('DELETE', `${CLAIMS}/free`);
    expect(deleted.body.metadata.deletionTimestamp).toBeDefined();
    await gone(`${CLAIMS}/free`);
  });

  test('a claim that a Pod on a node uses waits for it', async () => {
    await send('POST', CLAIMS, claim('used'));
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }];
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }], volumes };
    await send('POST', `${NS}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'user' }, spec });
    await send('DELETE', `${CLAIMS}/used`);
    // a claim that is deleted later is gone
    await send('POST', CLAIMS, claim('later'));
    await send('DELETE', `${CLAIMS}/later`);
    await gone(`${CLAIMS}/later`);
    expect((await send('GET', `${CLAIMS}/used`)).body.metadata.deletionTimestamp).toBeDefined();
    await send('DELETE', `${NS}/pods/user`, { gracePeriodSeconds: 0 });
    await gone(`${CLAIMS}/used`);
  });

  test('a volume waits for the claim that is bound to it', async () => {
    const { body } = await send('POST', CLAIMS, claim('bound'));
    const VOLUMES = '/api/v1/persistentvolumes';
    const claimRef = { namespace: 'default', name: 'bound', uid: body.metadata.uid };
    const volume = (name: string, more = {}) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' }, ...more },
    });
    const created = await send('POST', VOLUMES, volume('v', { claimRef }));
    expect(created.body.metadata.finalizers).toEqual(['kubernetes.io/pv-protection']);
    await send('PATCH', `${VOLUMES}/v/status`, { status: { phase: 'Bound' } }, MERGE);
    await send('PATCH', `${CLAIMS}/bound`, { spec: { volumeName: 'v' } }, MERGE);
    await send('DELETE', `${VOLUMES}/v`);
    // a volume that is deleted later is gone
    await send('POST', VOLUMES, volume('later'));
    await send('DELETE', `${VOLUMES}/later`);
    await gone(`${VOLUMES}/later`);
    expect((await send('GET', `${VOLUMES}/v`)).code).toBe(200);
    await send('DELETE', `${CLAIMS}/bound`);
    await gone(`${VOLUMES}/v`);
  });
});

describe('APIServices', () => {
  const PATH = '/apis/apiregistration.k8s.io/v1/apiservices';

  test('each group-version of the server has a local one, which is created again', async () => {
    const { body } = await send('GET', `${PATH}/v1.`);
    expect(body.metadata.labels).toEqual({ 'kube-aggregator.kubernetes.io/automanaged': 'onstart' });
    expect(body.spec).toEqual({ version: 'v1', groupPriorityMinimum: 18_000, versionPriority: 1 });
    expect(body.status.conditions[0]).toMatchObject({ type: 'Available', status: 'True', reason: 'Local' });
    await send('DELETE', `${PATH}/v1.apps`);
    await until(async () => (await send('GET', `${PATH}/v1.apps`)).code === 200);
  });

  test('those of custom resources are created and deleted with their definitions', async () => {
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
    await send('POST', crds, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.local.test.io' },
      spec: {
        group: 'local.test.io',
        names: { plural: 'things', kind: 'Thing' },
        scope: 'Namespaced',
        versions: [version],
      },
    });
    const { body } = await send('GET', `${PATH}/v1.local.test.io`);
    expect(body.metadata.labels).toEqual({ 'kube-aggregator.kubernetes.io/automanaged': 'true' });
    expect(body.spec).toMatchObject({ groupPriorityMinimum: 1000, versionPriority: 100 });
    await send('DELETE', `${crds}/things.local.test.io`);
    await until(async () => (await send('GET', `${PATH}/v1.local.test.io`)).code === 404);
  });

  test('those of custom resources follow the served versions of all definitions of their group', async () => {
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const version = (name: string, served = true): object => ({
      name,
      served,
      storage: name === 'v1',
      schema: { openAPIV3Schema: { type: 'object' } },
    });
    const define = (plural: string, ...versions: object[]) =>
      send('POST', crds, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${plural}.many.test.io` },
        spec: {
          group: 'many.test.io',
          names: { plural, kind: plural.toUpperCase() },
          scope: 'Namespaced',
          versions,
        },
      });
    const served = async (): Promise<string[]> => {
      const { body } = await send('GET', PATH);
      const names = body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name as string);
      return names.filter((name: string) => name.endsWith('.many.test.io')).sort();
    };
    const become = (...versions: string[]): Promise<boolean> =>
      until(async () => (await served()).join() === versions.map((name) => `${name}.many.test.io`).join());

    await define('ones', version('v1'));
    await define('twos', version('v1'), version('v2', false));
    expect(await served()).toEqual(['v1.many.test.io']);
    const versions = [version('v1'), version('v2'), version('v3')];
    await send('PATCH', `${crds}/twos.many.test.io`, { spec: { versions } }, MERGE);
    await become('v1', 'v2', 'v3');
    await send(
      'PATCH',
      `${crds}/twos.many.test.io`,
      { spec: { versions: [version('v1'), version('v3', false)] } },
      MERGE,
    );
    await become('v1');
    // the other definition still has it
    await send('DELETE', `${crds}/twos.many.test.io`);
    await until(async () => (await send('GET', `${crds}/twos.many.test.io`)).code === 404);
    expect(await served()).toEqual(['v1.many.test.io']);
    await define('twos', version('v1'), version('v4'));
    expect(await served()).toEqual(['v1.many.test.io', 'v4.many.test.io']);
    for (const plural of ['ones', 'twos']) await send('DELETE', `${crds}/${plural}.many.test.io`);
    await become();
  });
});

describe('ClusterRoles', () => {
  const PATH = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

  test('the default ones exist, with their bindings', async () => {
    const { body } = await send('GET', `${PATH}/view`);
    expect(body.metadata.labels).toEqual({
      'kubernetes.io/bootstrapping': 'rbac-defaults',
      'rbac.authorization.k8s.io/aggregate-to-edit': 'true',
    });
    expect(body.rules).toContainEqual({ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['namespaces'] });
    expect((await send('GET', `${PATH}/admin`)).body.rules).toEqual(expect.arrayContaining(body.rules));
    const bound = await send('GET', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cluster-admin');
    expect(bound.body.subjects).toEqual([
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:masters' },
    ]);
  });

  test('a role with the label becomes part of the aggregated ones', async () => {
    const rule = { verbs: ['get'], apiGroups: ['test.io'], resources: ['things'] };
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const body = { apiVersion, kind: 'ClusterRole', metadata: { name: 'more', labels }, rules: [rule] };
    await send('POST', PATH, body);
    const has = async () =>
      (await send('GET', `${PATH}/admin`)).body.rules.some(
        (item: object) => 'apiGroups' in item && JSON.stringify(item.apiGroups) === '["test.io"]',
      );
    await until(has);
    await send('DELETE', `${PATH}/more`);
    await until(async () => !(await has()));
  });
});

describe('Endpoints', () => {
  const PATH = `${NS}/endpoints`;

  test('those of a Service with a selector follow its Pods', async () => {
    const spec = { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] };
    await send('POST', `${NS}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec });
    const empty = await until(async () => {
      const answer = await send('GET', `${PATH}/web`);
      return answer.code === 200 && answer;
    });
    expect(empty.headers.warning).toBe(
      '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"',
    );
    expect(empty.body.metadata.labels).toEqual({ 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' });
    const metadata = { name: 'web', labels: { app: 'web' } };
    const podSpec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
    const { body: pod } = await send('POST', `${NS}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata, spec: podSpec });
    const status = {
      podIP: '10.0.0.9',
      podIPs: [{ ip: '10.0.0.9' }],
      conditions: [{ type: 'Ready', status: 'False' }],
    };
    await send('PATCH', `${NS}/pods/web/status`, { status }, MERGE);
    const address = {
      ip: '10.0.0.9',
      nodeName: 'n',
      targetRef: { kind: 'Pod', namespace: 'default', name: 'web', uid: pod.metadata.uid },
    };
    const ports = [{ port: 8080, protocol: 'TCP' }];
    const subsets = async () => (await send('GET', `${PATH}/web`)).body.subsets;
    await until(subsets);
    expect(await subsets()).toEqual([{ notReadyAddresses: [address], ports }]);
    const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
    await send('PATCH', `${NS}/pods/web/status`, ready, MERGE);
    await until(async () => (await subsets())?.[0].addresses);
    expect(await subsets()).toEqual([{ addresses: [address], ports }]);
    await send('DELETE', `${NS}/services/web`);
    await until(async () => (await send('GET', `${PATH}/web`)).code === 404);
  });

  test('the server has its own', async () => {
    const { body } = await send('GET', `${PATH}/kubernetes`);
    expect(body.subsets[0].ports).toEqual([{ name: 'https', port: server.port, protocol: 'TCP' }]);
  });
});

test('a Deployment shows its defaults, and its selector stays', async () => {
  const labels = { app: 'd' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
  const spec = { selector: { matchLabels: labels }, template };
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const { body } = await send('POST', path, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec,
  });
  expect(body.spec).toEqual({
    replicas: 1,
    selector: { matchLabels: labels },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    template: {
      metadata: { labels },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i:1',
            imagePullPolicy: 'IfNotPresent',
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
          },
        ],
        dnsPolicy: 'ClusterFirst',
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        securityContext: {},
        terminationGracePeriodSeconds: 30,
      },
    },
  });
  const more = { spec: { selector: { matchLabels: { b: 'c' } }, template: { metadata: { labels: { b: 'c' } } } } };
  const refused = await send('PATCH', `${path}/d`, more, MERGE);
  expect(refused.body.message).toBe(
    'Deployment.apps "d" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"d","b":"c"}}: field is immutable',
  );
});

describe('the trust of the API server', () => {
  const PATH = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
  const published = async () => (await send('GET', PATH)).body.data;

  test('is published for aggregated API servers, and again after it is deleted', async () => {
    const data = {
      'client-ca-file': server.ca.pem,
      'requestheader-allowed-names': '["front-proxy-client"]',
      'requestheader-client-ca-file': server.ca.pem,
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-username-headers': '["X-Remote-User"]',
    };
    expect(await published()).toEqual(data);
    expect((await send('DELETE', PATH)).code).toBe(200);
    await until(async () => (await send('GET', PATH)).code === 200);
    expect(await published()).toEqual(data);
  });

  test('replaces what an earlier start with other authorities published', async () => {
    await send('PATCH', PATH, { data: { 'client-ca-file': 'old', other: 'value' } }, MERGE);
    await server.restart();
    // connections of the previous server fail once
    await until(() => published().then(Boolean, () => false));
    expect(await published()).toMatchObject({ 'client-ca-file': server.ca.pem });
    expect(await published()).not.toHaveProperty('other');
  });
});
