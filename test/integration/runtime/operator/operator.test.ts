import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeObject } from '../../../../src/api';
import { platformCertificates } from '../../../../src/api/install/certificates';
import { keys } from '../../../../src/api/keys';
import { LeaderElector, resources } from '../../../../src/runtime/kube';
import { createAuthority, issueLeaf } from '../../../../src/runtime/kube/issue';
import type { KeyPair } from '../../../../src/runtime/kube/pem';
import { isGone, namespace, OperatorCluster, resourceOf, strategy, VERSION } from './cluster';
import type { Manifest, RunningOperator } from './cluster';
import { eventually } from '../../../support/patience';
import { isComplete } from '../../../support/tier';

/* virt-operator on a real API server, with only the rights of its role. The tests are one installation's life. */

const CRD = 'virtualmachines.kubevirt.io';
const managedBy = { 'app.kubernetes.io/managed-by': 'virt-operator' };

let folder: string;
let cluster: OperatorCluster;
let operator: RunningOperator | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'virt8s-operator-'));
  cluster = await OperatorCluster.start(folder);
});

afterAll(async () => {
  await operator?.stop();
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

const events = async (reason: string): Promise<string[]> => {
  const { items } = await cluster.admin.list<Manifest>(resources.events, { namespace });
  return items.filter((each) => each.reason === reason).map(({ message }) => message as string);
};

const vm = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'web', namespace: 'default' },
  spec: { runStrategy: 'Halted', template: { spec: { domain: { devices: {} } } } },
};

describe('an installation', () => {
  test('starts the programs, and says what it waits for', async () => {
    cluster.hasNodes = false;
    operator = cluster.operator();
    await eventually(async () => {
      expect(await cluster.message('Progressing')).toMatch(/^True .*virt-api: 0 of \d Pods are available/);
      expect(await cluster.message('Available')).toMatch(/^False VMs cannot be created: /);
    });
    await isGone(cluster.get('ValidatingWebhookConfiguration', 'virt-api-validator'));
  });

  test('registers virt-api when it serves, and is complete', async () => {
    cluster.hasNodes = true;
    await cluster.becomes('Deployed');
    const { status } = await cluster.kubeVirt();
    expect(status).toMatchObject({ observedKubeVirtVersion: VERSION, operatorVersion: VERSION });
    expect(await cluster.message('Available')).toMatch(/^True/);
    expect(await cluster.message('Degraded')).toMatch(/^False/);
    const managed = await cluster.managed();
    expect(managed).toEqual(
      expect.arrayContaining(strategy.objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)),
    );
  });

  test('has certificates that its webhooks and virt-api use', async () => {
    await cluster.serveWebhooks();
    // the API server verifies virt-api with the bundle in the webhook
    await eventually(() => cluster.admin.create(resources.virtualMachines, vm));
  });

  test('was made without a request that its role does not allow', () => expect(cluster.rejected()).toEqual([]));
});

describe('a repair', () => {
  const patch = (kind: string, name: string, body: unknown, type: 'json' | 'merge' = 'merge'): Promise<unknown> => {
    const resource = resourceOf(kind);
    return cluster.admin.patch(resource, { name, ...(resource.namespaced ? { namespace } : {}) }, body, type);
  };
  const remove = (kind: string, name: string) => (): Promise<unknown> =>
    cluster.admin.delete(resourceOf(kind), { name, ...(resourceOf(kind).namespaced ? { namespace } : {}) });
  const columns = '/spec/versions/0/additionalPrinterColumns';

  test.each<[string, string, string, () => Promise<unknown>]>([
    [
      'a deleted webhook',
      'ValidatingWebhookConfiguration',
      'virt-api-validator',
      remove('ValidatingWebhookConfiguration', 'virt-api-validator'),
    ],
    ['a deleted Deployment', 'Deployment', 'virt-controller', remove('Deployment', 'virt-controller')],
    [
      'an edited role',
      'ClusterRole',
      'kubevirt-handler',
      () => patch('ClusterRole', 'kubevirt-handler', { rules: [] }),
    ],
    [
      'a subject that was added to a binding',
      ...(['ClusterRoleBinding', 'kubevirt-handler'] as const),
      () =>
        patch(
          ...(['ClusterRoleBinding', 'kubevirt-handler'] as const),
          ...([
            [
              {
                op: 'add',
                path: '/subjects/-',
                value: { kind: 'User', name: 'mallory', apiGroup: 'rbac.authorization.k8s.io' },
              },
            ],
            'json',
          ] as const),
        ),
    ],
    [
      'a removed column',
      'CustomResourceDefinition',
      CRD,
      () => patch('CustomResourceDefinition', CRD, [{ op: 'remove', path: columns }], 'json'),
    ],
    [
      'a removed label',
      'Deployment',
      'virt-api',
      () => patch('Deployment', 'virt-api', { metadata: { labels: { 'kubevirt.io': null } } }),
    ],
    ['scaled Pods', 'Deployment', 'virt-api', () => patch('Deployment', 'virt-api', { spec: { replicas: 0 } })],
    [
      'an edited ConfigMap',
      'ConfigMap',
      'kubevirt-request-header',
      () => patch('ConfigMap', 'kubevirt-request-header', { data: { 'allowed-names': 'x' } }),
    ],
  ])('undoes %s', async (_, kind, name, damage) => {
    const content = ({ metadata, status: _status, ...rest }: Manifest): object => ({
      ...rest,
      labels: metadata.labels,
    });
    const before = content(await cluster.get(kind, name));
    await damage();
    await eventually(async () => expect(content(await cluster.get(kind, name))).toEqual(before));
    await eventually(async () => expect((await events('Repaired')).join('\n')).toContain(`${kind} ${name}`));
  });

  test('issues a deleted certificate again, by the same authority', async () => {
    const certificate = ({ data }: Manifest): X509Certificate =>
      new X509Certificate(Buffer.from(data['tls.crt'], 'base64'));
    const before = certificate(await cluster.get('Secret', 'kubevirt-virt-handler-certs'));
    await remove('Secret', 'kubevirt-virt-handler-certs')();
    const after = await eventually(async () => certificate(await cluster.get('Secret', 'kubevirt-virt-handler-certs')));
    const authority = certificate(await cluster.get('Secret', 'kubevirt-ca'));
    expect([before, after].map((each) => each.verify(authority.publicKey))).toEqual([true, true]);
    expect(after.serialNumber).not.toBe(before.serialNumber);
  });

  describe('of a certificate', () => {
    const HOUR = 3_600_000;
    const name = 'kubevirt-virt-api-certs';
    const handlers = 'kubevirt-virt-handler-certs';
    type Data = Record<string, string>;
    const dataOf = async (secret: string): Promise<Data> => (await cluster.get('Secret', secret)).data;
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const encoded = ({ cert, key }: KeyPair): Data => ({ 'tls.crt': base64(cert), 'tls.key': base64(key) });
    const half = (value = ''): string => base64(Buffer.from(value, 'base64').toString().slice(0, 200));
    const certificate = (data: Data): X509Certificate => new X509Certificate(Buffer.from(data['tls.crt']!, 'base64'));
    /** Pair of virt-api from this authority, with another validity: hours from now. */
    const issued = async (authority: KeyPair, from: number, until: number): Promise<Data> => {
      const wanted = platformCertificates(namespace, true).find(({ secret }) => secret === name)!;
      const now = Date.now();
      return encoded(await issueLeaf(authority, wanted, { from: now + from * HOUR, until: now + until * HOUR }));
    };
    const current = async (): Promise<KeyPair> => {
      const text = (value = ''): string => Buffer.from(value, 'base64').toString();
      const { 'tls.crt': cert, 'tls.key': key } = await dataOf('kubevirt-ca');
      return { cert: text(cert), key: text(key) };
    };

    test.each<[string, RegExp, () => Promise<Data>]>([
      ['truncated', /missing or damaged/, async () => ({ 'tls.crt': half((await dataOf(name))['tls.crt']) })],
      ['without its key', /missing or damaged/, async () => ({ 'tls.key': half((await dataOf(name))['tls.key']) })],
      ["swapped for another program's", /another name/, async () => dataOf(handlers)],
      ['expired', /not valid now/, async () => issued(await current(), -2, -1)],
      ['not valid yet, because the clock was ahead', /not valid now/, async () => issued(await current(), 1, 2)],
      [
        'from another authority',
        /another authority/,
        async () => {
          const validity = { from: Date.now() - HOUR, until: Date.now() + HOUR };
          return issued(await createAuthority('stranger', validity), -1, 1);
        },
      ],
    ])('that is %s issues it again, with an event', async (_, cause, damage) => {
      const before = await dataOf(name);
      const damaged = await damage();
      await patch('Secret', name, { data: { 'tls.crt': damaged['tls.crt'], 'tls.key': damaged['tls.key'] } });
      const after = await eventually(async () => {
        const data = await dataOf(name);
        expect([before['tls.crt'], damaged['tls.crt']]).not.toContain(data['tls.crt']);
        return data;
      });
      expect(certificate(after).subject).toBe(certificate(before).subject);
      const authority = new X509Certificate((await current()).cert);
      expect(certificate(after).verify(authority.publicKey)).toBe(true);
      await eventually(async () => {
        const renewals = (await events('CertificateRenewed')).filter((message) => message.includes(name));
        expect(renewals.some((message) => cause.test(message))).toBe(true);
      });
    });

    test('of the authority without its key makes another one, and programs still trust what the old one has signed', async () => {
      const old = await current();
      await patch('Secret', 'kubevirt-ca', { data: { 'tls.key': half(base64(old.key)) } });
      await eventually(async () => {
        const next = await current();
        expect(next.cert).not.toBe(old.cert);
        for (const secret of [name, handlers]) {
          const data = await dataOf(secret);
          expect(certificate(data).verify(new X509Certificate(next.cert).publicKey)).toBe(true);
          const trusted = Buffer.from(data['ca.crt']!, 'base64').toString();
          expect([old, next].map(({ cert }) => trusted.includes(cert.trim()))).toEqual([true, true]);
        }
      });
    });
  });

  test('reaches Secrets that lost their label', async () => {
    const before = await cluster.get('Secret', 'kubevirt-virt-api-certs');
    await patch('Secret', 'kubevirt-virt-api-certs', { metadata: { labels: null }, data: { 'ca.crt': 'eA==' } });
    await eventually(async () =>
      expect(await cluster.get('Secret', 'kubevirt-virt-api-certs')).toMatchObject({
        metadata: { labels: before.metadata.labels },
        data: before.data,
      }),
    );
  });
});

test('a restart repairs what was changed meanwhile, and nothing else', async () => {
  // the API server stores 1Gi, which looks like a change of somebody
  const containers = [{ name: 'virt-controller', resources: { requests: { memory: '1024Mi' } } }];
  const patch = JSON.stringify({ spec: { template: { spec: { containers } } } });
  const target = { resourceType: 'Deployment', resourceName: 'virt-controller' };
  await cluster.patchKubeVirt({ customizeComponents: { patches: [{ type: 'strategic', ...target, patch }] } });
  await eventually(async () =>
    expect(JSON.stringify((await cluster.get('Deployment', 'virt-controller')).spec)).toContain('"memory":"1Gi"'),
  );
  await cluster.becomes('Deployed');
  await operator!.stop();
  const before = await events('Repaired');
  await cluster.admin.delete(resourceOf('ClusterRole'), { name: 'kubevirt-handler' });
  operator = cluster.operator();
  await eventually(() => cluster.get('ClusterRole', 'kubevirt-handler'));
  await cluster.becomes('Deployed');
  await eventually(async () => expect((await events('Repaired')).length).toBeGreaterThan(before.length));
  expect((await events('Repaired')).filter((each) => !before.includes(each))).toEqual([
    'ClusterRole kubevirt-handler was missing; it is created again',
  ]);
  expect(operator.client.written.filter((each) => !each.endsWith('/status'))).toEqual([
    'PATCH /apis/rbac.authorization.k8s.io/v1/clusterroles/kubevirt-handler',
    `PATCH /apis/apps/v1/namespaces/${namespace}/deployments/virt-controller`,
  ]);
  await cluster.patchKubeVirt({ customizeComponents: null });
});

describe('customizations', () => {
  const pod = async (): Promise<Manifest> => (await cluster.get('Deployment', 'virt-controller')).spec.template.spec;

  test('are applied, and are removed with the setting', async () => {
    const patch = { spec: { template: { spec: { terminationGracePeriodSeconds: 7 } } } };
    await cluster.patchKubeVirt({
      infra: { nodePlacement: { nodeSelector: { role: 'infra' } } },
      customizeComponents: {
        patches: [{ type: 'strategic', resourceType: 'Deployment', resourceName: '*', patch: JSON.stringify(patch) }],
      },
    });
    await eventually(async () =>
      expect(await pod()).toMatchObject({ terminationGracePeriodSeconds: 7, nodeSelector: { role: 'infra' } }),
    );
    await cluster.becomes('Deployed');
    await cluster.patchKubeVirt({ infra: { nodePlacement: null }, customizeComponents: null });
    await eventually(async () => {
      expect((await pod()).nodeSelector).not.toHaveProperty('role');
      expect((await pod()).terminationGracePeriodSeconds).toBe(30);
    });
  });

  test('that do not fit are reported, and stop nothing', async () => {
    const patches = [{ type: 'merge', resourceType: 'Deployment', resourceName: 'virt-ape', patch: '{}' }];
    await cluster.patchKubeVirt({ customizeComponents: { patches } });
    await eventually(async () =>
      expect(await cluster.message('Synchronized')).toMatch(/^False .*has no Deployment "virt-ape"/),
    );
    expect(await cluster.message('Available')).toMatch(/^True/);
    await cluster.patchKubeVirt({ customizeComponents: null });
    await eventually(async () => expect(await cluster.message('Synchronized')).toMatch(/^True/));
  });
});

describe('an importer', () => {
  const ofImporter = (ids: readonly string[]): string[] => ids.filter((id) => /cdi|virt-exportproxy/.test(id));

  afterAll(async () => {
    await operator!.stop();
    operator = cluster.operator();
  });

  test('that is switched off leaves nothing but definitions', async () => {
    const before = ofImporter(await cluster.managed());
    expect(before).toEqual(
      expect.arrayContaining(['Deployment cdi-uploadproxy', 'Secret cdi-uploadproxy-server-cert']),
    );
    await operator!.stop();
    operator = await cluster.reconfigured({ importer: false });
    const definitions = before.filter((id) => id.startsWith('CustomResourceDefinition '));
    await eventually(async () => expect(ofImporter(await cluster.managed())).toEqual(definitions));
    await cluster.becomes('Deployed');
    expect((await events('Removed')).sort()).toContain(
      'Deployment kubevirt/cdi-uploadproxy is no longer needed; it is removed',
    );
    expect(cluster.rejected()).toEqual([]);
  });

  test('is installed again when it is switched on', async () => {
    await operator!.stop();
    operator = await cluster.reconfigured({ importer: true });
    await eventually(() => cluster.get('APIService', 'v1beta1.upload.cdi.kubevirt.io'));
    await cluster.becomes('Deployed');
    expect(cluster.rejected()).toEqual([]);
  });
});

test('of two operators, one works, and the other one takes over', async () => {
  await operator!.stop();
  operator = undefined;
  const leaders: string[] = [];
  const start = (identity: string): { end(): Promise<void> } => {
    const client = cluster.client();
    const ending = new AbortController();
    const times = { leaseMs: 3000, renewDeadlineMs: 2000, retryMs: 200 };
    const elector = new LeaderElector(client, { namespace, name: 'virt-operator', identity, ...times });
    const running = elector.run(async (signal) => {
      leaders.push(identity);
      const leading = cluster.operator();
      await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
      await leading.stop();
    }, ending.signal);
    return {
      async end() {
        ending.abort();
        await running;
        client.close();
      },
    };
  };
  const first = start('first');
  await eventually(async () => expect(leaders).toEqual(['first']));
  const second = start('second');
  const removed = { name: 'virt-api-mutator' };
  const kind = resourceOf('MutatingWebhookConfiguration');
  await cluster.admin.delete(kind, removed);
  await eventually(() => cluster.admin.get(kind, removed));
  expect(leaders).toEqual(['first']);
  await first.end();
  await eventually(async () => expect(leaders).toEqual(['first', 'second']));
  await cluster.admin.delete(kind, removed);
  await eventually(() => cluster.admin.get(kind, removed));
  await second.end();
});

test('an uninstallation waits for VMs, and leaves nothing but definitions', async () => {
  await eventually(() => cluster.deleteKubeVirt());
  // the objects of the importer, which was switched off, are removed with the others
  operator = await cluster.reconfigured({ importer: false });
  await eventually(async () => {
    expect((await cluster.kubeVirt()).status?.phase).toBe('Deleting');
    expect(await cluster.message('Progressing')).toBe('True still to be removed: VirtualMachine default/web');
  });
  await cluster.get('Deployment', 'virt-api');
  await cluster.admin.delete(resources.virtualMachines, { name: 'web', namespace: 'default' });
  await eventually(() => isGone(cluster.kubeVirt()));
  const left = (await cluster.managed()).filter((id) => !id.startsWith('CustomResourceDefinition '));
  expect(left).toEqual([]);
  expect(cluster.rejected()).toEqual([]);
  await operator.stop();
  await (await cluster.reconfigured({ importer: true })).stop();
  operator = undefined;
});

describe('next to KubeVirt', () => {
  const role: KubeObject = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {
      name: 'kubevirt-handler',
      labels: { 'kubevirt.io': '', ...managedBy },
      annotations: { 'kubevirt.io/install-strategy-version': 'v1.6.0' },
    },
  };
  beforeAll(async () => {
    await cluster.admin.create(resourceOf('ClusterRole'), role);
    await cluster.admin.create(resources.virtualMachines, vm);
    await cluster.createKubeVirt();
    operator = cluster.operator();
  });
  afterAll(async () => {
    await operator!.stop();
    operator = undefined;
    await cluster.admin.delete(resourceOf('ClusterRole'), { name: 'kubevirt-handler' });
    await cluster.admin.delete(resources.virtualMachines, { name: 'web', namespace: 'default' });
  });

  test('nothing is written but the reason', async () => {
    await eventually(async () =>
      expect(await cluster.message('Synchronized')).toBe(
        'False KubeVirt v1.6.0 owns ClusterRole "kubevirt-handler"; a cluster cannot have both: remove KubeVirt, then ' +
          'the platform is installed',
      ),
    );
    expect(new Set(operator!.client.written.map((each) => each.replace(/^\w+ /, '')))).toEqual(
      new Set([`/apis/kubevirt.io/v1/namespaces/${namespace}/kubevirts/kubevirt/status`]),
    );
  });

  test("the KubeVirt object can be deleted, and KubeVirt's objects and VMs stay", async () => {
    // as if this platform had been installed before KubeVirt
    await cluster.patchKubeVirt({ uninstallStrategy: 'RemoveWorkloads' }, { finalizers: [keys.kubeVirtFinalizer] });
    await cluster.deleteKubeVirt();
    await eventually(() => isGone(cluster.kubeVirt()));
    expect(await cluster.get('ClusterRole', 'kubevirt-handler')).toMatchObject(role);
    await cluster.admin.get(resources.virtualMachines, { name: 'web', namespace: 'default' });
  });
});

test('an operator that is killed after every few writes installs the platform in the end', async () => {
  /** Writes that each operator completes; one in a complete run. */
  const completed = isComplete ? 1 : 5;
  const deaths = [
    // before the request is sent
    { writes: completed + 1 },
    // before the answer is read
    { writes: completed, losesAnswer: true },
  ];
  await cluster.createKubeVirt();
  let restarts = 0;
  for (let isDone = false; !isDone; restarts += 1) {
    const mortal = cluster.operator({ ...deaths[restarts % 2] });
    await eventually(async () => {
      isDone = !mortal.client.isDead && (await cluster.message('Progressing')).startsWith('False');
      expect(mortal.client.isDead || isDone).toBe(true);
    });
    await mortal.stop();
  }
  // each object is a write
  expect(restarts * completed).toBeGreaterThan(strategy.objects.length);
  await cluster.becomes('Deployed');
  expect(await cluster.message('Degraded')).toMatch(/^False/);
  expect(await cluster.managed()).toEqual(
    expect.arrayContaining(strategy.objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)),
  );
});
