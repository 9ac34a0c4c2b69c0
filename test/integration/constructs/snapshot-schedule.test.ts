import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Chart, Duration, Testing } from 'cdk8s';
import { SnapshotDeletionPolicy, SnapshotSchedule, SnapshotScheduleOptions } from '../../../src';
import { admit, clusterConfig, contextOf, type KubeObject, type snapshot } from '../../../src/api';
import crds from '../../../src/api/generated/crds.json';
import { startTestApiServer, type TestApiServer } from '../../support/api-server';
import { kubectl, type Kubectl } from '../local/api-server/kubectl';
import { testApp } from '../../support/app';

const SCHEDULE = 'virt8s.io/snapshot-schedule';
const TIME = 'virt8s.io/snapshot-time';
const SNAPSHOTS = 'virtualmachinesnapshots.snapshot.kubevirt.io';

let server: TestApiServer;
let run: Kubectl;

beforeAll(async () => {
  server = await startTestApiServer();
  run = kubectl(server.kubeconfig);
  const definition = (crds as unknown as KubeObject[]).find(({ metadata }) => metadata.name === SNAPSHOTS);
  expect((await run('create -f -', { input: JSON.stringify(definition) })).stderr).toBe('');
  await run(`wait --for=condition=Established crd/${SNAPSHOTS}`);
  // logs every request of the script
  const wrapper = join(server.directory, 'kubectl');
  await writeFile(wrapper, `#!/bin/sh\nexec ${(await which('kubectl')).trim()} -v=6 "$@"\n`);
  await chmod(wrapper, 0o755);
});

afterAll(() => server.close());
afterEach(() => run(`delete ${SNAPSHOTS} --all`));

const which = (command: string): Promise<string> =>
  new Promise((resolve) => execFile('sh', ['-c', `command -v ${command}`], (_, stdout) => resolve(stdout)));

interface Container {
  readonly command: string[];
  readonly env: { readonly name: string; readonly value?: string }[];
}

/** The container that a schedule of the VM `db` starts. */
function containerOf(options: SnapshotScheduleOptions = {}): Container {
  const chart = new Chart(testApp(), 'nightly', { disableResourceNameHashes: true });
  new SnapshotSchedule(chart, 'db', { source: { name: 'db' }, ...options });
  const job = Testing.synth(chart).find(({ kind }: KubeObject) => kind === 'CronJob');
  return job.spec.jobTemplate.spec.template.spec.containers[0];
}

interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly requests: string[];
}

/** Runs the container's command as its Job would, in one of the shells that images have. */
function once(job: string, { command, env }: Container, shell = ['dash'], more: object = {}): Promise<Outcome> {
  const [, ...script] = command;
  const [program, ...args] = shell;
  const given = Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
  const path = `${server.directory}:${process.env.PATH}`;
  const environment = {
    ...given,
    PATH: path,
    HOME: server.directory,
    KUBECONFIG: server.kubeconfig,
    NAMESPACE: 'default',
    JOB: job,
  };
  return new Promise((resolve) =>
    execFile(
      program,
      [...args, ...script],
      { env: { ...environment, ...more }, timeout: 60_000 },
      (error, stdout, stderr) => {
        const output = stdout + stderr;
        const requests = [
          ...output.matchAll(/\b(GET|POST|PUT|PATCH|DELETE)"? (?:url=")?https:\/\/[^/]+([^\s"?]*)/g),
        ].map(([, verb, url]) => `${verb} ${url}`);
        resolve({ code: error ? Number(error.code ?? 1) : 0, output, requests });
      },
    ),
  );
}

type Snapshot = snapshot.VirtualMachineSnapshot;

async function snapshots(): Promise<Snapshot[]> {
  return JSON.parse((await run(`get ${SNAPSHOTS} -o json`)).stdout).items;
}

const names = async (): Promise<string[]> => (await snapshots()).map(({ metadata }) => metadata.name!).sort();

/** A snapshot that was taken so many seconds ago. */
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

test.each([[['dash']], [['busybox', 'sh']], [['bash', '--posix']]])(
  'a run by %s takes one snapshot, that KubeVirt accepts, and a second try none',
  async (shell) => {
    const container = containerOf({
      deletionPolicy: SnapshotDeletionPolicy.RETAIN,
      failureDeadline: Duration.minutes(10),
    });
    const first = await once(JOB, container, shell);
    expect([first.code, first.code === 0 ? '' : first.output]).toEqual([0, '']);
    const [object, ...others] = await snapshots();
    expect(others).toEqual([]);
    expect(object.metadata.name).toBe('db-1a2b3c4d');
    expect(object.metadata.labels).toEqual({ [SCHEDULE]: 'nightly-db', [TIME]: expect.stringMatching(/^\d{10}$/) });
    expect(object.spec).toEqual({
      source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'db' },
      deletionPolicy: 'Retain',
      failureDeadline: '10m',
    });
    expect(admit(object, contextOf(clusterConfig())).errors).toEqual([]);

    expect((await once(JOB, container, shell)).code).toBe(0);
    expect(await names()).toEqual(['db-1a2b3c4d']);
    expect((await once(`ffff${JOB}`, container, shell)).code).toBe(0);
    expect(await names()).toEqual(['db-1a2b3c4d', 'db-ffff1a2b']);
  },
);

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

test('sends only requests that its Role allows: create, list and delete in the namespace', async () => {
  await taken('a', HOUR, true);
  await taken('b', 2 * HOUR, true);
  const { requests } = await once(JOB, containerOf({ keep: 1 }));
  const all = '/apis/snapshot.kubevirt.io/v1beta1/namespaces/default/virtualmachinesnapshots';
  // everybody may ask what the cluster serves
  const discovery = /^GET \/(api|apis|openapi)(\/[\w.]+){0,2}$/;
  expect(requests.filter((request) => !discovery.test(request))).toEqual([
    `POST ${all}`,
    `GET ${all}`,
    `DELETE ${all}/b`,
  ]);
});

test.each([
  ['no server answers', { KUBECONFIG: '/dev/null/none' }, /config|connect/],
  ['the server refuses the snapshot', { NAMESPACE: 'nowhere' }, /namespaces "nowhere" not found/],
])('a run fails, and says why, when %s', async (_, more, why) => {
  const { code, output } = await once(JOB, containerOf(), ['dash'], more);
  expect(code).not.toBe(0);
  expect(output).toMatch(why);
});

test('an API server accepts the account, its Role and its binding', async () => {
  const chart = new Chart(testApp(), 'nightly', { disableResourceNameHashes: true });
  new SnapshotSchedule(chart, 'db', { source: { name: 'db' } });
  const objects = Testing.synth(chart).filter(({ kind }: KubeObject) => kind !== 'CronJob');
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  const { code, stdout } = await run('create -f -', { input });
  expect([code, stdout.trim().split('\n')]).toEqual([
    0,
    [
      'serviceaccount/nightly-db-account created',
      'role.rbac.authorization.k8s.io/nightly-db-role created',
      'rolebinding.rbac.authorization.k8s.io/nightly-db-binding created',
    ],
  ]);
});
