import { execFile } from 'node:child_process';
import { request } from 'node:https';
import { promisify } from 'node:util';
import { resources } from '../../../../src/runtime/kube';
import type { ApiError } from '../../../../src/runtime/kube';
import type { VirtualMachine, VirtualMachineInstance } from '../../../../src/api';
import { instance, machine, object, Platform } from './platform';

jest.setTimeout(60_000);
let platform: Platform;
beforeAll(async () => {
  platform = await Platform.start();
});
afterAll(() => platform?.stop());

const run = promisify(execFile);
const base = '/apis/subresources.kubevirt.io/v1/namespaces/default';
const put = (path: string, body?: object): Promise<unknown> => platform.client.request('PUT', `${base}/${path}`, body);
const refusal = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    (error: ApiError) => error,
  );
const createVm = (vm: VirtualMachine): Promise<VirtualMachine> => platform.client.create(resources.virtualMachines, vm);
const createVmi = (vmi: VirtualMachineInstance): Promise<VirtualMachineInstance> =>
  platform.client.create(resources.virtualMachineInstances, vmi);
const vmOf = (name: string): Promise<VirtualMachine> =>
  platform.client.get(resources.virtualMachines, { namespace: 'default', name });

async function kubectl(args: string[], input?: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = run('kubectl', ['--kubeconfig', platform.api.kubeconfig, ...args]);
  child.child.stdin?.end(input);
  return child.then(
    (result) => ({ code: 0, ...result }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

test('discovery shows the group to kubectl', async () => {
  expect((await kubectl(['api-versions'])).stdout.split('\n')).toEqual(
    expect.arrayContaining(['subresources.kubevirt.io/v1', 'subresources.kubevirt.io/v1alpha3']),
  );
  const list = await kubectl(['get', '--raw', '/apis/subresources.kubevirt.io/v1']);
  expect(JSON.parse(list.stdout).resources.map((each: { name: string }) => each.name)).toContain(
    'virtualmachines/start',
  );
  const version = await kubectl(['get', '--raw', '/apis/subresources.kubevirt.io/v1/version']);
  expect(JSON.parse(version.stdout)).toHaveProperty('gitVersion');
});

test('a VMI gets its defaults, and its phase is Pending', async () => {
  const vmi = await createVmi(instance('defaults'));
  expect(vmi.spec.domain.machine?.type).toBe('q35');
  expect(vmi.status?.phase).toBe('Pending');
  expect(vmi.metadata.finalizers).toContain('kubevirt.io/foregroundDeleteVirtualMachine');
});

test('kubectl prints the field and the remedy of a bad manifest', async () => {
  const bad = machine('bad', {
    volumes: [
      { name: 'a', emptyDisk: { capacity: '1Gi' } },
      { name: 'a', emptyDisk: { capacity: '1Gi' } },
    ],
  });
  const { code, stderr } = await kubectl(['create', '-f', '-'], JSON.stringify(bad));
  expect(code).toBe(1);
  expect(stderr).toMatch(/spec\.template\.spec\.volumes\[1\]\.name: /);
  await expect(vmOf('bad')).rejects.toMatchObject({ code: 404 });
});

test("a user cannot change a VMI's spec or status, a component can", async () => {
  await createVmi(instance('guarded'));
  const ref = { namespace: 'default', name: 'guarded' };
  const patch = (body: object) =>
    platform.client.patch<VirtualMachineInstance>(resources.virtualMachineInstances, ref, body, 'merge');
  expect(await refusal(patch({ spec: { hostname: 'x' } }))).toMatchObject({ code: 422 });
  expect((await patch({ status: { phase: 'Failed' } })).status?.phase).toBe('Pending');
  await platform.running('guarded');
  expect(
    (await platform.client.get<VirtualMachineInstance>(resources.virtualMachineInstances, ref)).status?.phase,
  ).toBe('Running');
});

test('start asks the controller, once', async () => {
  await createVm(machine('manual'));
  await put('virtualmachines/manual/start', { paused: true });
  expect((await vmOf('manual')).status?.stateChangeRequests).toEqual([{ action: 'Start', data: { paused: 'true' } }]);
  expect(await refusal(put('virtualmachines/manual/start'))).toMatchObject({
    code: 500,
    message: expect.stringContaining('stop/start already underway'),
  });
});

test('a dry run changes nothing', async () => {
  await createVm(machine('dry'));
  await put('virtualmachines/dry/start', { dryRun: ['All'] });
  expect((await vmOf('dry')).status?.stateChangeRequests).toBeUndefined();
});

test('concurrent starts ask once', async () => {
  await createVm(machine('race'));
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => put('virtualmachines/race/start')));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await vmOf('race')).status?.stateChangeRequests).toEqual([{ action: 'Start' }]);
});

test.each([
  ['an unknown VM', 'virtualmachines/nobody/start', undefined, 404, 'virtualmachine.kubevirt.io "nobody" not found'],
  [
    'an unknown VMI',
    'virtualmachineinstances/nobody/pause',
    undefined,
    404,
    'virtualmachineinstance.kubevirt.io "nobody" not found',
  ],
  ['a body of another kind', 'virtualmachines/manual/start', { forced: true }, 400, 'unknown field "forced"'],
  [
    'a subresource that is not served',
    'virtualmachines/manual/addvolume',
    {},
    501,
    'virtualmachines/addvolume is part of the API',
  ],
  ['one that does not exist', 'virtualmachines/manual/explode', {}, 404, 'could not find the requested resource'],
])('%s is refused', async (_, path, body, code, message) => {
  expect(await refusal(put(path, body))).toMatchObject({ code, message: expect.stringContaining(message) });
});

test('actions on a running guest reach its handler', async () => {
  await createVmi(instance('acts'));
  expect(await refusal(put('virtualmachineinstances/acts/pause'))).toMatchObject({ code: 409 });
  await platform.running('acts');
  platform.seen.length = 0;
  await put('virtualmachineinstances/acts/pause', { dryRun: ['All'] });
  expect(platform.seen).toEqual([]);
  await put('virtualmachineinstances/acts/pause');
  await put('virtualmachineinstances/acts/softreboot');
  const of = '/v1/namespaces/default/virtualmachineinstances/acts';
  expect(platform.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `PUT ${of}/pause`,
    `PUT ${of}/softreboot`,
  ]);
});

describe('a caller that goes around the API server', () => {
  const direct = (headers: Record<string, string>, pair?: { cert: string; key: string }): Promise<number> =>
    new Promise((done, reject) => {
      const url = new URL(platform.virtApiUrl);
      request(
        {
          method: 'PUT',
          hostname: url.hostname,
          port: url.port,
          path: `${base}/virtualmachines/manual/stop`,
          rejectUnauthorized: false,
          headers,
          ...pair,
        },
        (response) => {
          response.resume();
          done(response.statusCode ?? 0);
        },
      )
        .once('error', reject)
        .end();
    });
  const posing = { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters' };

  test('is not believed without a certificate', async () => {
    expect(await direct(posing)).toBe(401);
  });

  test('is not believed with another certificate of the same authority', async () => {
    expect(await direct(posing, platform.api.admin)).toBe(401);
  });
});

test('a VM of another namespace is not found', async () => {
  await platform.client.create(resources.namespaces, object('v1', 'Namespace', { name: 'other' }));
  const path = '/apis/subresources.kubevirt.io/v1/namespaces/other/virtualmachines/manual/start';
  expect(await refusal(platform.client.request('PUT', path))).toMatchObject({ code: 404 });
});

test('kubectl prints what the rules of other kinds say, by what the cluster holds', async () => {
  const migration = (vmiName: string): string =>
    JSON.stringify({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstanceMigration',
      metadata: { generateName: 'm-', namespace: 'default' },
      spec: { vmiName },
    });
  await createVmi(instance('movable'));
  expect((await kubectl(['create', '-f', '-'], migration('nobody'))).stderr).toMatch(
    /the VMI "default\/nobody" does not exist/,
  );
  expect(await kubectl(['create', '-f', '-'], migration('movable'))).toMatchObject({ code: 0 });
  const again = await kubectl(['create', '-f', '-'], migration('movable'));
  expect(again.stderr).toMatch(/in-flight migration detected/);
});

test('an installation with work in it stays', async () => {
  await createVm(machine('tenant'));
  const ref = { namespace: 'kubevirt', name: 'kubevirt' };
  await platform.client.create(
    resources.kubeVirts,
    object('kubevirt.io/v1', 'KubeVirt', ref, { spec: { uninstallStrategy: 'BlockUninstallIfWorkloadsExist' } }),
  );
  await platform.client.patch(
    resources.kubeVirts,
    { ...ref, subresource: 'status' },
    { status: { phase: 'Deployed' } },
    'merge',
  );
  expect((await refusal(platform.client.delete(resources.kubeVirts, ref))).message).toMatch(
    /Rejecting the uninstall request/,
  );
  await platform.client.patch(resources.kubeVirts, ref, { spec: { uninstallStrategy: 'RemoveWorkloads' } }, 'merge');
  await platform.client.delete(resources.kubeVirts, ref);
});

test('who evicts the Pod of a guest that moves makes it leave, and hears to come again', async () => {
  await createVmi(instance('leaving', { evictionStrategy: 'External' }));
  await platform.running('leaving');
  await platform.client.create(
    resources.pods,
    object(
      'v1',
      'Pod',
      {
        name: 'virt-launcher-leaving-abcde',
        namespace: 'default',
        labels: { 'kubevirt.io': 'virt-launcher' },
        annotations: { 'kubevirt.io/domain': 'leaving' },
      },
      { spec: { nodeName: 'node-1', containers: [{ name: 'compute', image: 'a' }] } },
    ),
  );
  const evict = (dryRun: boolean) =>
    platform.client.request('POST', '/api/v1/namespaces/default/pods/virt-launcher-leaving-abcde/eviction', {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'virt-launcher-leaving-abcde', namespace: 'default' },
      ...(dryRun ? { deleteOptions: { dryRun: ['All'] } } : {}),
    });
  const leaves = async () =>
    (
      await platform.client.get<VirtualMachineInstance>(resources.virtualMachineInstances, {
        namespace: 'default',
        name: 'leaving',
      })
    ).status?.evacuationNodeName;
  expect(await refusal(evict(true))).toMatchObject({ code: 429 });
  expect(await leaves()).toBeUndefined();
  expect((await refusal(evict(false))).message).toMatch(/Eviction triggered evacuation of VMI "default\/leaving"/);
  expect(await leaves()).toBe('node-1');
  expect((await refusal(evict(false))).message).toMatch(/Evacuation in progress/);
});
