import type { KubeObject } from '../../../../src/api/meta';
import { startControllers } from '../../../../src/local/controllers';
import { finalCondition, type Job, type JobSpec } from '../../../../src/local/controllers/batch-v1';
import { resourceOf } from '../../../../src/local/controllers/informers';
import type { Pod } from '../../../../src/local/core-v1';
import { isConflict, isNotFound, KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import { startTestApiServer, type TestApiServer } from '../../../support/api-server';
import { DyingClient, randomNumbers } from '../../../support/dying-client';
import { until } from '../../../support/until';

const NAMESPACE = 'default';
const JOBS = resourceOf('jobs');

let server: TestApiServer;
let client: KubeClient;

beforeAll(async () => {
  server = await startTestApiServer();
  client = new KubeClient(loadKubeConfig(server.kubeconfig), { userAgent: 'test' });
});

afterAll(() => server?.close());

const jobs: Readonly<Record<string, Partial<JobSpec>>> = {
  many: { completions: 12, parallelism: 3 },
  indexed: { completions: 8, parallelism: 4, completionMode: 'Indexed' },
  limited: { completions: 4, parallelism: 2, completionMode: 'Indexed', backoffLimitPerIndex: 0 },
  failing: { completions: 3, parallelism: 3, backoffLimit: 0 },
};

/** Ends one running Pod; those of the Job `failing` fail. Deleted Pods end at once. */
async function work(random: (below: number) => number): Promise<void> {
  const { items } = await client.list<Pod>(resources.pods, { namespace: NAMESPACE });
  const alive = items.filter(({ status }) => status?.phase === 'Pending' || status?.phase === 'Running');
  const pod = alive[random(Math.max(1, alive.length))];
  if (!pod) return;
  const { namespace, name = '', labels = {} } = pod.metadata;
  const phase = labels['job-name'] === 'failing' ? 'Failed' : 'Succeeded';
  try {
    await client.patch(resources.pods, { namespace, name, subresource: 'status' }, { status: { phase } }, 'merge');
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

const listed = async (): Promise<Job[]> => (await client.list<Job>(JOBS, { namespace: NAMESPACE })).items;
const isOver = async (): Promise<boolean> => (await listed()).every((job) => finalCondition(job));

test('a Job controller that is killed at any moment counts each Pod once', async () => {
  const random = randomNumbers(20261123);
  const created = new Map<string, Set<string>>();
  const watching = new AbortController();
  const watch = client.watch<Pod>(
    resources.pods,
    { namespace: NAMESPACE },
    ({ type, object }) => {
      const job = object.metadata.labels?.['job-name'] ?? '';
      if (type === 'ADDED') created.set(job, (created.get(job) ?? new Set()).add(object.metadata.uid ?? ''));
    },
    watching.signal,
  );
  for (const [name, spec] of Object.entries(jobs)) {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    const metadata = { namespace: NAMESPACE, name };
    await client.create(JOBS, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata,
      spec: { template, ...spec },
    } as KubeObject);
  }
  let deaths = 0;
  for (let round = 0; round < 150 && !(await isOver()); round++) {
    const dying = new DyingClient(client.config, { userAgent: 'test' });
    dying.writes = 1 + random(6);
    dying.losesAnswer = random(2) === 0;
    const controllers = await startControllers({ client: dying });
    await until(
      async () => {
        await work(random);
        return dying.isDead || (await isOver());
      },
      { everyMs: 20 },
    );
    if (dying.isDead) deaths += 1;
    dying.writes = 0;
    await controllers.close();
  }
  expect(deaths).toBeGreaterThan(10);
  const controllers = await startControllers({ client });
  const isTracked = ({ metadata }: Pod): boolean => Boolean(metadata.finalizers?.length);
  await until(async () => !(await client.list<Pod>(resources.pods, { namespace: NAMESPACE })).items.some(isTracked));
  await controllers.close();
  watching.abort();
  await watch.catch(() => undefined);

  const facts = Object.fromEntries(
    (await listed()).map(({ metadata, status = {} }) => {
      const { succeeded = 0, failed = 0, completedIndexes, uncountedTerminatedPods, conditions } = status;
      const types = conditions?.map(({ type }) => type);
      const name = metadata.name ?? '';
      const pods = created.get(name)?.size;
      return [name, { succeeded, failed, completedIndexes, pods, uncountedTerminatedPods, types }];
    }),
  );
  const complete = { failed: 0, uncountedTerminatedPods: {}, types: ['SuccessCriteriaMet', 'Complete'] };
  expect(facts).toEqual({
    many: { ...complete, succeeded: 12, pods: 12 },
    indexed: { ...complete, succeeded: 8, pods: 8, completedIndexes: '0-7' },
    limited: { ...complete, succeeded: 4, pods: 4, completedIndexes: '0-3' },
    failing: {
      succeeded: 0,
      failed: created.get('failing')?.size,
      pods: created.get('failing')?.size,
      uncountedTerminatedPods: {},
      types: ['FailureTarget', 'Failed'],
    },
  });
});
