import type { KubeObject, VirtualMachine, VirtualMachineInstance } from '../../../../../src/api';
import { launcherPodName } from '../../../../../src/api/launcher-name';
import { parseReview, review } from '../../../../../src/runtime/api-server/admission/review';
import type { AdmissionRequest } from '../../../../../src/runtime/api-server/admission/review';
import type { Source } from '../../../../../src/runtime/kube';
import { createWebhooks } from '../../../../../src/runtime/api-server/admission/webhooks';
import crds from '../../../../../src/api/generated/crds.json';
import { isComponent } from '../../../../../src/runtime/api-server/admission/identity';
import { applyPatch } from 'rfc6902';

interface Crd {
  spec: { group: string; names: { kind: string }; versions: { name: string }[] };
}

const handler = 'system:serviceaccount:kubevirt:kubevirt-handler';

/** Of the VMI `web` with the UID `u`. */
const LAUNCHER = launcherPodName('web', 'u');

/** Objects that the cluster holds, by kind. */
let held: KubeObject[] = [];
beforeEach(() => {
  held = [];
});
const of = (kind: string, namespace?: string): KubeObject[] =>
  held.filter((each) => each.kind === kind && (!namespace || each.metadata.namespace === namespace));
const cluster: Source = {
  find: async (kind, namespace, name) => of(kind, namespace).find(({ metadata }) => metadata.name === name),
  list: async (kind, namespace) => of(kind, namespace),
  may: async () => false,
};
const webhooks = createWebhooks({
  namespace: 'kubevirt',
  kubeVirt: () => undefined,
  cluster: () => cluster,
});
const spec = { domain: { devices: {}, memory: { guest: '256Mi' } } };
const vmi = (more: object = {}): VirtualMachineInstance =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'web', namespace: 'default' },
    spec,
    ...more,
  }) as VirtualMachineInstance;
const vm = (more: object = {}): VirtualMachine =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'web', namespace: 'default' },
    spec: { runStrategy: 'Always', template: { spec }, ...more },
  }) as VirtualMachine;

const ask = async (
  path: string,
  operation: 'CREATE' | 'UPDATE' | 'DELETE',
  object: KubeObject,
  oldObject?: KubeObject,
  user = 'jane',
  asked = webhooks,
) => {
  const request: AdmissionRequest = {
    uid: 'u',
    kind: { group: 'kubevirt.io', version: 'v1', kind: object.kind },
    resource: { group: 'kubevirt.io', version: 'v1', resource: `${object.kind.toLowerCase()}s` },
    operation,
    userInfo: { username: user },
    object,
    oldObject,
  };
  const admit = asked.get(path);
  if (!admit) throw new Error(`no webhook ${path}`);
  const { response } = await review(request, admit);
  const after = structuredClone(object);
  if (response.patch) applyPatch(after, JSON.parse(Buffer.from(response.patch, 'base64').toString('utf8')));
  return { ...response, after: after as VirtualMachineInstance };
};

test.each([
  [handler, true],
  ['system:serviceaccount:kubevirt:kubevirt-controller', true],
  ['system:serviceaccount:kubevirt:kubevirt-apiserver', true],
  ['system:serviceaccount:kubevirt:kubevirt-synchronization-controller', true],
  ['system:serviceaccount:kubevirt:kubevirt-', false],
  ['system:serviceaccount:other:kubevirt-controller', false],
  ['system:serviceaccount:kubevirt:default', false],
  ['kubernetes-admin', false],
  [undefined, false],
])('%s is a component: %s', (user, expected) => {
  expect(isComponent(user, 'kubevirt')).toBe(expected);
});

test('a VMI is created Pending, with its defaults, regardless of the status in the request', async () => {
  const { after } = await ask(
    '/virtualmachineinstances-mutate',
    'CREATE',
    vmi({ status: { phase: 'Running', nodeName: 'n' } }),
  );
  expect(after.status).toMatchObject({ phase: 'Pending' });
  expect(after.status).not.toHaveProperty('nodeName');
  expect(after.spec.domain.machine?.type).toBe('q35');
});

test('a VM gets its defaults when it is created and when it is updated', async () => {
  for (const operation of ['CREATE', 'UPDATE'] as const) {
    const { after } = await ask('/virtualmachines-mutate', operation, vm(), vm());
    expect(after).toHaveProperty('spec.template.spec.domain.machine.type', 'q35');
  }
});

test('a VMI of a group without rules loses the status that a user wrote, too', async () => {
  const given = vmi({ apiVersion: 'example.org/v1', status: { nodeName: 'n' } });
  const { status: _dropped, ...rest } = given;
  expect((await ask('/virtualmachineinstances-mutate', 'CREATE', given)).after).toEqual(rest);
});

test('the configuration is computed once for each version of the KubeVirt resource', async () => {
  let reads = 0;
  const version = (machineType: string) =>
    ({
      apiVersion: 'kubevirt.io/v1',
      kind: 'KubeVirt',
      metadata: {},
      get spec() {
        reads += 1;
        return { configuration: { architectureConfiguration: { amd64: { machineType } } } };
      },
    }) as unknown as KubeObject;
  let stored = version('pc-q35-8.2');
  const request = { operation: 'CREATE', object: vmi(), userInfo: {} } as unknown as AdmissionRequest;
  const admit = createWebhooks({ namespace: 'kubevirt', kubeVirt: () => stored, cluster: () => cluster }).get(
    '/virtualmachineinstances-mutate',
  )!;
  const readBy = async (machineType: string): Promise<number> => {
    const before = reads;
    expect(await admit(request)).toHaveProperty('object.spec.domain.machine.type', machineType);
    return reads - before;
  };
  expect(await readBy('pc-q35-8.2')).toBeGreaterThan(0);
  expect(await readBy('pc-q35-8.2')).toBe(0);
  stored = version('pc-q35-9.0');
  expect(await readBy('pc-q35-9.0')).toBeGreaterThan(0);
});

test("a user's write does not change the status of a VMI, a component's does", async () => {
  const before = vmi({ status: { phase: 'Running' } });
  const written = vmi({ status: { phase: 'Failed' } });
  expect((await ask('/virtualmachineinstances-mutate', 'UPDATE', written, before)).after.status).toEqual({
    phase: 'Running',
  });
  expect((await ask('/virtualmachineinstances-mutate', 'UPDATE', written, before, handler)).after.status).toEqual({
    phase: 'Failed',
  });
});

test("a user's write does not change the spec of a VMI, a component's does", async () => {
  const changed = vmi({ spec: { ...spec, hostname: 'other' } });
  const path = '/virtualmachineinstances-validate-update';
  expect((await ask(path, 'UPDATE', changed, vmi())).status?.message).toMatch(
    /^spec: update of VMI object is restricted/,
  );
  expect((await ask(path, 'UPDATE', changed, vmi(), handler)).allowed).toBe(true);
});

test('a bad VM is rejected with the field, on creation and on update', async () => {
  const bad = vm({
    template: { spec: { ...spec, volumes: [{ name: 'a' }, { name: 'a', emptyDisk: { capacity: '1Gi' } }] } },
  });
  for (const operation of ['CREATE', 'UPDATE'] as const) {
    const { allowed, status } = await ask('/virtualmachines-validate', operation, bad, vm());
    expect(allowed).toBe(false);
    expect(status?.details?.causes?.map(({ field }) => field).join()).toContain('spec.template.spec.volumes');
  }
});

test('a good VM passes; the older field is warned of', async () => {
  expect(await ask('/virtualmachines-validate', 'CREATE', vm())).toMatchObject({ allowed: true });
  const { warnings } = await ask('/virtualmachines-validate', 'CREATE', vm({ runStrategy: undefined, running: true }));
  expect(warnings).toEqual(['spec.running is deprecated, please use spec.runStrategy instead.']);
});

test('garbage is rejected without a crash', async () => {
  const kinds = (crds as Crd[]).map(({ spec: { group, names, versions } }) => ({
    apiVersion: `${group}/${versions[0].name}`,
    kind: names.kind,
  }));
  for (const path of webhooks.keys()) {
    for (const kind of kinds) {
      for (const body of [{}, { spec: 'x' }, { spec: { template: [], domain: 3 } }]) {
        const object = { ...kind, metadata: { name: 'x' }, ...body } as KubeObject;
        for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const) {
          await expect(ask(path, operation, object, vmi())).resolves.toHaveProperty('uid');
        }
      }
    }
  }
});

const migration: KubeObject & { spec: object } = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstanceMigration',
  metadata: { name: 'm', namespace: 'default' },
  spec: { vmiName: 'web' },
};

test('rules can look up objects of the cluster', async () => {
  const path = '/migration-validate-create';
  expect((await ask(path, 'CREATE', migration)).status?.message).toMatch(/the VMI "default\/web" does not exist/);
  held = [vmi()];
  expect(await ask(path, 'CREATE', migration)).toMatchObject({ allowed: true });
});

test('a deletion is validated with the object that is deleted', async () => {
  const kubeVirt = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: { uninstallStrategy: 'BlockUninstallIfWorkloadsExist' },
    status: { phase: 'Deployed' },
  } as KubeObject;
  const path = '/kubevirt-validate-delete';
  expect(await ask(path, 'DELETE', kubeVirt, kubeVirt)).toMatchObject({ allowed: true });
  held = [vm()];
  expect(await ask(path, 'DELETE', kubeVirt, kubeVirt)).toMatchObject({ allowed: false });
});

test('a clone without a target gets one with a random end', async () => {
  const clone = {
    apiVersion: 'clone.kubevirt.io/v1beta1',
    kind: 'VirtualMachineClone',
    metadata: { name: 'c', namespace: 'default' },
    spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'web' } },
  } as KubeObject;
  const { after } = await ask('/vm-clone-mutate-create', 'CREATE', clone);
  expect(after).toHaveProperty('spec.target.name', expect.stringMatching(/^clone-web-[a-z0-9]{5}$/));
});

const asked = async (path: string, more: Partial<AdmissionRequest>) => {
  const request = {
    uid: 'u',
    kind: { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachineInstance' },
    resource: { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachineinstances' },
    operation: 'CREATE',
    userInfo: { username: 'jane' },
    ...more,
  } as AdmissionRequest;
  return (await review(request, webhooks.get(path)!)).response;
};

test.each<[string, string, Partial<AdmissionRequest>, string]>([
  [
    'a creation of nothing',
    '/virtualmachines-validate',
    { operation: 'CREATE' },
    'the request of CREATE has no object',
  ],
  ['an update of nothing', '/virtualmachines-validate', { operation: 'UPDATE' }, 'the request of UPDATE has no object'],
  [
    'an update from nothing',
    '/virtualmachines-validate',
    { operation: 'UPDATE', object: vm() },
    'the request of UPDATE has no oldObject',
  ],
  [
    'the deletion of nothing',
    '/kubevirt-validate-delete',
    { operation: 'DELETE' },
    'the request of DELETE has no oldObject',
  ],
])('%s is rejected as a bad request', async (_, path, more, message) => {
  await expect(asked(path, more)).rejects.toMatchObject({ code: 400, message });
});

test.each<[string, object | null | undefined, object]>([
  ['keeps none that it did not have', undefined, {}],
  ['keeps none that was null', null, {}],
])('the VMI of a user %s', async (_, status, expected) => {
  const before = vmi({ status });
  const written = vmi({ status: { phase: 'Failed' } });
  const { after } = await ask('/virtualmachineinstances-mutate', 'UPDATE', written, before);
  expect('status' in after ? { status: after.status } : {}).toEqual(expected);
});

test('a VMI that a component creates keeps its status', async () => {
  const given = vmi({ status: { nodeName: 'n' } });
  const { after } = await ask('/virtualmachineinstances-mutate', 'CREATE', given, undefined, handler);
  expect(after.status).toMatchObject({ nodeName: 'n' });
});

test('an object without a namespace is validated in that of the request', async () => {
  held = [vmi()];
  const { name } = migration.metadata;
  for (const metadata of [{ name }, { name, namespace: 'default' }]) {
    const object = { ...migration, metadata };
    expect(await asked('/migration-validate-create', { object, namespace: 'default' })).toMatchObject({
      allowed: true,
    });
  }
  const elsewhere = { ...migration, metadata: { name } };
  expect(await asked('/migration-validate-create', { object: elsewhere, namespace: 'other' })).toMatchObject({
    allowed: false,
  });
});

test.each([['text'], [null], [undefined]])('metadata of %p is rejected, not a crash', async (metadata) => {
  const object = { ...vm(), metadata } as unknown as KubeObject;
  expect(await asked('/virtualmachines-validate', { object, namespace: 'default' })).toMatchObject({ allowed: false });
});

describe('an eviction', () => {
  const pod = (labels: object = { 'kubevirt.io': 'virt-launcher' }): KubeObject =>
    ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: LAUNCHER,
        namespace: 'default',
        labels,
        annotations: { 'kubevirt.io/domain': 'web' },
        ownerReferences: [
          { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'web', uid: 'u', controller: true },
        ],
      },
    }) as KubeObject;
  const guest = (evictionStrategy: string): KubeObject =>
    vmi({ metadata: { name: 'web', namespace: 'default', uid: 'u' }, spec: { ...spec, evictionStrategy } });
  const evict = async () => {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: LAUNCHER } };
    const request = {
      uid: 'u',
      kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      subResource: 'eviction',
      namespace: 'default',
      name: LAUNCHER,
      operation: 'CREATE' as const,
      userInfo: {},
      object: eviction as unknown as KubeObject,
    };
    return (await review(request, webhooks.get('/pod-eviction-validate')!)).response;
  };

  test.each([
    ['LiveMigrate', 403, 'Forbidden'],
    ['External', 429, 'TooManyRequests'],
  ])('of a guest with %s is answered with %i %s', async (strategy, code, reason) => {
    held = [pod(), guest(strategy)];
    expect(await evict()).toMatchObject({ allowed: false, status: { status: 'Failure', code, reason } });
  });

  test.each<[string, () => KubeObject[]]>([
    ['a guest with None', () => [pod(), guest('None')]],
    ['another program', () => [pod({}), guest('LiveMigrate')]],
    ['nobody', () => []],
  ])('of the Pod of %s is allowed', async (_, objects) => {
    held = objects();
    expect(await evict()).toEqual({ uid: 'u', allowed: true });
  });
});

describe('the Pod of a guest that is shown a path', () => {
  const shared = vmi({
    spec: {
      domain: { devices: { filesystems: [{ name: 'token', virtiofs: {} }] } },
      volumes: [{ name: 'token', containerPath: { path: '/var/run/secrets', readOnly: true } }],
    },
  });
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: LAUNCHER,
      namespace: 'default',
      labels: { 'kubevirt.io': 'virt-launcher' },
      ownerReferences: [{ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'web', uid: 'u' }],
    },
    spec: {
      containers: [
        { name: 'compute', image: 'launcher:1', volumeMounts: [{ name: 't', mountPath: '/var/run/secrets' }] },
      ],
      volumes: [{ name: 't', emptyDir: {} }],
    },
  } as KubeObject;
  let gates: string[] = [];
  const asked: string[] = [];
  const gated = createWebhooks({
    namespace: 'kubevirt',
    kubeVirt: () =>
      ({
        apiVersion: 'kubevirt.io/v1',
        kind: 'KubeVirt',
        metadata: {},
        spec: { configuration: { developerConfiguration: { featureGates: gates } } },
      }) as KubeObject,
    cluster: () => ({
      find: (kind, namespace, name) => {
        asked.push(kind);
        return cluster.find(kind, namespace, name);
      },
      list: cluster.list,
    }),
  });
  const mutated = async (object: KubeObject) => {
    asked.length = 0;
    const { response } = await review(
      {
        uid: 'u',
        kind: { group: '', version: 'v1', kind: 'Pod' },
        resource: { group: '', version: 'v1', resource: 'pods' },
        operation: 'CREATE',
        userInfo: {},
        namespace: 'default',
        object,
      },
      gated.get('/virt-launcher-pod-mutate')!,
    );
    return response.patch ? Buffer.from(response.patch, 'base64').toString() : '';
  };

  test.each<[string, string[], () => KubeObject[], KubeObject, RegExp, string[]]>([
    ['gets a container', ['ContainerPathVolumes'], () => [shared], pod, /virtiofs-token/, ['VirtualMachineInstance']],
    ['stays as it is without its guest', ['ContainerPathVolumes'], () => [], pod, /^$/, ['VirtualMachineInstance']],
    ['is unchanged without the gate, and nothing is looked up', [], () => [shared], pod, /^$/, []],
    [
      'stays as it is when it is of another program',
      ['ContainerPathVolumes'],
      () => [shared],
      { ...pod, metadata: { ...pod.metadata, labels: {} } },
      /^$/,
      [],
    ],
  ])('%s', async (_, on, objects, given, want, questions) => {
    gates = on;
    held = objects();
    expect(await mutated(given)).toMatch(want);
    expect(asked).toEqual(questions);
  });
});

describe('a VM that was stored with 60,000 values', () => {
  const large = (finalizers: string[], values = 60_000): KubeObject =>
    ({
      ...vm({ x: Array(values).fill(1) }),
      metadata: { name: 'web', namespace: 'default', finalizers },
    }) as KubeObject;
  const kind = { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachine' };
  const resource = { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachines' };
  test.each<[string, string, KubeObject | null, string]>([
    ['loses its finalizer', 'UPDATE', large([]), ''],
    ['is reduced', 'UPDATE', vm(), ''],
    ['grows', 'UPDATE', large([], 60_001), 'fields and items'],
    ['is deleted', 'DELETE', null, ''],
  ])('%s', async (_, operation, object, want) => {
    const request = { uid: 'u', kind, resource, operation, object, oldObject: large(['x/y']) };
    const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
    const parsed = parseReview(Buffer.from(JSON.stringify(body)));
    const { response } = await review(parsed, webhooks.get('/virtualmachines-validate')!);
    expect([response.allowed, response.status?.message ?? '']).toEqual([want === '', expect.stringContaining(want)]);
  });
});

test.each<[string, string, string, string]>([
  ['keeps its node', '/virtualmachineinstances-validate-update', 'n1', ''],
  ['gets another node', '/virtualmachineinstances-validate-update', 'n2', 'reserved kubevirt.io/ labels'],
  ['is not changed', '/virtualmachineinstances-mutate', 'n1', ''],
  ['writes its status', '/status-validate', 'n1', ''],
])('a VMI that was stored with 150,000 values %s', async (_, path, node, want) => {
  const on = (name: string, finalizers: string[]): object => ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'web', namespace: 'default', labels: { 'kubevirt.io/nodeName': name }, finalizers },
    spec: { x: Array(150_000).fill(1) },
    status: { phase: 'Running' },
  });
  const kind = { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachineInstance' };
  const resource = { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachineinstances' };
  const request = { uid: 'u', kind, resource, operation: 'UPDATE', object: on(node, []), oldObject: on('n1', ['x/y']) };
  const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
  const { response } = await review(parseReview(Buffer.from(JSON.stringify(body))), webhooks.get(path)!);
  expect([response.allowed, response.status?.message ?? '']).toEqual([want === '', expect.stringContaining(want)]);
  expect(response).not.toHaveProperty('patch');
});

describe('the status of a VMI that was stored with 150,000 values', () => {
  const large = (more: object, finalizers: string[] = []): object => ({
    ...vmi({ spec: { x: Array(150_000).fill(1) }, ...more }),
    metadata: { name: 'web', namespace: 'default', finalizers },
  });
  const running = { status: { phase: 'Running' } };
  const REFUSED = 'only components of KubeVirt may change the status';
  test.each<[string, object, object, string, string]>([
    ['is not changed by a user', { status: { phase: 'Failed' } }, running, 'jane', REFUSED],
    ['is not changed by a user at its end', { status: { phase: 'Running', x: 1 } }, running, 'jane', REFUSED],
    ['is not added by a user', running, {}, 'jane', REFUSED],
    ['is not removed by a user', {}, running, 'jane', REFUSED],
    ['is not replaced by a text by a user', { status: 'Failed' }, { status: 'Running' }, 'jane', REFUSED],
    ['does not keep a user from writing the rest', running, running, 'jane', ''],
    ['does not keep a user from writing the rest of an object without status', {}, {}, 'jane', ''],
    ['is changed by a component', { status: { phase: 'Failed' } }, running, handler, ''],
  ])('%s', async (_, now, before, username, want) => {
    const kind = { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachineInstance' };
    const resource = { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachineinstances' };
    const objects = { object: large(now), oldObject: large(before, ['x/y']) };
    const request = { uid: 'u', kind, resource, operation: 'UPDATE', userInfo: { username }, ...objects };
    const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
    const parsed = parseReview(Buffer.from(JSON.stringify(body)));
    const { response } = await review(parsed, webhooks.get('/virtualmachineinstances-mutate')!);
    expect([response.allowed, response.status?.message ?? '']).toEqual([want === '', expect.stringContaining(want)]);
    expect(response).not.toHaveProperty('patch');
  });
});

describe('a VM just below the maximum number of values', () => {
  const wide = (more: object = {}, runStrategy = 'Always'): KubeObject => {
    const command = Array<string>(19_970).fill('x');
    const template = { spec: { ...spec, livenessProbe: { exec: { command } } } };
    return { ...vm({ runStrategy, template }), ...more } as KubeObject;
  };
  const status = { printableStatus: 'Starting', volumeSnapshotStatuses: Array(50).fill({ name: 'a', enabled: true }) };
  const kind = { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachine' };
  const resource = { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachines' };
  test.each<[string, string, KubeObject, KubeObject | undefined, string]>([
    ['is created', '/virtualmachines-validate', wide(), undefined, ''],
    ['takes its first status', '/status-validate', wide({ status }), wide(), ''],
    [
      'takes no status of another shape',
      '/status-validate',
      wide({ status: { ...status, printableStatus: 5 } }),
      wide({ status }),
      'printableStatus',
    ],
    ['is halted', '/virtualmachines-validate', wide({ status }, 'Halted'), wide({ status }), ''],
    [
      'takes no unknown strategy',
      '/virtualmachines-validate',
      wide({ status }, 'Never'),
      wide({ status }),
      'runStrategy',
    ],
  ])('%s', async (_, path, object, oldObject, want) => {
    const request = { uid: 'u', kind, resource, operation: oldObject ? 'UPDATE' : 'CREATE', object, oldObject };
    const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
    const { response } = await review(parseReview(Buffer.from(JSON.stringify(body))), webhooks.get(path)!);
    expect([response.allowed, response.status?.message ?? '']).toEqual([want === '', expect.stringContaining(want)]);
  });
});

test.each<[string, string, string, number, string]>([
  ['a VM of more values than are read', '/virtualmachines-validate', 'VirtualMachine', 80_001, ''],
  [
    'a VM that is too large outside of its spec',
    '/virtualmachines-validate',
    'VirtualMachine',
    -80_001,
    '80000 fields',
  ],
  ['a KubeVirt of fewer values', '/kubevirt-validate-delete', 'KubeVirt', 79_999, 'uninstall'],
  ['a KubeVirt of as many values as are read', '/kubevirt-validate-delete', 'KubeVirt', 80_000, 'uninstall'],
  ['a KubeVirt of more values than are read', '/kubevirt-validate-delete', 'KubeVirt', 80_001, '80000 fields'],
])('the deletion of %s', async (_, path, kind, values, want) => {
  held = [vm()];
  const list = Array(Math.abs(values) - 10).fill(1);
  const oldObject = {
    apiVersion: 'kubevirt.io/v1',
    kind,
    metadata: { name: 'web', namespace: 'default' },
    spec: { uninstallStrategy: 'BlockUninstallIfWorkloadsExist', ...(values > 0 ? { list } : { nothing: 1 }) },
    status: { phase: 'Deployed' },
    ...(values > 0 ? {} : { list }),
  };
  const resource = { group: 'kubevirt.io', version: 'v1', resource: `${kind.toLowerCase()}s` };
  const of = { group: 'kubevirt.io', version: 'v1', kind };
  const request = { uid: 'u', kind: of, resource, operation: 'DELETE', object: null, oldObject };
  const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
  const { response } = await review(parseReview(Buffer.from(JSON.stringify(body))), webhooks.get(path)!);
  expect([response.allowed, response.status?.message ?? '']).toEqual([want === '', expect.stringContaining(want)]);
});

describe('a DataVolume that copies a disk of another namespace', () => {
  const TOKEN = 'cdi.kubevirt.io/storage.clone.token';
  const source = { pvc: { namespace: 'images', name: 'golden' } };
  const storage = { resources: { requests: { storage: '1Gi' } } };
  const tokens = async (
    metadata: object,
    { may = true, signs = true, from = source as object, user = 'jane' } = {},
  ): Promise<[string | undefined, unknown]> => {
    const signed: unknown[] = [];
    const made = createWebhooks({
      namespace: 'kubevirt',
      kubeVirt: () => undefined,
      cluster: () => ({ ...cluster, may: async () => may }),
      ...(signs && { sign: (statement: object) => `proof ${signed.push(statement)}` }),
    });
    const object = {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      metadata: { namespace: 'team', ...metadata },
      spec: { source: from, storage },
    } as KubeObject;
    const { after } = await ask('/datavolume-mutate', 'CREATE', object, undefined, user, made);
    return [(after as KubeObject).metadata.annotations?.[TOKEN], signed[0]];
  };

  test('gets a proof that its author may do it', async () => {
    const [token, statement] = await tokens({ name: 'root' });
    expect(token).toBe('proof 1');
    expect(statement).toMatchObject({
      from: { kind: 'PersistentVolumeClaim', namespace: 'images', name: 'golden' },
      to: { namespace: 'team', name: 'root' },
    });
    expect((await tokens({ generateName: 'root-' }))[1]).toMatchObject({ to: { namespace: 'team', prefix: 'root-' } });
  });

  test.each([
    ['the author may not', { may: false }],
    ['the callers of webhooks are not known', { signs: false }],
    ['it is in the same namespace', { from: { pvc: { namespace: 'team', name: 'golden' } } }],
    ['it copies nothing', { from: { blank: {} } }],
    // the author of a template is another user, who may have written the annotation
    ['virt-controller creates it from a template', { user: 'system:serviceaccount:kubevirt:kubevirt-controller' }],
  ])('has no proof, not even one of its author, if %s', async (_, options) => {
    const [token, statement] = await tokens({ name: 'root', annotations: { [TOKEN]: 'mine' } }, options);
    expect(token).toBeUndefined();
    expect(statement).toBeUndefined();
  });

  test('has no proof of its author beside one of virt-api', async () => {
    expect((await tokens({ name: 'root', annotations: { [TOKEN]: 'mine' } }))[0]).toBe('proof 1');
  });
});
