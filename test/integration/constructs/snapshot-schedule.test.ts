import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chart, Duration, Testing } from 'cdk8s';
import { SnapshotDeletionPolicy, SnapshotSchedule, SnapshotScheduleOptions } from '../../../src';
import { admit, clusterConfig, contextOf, type KubeObject, type snapshot } from '../../../src/api';
import crds from '../../../src/api/generated/crds.json';
import { startTestApiServer, type TestApiServer } from '../../support/api-server';
import { kubectl, type Kubectl } from '../local/api-server/kubectl';
import { testApp } from '../../support/app';
import { PATIENCE_MS } from '../../support/patience';

const SCHEDULE = 'virt8s.io/snapshot-schedule';
const TIME = 'virt8s.io/snapshot-time';
const SNAPSHOTS = 'virtualmachinesnapshots.snapshot.kubevirt.io';

let server: TestApiServer;
let run: Kubectl;
/** Files of the ServiceAccount, as a Pod has them. */
let account: string;

beforeAll(async () => {
  server = await startTestApiServer();
  run = kubectl(server.kubeconfig);
  const definition = (crds as unknown as KubeObject[]).find(({ metadata }) => metadata.name === SNAPSHOTS);
  expect((await run('create -f -', { input: JSON.stringify(definition) })).stderr).toBe('');
  await run(`wait --for=condition=Established crd/${SNAPSHOTS}`);

  const objects = scheduled({}).filter(({ kind }) => kind !== 'CronJob');
  const { stderr } = await run('create -f -', { input: objects.map((object) => JSON.stringify(object)).join('\n') });
  expect(stderr).toBe('');
  account = join(server.directory, 'account');
  mkdirSync(account);
  writeFileSync(join(account, 'ca.crt'), server.ca.pem);
  writeFileSync(join(account, 'token'), (await run('create token nightly-db-account')).stdout);
});

afterAll(() => server.close());
afterEach(() => run(`delete ${SNAPSHOTS} --all`));

interface Container {
  readonly command: string[];
  readonly env: { readonly name: string; readonly value?: string }[];
}

/** Objects of a schedule of the VM `db`. */
function scheduled(options: SnapshotScheduleOptions): KubeObject[] {
  const chart = new Chart(testApp(), 'nightly', { disableResourceNameHashes: true });
  new SnapshotSchedule(chart, 'db', { source: { name: 'db' }, metadata: { namespace: 'default' }, ...options });
  return Testing.synth(chart);
}

/** The container that the schedule starts. */
function containerOf(options: SnapshotScheduleOptions = {}): Container {
  const job = scheduled(options).find(({ kind }) => kind === 'CronJob') as unknown as {
    spec: { jobTemplate: { spec: { template: { spec: { containers: Container[] } } } } };
  };
  return job.spec.jobTemplate.spec.template.spec.containers[0]!;
}

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs the command of the container as its Job would: with the rights of the schedule's account. */
function once(job: string, { command, env }: Container, more: object = {}): Promise<Outcome> {
  const given = Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
  const environment = {
    PATH: process.env.PATH,
    KUBERNETES_SERVICE_HOST: '127.0.0.1',
    KUBERNETES_SERVICE_PORT: String(server.port),
    NAMESPACE: 'default',
    JOB: job,
    ...given,
    ...more,
  };
  const at = '/run/secrets/kubernetes.io/serviceaccount';
  const inPod = `mount -t tmpfs tmpfs /run && mkdir -p ${at} && mount --bind ${account} ${at} && exec "$@"`;
  return new Promise((resolve) =>
    execFile(
      'unshare',
      ['--mount', 'sh', '-c', inPod, 'sh', ...command],
      { env: environment, timeout: PATIENCE_MS },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    ),
  );
}

type Snapshot = snapshot.VirtualMachineSnapshot;

async function snapshots(): Promise<Snapshot[]> {
  return JSON.parse((await run(`get ${SNAPSHOTS} -o json`)).stdout).items;
}

const names = async (): Promise<string[]> => (await snapshots()).map(({ metadata }) => metadata.name!).sort();

/** A snapshot that was taken this many seconds ago. */
async function taken(name: string, age: number, ready: boolean | undefined, schedule = 'nightly-db'): Promise<void> {
  const time = String(Math.floor(Date.now() / 1000) - age);
  const object = {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshot',
    metadata: { name, labels: { [SCHEDULE]: schedule, [TIME]: time } },
    spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'db' } },
  };
  await run('create -f -', { input: JSON.stringify(object) });
  if (ready === undefined) return;
  await run(`patch ${SNAPSHOTS} ${name} --subresource=status --type=merge -p {"status":{"readyToUse":${ready}}}`);
}

const HOUR = 3600;
const JOB = '1a2b3c4d-0000-4000-8000-000000000000';

test('a run takes one snapshot, that KubeVirt accepts, and a second try none', async () => {
  const container = containerOf({
    deletionPolicy: SnapshotDeletionPolicy.RETAIN,
    failureDeadline: Duration.minutes(10),
  });
  expect(await once(JOB, container)).toEqual({ code: 0, output: 'snapshot db-1a2b3c4d created\n' });
  const [object, ...others] = await snapshots();
  expect(others).toEqual([]);
  expect(object!.metadata.name).toBe('db-1a2b3c4d');
  expect(object!.metadata.labels).toEqual({ [SCHEDULE]: 'nightly-db', [TIME]: expect.stringMatching(/^\d{10}$/) });
  expect(object!.spec).toEqual({
    source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'db' },
    deletionPolicy: 'Retain',
    failureDeadline: '10m',
  });
  expect(admit(object as unknown as KubeObject, contextOf(clusterConfig())).errors).toEqual([]);

  expect(await once(JOB, container)).toEqual({ code: 0, output: 'snapshot db-1a2b3c4d exists\n' });
  expect(await names()).toEqual(['db-1a2b3c4d']);
  expect((await once(`ffff${JOB}`, container)).code).toBe(0);
  expect(await names()).toEqual(['db-1a2b3c4d', 'db-ffff1a2b']);
});

test('keeps the given number of newest restorable snapshots; failed ones do not count', async () => {
  await taken('a', HOUR, true);
  await taken('b-failed', 2 * HOUR, false);
  await taken('c', 3 * HOUR, true);
  await taken('d', 4 * HOUR, true);
  await taken('e', 5 * HOUR, true);
  const { code } = await once(JOB, containerOf({ keep: 2 }));
  expect(code).toBe(0);
  // the new one is not ready yet
  expect(await names()).toEqual(['a', 'c', 'db-1a2b3c4d']);
});

test('a snapshot in progress does not count as failed', async () => {
  await taken('a-working', HOUR, undefined);
  await taken('b', 2 * HOUR, true);
  await once(JOB, containerOf({ keep: 1 }));
  expect(await names()).toEqual(['a-working', 'b', 'db-1a2b3c4d']);
});

test('deletes old snapshots, but never the newest restorable one', async () => {
  await taken('a-failed', 3 * HOUR, false);
  await taken('b', 5 * HOUR, true);
  await taken('c', 6 * HOUR, true);
  await taken('d-failed', 7 * HOUR, false);
  await once(JOB, containerOf({ maxAge: Duration.hours(4) }));
  expect(await names()).toEqual(['a-failed', 'b', 'db-1a2b3c4d']);
});

test('keeps snapshots of other schedules and of users', async () => {
  await taken('other', 100 * HOUR, true, 'weekly-db');
  await taken('mine', HOUR, true);
  await taken('old', 2 * HOUR, true);
  const object = {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshot',
    metadata: { name: 'by-hand' },
    spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'db' } },
  };
  await run('create -f -', { input: JSON.stringify(object) });
  await once(JOB, containerOf({ keep: 1 }));
  expect(await names()).toEqual(['by-hand', 'db-1a2b3c4d', 'mine', 'other']);
});

test('more snapshots than a page has are deleted', async () => {
  const time = Math.floor(Date.now() / 1000) - HOUR;
  const metadata = (i: number): object => ({
    name: `old-${i}`,
    labels: { [SCHEDULE]: 'nightly-db', [TIME]: `${time}` },
  });
  const spec = { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'db' } };
  const object = { apiVersion: 'snapshot.kubevirt.io/v1beta1', kind: 'VirtualMachineSnapshot', spec };
  const objects = Array.from({ length: 120 }, (_, i) => JSON.stringify({ ...object, metadata: metadata(i) }));
  expect((await run('create -f -', { input: objects.join('\n') })).code).toBe(0);
  const { code } = await once(JOB, containerOf({ maxAge: Duration.minutes(10) }));
  expect([code, await names()]).toEqual([0, ['db-1a2b3c4d']]);
});

test.each([
  ['no server answers', { KUBERNETES_SERVICE_PORT: '1' }, /ECONNREFUSED/],
  ['its account has no rights in the namespace', { NAMESPACE: 'nowhere' }, /POST \S+: .*forbidden.*cannot create/],
])('a run fails, and says why, when %s', async (_, more, why) => {
  const { code, output } = await once(JOB, containerOf(), more);
  expect(code).toBe(1);
  expect(output).toMatch(why);
});
