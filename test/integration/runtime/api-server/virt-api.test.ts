import { execFile } from 'node:child_process';
import { request } from 'node:https';
import { promisify } from 'node:util';
import { resources } from '../../../../src/runtime/kube';
import type { ApiError } from '../../../../src/runtime/kube';
import type { VirtualMachine, VirtualMachineInstance } from '../../../../src/api';
import { mutatingWebhooks, validatingWebhooks } from '../../../../src/api/webhook-table';
import { instance, machine, object, Platform } from './platform';

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

test('a virt-handler cannot take a guest whose launcher is on another node', async () => {
  await createVmi(instance('elsewhere'));
  expect(await refusal(platform.running('elsewhere', { nodeName: 'node-2' }))).toMatchObject({
    code: 422,
    message: expect.stringContaining('the launcher Pod of the instance is not on node "node-2"'),
  });
  await platform.running('elsewhere');
});

test('start sends one request to the controller', async () => {
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

test('concurrent starts send one request', async () => {
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
    'virtualmachines/manual/migrate',
    {},
    501,
    'virtualmachines/migrate is part of the API',
  ],
  ['one that does not exist', 'virtualmachines/manual/explode', {}, 404, 'could not find the requested resource'],
])('%s is rejected', async (_, path, body, code, message) => {
  expect(await refusal(put(path, body))).toMatchObject({ code, message: expect.stringContaining(message) });
});

test('an unimplemented subresource is answered with an alternative', async () => {
  expect(await refusal(put('virtualmachines/manual/migrate'))).toMatchObject({
    code: 501,
    status: { details: { causes: [{ reason: 'Remedy', message: expect.stringContaining('restart the VM') }] } },
  });
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

describe('a caller that bypasses the API server', () => {
  const direct = (
    headers: Record<string, string>,
    pair?: { cert: string; key: string },
    method = 'PUT',
    path = `${base}/virtualmachines/manual/stop`,
  ): Promise<number> =>
    new Promise((done, reject) => {
      const url = new URL(platform.virtApiUrl);
      request(
        {
          method,
          hostname: url.hostname,
          port: url.port,
          path,
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

  test('is not trusted without a certificate', async () => {
    expect(await direct(posing)).toBe(401);
  });

  test('gets no answer from a webhook', async () => {
    for (const { path } of [...mutatingWebhooks, ...validatingWebhooks]) {
      expect(await direct({}, undefined, 'POST', path)).toBe(401);
      expect(await direct({}, platform.api.admin, 'POST', path)).toBe(401);
    }
  });

  test('is not trusted with another certificate of the same authority', async () => {
    expect(await direct(posing, platform.api.admin)).toBe(401);
  });
});

test('a VM of another namespace is not found', async () => {
  await platform.client.create(resources.namespaces, object('v1', 'Namespace', { name: 'other' }));
  const path = '/apis/subresources.kubevirt.io/v1/namespaces/other/virtualmachines/manual/start';
  expect(await refusal(platform.client.request('PUT', path))).toMatchObject({ code: 404 });
});

test('kubectl prints the findings of other kinds’ rules, which depend on the cluster’s objects', async () => {
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

test('an installation with workloads cannot be deleted', async () => {
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

describe('kubectl drain', () => {
  // of the guests of other tests
  beforeAll(() => kubectl(['delete', 'pods', '--all', '--grace-period=0', '--force']));

  const drain = () =>
    kubectl(['drain', 'node-1', '--force', '--timeout=60s', '--pod-selector=kubevirt.io=virt-launcher']);
  const evict = (name: string) =>
    platform.client.request('POST', `/api/v1/namespaces/default/pods/${name}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace: 'default' },
    });
  const statusOf = async (name: string) =>
    (
      await platform.client.get<VirtualMachineInstance>(resources.virtualMachineInstances, {
        namespace: 'default',
        name,
      })
    ).status;

  test('ends with cause and remedy when a guest must move and cannot', async () => {
    await createVmi(instance('staying', { evictionStrategy: 'LiveMigrate' }));
    const name = await platform.running('staying', {
      conditions: [{ type: 'LiveMigratable', status: 'False', message: 'a host device cannot move' }],
    });
    const { code, stderr } = await drain();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /VMI "default\/staying" has evictionStrategy LiveMigrate and is not live-migratable \(a host device cannot move\)/,
    );
    expect(stderr).toMatch(/set evictionStrategy LiveMigrateIfPossible or None, then drain again/);
    expect(stderr).not.toMatch(/timeout reached/);
    await platform.client.delete(resources.pods, { namespace: 'default', name });
  });

  test('gets a request to retry while another controller moves a guest, and writes nothing', async () => {
    await createVmi(instance('leaving', { evictionStrategy: 'External' }));
    const name = await platform.running('leaving');
    const before = await statusOf('leaving');
    expect(await refusal(evict(name))).toMatchObject({
      code: 429,
      message: expect.stringContaining('another controller has to move or stop it'),
    });
    expect(await statusOf('leaving')).toEqual(before);
    await platform.client.delete(resources.pods, { namespace: 'default', name });
  });

  test('gets the Pod of a guest that may be shut down', async () => {
    await createVmi(instance('going', { evictionStrategy: 'LiveMigrateIfPossible' }));
    const name = await platform.running('going');
    await evict(name);
    const ref = { namespace: 'default', name };
    expect((await platform.client.get(resources.pods, ref)).metadata.deletionTimestamp).toBeDefined();
  });
});

describe('evacuate/cancel', () => {
  const cancel = (path: string, body?: object) => put(`${path}/evacuate/cancel`, body);
  const node = async () =>
    (
      await platform.client.get<VirtualMachineInstance>(resources.virtualMachineInstances, {
        namespace: 'default',
        name: 'evacuated',
      })
    ).status?.evacuationNodeName;

  test('keeps a guest on its node, at a VM and at a VMI, and can be repeated', async () => {
    await createVm(machine('evacuated'));
    await createVmi(instance('evacuated'));
    for (const owner of ['virtualmachines', 'virtualmachineinstances']) {
      await platform.running('evacuated', { evacuationNodeName: 'node-1' });
      await cancel(`${owner}/evacuated`, { dryRun: ['All'] });
      expect(await node()).toBe('node-1');
      await cancel(`${owner}/evacuated`);
      expect(await node()).toBeUndefined();
      await cancel(`${owner}/evacuated`);
    }
  });

  test('answers 404 for a missing object', async () => {
    expect(await refusal(cancel('virtualmachines/nobody'))).toMatchObject({ code: 404 });
    expect(await refusal(cancel('virtualmachineinstances/nobody'))).toMatchObject({ code: 404 });
  });
});
