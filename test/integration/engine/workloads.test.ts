/** @needs guest */
import { eventually } from '../../support/engine';
import { SuiteEngine } from '../../support/shared-engine';

const image = 'localhost/virt8s/virt-launcher:dev';
/** Answers with the version of its template. */
const serve = "require('http').createServer((_, answer) => answer.end(process.env.VERSION)).listen(8080)";

const template = (app: string) => ({
  metadata: { labels: { app } },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: 'main',
        image,
        command: ['/usr/bin/node', '-e', serve],
        env: [{ name: 'VERSION', value: '1' }],
        readinessProbe: { httpGet: { port: 8080 }, periodSeconds: 1 },
      },
    ],
  },
});

const workload = (kind: string, name: string, spec: object): object => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name },
  spec: { selector: { matchLabels: { app: name } }, template: template(name), ...spec },
});

describe('workloads on the engine', () => {
  let engine: SuiteEngine;
  beforeAll(async () => void (engine = await SuiteEngine.begin()));
  afterAll(async () => expect(await engine.end()).toEqual([]));

  const rolledOut = (object: string): Promise<string> => engine.kubectl('rollout', 'status', object, '--timeout=5m');
  const answer = async (): Promise<string> => {
    const { clusterIP } = (await engine.get('service', 'web')).spec;
    return (await engine.run('curl', ['-sS', '-m', '60', `http://${clusterIP}:80/`])).stdout;
  };

  test('a Deployment serves, and rolls out while it serves', async () => {
    const strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
    await engine.mustApply(workload('Deployment', 'web', { replicas: 2, strategy }));
    await engine.kubectl('expose', 'deployment', 'web', '--port=80', '--target-port=8080');
    await rolledOut('deployment/web');
    await eventually(async () => expect(await answer()).toBe('1'));
    await engine.kubectl('set', 'env', 'deployment/web', 'VERSION=2');
    await rolledOut('deployment/web');
    await eventually(async () => expect(await answer()).toBe('2'));
    await eventually(async () => expect(await engine.list('pod', '-l', 'app=web')).toHaveLength(2));
  });

  test('a rollout continues when the engine was killed', async () => {
    await engine.kubectl('set', 'env', 'deployment/web', 'VERSION=3');
    process.kill(engine.componentPid('engine'), 'SIGKILL');
    await engine.up();
    await rolledOut('deployment/web');
    await eventually(async () => expect(await answer()).toBe('3'));
    await eventually(async () => expect(await engine.list('pod', '-l', 'app=web')).toHaveLength(2));
  });

  test('a StatefulSet keeps its claim, and a DaemonSet runs on the node', async () => {
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '16Mi' } } };
    const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: claim }];
    const withClaim = template('db');
    Object.assign(withClaim.spec.containers[0]!, { volumeMounts: [{ name: 'data', mountPath: '/data' }] });
    await engine.mustApply(
      workload('StatefulSet', 'db', { serviceName: 'db', template: withClaim, volumeClaimTemplates }),
    );
    await engine.mustApply(workload('DaemonSet', 'agent', {}));
    await Promise.all(['statefulset/db', 'daemonset/agent'].map(rolledOut));
    await engine.kubectl('exec', 'db-0', '--', 'sh', '-c', 'echo kept > /data/file');
    await engine.kubectl('delete', 'pod', 'db-0');
    await rolledOut('statefulset/db');
    expect(await engine.kubectl('exec', 'db-0', '--', 'cat', '/data/file')).toContain('kept');
    expect(await engine.list('pod', '-l', 'app=agent')).toHaveLength(1);
  });

  test('an Indexed Job runs each index to its end, also when the engine is killed', async () => {
    const command = ['/bin/sh', '-c', 'sleep 1; echo "index $JOB_COMPLETION_INDEX of $(hostname)"'];
    await engine.mustApply({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'indexed' },
      spec: {
        completions: 3,
        parallelism: 2,
        completionMode: 'Indexed',
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image, command }] } },
      },
    });
    process.kill(engine.componentPid('engine'), 'SIGKILL');
    await engine.up();
    await engine.kubectl('wait', 'job/indexed', '--for=condition=complete', '--timeout=5m');
    const { status } = await engine.get('job', 'indexed');
    expect(status).toMatchObject({ succeeded: 3, completedIndexes: '0-2', uncountedTerminatedPods: {} });
    const logs = await engine.kubectl('logs', '-l', 'job-name=indexed');
    expect(logs.trim().split('\n').sort()).toEqual([0, 1, 2].map((index) => `index ${index} of indexed-${index}`));
    await engine.kubectl('delete', 'job', 'indexed');
    await eventually(async () => expect(await engine.list('pod', '-l', 'job-name=indexed')).toHaveLength(0));
  });

  test('everything ends with its objects', async () => {
    await engine.kubectl('delete', 'deployment/web', 'statefulset/db', 'daemonset/agent', 'pvc/data-db-0');
    await eventually(async () => expect(await engine.list('pod')).toEqual([]));
  });
});
