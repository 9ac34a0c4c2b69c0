import type { PlatformObject } from '../../../../../src/api/platform';
import type { Direction } from '../../../../../src/runtime/operator/install/decide';
import type { ProgramPod } from '../../../../../src/runtime/operator/install/pods';
import { Cluster, object, platform, program, written } from './fixtures';

const PROGRAMS = ['Deployment virt-api', 'Deployment virt-controller', 'Deployment cdi-uploadproxy'];
const HANDLER = 'DaemonSet virt-handler';
const API = 'Deployment virt-api';
const HOOKS = [
  'APIService hook-APIService',
  'MutatingWebhookConfiguration hook-MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration hook-ValidatingWebhookConfiguration',
];
const POD = { apiVersion: 'v1', kind: 'Pod' };
const isProgram = (id: string): boolean => /^(Deployment|DaemonSet) /.test(id);

describe('an installation', () => {
  test('writes the objects that programs need, then the programs, and no registration', () => {
    const plan = new Cluster().plan(platform(), { direction: 'install' });
    expect(written(plan)).toEqual([
      'CustomResourceDefinition the-CustomResourceDefinition',
      'ServiceAccount the-ServiceAccount',
      'ClusterRole the-ClusterRole',
      'Role the-Role',
      'RoleBinding the-RoleBinding',
      'ConfigMap the-ConfigMap',
      'Service the-Service',
      HANDLER,
      'Deployment virt-controller',
      'Deployment cdi-uploadproxy',
      API,
    ]);
    expect(plan.missing).toEqual([
      ...['virt-handler', 'virt-controller', 'cdi-uploadproxy', 'virt-api'].map(
        (name) => `${name} is being created or changed`,
      ),
      ...HOOKS.map((id) => `${id} waits for virt-api`),
    ]);
  });

  test('registers virt-api once it serves', () => {
    const cluster = new Cluster(platform()).without(...HOOKS).programIs('virt-handler', { numberAvailable: 0 });
    const plan = cluster.plan(platform(), { direction: 'install' });
    expect(written(plan)).toEqual(HOOKS);
    expect(plan.missing).toEqual(['virt-handler: 0 of 3 Pods are available']);
  });

  test('does not register virt-api before', () => {
    const cluster = new Cluster(platform()).without(...HOOKS).programIs('virt-api', { availableReplicas: 0 });
    expect(written(cluster.plan(platform(), { direction: 'install' }))).toEqual([]);
  });

  test('starts no program without certificates', () => {
    const plan = new Cluster().plan(platform(), { hasCertificates: false });
    expect(written(plan).filter((id) => isProgram(id) || HOOKS.includes(id))).toEqual([]);
    expect(plan.missing).toEqual(['certificates']);
    expect(written(plan)).toContain('ConfigMap the-ConfigMap');
  });

  test('that is complete needs nothing', () => {
    expect(new Cluster(platform()).plan(platform())).toEqual({ apply: [], missing: [], trouble: [] });
  });

  const notPulled = (name: string, phase = 'Pending', deletionTimestamp?: string): ProgramPod => ({
    ...POD,
    metadata: { name, ...(deletionTimestamp ? { deletionTimestamp } : {}) },
    status: { phase, containerStatuses: [{ name, state: { waiting: { reason: 'ErrImagePull' } } }] },
  });
  const troubleWith = (program: string, pod: ProgramPod): readonly string[] =>
    new Cluster(platform())
      .programIs('virt-api', { availableReplicas: 1 })
      .plan(platform(), { podsOf: (name) => (name === program ? [pod] : []) }).trouble;

  test.each<[string, ProgramPod, boolean]>([
    ['virt-api', notPulled('a'), true],
    ['virt-handler', notPulled('a'), false],
    ['virt-operator', notPulled('a'), true],
    ['virt-operator', notPulled('a', 'Running'), true],
    ['virt-operator', notPulled('a', 'Failed'), false],
    ['virt-operator', notPulled('a', 'Succeeded'), false],
    ['virt-operator', notPulled('a', 'Pending', '2026-01-01T00:00:00Z'), false],
  ])(
    'reports why Pods are not ready: of programs that are incomplete, and of virt-operator: %s',
    (program, pod, isReported) =>
      expect(troubleWith(program, pod)).toEqual(isReported ? ['Pod a: container a: ErrImagePull: no message'] : []),
  );
});

describe('a repair', () => {
  test.each(platform().map(({ kind, metadata }) => `${kind} ${metadata.name}`))('creates %s again', (id) => {
    const plan = new Cluster(platform()).without(id).plan(platform());
    expect(written(plan)).toEqual([id]);
    expect(plan.apply[0]).not.toHaveProperty('drift');
  });

  test('names the field that was changed', () => {
    const changed = { ...program('Deployment', 'virt-api') };
    const edited = { ...changed, spec: { ...(changed.spec as object), replicas: 0 } };
    const { apply } = new Cluster([...platform(), edited]).plan(platform());
    expect(apply).toEqual([{ object: changed, drift: 'spec.replicas' }]);
  });

  test('of webhooks does not need a virt-api that serves, if they are registered', () => {
    const changed = object('APIService', 'hook-APIService', 1);
    const cluster = new Cluster([...platform(), changed]).programIs('virt-api', { availableReplicas: 0 });
    expect(written(cluster.plan(platform()))).toEqual([HOOKS[0]]);
  });

  test('of a deleted program does not wait for a node that is down', () => {
    const cluster = new Cluster(platform()).without(API).programIs('virt-handler', { numberAvailable: 2 });
    expect(written(cluster.plan(platform()))).toEqual([API]);
  });

  test('of a scaled program does not wait for a node that is down', () => {
    const scaled = { ...program('Deployment', 'virt-api') };
    const cluster = new Cluster([...platform(), { ...scaled, spec: { ...(scaled.spec as object), replicas: 0 } }]);
    expect(written(cluster.programIs('virt-handler', { numberAvailable: 2 }).plan(platform()))).toEqual([API]);
  });

  test('is not repeated for a value that the API server normalizes', () => {
    const cluster = new Cluster([...platform(), object('Service', 'the-Service', 2, { memory: '1Gi' })]);
    const desired = [...platform().slice(0, -1), object('Service', 'the-Service', 2, { memory: '1024Mi' })];
    expect(written(cluster.plan(desired))).toEqual(['Service the-Service']);
    cluster.applied.add(JSON.stringify(desired.at(-1)));
    expect(written(cluster.plan(desired))).toEqual([]);
  });
});

/** Runs an update to its end; returns the order in which programs change. */
function update(cluster: Cluster, direction: Direction): string[] {
  const order: string[] = [];
  for (let pass = 0; pass < 20; pass += 1) {
    const plan = cluster.plan(platform(), { direction });
    const changed = cluster.execute(plan).filter(isProgram);
    order.push(...changed);
    if (changed.length === 0 && plan.missing.length === 0) return order;
    // only what is written becomes available
    for (const id of changed) cluster.complete(id.split(' ')[1]!);
  }
  throw new Error('the update does not end');
}

describe('the order', () => {
  test('of an upgrade is one handler, the others, the controllers, virt-api', () => {
    expect(update(new Cluster(platform(1)), 'upgrade')).toEqual([
      ...[HANDLER, HANDLER],
      ...['Deployment virt-controller', 'Deployment cdi-uploadproxy'],
      API,
    ]);
  });

  test('of a rollback is reversed', () => {
    expect(update(new Cluster(platform(1)), 'rollback')).toEqual([
      API,
      ...['Deployment virt-controller', 'Deployment cdi-uploadproxy'],
      ...[HANDLER, HANDLER],
    ]);
  });

  test('does not matter for an installation that is changed before it was complete', () => {
    const plan = new Cluster(platform(1)).plan(platform(), { direction: 'install' });
    expect(written(plan).filter(isProgram)).toEqual([HANDLER, ...PROGRAMS.slice(1), API]);
  });
});

describe('an upgrade', () => {
  test('begins with one handler, and says what waits for it', () => {
    const plan = new Cluster(platform(1)).plan(platform());
    expect(written(plan).filter(isProgram)).toEqual([HANDLER]);
    const handler = plan.apply.find(({ object: { kind } }) => kind === 'DaemonSet')!.object;
    expect(handler.spec).toMatchObject({ updateStrategy: { rollingUpdate: { maxUnavailable: 1 } } });
    expect(plan.missing).toEqual([
      'virt-handler is being created or changed',
      'virt-controller waits for the programs before it',
      'cdi-uploadproxy waits for the programs before it',
      'virt-api waits for the programs before it',
    ]);
  });

  test.each([
    ['the first handler', 'virt-handler', { updatedNumberScheduled: 1, numberAvailable: 2, numberUnavailable: 1 }],
    ['the last handler', 'virt-handler', { updatedNumberScheduled: 2 }],
    ['a controller', 'virt-controller', { availableReplicas: 1 }],
  ])('waits for %s', (_, name, status) => {
    const api = program('Deployment', 'virt-api', 1);
    const cluster = new Cluster([...platform(), api]).programIs(name, status);
    const plan = cluster.plan(platform());
    expect(written(plan)).not.toContain(API);
    expect(plan.missing).toContain('virt-api waits for the programs before it');
  });

  test('is recognized by what is no longer desired', () => {
    const pinned = program('Deployment', 'virt-api', 1);
    const template = {
      spec: { ...(program('Deployment', 'virt-api').spec as { template: { spec: object } }).template.spec },
    };
    const stored = {
      ...pinned,
      spec: { replicas: 2, template: { spec: { ...template.spec, nodeSelector: { a: 'b' } } } },
    };
    const { apply } = new Cluster([...platform(), stored]).plan(platform());
    expect(apply).toEqual([
      { object: program('Deployment', 'virt-api'), drift: 'metadata.annotations.virt8s.io/installed-content' },
    ]);
  });

  test('that only removes a setting begins with one handler as well, and the others wait', () => {
    const removed = (kind: string, name: string): object =>
      addTo(program(kind, name), { metadata: program(kind, name, 1).metadata, spec: { extra: 1 } });
    const stored = PAIRS.map(([kind, name]) => removed(kind, name) as PlatformObject);
    const plan = new Cluster([...platform(), ...stored]).plan(platform());
    expect(plan.apply.map(({ object: { metadata, spec } }) => [metadata.name, spec])).toEqual([
      ['virt-handler', expect.objectContaining({ updateStrategy: { rollingUpdate: { maxUnavailable: 1 } } })],
    ]);
    expect(plan.missing).toContain('virt-api waits for the programs before it');
  });
  const PAIRS = [
    ['DaemonSet', 'virt-handler'],
    ['Deployment', 'virt-api'],
  ] as const;
  const addTo = (object: PlatformObject, { metadata, spec }: { metadata: object; spec: object }): object => ({
    ...object,
    metadata,
    spec: { ...(object.spec as object), ...spec },
  });

  test('of a template that the API server normalizes ends', () => {
    const cluster = new Cluster([...platform(), program('DaemonSet', 'virt-handler', 1)]);
    const first = cluster.plan(platform());
    cluster.execute(first);
    for (const { object: each } of first.apply) cluster.applied.add(JSON.stringify(each));
    // the stored template looks different, and will not change
    const stored = cluster.objects.get(HANDLER)! as unknown as { spec: { template: object } };
    stored.spec = { ...stored.spec, template: { normalized: true } };
    cluster.complete('virt-handler');
    const second = cluster.plan(platform());
    expect(second.apply[0]!.object.spec).toMatchObject({
      updateStrategy: { rollingUpdate: { maxUnavailable: '10%' } },
    });
  });

  test('of an object that a patch has emptied does not stop the others', () => {
    const desired = [...platform(), { ...program('Deployment', 'extra'), spec: undefined }];
    const cluster = new Cluster([...platform(), program('Deployment', 'extra', 1)]);
    expect(written(cluster.plan(desired))).toEqual(['Deployment extra']);
  });
});
