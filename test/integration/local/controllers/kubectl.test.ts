import { startControllers, type Controllers } from '../../../../src/local/controllers';
import type { KubeObject } from '../../../../src/api/meta';
import { KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import { startTestApiServer, type TestApiServer } from '../../../support/api-server';
import { startReadyPods, type ReadyPods } from '../../../support/ready-pods';
import { kubectl, type Kubectl } from '../api-server/kubectl';

let server: TestApiServer;
let controllers: Controllers;
let nodes: ReadyPods;
let client: KubeClient;
let run: Kubectl;

beforeAll(async () => {
  server = await startTestApiServer();
  client = new KubeClient(loadKubeConfig(server.kubeconfig), { userAgent: 'kube-controller-manager/test' });
  controllers = await startControllers({
    client,
    log: (level, message, fields) => process.env.VIRT8S_TEST_LOG && console.error(level, message, fields),
  });
  nodes = await startReadyPods(client.separate());
  run = kubectl(server.kubeconfig);
});

afterAll(async () => {
  await nodes?.close();
  await controllers?.close();
  await server?.close();
});

/** Runs kubectl, requires success, and returns its output. */
async function ok(args: string, input?: string): Promise<string> {
  const { code, stdout, stderr } = await run(args, input === undefined ? {} : { input });
  if (code !== 0) throw new Error(`kubectl ${args}: ${stderr}`);
  return stdout.trim();
}

const images = (app: string): Promise<string> =>
  ok(`get pods -l app=${app} --sort-by=.metadata.name -o jsonpath={.items[*].spec.containers[*].image}`);

/** Waits for the rollout of `deployment/web`, say. */
const rolledOut = (object: string): Promise<string> => ok(`rollout status ${object} --timeout=5m`);

describe('a Deployment', () => {
  test('rolls out, keeps its history and returns to an earlier revision', async () => {
    await ok('create deployment web --image=web:1 --replicas=3');
    expect(await rolledOut('deployment/web')).toContain('deployment "web" successfully rolled out');
    await ok('set image deployment/web web=web:2');
    await rolledOut('deployment/web');
    expect(await images('web')).toBe('web:2 web:2 web:2');
    expect(await ok('rollout history deployment/web')).toMatch(/1 +<none>\n2 +<none>$/);
    expect(await ok('rollout history deployment/web --revision=1')).toContain('web:1');
    expect(await ok('rollout undo deployment/web')).toBe('deployment.apps/web rolled back');
    await rolledOut('deployment/web');
    expect(await images('web')).toBe('web:1 web:1 web:1');
    expect(await ok('rollout history deployment/web')).toMatch(/2 +<none>\n3 +<none>$/);
    expect(await ok('get deployment web --no-headers')).toMatch(/^web +3\/3 +3 +3 /);
  });

  test('is scaled, and waited for', async () => {
    expect(await ok('scale deployment/web --current-replicas=3 --replicas=5')).toBe('deployment.apps/web scaled');
    await ok('wait deployment/web --for=jsonpath={.status.availableReplicas}=5 --timeout=5m');
    expect(await ok('wait deployment/web --for=condition=Available --timeout=5m')).toContain('condition met');
    await ok('scale deployment/web --replicas=2');
    await ok('wait deployment/web --for=jsonpath={.status.replicas}=2 --timeout=5m');
    expect(await images('web')).toBe('web:1 web:1');
  });

  test('is paused, changed, and resumed', async () => {
    await ok('rollout pause deployment/web');
    await ok('wait deployment/web --for=jsonpath={.status.observedGeneration}=6 --timeout=5m');
    await ok('set image deployment/web web=web:3');
    await ok('set env deployment/web MODE=x');
    await ok('wait deployment/web --for=jsonpath={.status.conditions[1].reason}=DeploymentPaused --timeout=5m');
    expect(await images('web')).toBe('web:1 web:1');
    await ok('rollout resume deployment/web');
    await rolledOut('deployment/web');
    expect(await images('web')).toBe('web:3 web:3');
    expect(await ok('get rs -l app=web --no-headers')).toMatch(/^(web-\S+ +\d +\d +\d +\S+\n?){3}$/);
  });

  test('is restarted', async () => {
    const before = await ok('get pods -l app=web -o jsonpath={.items[*].metadata.uid}');
    await ok('rollout restart deployment/web');
    await rolledOut('deployment/web');
    const after = await ok('get pods -l app=web -o jsonpath={.items[*].metadata.uid}');
    expect(after.split(' ').filter((uid) => before.includes(uid))).toEqual([]);
  });

  test('gets exactly the Pods that it requires', async () => {
    const created: string[] = [];
    const watching = new AbortController();
    const watch = client.watch<KubeObject>(
      resources.pods,
      { labelSelector: 'app=many' },
      ({ type, object }) => type === 'ADDED' && created.push(object.metadata.name ?? ''),
      watching.signal,
    );
    await ok('create deployment many --image=web:1 --replicas=40');
    await rolledOut('deployment/many');
    await ok('scale deployment/many --replicas=0');
    await ok('wait deployment/many --for=jsonpath={.status.terminatingReplicas}=0 --timeout=5m');
    await ok('wait pods -l app=many --for=delete --timeout=5m');
    watching.abort();
    await watch.catch(() => undefined);
    expect(created).toHaveLength(40);
    await ok('delete deployment many');
  });

  test('reports each change of a ReplicaSet', async () => {
    const events = await ok('events --for deployment/web --no-headers');
    expect(events).toMatch(/ScalingReplicaSet .*Scaled up replica set web-\S+ from 0 to 3/);
    expect(events).toMatch(/ScalingReplicaSet .*Scaled down replica set web-\S+ from 5 to 2/);
  });

  test('times out if its Pods do not start, and recovers', async () => {
    nodes.mayStart = ({ spec }) => spec.containers[0]!.image !== 'broken';
    await ok('patch deployment web -p {"spec":{"progressDeadlineSeconds":1}}');
    await ok('set image deployment/web web=broken');
    const { code, stderr } = await run('rollout status deployment/web --timeout=5m');
    expect([code, stderr.trim()]).toEqual([1, 'error: deployment "web" exceeded its progress deadline']);
    await ok('patch deployment web -p {"spec":{"progressDeadlineSeconds":600}}');
    await ok('rollout undo deployment/web');
    const reason = '{.status.conditions[?(@.type=="Progressing")].reason}';
    await ok(`wait deployment/web --for=jsonpath=${reason}=NewReplicaSetAvailable --timeout=5m`);
    nodes.mayStart = () => true;
  });

  test('is deleted with its Pods', async () => {
    await ok('delete deployment web');
    await ok('wait pods -l app=web --for=delete --timeout=5m');
    expect(await ok('get deployments,replicasets,pods -l app=web')).toBe('');
  });
});

const template = (app: string, image: string): object => ({
  metadata: { labels: { app } },
  spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image }] },
});

describe('a StatefulSet', () => {
  test('has numbered Pods with claims, and rolls out from the highest one', async () => {
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const set = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db' },
      spec: {
        serviceName: 'db',
        replicas: 3,
        selector: { matchLabels: { app: 'db' } },
        template: template('db', 'db:1'),
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
      },
    };
    await ok('apply -f -', JSON.stringify(set));
    expect(await rolledOut('statefulset/db')).toContain('roll out complete: 3 new pods');
    expect(await ok('get pods,pvc -l app=db -o name')).toBe(
      ['pod/db-0', 'pod/db-1', 'pod/db-2', ...[0, 1, 2].map((i) => `persistentvolumeclaim/data-db-${i}`)].join('\n'),
    );
    await ok('set image statefulset/db main=db:2');
    await rolledOut('statefulset/db');
    expect(await images('db')).toBe('db:2 db:2 db:2');
    expect(await ok('rollout history statefulset/db')).toMatch(/1 +<none>\n2 +<none>$/);
    expect(await ok('rollout undo statefulset/db')).toBe('statefulset.apps/db rolled back');
    await rolledOut('statefulset/db');
    expect(await images('db')).toBe('db:1 db:1 db:1');
    expect(await ok('rollout history statefulset/db')).toMatch(/2 +<none>\n3 +<none>$/);
  });

  test('stops an update at its partition', async () => {
    await ok('patch statefulset db -p {"spec":{"updateStrategy":{"rollingUpdate":{"partition":2}}}}');
    await ok('set image statefulset/db main=db:3');
    expect(await rolledOut('statefulset/db')).toContain('partitioned roll out complete: 1 new pods have been updated');
    expect(await images('db')).toBe('db:1 db:1 db:3');
  });

  test('keeps its claims when it is scaled, and ends with them', async () => {
    await ok('scale statefulset/db --replicas=1');
    await ok('wait pods/db-1 pods/db-2 --for=delete --timeout=5m');
    expect(await ok('get pvc -l app=db -o jsonpath={.items[*].metadata.ownerReferences[*].kind}')).toBe(
      'StatefulSet StatefulSet StatefulSet',
    );
    expect(await ok('events --for statefulset/db --no-headers')).toMatch(
      /SuccessfulDelete .*Delete Pod db-2 in StatefulSet db successful/,
    );
    await ok('delete statefulset db');
    await ok('wait pvc -l app=db --for=delete --timeout=5m');
    expect(await ok('get controllerrevisions,pods,pvc -l app=db')).toBe('');
  });
});

describe('a DaemonSet', () => {
  test('has a Pod on each node, and rolls out', async () => {
    const node = (name: string): object => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
    const set = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'agent' },
      spec: { selector: { matchLabels: { app: 'agent' } }, template: template('agent', 'agent:1') },
    };
    await ok('apply -f -', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [node('a'), node('b'), set] }));
    expect(await rolledOut('daemonset/agent')).toContain('daemon set "agent" successfully rolled out');
    expect(await images('agent')).toBe('agent:1 agent:1');
    await ok('set image daemonset/agent main=agent:2');
    await rolledOut('daemonset/agent');
    expect(await images('agent')).toBe('agent:2 agent:2');
    expect(await ok('rollout undo daemonset/agent')).toBe('daemonset.apps/agent rolled back');
    await rolledOut('daemonset/agent');
    expect(await images('agent')).toBe('agent:1 agent:1');
    expect(await ok('rollout history daemonset/agent')).toMatch(/2 +<none>\n3 +<none>$/);
    await ok('apply -f -', JSON.stringify(node('c')));
    await ok('wait daemonset/agent --for=jsonpath={.status.numberAvailable}=3 --timeout=5m');
    expect(await ok('get daemonset agent --no-headers')).toMatch(/^agent +3 +3 +3 +3 +3 +<none> /);
    await ok('delete daemonset agent');
    await ok('wait pods -l app=agent --for=delete --timeout=5m');
    expect(await ok('get controllerrevisions,pods -l app=agent')).toBe('');
  });
});

test('a rejected Pod is reported on the Deployment', async () => {
  await ok('create deployment bad --image=web:1');
  await ok('wait deployment/bad --for=condition=Available --timeout=5m');
  await ok('patch deployment bad -p {"spec":{"template":{"spec":{"priorityClassName":"missing"}}}}');
  await ok('wait deployment/bad --for=condition=ReplicaFailure --timeout=5m');
  expect(await ok('events --for deployment/bad --no-headers')).toContain('ScalingReplicaSet');
  const message = await ok('get deployment bad -o jsonpath={.status.conditions[?(@.type=="ReplicaFailure")].message}');
  expect(message).toMatch(/^pods .*is forbidden: no PriorityClass with name missing was found$/);
  await ok('delete deployment bad');
});

describe('the scale of a Deployment', () => {
  const path = '/apis/apps/v1/namespaces/default/deployments/sized/scale';
  beforeAll(() => ok('create deployment sized --image=web:1 --replicas=0'));
  afterAll(() => ok('delete deployment sized'));

  test('has the text of its selector', async () => {
    expect(JSON.parse(await ok(`get --raw ${path}`))).toMatchObject({ status: { replicas: 0, selector: 'app=sized' } });
  });

  test.each([
    [
      'another name',
      { metadata: { name: 'other' } },
      'the name of the object (other) does not match the name on the URL',
    ],
    ['no metadata', {}, 'name must be provided'],
  ])('is rejected with %s', async (_, more, message) => {
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 1 }, ...more };
    const { stderr } = await run(`replace --raw ${path} -f -`, { input: JSON.stringify(scale) });
    expect(stderr).toContain(message);
  });

  test('is replaced by a JSON patch although zero is omitted', async () => {
    const patch = '[{"op":"replace","path":"/spec/replicas","value":1}]';
    await ok(`patch deployment sized --subresource=scale --type=json -p ${patch}`);
    expect(await ok('get deployment sized -o jsonpath={.spec.replicas}')).toBe('1');
  });
});
