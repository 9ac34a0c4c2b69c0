import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Chart, Testing, Yaml } from 'cdk8s';
import { PlatformDefinitions, PlatformImages, VirtPlatform } from '../../../src';
import type { KubeObject } from '../../../src/api';
import { virtApiRegistration } from '../../../src/api/platform';
import { KubeClient, loadKubeConfig, resources, type Resource } from '../../../src/runtime/kube';
import { startTestApiServer, type TestApiServer } from '../../support/api-server';
import { TestCa } from '../../support/pki';
import { kubectl, type Kubectl } from '../local/api-server/kubectl';
import { testApp } from '../../support/app';
import { withInstalled } from '../../support/platform';
import { eventually } from '../../support/patience';
import { bundle } from '../../support/api-server-process';

/* The manifests of VirtPlatform on a real API server, and its programs with only the rights of their roles. */

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
type Manifest = any;

const NODE = 'node-1';
const checkout = resolve(__dirname, '../../..');

const definitions: Manifest[] = (() => {
  const chart = new Chart(testApp(), 'definitions');
  new PlatformDefinitions(chart, 'definitions');
  return Testing.synth(chart);
})();
const installed: Manifest[] = (() => {
  const chart = new Chart(testApp(), 'virt');
  const images = PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1.0.0' });
  new VirtPlatform(chart, 'platform', { images, definitions: false });
  return withInstalled(Testing.synth(chart));
})();

/** The engine serves no admission policies; unit tests evaluate theirs. */
const served = ({ kind }: Manifest): boolean => !kind.startsWith('ValidatingAdmissionPolicy');
const isRegistration = ({ kind, metadata }: Manifest): boolean =>
  /Webhook|APIService/.test(kind) || (kind === 'Service' && metadata.name === 'virt-api');

interface Entry {
  readonly user: string;
  readonly verb: string;
  readonly resource: string;
  readonly subresource: string;
  readonly code: number;
}

/** Requests of the platform's ServiceAccounts, from the audit log. */
function requests(): (Entry & { account: string })[] {
  const entries = readFileSync(join(logs, 'audit.log'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry);
  return entries.flatMap((entry) => {
    const account = /^system:serviceaccount:kubevirt:kubevirt-(\w+)$/.exec(entry.user)?.[1];
    return account ? [{ ...entry, account }] : [];
  });
}

/** Distinct requests of an account: `pods create`, `virtualmachines.kubevirt.io/status patch`. */
const usedBy = (account: string): string[] => [
  ...new Set(
    requests()
      .filter((entry) => entry.account === account)
      .map(({ resource, subresource, verb }) => `${resource}${subresource && `/${subresource}`} ${verb}`),
  ),
];

let server: TestApiServer;
let admin: KubeClient;
let run: Kubectl;
let logs: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  logs = mkdtempSync(join(tmpdir(), 'virt8s-platform-'));
  server = await startTestApiServer({ auditLog: join(logs, 'audit.log') });
  admin = new KubeClient(loadKubeConfig(server.kubeconfig), { userAgent: 'test' });
  run = kubectl(server.kubeconfig);
});

afterAll(async () => {
  for (const child of children) child.kill();
  await Promise.all(children.map((child) => child.exitCode ?? new Promise((done) => child.once('close', done))));
  admin.close();
  await server.close();
  rmSync(logs, { recursive: true, force: true });
});

const apply = (objects: Manifest[], flags = ''): ReturnType<Kubectl> =>
  run(`apply --server-side --validate=strict ${flags} -f -`, { input: Yaml.stringify(...objects) });

test('kubectl applies the definitions, and they are served', async () => {
  expect(await apply(definitions)).toMatchObject({ code: 0, stderr: '' });
  expect(await run('wait --for=condition=Established --timeout=5m crd --all')).toMatchObject({ code: 0 });
});

test('kubectl applies all other objects at once', async () => {
  const objects = installed.filter(served);
  const answer = await apply(objects);
  expect(answer.stderr).toBe('');
  expect(answer.stdout.trim().split('\n')).toHaveLength(objects.length);
});

test("Kubernetes' own roles have KubeVirt's in them", async () => {
  const admins: Manifest = await eventually(async () => {
    const role: Manifest = await admin.get(resources.clusterRoles, { name: 'admin' });
    expect(JSON.stringify(role.rules)).toContain('virtualmachines/start');
    return role;
  });
  expect(JSON.stringify(admins.rules)).not.toContain('virtualmachines/migrate');
});

describe('programs with only the rights of their roles', () => {
  beforeAll(async () => {
    for (const object of installed.filter(isRegistration)) {
      const { name, namespace } = object.metadata;
      await admin.delete(resourceOf(object), { name, ...(namespace ? { namespace } : {}) });
    }
    await admin.create(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE } });
    const files = await certificates();
    await startVirtApi(files);
    start('controller', await account('controller'), ['--launcher-image', 'registry.example/launcher:v1']);
    start('handler', await account('handler'), [
      ...['--node-name', NODE, '--kubelet-dir', join(server.directory, 'kubelet')],
      ...['--bind', '127.0.0.1', '--port', '0', '--client-ca-file', files.authority],
      ...['--tls-cert-file', files.serving.cert, '--tls-key-file', files.serving.key],
    ]);
    await eventually(async () => {
      const { metadata } = await admin.get(resources.nodes, { name: NODE });
      expect(metadata.labels).toMatchObject({ 'kubevirt.io/schedulable': 'true' });
    });
  });

  test('start a VM with an instance type and a claim, restart it and end it', async () => {
    const answer = await apply(workload());
    expect(answer).toMatchObject({ code: 0, stderr: '' });
    const pods = await eventually(async () => {
      const { items } = await admin.list(resources.pods, {
        namespace: 'default',
        labelSelector: 'kubevirt.io=virt-launcher',
      });
      expect(items).toHaveLength(1);
      return items;
    });
    expect(pods[0]!.metadata.ownerReferences?.[0]).toMatchObject({ kind: 'VirtualMachineInstance', name: 'web' });
    await runs(pods[0]!);
    // virt-handler takes it over, and reports that it finds no launcher there
    await eventually(async () => {
      const vmi: Manifest = await admin.get(resources.virtualMachineInstances, { namespace: 'default', name: 'web' });
      expect(vmi.status.nodeName).toBe(NODE);
    });
    const act = (verb: string, body = {}): Promise<unknown> =>
      admin.request('PUT', `/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachines/web/${verb}`, body);
    await act('restart', { gracePeriodSeconds: 0 });
    await act('stop');
    await eventually(async () => {
      const { items } = await admin.list(resources.virtualMachineInstances, { namespace: 'default' });
      expect(items.filter(({ metadata }) => !metadata.deletionTimestamp)).toEqual([]);
    });
    await run('delete vm/web --wait=false');
    // a KubeVirt object may only go when nothing is left, which virt-api lists
    expect((await run('delete kubevirt/kubevirt -n kubevirt --dry-run=server')).stderr).not.toMatch(/forbidden/i);
    expect(requests().filter(({ code }) => code === 403)).toEqual([]);
  });

  test('sent the requests that they need', () => {
    expect(usedBy('controller')).toEqual(
      expect.arrayContaining([
        'leases.coordination.k8s.io create',
        'virtualmachines.kubevirt.io list',
        'virtualmachineinstances.kubevirt.io create',
        'virtualmachines.kubevirt.io/status patch',
        'virtualmachineclusterinstancetypes.instancetype.kubevirt.io get',
        'controllerrevisions.apps create',
        'pods create',
        'events create',
      ]),
    );
    expect(usedBy('apiserver')).toEqual(
      expect.arrayContaining([
        'kubevirts.kubevirt.io list',
        'subjectaccessreviews.authorization.k8s.io create',
        'virtualmachineclusterinstancetypes.instancetype.kubevirt.io get',
        'virtualmachines.kubevirt.io patch',
      ]),
    );
    // a watch is logged when it ends
    expect(usedBy('handler').sort()).toEqual(
      expect.arrayContaining([
        'events create',
        'nodes get',
        'nodes patch',
        'pods list',
        'virtualmachineinstances.kubevirt.io get',
        'virtualmachineinstances.kubevirt.io list',
        'virtualmachineinstances.kubevirt.io patch',
      ]),
    );
  });

  test('requests that no role grants are rejected', async () => {
    const config = loadKubeConfig(await account('controller'));
    const client = new KubeClient(config, { userAgent: 'test' });
    await expect(client.list(resources.secrets)).rejects.toMatchObject({ code: 403 });
    await expect(client.get(resources.leases, { namespace: 'kubevirt', name: 'another' })).rejects.toMatchObject({
      code: 403,
    });
    client.close();
  });
});

/** Kubeconfig of a component, as its ServiceAccount. */
const account = (name: string): Promise<string> =>
  server.kubeconfigFor(`system:serviceaccount:kubevirt:kubevirt-${name}`, [
    'system:serviceaccounts',
    'system:serviceaccounts:kubevirt',
  ]);

function start(room: string, kubeconfig: string, flags: string[]): ChildProcess {
  const folder = join(server.directory, room);
  mkdirSync(folder);
  const program = bundle(join(checkout, `src/runtime/${room}/main.ts`), folder);
  const child = spawn(process.execPath, [program, '--kubeconfig', kubeconfig, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (process.env.VIRT8S_TEST_LOG) child.stderr!.pipe(process.stderr);
  children.push(child);
  return child;
}

interface Files {
  readonly authority: string;
  readonly pem: string;
  readonly frontProxy: string;
  readonly serving: { readonly cert: string; readonly key: string };
  readonly client: { readonly cert: string; readonly key: string };
}

/** Contents of the Secrets, which virt-operator will write. */
async function certificates(): Promise<Files> {
  const ca = await TestCa.create('platform');
  const file = (name: string, text: string): string => {
    const path = join(server.directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const pair = async (name: string, commonName: string, hosts?: string[]): Promise<Files['serving']> => {
    const { cert, key } = await ca.issue([{ CN: [commonName] }], hosts);
    return { cert: file(`${name}.crt`, cert), key: file(`${name}.key`, key) };
  };
  return {
    pem: ca.pem,
    authority: file('platform-ca.crt', ca.pem),
    frontProxy: file('front-proxy-ca.crt', server.ca.pem),
    serving: await pair('serving', 'virt-api', ['virt-api.kubevirt.svc', '127.0.0.1']),
    client: await pair('client', 'kubevirt.io:system:client:virt-handler'),
  };
}

/** As scheduler and kubelet would have it. */
async function runs({ metadata: { namespace, name = '' } }: KubeObject): Promise<void> {
  await admin.request('POST', `/api/v1/namespaces/${namespace}/pods/${name}/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, namespace },
    target: { apiVersion: 'v1', kind: 'Node', name: NODE },
  });
  const compute = { name: 'compute', ready: true, image: '', imageID: '', restartCount: 0 };
  const startedAt = new Date().toISOString().replace(/\.\d+/, '');
  const status = { phase: 'Running', containerStatuses: [{ ...compute, state: { running: { startedAt } } }] };
  await admin.patch(resources.pods, { namespace, name, subresource: 'status' }, { status }, 'strategic');
}

/** Outside of the cluster, where the API server finds it by its address. */
async function startVirtApi({ pem, authority, frontProxy, serving, client }: Files): Promise<void> {
  const child = start('api-server', await account('apiserver'), [
    ...['--bind', '127.0.0.1', '--port', '0', '--requestheader-allowed-names', 'front-proxy-client'],
    ...['--tls-cert-file', serving.cert, '--tls-key-file', serving.key],
    ...['--requestheader-client-ca-file', frontProxy, '--handler-ca-file', authority],
    ...['--handler-client-cert-file', client.cert, '--handler-client-key-file', client.key],
  ]);
  const port = await new Promise<number>((found, failed) => {
    let said = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      const serving = /"port":(\d+)/.exec((said += chunk.toString()));
      if (serving) found(Number(serving[1]));
    });
    child.once('close', () => failed(new Error(`virt-api ended: ${said}`)));
  });
  const endpoint = { addresses: ['127.0.0.1'], port };
  for (const object of virtApiRegistration({ namespace: 'kubevirt', caBundle: pem, endpoint })) {
    await admin.create(resourceOf(object), object);
  }
  await eventually(() => admin.request('GET', '/apis/subresources.kubevirt.io/v1'));
}

const workload = (): Manifest[] => [
  {
    apiVersion: 'instancetype.kubevirt.io/v1beta1',
    kind: 'VirtualMachineClusterInstancetype',
    metadata: { name: 'small' },
    spec: { cpu: { guest: 1 }, memory: { guest: '128Mi' } },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'web', namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      runStrategy: 'Always',
      instancetype: { name: 'small' },
      template: {
        spec: {
          domain: { devices: { interfaces: [{ name: 'default', masquerade: {} }] } },
          networks: [{ name: 'default', pod: {} }],
          volumes: [{ name: 'root', containerDisk: { image: 'registry.example/os:1' } }],
        },
      },
    },
  },
];

function resourceOf({ kind }: KubeObject): Resource {
  return Object.values(resources as Record<string, Resource>).find((resource) => resource.kind === kind)!;
}
