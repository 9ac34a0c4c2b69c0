import type { KubeObject } from '../../../../src/api/meta';
import { startControllers, type Controllers } from '../../../../src/local/controllers';
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../../../src/local/controllers/apps-v1';
import { controllerOf, resourceOf } from '../../../../src/local/controllers/informers';
import type { Pod } from '../../../../src/local/core-v1';
import { KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import { startTestApiServer, type TestApiServer } from '../../../support/api-server';
import { DyingClient, randomNumbers } from '../../../support/dying-client';
import { startReadyPods, type ReadyPods } from '../../../support/ready-pods';
import { until } from '../../../support/until';

const NAMESPACE = 'default';

let server: TestApiServer;
let client: KubeClient;
let nodes: ReadyPods;

beforeAll(async () => {
  server = await startTestApiServer();
  client = new KubeClient(loadKubeConfig(server.kubeconfig), { userAgent: 'test' });
  nodes = await startReadyPods(client.separate());
});

afterAll(async () => {
  await nodes?.close();
  await server?.close();
});

const template = (app: string, image: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image }], terminationGracePeriodSeconds: 0 },
});
const workload = (kind: string, name: string, spec: object): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { namespace: NAMESPACE, name },
    spec: { selector: { matchLabels: { app: name } }, template: template(name, 'image:0'), ...spec },
  }) as KubeObject;

const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const start = (dying: KubeClient): Promise<Controllers> => startControllers({ client: dying });
const collection = {
  web: resourceOf('deployments'),
  db: resourceOf('statefulSets'),
  agent: resourceOf('daemonSets'),
} as const;

test('controllers that are killed at any moment continue without duplicate Pods and orphans', async () => {
  const random = randomNumbers(20261122);
  for (const name of ['a', 'b', 'c']) {
    await client.create(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
  }
  await client.create(collection.web, workload('Deployment', 'web', { replicas: 4 }));
  const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: claim }];
  await client.create(collection.db, workload('StatefulSet', 'db', { replicas: 3, volumeClaimTemplates }));
  await client.create(collection.agent, workload('DaemonSet', 'agent', {}));

  let deaths = 0;
  for (let round = 1; round <= 40; round++) {
    const dying = new DyingClient(client.config, { userAgent: 'test' });
    dying.writes = 1 + random(12);
    dying.losesAnswer = random(2) === 0;
    const controllers = await start(dying);
    await change(round, random);
    if (await untilDeathOrSettled(dying)) deaths += 1;
    dying.writes = 0;
    await controllers.close();
  }
  expect(deaths).toBeGreaterThan(20);

  const controllers = await start(client);
  await settled();
  await controllers.close();
  const pods = await list<Pod>('pods');
  const owners = new Set(
    [...(await list('replicaSets')), ...(await list('statefulSets')), ...(await list('daemonSets'))].map(
      ({ metadata }) => metadata.uid,
    ),
  );
  expect(pods.filter(({ metadata }) => !owners.has(controllerOf(metadata)?.uid))).toEqual([]);
  const count = (app: string): number => pods.filter(({ metadata }) => metadata.labels?.app === app).length;
  const web = await client.get<Deployment>(collection.web, { namespace: NAMESPACE, name: 'web' });
  const db = await client.get<StatefulSet>(collection.db, { namespace: NAMESPACE, name: 'db' });
  expect([count('web'), count('db'), count('agent')]).toEqual([web.spec.replicas, db.spec.replicas, 3]);
  const revisions = (await list<ReplicaSet>('replicaSets')).map(
    ({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision'],
  );
  expect(new Set(revisions).size).toBe(revisions.length);
});

const list = async <T extends KubeObject>(name: Parameters<typeof resourceOf>[0]): Promise<T[]> =>
  (await client.list<T>(resourceOf(name), { namespace: NAMESPACE })).items;

/** Scales one object, changes the image of another, or deletes a Pod. */
async function change(round: number, random: (below: number) => number): Promise<void> {
  const name = (['web', 'db', 'agent'] as const)[random(3)]!;
  const patch = (spec: object): Promise<unknown> =>
    client.patch(collection[name], { namespace: NAMESPACE, name }, { spec }, 'strategic');
  const kind = random(3);
  if (kind === 0 && name !== 'agent') await patch({ replicas: 1 + random(6) });
  else if (kind === 1) await patch({ template: template(name, `image:${round}`) });
  else {
    const pods = await list<Pod>('pods');
    const victim = pods[random(Math.max(1, pods.length))];
    if (victim) await client.delete(resources.pods, { namespace: NAMESPACE, name: victim.metadata.name ?? '' });
  }
}

const settled = (): Promise<unknown> => until(isSettled, { everyMs: 50 });

/** Returns whether the program was killed before it had nothing left to do. */
async function untilDeathOrSettled(dying: DyingClient): Promise<boolean> {
  await until(async () => dying.isDead || (await isSettled()), { everyMs: 50 });
  return dying.isDead;
}

/** Whether each object has the Pods that its spec requires, all of them updated and ready. */
async function isSettled(): Promise<boolean> {
  const [web] = await list<Deployment>('deployments');
  const [db] = await list<StatefulSet>('statefulSets');
  const [agent] = await list<DaemonSet>('daemonSets');
  const pods = await list<Pod>('pods');
  if (!web || !db || !agent) return false;
  const wanted = { web: web.spec.replicas, db: db.spec.replicas, agent: 3 };
  return (
    [web, db, agent].every(({ metadata, status }) => status?.observedGeneration === metadata.generation) &&
    web.status?.updatedReplicas === wanted.web &&
    web.status?.availableReplicas === wanted.web &&
    db.status?.updatedReplicas === wanted.db &&
    db.status?.availableReplicas === wanted.db &&
    agent.status?.updatedNumberScheduled === 3 &&
    agent.status?.numberAvailable === 3 &&
    Object.entries(wanted).every(
      ([app, count]) => pods.filter(({ metadata }) => metadata.labels?.app === app).length === count,
    )
  );
}
