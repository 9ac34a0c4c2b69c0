import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../../../src/api';
import { resources } from '../../../src/runtime/kube';
import { Platform } from '../runtime/api-server/platform';
import { bundleInto } from './bundle';

/** `virt8s diff` against a cluster: the engine's API server with virt-api's webhooks. */
let platform: Platform;
let bundle: string;
beforeAll(async () => {
  platform = await Platform.start();
  bundle = await bundleInto(platform.api.directory);
});
afterAll(() => platform?.stop());

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function diff(objects: readonly object[], ...args: string[]): Promise<Result> {
  const file = join(platform.api.directory, 'manifests.yaml');
  writeFileSync(file, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  const env = { ...process.env, KUBECONFIG: platform.api.kubeconfig, HOME: platform.api.directory };
  return new Promise((done) =>
    execFile(process.execPath, [bundle, 'diff', file, ...args], { env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    ),
  );
}

const machine = (memory: string, more: object = {}): KubeObject =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: {
      runStrategy: 'Always',
      template: { spec: { domain: { memory: { guest: memory }, devices: {} }, ...more } },
    },
  }) as KubeObject;
const service = (port: number): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { selector: { app: 'web' }, ports: [{ port }] },
  }) as KubeObject;
const secret = (value: string): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'web' }, stringData: { key: value } }) as KubeObject;

/** As `kubectl apply --server-side` would. */
async function apply(...objects: KubeObject[]): Promise<void> {
  const collections = {
    VirtualMachine: resources.virtualMachines,
    Service: resources.services,
    Secret: resources.secrets,
  };
  for (const object of objects) {
    const ref = { namespace: 'default', name: object.metadata.name! };
    const collection = collections[object.kind as keyof typeof collections];
    await platform.client.patch(collection, ref, object, 'apply', { fieldManager: 'kubectl', force: true });
  }
}

test('missing objects are created; applied ones are unchanged, regardless of their defaults', async () => {
  const all = [machine('2Gi'), service(80), secret('hunter2')];
  expect(await diff(all)).toEqual({
    code: 1,
    stdout: '+ VirtualMachine web\n+ Service web\n+ Secret web\n3 created\n'.replace(/ web\n/g, ' default/web\n'),
    stderr: '',
  });
  await apply(...all);
  expect(await diff(all)).toEqual({ code: 0, stdout: '3 the same\n', stderr: '' });
});

test('reports fields that change, and fields that the manifest no longer contains', async () => {
  const { code, stdout } = await diff([machine('4Gi'), service(8080), secret('hunter3')]);
  expect(code).toBe(1);
  expect(stdout).toContain("memory.guest: 2Gi → 4Gi  [migration: memory is plugged; virt8s' own runtime: restart]");
  expect(stdout).toContain('~ Secret default/web\n    data.key: (hidden) → (changed)\n');
  expect(stdout).toContain('ports[0].port: 80 → 8080');
  expect(stdout).not.toMatch(/hunter|aHVudGVy/);
  await apply(machine('2Gi', { hostname: 'web', nodeSelector: { zone: 'a' } }));
  expect((await diff([machine('2Gi', { nodeSelector: { zone: 'b' } })])).stdout).toBe(`~ VirtualMachine default/web
    spec.template.spec.hostname: - web  [restart: a running guest keeps it]
    spec.template.spec.nodeSelector.zone: a → b  [live: it counts when the guest moves]
1 changed; 1 needs a restart
`);
});

test('objects that admission would reject exit with 2', async () => {
  const broken = machine('2Gi', {
    volumes: [
      { name: 'root', emptyDisk: { capacity: '1Gi' } },
      { name: 'root', emptyDisk: { capacity: '1Gi' } },
    ],
  });
  const { code, stdout } = await diff([broken]);
  expect(code).toBe(2);
  expect(stdout).toMatch(/\n {4}rejected: spec\.template\.spec\.volumes\[1\]\.name: /);
  expect(stdout).toMatch(/1 would be rejected\n$/);
});

test('--prune reports objects of a selector that the files do not contain', async () => {
  expect(await diff([machine('2Gi')], '--prune')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('requires --selector'),
  });
  const other = { ...service(80), metadata: { name: 'old', labels: { app: 'web' } } } as KubeObject;
  await apply(other, { ...service(80), metadata: { name: 'theirs' } } as KubeObject);
  const { stdout } = await diff([service(80)], '--prune', '--selector=app=web');
  expect(stdout).toBe('- Service default/old\n1 deleted, 1 the same\n');
});

test('prints JSON for programs', async () => {
  const [found, ...more] = JSON.parse((await diff([service(81)], '-o=json')).stdout);
  expect(more).toEqual([]);
  expect(found).toEqual({
    apiVersion: 'v1',
    kind: 'Service',
    namespace: 'default',
    name: 'web',
    action: 'change',
    changes: expect.arrayContaining([{ path: 'spec.ports[0].port', before: 80, after: 81 }]),
    refused: [],
  });
});

test('kinds that the cluster does not have are rejected, unless their definition comes along', async () => {
  const strange = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', names: { kind: 'Widget', plural: 'widgets' } },
  };
  expect(await diff([strange])).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('rejected: the cluster has no kind Widget in example.com/v1; install'),
  });
  expect(await diff([definition, strange])).toMatchObject({
    code: 1,
    stdout: '+ CustomResourceDefinition widgets.example.com\n+ Widget w\n2 created\n',
  });
});

test('a cluster that cannot be reached is an error', async () => {
  const { code, stderr } = await diff([service(80)], '--server=https://127.0.0.1:1');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^cannot reach the API server .*connection refused/)]);
});

test("defaults and rewritten values of the API server in Kubernetes' own kinds are not differences", async () => {
  const ports = (port: number): KubeObject => ({ ...service(port), metadata: { name: 'own' } }) as KubeObject;
  await apply(ports(80));
  expect((await diff([ports(80)])).stdout).toBe('1 the same\n');
  expect((await diff([ports(81)])).stdout).toBe('~ Service default/own\n    spec.ports[0].port: 80 → 81\n1 changed\n');
});
