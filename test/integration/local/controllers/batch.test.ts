import { startControllers, type Controllers } from '../../../../src/local/controllers';
import type { Pod } from '../../../../src/local/core-v1';
import { startScheduler, type Scheduler } from '../../../../src/local/scheduler/scheduler';
import { KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import { startTestApiServer, type TestApiServer } from '../../../support/api-server';
import { startReadyPods, type ReadyPods } from '../../../support/ready-pods';
import { kubectl, type Kubectl } from '../api-server/kubectl';
import { until } from '../../../support/until';

let server: TestApiServer;
let client: KubeClient;
let controllers: Controllers;
let scheduler: Scheduler;
let nodes: ReadyPods;
let run: Kubectl;

beforeAll(async () => {
  server = await startTestApiServer();
  client = new KubeClient(loadKubeConfig(server.kubeconfig), { userAgent: 'test' });
  for (const name of ['n1', 'n2']) await createNode(name);
  controllers = await startControllers({
    client: client.separate(),
    log: (level, message, fields) => process.env.VIRT8S_TEST_LOG && console.error(level, message, fields),
  });
  scheduler = await startScheduler({ client: client.separate() });
  nodes = await startReadyPods(client.separate());
  run = kubectl(server.kubeconfig);
});

afterAll(async () => {
  await nodes?.close();
  await scheduler?.close();
  await controllers?.close();
  await server?.close();
});

async function createNode(name: string): Promise<void> {
  const labels = { 'kubernetes.io/hostname': name };
  await client.create(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
  const amounts = { cpu: '8', memory: '8Gi', pods: '100', 'ephemeral-storage': '100Gi' };
  const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }];
  const status = { conditions, capacity: amounts, allocatable: amounts };
  await client.patch(resources.nodes, { name, subresource: 'status' }, { status }, 'merge');
}

/** Runs kubectl, requires success, and returns its output. */
async function ok(args: string, input?: string): Promise<string> {
  const { code, stdout, stderr } = await run(args, input === undefined ? {} : { input });
  if (code !== 0) throw new Error(`kubectl ${args}: ${stderr}`);
  return stdout.trim();
}

const podsOf = async (labelSelector: string): Promise<Pod[]> =>
  (await client.list<Pod>(resources.pods, { namespace: 'default', labelSelector })).items;

/** Ends the running Pods with these labels. */
async function end(labelSelector: string, phase: 'Succeeded' | 'Failed', count = 1): Promise<void> {
  const running = await until(async () => {
    const pods = (await podsOf(labelSelector)).filter(({ status }) => status?.phase === 'Running');
    return pods.length >= count && pods;
  });
  const terminated = {
    exitCode: phase === 'Failed' ? 1 : 0,
    finishedAt: new Date().toISOString().replace(/\.\d+/, ''),
  };
  for (const { metadata } of running) {
    const { namespace, name = '' } = metadata;
    const containerStatuses = [
      { name: 'main', ready: false, restartCount: 0, image: '', imageID: '', state: { terminated } },
    ];
    const body = { status: { phase, containerStatuses } };
    await client.patch(resources.pods, { namespace, name, subresource: 'status' }, body, 'merge');
  }
}

const job = (name: string, spec: object): string =>
  JSON.stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'image' }] } },
      ...spec,
    },
  });

describe('a Job', () => {
  test('completes, is listed, and is deleted with its Pods', async () => {
    await ok('create job pi --image=perl -- true');
    await end('job-name=pi', 'Succeeded');
    expect(await ok('wait job/pi --for=condition=complete --timeout=5m')).toBe('job.batch/pi condition met');
    expect(await ok('get jobs pi --no-headers')).toMatch(/^pi +Complete +1\/1 +\d+s +\d+s$/);
    const [pod] = await podsOf('job-name=pi');
    expect(pod?.metadata.finalizers).toBeUndefined();
    const events = await ok('events --for job/pi --no-headers');
    expect(events).toMatch(/SuccessfulCreate .*Created pod: pi-/);
    expect(events).toMatch(/Completed .*Job completed/);
    await ok('delete job pi');
    await ok('wait pods -l job-name=pi --for=delete --timeout=5m');
  });

  test('counts its indexes', async () => {
    await ok('create -f -', job('indexed', { completions: 3, parallelism: 3, completionMode: 'Indexed' }));
    await end('job-name=indexed,batch.kubernetes.io/job-completion-index=1', 'Succeeded');
    await ok('wait job/indexed --for=jsonpath={.status.completedIndexes}=1 --timeout=5m');
    await end('job-name=indexed', 'Succeeded', 2);
    await ok('wait job/indexed --for=condition=complete --timeout=5m');
    expect(await ok('get job indexed -o jsonpath={.status.completedIndexes}')).toBe('0-2');
    const names = (await podsOf('job-name=indexed')).map(({ spec }) => spec.hostname).sort();
    expect(names).toEqual(['indexed-0', 'indexed-1', 'indexed-2']);
  });

  test('fails after its last failure', async () => {
    await ok('create -f -', job('broken', { backoffLimit: 0 }));
    await end('job-name=broken', 'Failed');
    await ok('wait job/broken --for=condition=failed --timeout=5m');
    const reason = await ok('get job broken -o jsonpath={.status.conditions[*].reason}');
    expect(reason).toBe('BackoffLimitExceeded BackoffLimitExceeded');
  });

  test('is suspended and resumed', async () => {
    await ok('create -f -', job('paused', { suspend: true }));
    await ok('wait job/paused --for=condition=suspended --timeout=5m');
    expect(await podsOf('job-name=paused')).toEqual([]);
    await ok('patch job paused -p {"spec":{"suspend":false}}');
    await end('job-name=paused', 'Succeeded');
    await ok('wait job/paused --for=condition=complete --timeout=5m');
  });

  test('expires', async () => {
    await ok('create -f -', job('short', { ttlSecondsAfterFinished: 0 }));
    await end('job-name=short', 'Succeeded');
    await ok('wait job/short --for=delete --timeout=5m');
    await ok('wait pods -l job-name=short --for=delete --timeout=5m');
  });

  test('leaves its Pods free when it is deleted without them', async () => {
    await ok('create -f -', job('parent', {}));
    await until(async () => (await podsOf('job-name=parent')).length === 1);
    await ok('delete job parent --cascade=orphan');
    const [pod] = await until(async () => {
      const pods = await podsOf('job-name=parent');
      return !pods[0]?.metadata.finalizers && pods;
    });
    expect(pod?.metadata.ownerReferences).toBeUndefined();
    await ok(`delete pod ${pod?.metadata.name} --timeout=5m`);
  });
});

test('a CronJob starts Jobs, also by hand, and is deleted with them', async () => {
  const minute = (): number => Math.floor(Date.now() / 60_000);
  const first = minute();
  await ok("create cronjob tick --image=image '--schedule=@every 1s'");
  const name = await until(async () => (await ok('get jobs -o name')).match(/tick-\d+/)?.[0]);
  const started = await ok(`get job ${name} -o jsonpath={.metadata.ownerReferences[0].name}`);
  expect(started).toBe('tick');
  const scheduled = Number(name.slice('tick-'.length));
  expect(first <= scheduled && scheduled <= minute()).toBe(true);
  await ok('patch cronjob tick -p {"spec":{"suspend":true}}');
  await ok('create job byhand --from=cronjob/tick');
  await end('job-name=byhand', 'Succeeded');
  await ok('wait job/byhand --for=condition=complete --timeout=5m');
  await until(async () => await ok('get cronjob tick -o jsonpath={.status.lastSuccessfulTime}'));
  expect(await ok('get cronjob tick --no-headers')).toMatch(/^tick +@every 1s +<none> +True +1 +\S+ +\S+$/);
  await ok('delete cronjob tick');
  await ok(`wait job/${name} --for=delete --timeout=5m`);
});

test('an autoscaler keeps the replicas within its limits and reports missing metrics', async () => {
  await ok('create deployment scaled --image=image --replicas=1');
  await ok('autoscale deployment scaled --min=2 --max=3 --cpu-percent=50');
  await ok('wait deployment/scaled --for=jsonpath={.status.availableReplicas}=2 --timeout=5m');
  const events = await until(async () => {
    const text = await ok('events --for hpa/scaled --no-headers');
    return text.includes('SuccessfulRescale') && text;
  });
  expect(events).toContain('New size: 2; reason: Current number of replicas below Spec.MinReplicas');
  await ok('patch hpa scaled -p {"spec":{"maxReplicas":4}}');
  const message = await until(
    async () => await ok("get hpa scaled -o jsonpath={.status.conditions[?(@.type=='ScalingActive')].message}"),
  );
  expect(message).toContain('no metrics returned from resource metrics API');
  expect(await ok('get hpa scaled --no-headers')).toMatch(
    /^scaled +Deployment\/scaled +cpu: <unknown>\/50% +2 +4 +2 +\S+$/,
  );
  await ok('delete hpa scaled');
  await ok('delete deployment scaled');
});

describe('a node', () => {
  const onNode = async (name: string): Promise<number> =>
    (await podsOf('app=web')).filter(({ spec, metadata }) => spec.nodeName === name && !metadata.deletionTimestamp)
      .length;

  test('is drained within the disruption budget', async () => {
    await ok('cordon n2');
    await ok('create deployment web --image=image --replicas=3');
    await ok('rollout status deployment/web --timeout=5m');
    expect(await onNode('n1')).toBe(3);
    await ok('create pdb web --selector=app=web --min-available=2');
    await ok('wait pdb/web --for=jsonpath={.status.disruptionsAllowed}=1 --timeout=5m');
    expect(await ok('get pdb web --no-headers')).toMatch(/^web +2 +N\/A +1 +\S+$/);
    // eslint-disable-next-line virt8s/patience-of-programs -- the limit is tested
    const blocked = await run('drain n1 --ignore-daemonsets --timeout=1s');
    expect(blocked.stderr + blocked.stdout).toContain("violate the pod's disruption budget");
    await ok('uncordon n2');
    expect(await ok('drain n1 --ignore-daemonsets --timeout=60s')).toContain('node/n1 drained');
    await ok('rollout status deployment/web --timeout=5m');
    expect([await onNode('n1'), await onNode('n2')]).toEqual([0, 3]);
  });

  test('is tainted while it is cordoned', async () => {
    const taints = (): Promise<string> => ok('get node n1 -o jsonpath={.spec.taints[*].key}');
    expect(await until(taints)).toBe('node.kubernetes.io/unschedulable');
    expect(await ok('get node n1 --no-headers')).toMatch(/^n1 +Ready,SchedulingDisabled /);
    await ok('uncordon n1');
    await until(async () => (await taints()) === '');
  });

  test('evicts Pods that do not tolerate its taint', async () => {
    await ok('delete pdb web');
    await ok('taint node n2 example.com/out=x:NoExecute');
    await until(async () => (await onNode('n1')) === 3 && (await onNode('n2')) === 0);
    const events = await ok('get events -o jsonpath={.items[*].message}');
    expect(events).toContain('Marking for deletion Pod default/web-');
  });
});

describe('a generic ephemeral volume', () => {
  const podWith = (name: string) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: {
        containers: [{ name: 'main', image: 'image' }],
        volumes: [
          {
            name: 'scratch',
            ephemeral: {
              volumeClaimTemplate: {
                metadata: { labels: { type: 'scratch' } },
                spec: {
                  accessModes: ['ReadWriteOnce'],
                  storageClassName: 'manual',
                  resources: { requests: { storage: '1Gi' } },
                },
              },
            },
          },
        ],
      },
    });
  const unschedulable = (name: string, message: string) =>
    until(async () => (await ok(`get pod ${name} -o jsonpath={.status.conditions[*].message}`)).includes(message));

  test('has a claim of its own, for which its Pod waits and which is deleted with it', async () => {
    await ok('create -f -', podWith('owner'));
    const path = '{.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name} {.metadata.labels.type}';
    const owner = () => run(`get pvc owner-scratch -o jsonpath=${path.replace(' ', ',')}`);
    await until(async () => (await owner()).stdout === 'Pod/owner,scratch');
    await unschedulable('owner', 'pod has unbound immediate PersistentVolumeClaims');
    await ok('delete pod owner --grace-period=0 --force');
    await until(async () => (await owner()).stderr.includes('not found'));
  });

  test('does not take a claim that exists for something else', async () => {
    const { spec } = JSON.parse(podWith('x')).spec.volumes[0].ephemeral.volumeClaimTemplate;
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'guest-scratch' }, spec };
    await ok('create -f -', JSON.stringify(claim));
    await ok('create -f -', podWith('guest'));
    const message = 'PVC default/guest-scratch was not created for pod default/guest (pod is not owner)';
    await unschedulable('guest', message);
    const events = () => ok('get events --field-selector=reason=FailedBinding -o jsonpath={.items[*].message}');
    await until(async () => (await events()).includes(`ephemeral volume scratch: ${message}`));
    // kubectl would wait for ever if the next claim of this name exists within the 100 ms in which it lists the first
    await ok('delete pvc guest-scratch --wait=false');
    await unschedulable('guest', 'pod has unbound immediate PersistentVolumeClaims');
    await ok('delete pod guest --grace-period=0 --force');
  });
});
