import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { follow, Kubectl, kubectl } from './kubectl';
import { until } from '../../../support/until';

let server: TestApiServer;
let run: Kubectl;

beforeAll(async () => {
  server = await startTestApiServer();
  run = kubectl(server.kubeconfig);
  await run('create namespace shop');
});

afterAll(() => server.close());

const manifest = (data: object) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'shop' }, data });

const crd = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'cars.test.virt8s.io' },
  spec: {
    group: 'test.virt8s.io',
    scope: 'Namespaced',
    names: { plural: 'cars', singular: 'car', kind: 'Car', shortNames: ['cr'], categories: ['all'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.seats', statusReplicasPath: '.status.seats' },
        },
        additionalPrinterColumns: [
          { name: 'Color', type: 'string', jsonPath: '.spec.color' },
          { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
          { name: 'Wheels', type: 'integer', jsonPath: '.spec.wheels', priority: 1 },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['color'],
                properties: {
                  color: { type: 'string', enum: ['red', 'blue'], description: 'What it looks like.' },
                  wheels: { type: 'integer', default: 4 },
                  seats: { type: 'integer' },
                },
              },
              status: {
                type: 'object',
                properties: {
                  seats: { type: 'integer' },
                  conditions: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: { type: { type: 'string' }, status: { type: 'string' } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
});

const car = (name: string, spec: object) =>
  JSON.stringify({ apiVersion: 'test.virt8s.io/v1', kind: 'Car', metadata: { name, namespace: 'shop' }, spec });

describe('built-in objects', () => {
  test('apply creates, reports that nothing changed, and merges three ways', async () => {
    expect((await run('apply -f -', { input: manifest({ a: '1', b: '2' }) })).stdout).toBe(
      'configmap/settings created\n',
    );
    expect((await run('apply -f -', { input: manifest({ a: '1', b: '2' }) })).stdout).toBe(
      'configmap/settings unchanged\n',
    );
    await run(`patch configmap settings -n shop -p '{"data":{"c":"3"}}'`);
    expect((await run('apply -f -', { input: manifest({ a: '9' }) })).stdout).toBe('configmap/settings configured\n');
    const { stdout } = await run('get configmap settings -n shop -o jsonpath={.data}');
    expect(JSON.parse(stdout)).toEqual({ a: '9', c: '3' });
  });

  test('server-side apply reports conflicts and forces them', async () => {
    const input = manifest({ a: 'mine' });
    const refused = await run('apply --server-side --field-manager me -f -', { input });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Apply failed with 1 conflict: conflict with "kubectl-client-side-apply"');
    const forced = await run('apply --server-side --field-manager me --force-conflicts -f -', { input });
    expect(forced.stdout).toBe('configmap/settings serverside-applied\n');
  });

  test('diff shows what apply would change and exits 1', async () => {
    const { code, stdout } = await run('diff --server-side --field-manager me --force-conflicts -f -', {
      input: manifest({ a: 'new' }),
    });
    expect(code).toBe(1);
    expect(stdout).toContain('+  a: new');
  });

  test('edit changes an object', async () => {
    const env = { KUBE_EDITOR: 'sed -i s/mine/edited/' };
    expect((await run('edit configmap settings -n shop', { env })).stdout).toBe('configmap/settings edited\n');
    expect((await run('get configmap settings -n shop -o jsonpath={.data.a}')).stdout).toBe('edited');
  });

  test('patch understands all three formats', async () => {
    await run(`patch configmap settings -n shop --type merge -p '{"data":{"m":"1"}}'`);
    await run(`patch configmap settings -n shop --type json -p '[{"op":"add","path":"/data/j","value":"2"}]'`);
    await run(`patch configmap settings -n shop --type strategic -p '{"data":{"s":"3"}}'`);
    const { stdout } = await run('get configmap settings -n shop -o jsonpath={.data}');
    expect(JSON.parse(stdout)).toMatchObject({ m: '1', j: '2', s: '3' });
  });

  test('an unknown field is rejected with its path', async () => {
    const input = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'shop' },
      spec: { containers: [{ name: 'c', image: 'i', imagee: 'x' }] },
    });
    const { code, stderr } = await run('create -f -', { input });
    expect(code).toBe(1);
    expect(stderr).toContain('strict decoding error: unknown field "spec.containers[0].imagee"');
  });

  test('run, get and describe show a Pod as Kubernetes does', async () => {
    await run('run web -n shop --image nginx:1.27 --port 80 --labels app=web');
    const { stdout } = await run('get pods -n shop');
    expect(stdout).toMatch(/^NAME +READY +STATUS +RESTARTS +AGE\nweb +0\/1 +Pending +0 +\d+s\n$/);
    const described = await run('describe pod web -n shop');
    expect(described.stderr).toBe('');
    expect(described.stdout).toMatch(/Service Account: +default/);
    expect(described.stdout).toMatch(/QoS Class: +BestEffort/);
    expect(described.stdout).toContain('kube-api-access-');
  });

  test('expose gives a Service an address and EndpointSlices', async () => {
    await run('expose pod web -n shop --port 80 --target-port 8080');
    const { stdout } = await run('get service web -n shop -o jsonpath={.spec.clusterIP}');
    expect(stdout).toMatch(/^10\.96\.\d+\.\d+$/);
    const status = {
      status: {
        phase: 'Running',
        podIP: '10.77.0.9',
        podIPs: [{ ip: '10.77.0.9' }],
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    };
    await run(`patch pod web -n shop --subresource status -p '${JSON.stringify(status)}'`);
    const slices = await until(async () => {
      const answer = await run('get endpointslices -n shop -l kubernetes.io/service-name=web --no-headers');
      return answer.stdout.includes('10.77.0.9') && answer.stdout;
    });
    expect(slices).toMatch(/^web-\w{5} +IPv4 +8080 +10\.77\.0\.9 +\d+s\n$/);
  });

  test('wait returns when a condition is met', async () => {
    const watches = server.flow().watching;
    const waiting = run('wait --for condition=Custom pod/web -n shop --timeout 5m');
    await until(() => server.flow().watching > watches);
    const status = { status: { conditions: [{ type: 'Custom', status: 'True' }] } };
    await run(`patch pod web -n shop --subresource status -p '${JSON.stringify(status)}'`);
    expect((await waiting).stdout).toBe('pod/web condition met\n');
  });

  test('get --watch prints changes as they come', async () => {
    const watching = follow(server.kubeconfig, ['get', 'configmaps', '-n', 'shop', '--watch', '--no-headers']);
    await until(async () => watching.lines.length >= 2);
    await run('create configmap watched -n shop --from-literal=a=b');
    await until(async () => watching.lines.some((line) => /^watched +1 /.test(line)));
    watching.stop();
  });

  test('a Pod on a node is deleted gracefully, any other at once', async () => {
    await run('delete pod web -n shop');
    expect((await run('get pod web -n shop')).stderr).toContain('pods "web" not found');
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'placed', namespace: 'shop' },
      spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 7 },
    };
    await run('create -f -', { input: JSON.stringify(pod) });
    await run('delete pod placed -n shop --wait=false');
    const { stdout } = await run('get pod placed -n shop -o jsonpath={.metadata.deletionGracePeriodSeconds}');
    expect(stdout).toBe('7');
    expect((await run('get pod placed -n shop --no-headers')).stdout).toMatch(/Terminating/);
    await run('delete pod placed -n shop --grace-period 0 --force');
    expect((await run('get pod placed -n shop')).code).toBe(1);
  });

  test('events list the objects that they are about', async () => {
    const event = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'e1', namespace: 'shop' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'test',
      reportingInstance: 'test-1',
      action: 'Testing',
      reason: 'Because',
      type: 'Warning',
      note: 'it happened',
      regarding: { apiVersion: 'v1', kind: 'ConfigMap', name: 'settings', namespace: 'shop' },
    };
    expect((await run('create -f -', { input: JSON.stringify(event) })).stderr).toBe('');
    const { stdout } = await run('events -n shop --for configmap/settings');
    expect(stdout).toMatch(/Warning +Because +ConfigMap\/settings +it happened/);
    const old = await run(
      'get events -n shop --field-selector involvedObject.name=settings -o jsonpath={.items[0].message}',
    );
    expect(old.stdout).toBe('it happened');
  });

  test('auth whoami, auth can-i, and a token for the API server', async () => {
    expect((await run('auth whoami')).stdout).toContain('system:masters');
    expect((await run('auth can-i delete pods')).stdout).toBe('yes\n');
    const token = (await run('create token default -n shop')).stdout.trim();
    const who = await run(
      `auth whoami --token ${token} --kubeconfig /dev/null --server ${server.url} --insecure-skip-tls-verify`,
    );
    expect(who.stdout).toContain('system:serviceaccount:shop:default');
  });
});

describe('custom resources', () => {
  test('a definition is served as soon as it is established', async () => {
    await run('apply -f -', { input: crd });
    expect((await run('wait --for condition=Established crd/cars.test.virt8s.io')).code).toBe(0);
    expect((await run('get cr -n shop')).stderr).toBe('No resources found in shop namespace.\n');
    expect((await run('api-resources --api-group test.virt8s.io --no-headers')).stdout).toMatch(
      /^cars +cr +test.virt8s.io\/v1 +true +Car\n$/,
    );
  });

  test("get has the definition's columns, explain its descriptions", async () => {
    await run('apply -f -', { input: car('mini', { color: 'red' }) });
    const status = { status: { conditions: [{ type: 'Ready', status: 'True' }], seats: 2 } };
    await run(`patch car mini -n shop --subresource status --type merge -p '${JSON.stringify(status)}'`);
    expect((await run('get cars -n shop')).stdout).toMatch(/^NAME +COLOR +READY\nmini +red +True\n$/);
    expect((await run('get cars -n shop -o wide')).stdout).toMatch(/mini +red +True +4\n$/);
    expect((await run('explain car.spec.color')).stdout).toContain('What it looks like.');
    expect((await run('get all -n shop')).stdout).toContain('car.test.virt8s.io/mini');
  });

  test('scale works through the subresource', async () => {
    await run(`patch car mini -n shop --type merge -p '{"spec":{"seats":1}}'`);
    expect((await run('scale car/mini -n shop --replicas 5')).stdout).toBe('car.test.virt8s.io/mini scaled\n');
    expect((await run('get car mini -n shop -o jsonpath={.spec.seats}')).stdout).toBe('5');
  });

  test('mistakes are named by their field', async () => {
    const { stderr } = await run('apply -f -', { input: car('bad', { color: 'green' }) });
    expect(stderr).toContain('spec.color: Unsupported value: "green": supported values: "red", "blue"');
    const unknown = await run('apply -f -', { input: car('bad', { color: 'red', engine: 1 }) });
    expect(unknown.stderr).toContain('strict decoding error: unknown field "spec.engine"');
  });

  test('deleting the definition deletes its objects', async () => {
    expect((await run('delete crd cars.test.virt8s.io')).code).toBe(0);
    expect((await run('get cars -n shop')).stderr).toMatch(
      /could not find the requested resource|doesn't have a resource/,
    );
  });
});

test('a namespace is emptied before it is deleted', async () => {
  expect((await run('delete namespace shop --timeout 5m')).stdout).toBe('namespace "shop" deleted\n');
  expect((await run('get configmaps -n shop')).stdout).toBe('');
  const { stderr } = await run('create configmap x -n shop');
  expect(stderr).toContain('namespaces "shop" not found');
});
