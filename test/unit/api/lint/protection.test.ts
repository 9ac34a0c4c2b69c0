import type { Loose } from '../fixtures';
import { alone, object, pool, replicaSet, together, vm, vmi, words } from './worlds';

const SNAPSHOT = 'snapshot.kubevirt.io/v1beta1';
const of = (kind: string, name: string, apiGroup = 'kubevirt.io'): Loose => ({ apiGroup, kind, name });
const place = (namespace?: string): Loose => (namespace === undefined ? {} : { namespace });

const snapshot = (name: string, source: string, namespace?: string): Loose =>
  object(SNAPSHOT, 'VirtualMachineSnapshot', name, { source: of('VirtualMachine', source) }, place(namespace));
const restore = (from: string, target = 'new', namespace?: string): Loose =>
  object(
    SNAPSHOT,
    'VirtualMachineRestore',
    'back',
    { target: of('VirtualMachine', target), virtualMachineSnapshotName: from },
    place(namespace),
  );
const clone = (source: Loose, target = 'copy'): Loose =>
  object('clone.kubevirt.io/v1beta1', 'VirtualMachineClone', 'clone', { source, target: of('VirtualMachine', target) });
const exported = (source: Loose): Loose => object('export.kubevirt.io/v1', 'VirtualMachineExport', 'out', { source });
const backup = (source: Loose, more: Loose = {}): Loose =>
  object('backup.kubevirt.io/v1alpha1', 'VirtualMachineBackup', 'nightly', { source, pvcName: 'store', ...more });
const tracker = (name: string, source: string): Loose =>
  object('backup.kubevirt.io/v1alpha1', 'VirtualMachineBackupTracker', name, { source: of('VirtualMachine', source) });
const migration = (vmiName: string, namespace?: string): Loose =>
  object('kubevirt.io/v1', 'VirtualMachineInstanceMigration', 'move', { vmiName }, place(namespace));

describe('a request', () => {
  test.each<[string, Loose[], string[]]>([
    ['for a VM that is declared', [vm('database'), snapshot('s', 'database')], []],
    ['for a VM that is not declared', [vm('database'), snapshot('s', 'elsewhere')], []],
    ['where nothing is declared', [snapshot('s', 'database')], []],
    ['for a misspelt VM', [vm('database'), snapshot('s', 'databsae')], ['reference-name spec.source.name']],
    ['for one of a series', [vm('db-1'), snapshot('s', 'db-2')], []],
    ['for a VM without its number', [vm('server-1'), snapshot('s', 'server')], []],
    [
      'for a VM of another namespace',
      [vm('db', { namespace: 'a' }), snapshot('s', 'db', 'b')],
      ['reference-namespace spec.source.name'],
    ],
    ['for a VM of a namespace that is not said', [vm('db', { namespace: 'a' }), snapshot('s', 'db')], []],
    ['for an instance that no VM has', [vmi('db'), snapshot('s', 'db')], ['reference-kind spec.source.name']],
    ['for a pool as a VM', [pool('web'), snapshot('s', 'web')], ['reference-kind spec.source.name']],
    ['for a VM of a pool', [pool('web'), snapshot('s', 'web-0')], []],
    [
      'for a replica set as a VM',
      [replicaSet('web'), exported(of('VirtualMachine', 'web'))],
      ['reference-kind spec.source.name'],
    ],
    [
      'for a VM that a clone makes',
      [clone(of('VirtualMachine', 'x'), 'database-copy'), snapshot('s', 'database-copy')],
      [],
    ],
    ['for a VM that a restore makes', [restore('s', 'database-copy'), migration('database-copy')], []],
    ['for a snapshot', [vm('db'), snapshot('before', 'db'), restore('before')], []],
    [
      'for a misspelt snapshot',
      [snapshot('before-upgrade', 'db'), restore('before-upgarde')],
      ['reference-name spec.virtualMachineSnapshotName'],
    ],
    ['for a VM as a snapshot', [vm('db'), restore('db')], ['reference-kind spec.virtualMachineSnapshotName']],
    [
      'for a snapshot of another namespace',
      [snapshot('before', 'db', 'a'), restore('before', 'db', 'b')],
      ['reference-namespace spec.virtualMachineSnapshotName'],
    ],
    ['for a new VM that is called like another', [vm('database'), restore('s', 'databsae')], []],
    [
      'for a clone of a misspelt VM',
      [vm('database'), clone(of('VirtualMachine', 'databsae'))],
      ['reference-name spec.source.name'],
    ],
    [
      'for a clone of a VM as a snapshot',
      [vm('db'), clone(of('VirtualMachineSnapshot', 'db', 'snapshot.kubevirt.io'))],
      ['reference-kind spec.source.name'],
    ],
    [
      'for a clone of a snapshot as a VM',
      [snapshot('before', 'db'), clone(of('VirtualMachine', 'before'))],
      ['reference-kind spec.source.name'],
    ],
    [
      "for an export of a claim of a VM's name",
      [vm('database'), exported({ kind: 'PersistentVolumeClaim', name: 'database' })],
      [],
    ],
    [
      'for an export of a misspelt VM',
      [vm('database'), exported(of('VirtualMachine', 'databsae'))],
      ['reference-name spec.source.name'],
    ],
    [
      'for a backup by a misspelt tracker',
      [tracker('tracker', 'db'), backup(of('VirtualMachineBackupTracker', 'trakcer', 'backup.kubevirt.io'))],
      ['reference-name spec.source.name'],
    ],
    [
      'for a backup of a VM as a tracker',
      [vm('db'), backup(of('VirtualMachineBackupTracker', 'db', 'backup.kubevirt.io'))],
      ['reference-kind spec.source.name'],
    ],
    ['for a tracker of a misspelt VM', [vm('database'), tracker('t', 'databsae')], ['reference-name spec.source.name']],
    ["for a migration of a VM's instance", [vm('db'), migration('db')], []],
    ['for a migration of an instance', [vmi('db'), migration('db')], []],
    ['for a migration of a misspelt VM', [vm('database'), migration('databsae')], ['reference-name spec.vmiName']],
    ['for a migration of a pool', [pool('web'), migration('web')], ['reference-kind spec.vmiName']],
    [
      'for a migration elsewhere',
      [vm('db', { namespace: 'a' }), migration('db', 'b')],
      ['reference-namespace spec.vmiName'],
    ],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

  test('says what was meant', () => {
    expect(words(vm('database'), snapshot('s', 'databsae'))).toEqual([
      'no VirtualMachine is called "databsae"; did you mean "database"?',
    ]);
    expect(words(vm('db'), restore('db'))).toEqual([
      '"db" is VirtualMachine "db" (app/db), but this field takes a VirtualMachineSnapshot; name a VirtualMachineSnapshot',
    ]);
    expect(words(vm('db', { namespace: 'a' }), snapshot('s', 'db', 'b'))).toEqual([
      'VirtualMachine "db" (app/db) is in the namespace "a", but this object is in "b"; put this object into the same namespace',
    ]);
  });

  test.each<[string, string, string[]]>([
    ['of the spec', '{"op":"replace","path":"/spec/runStrategy","value":"Halted"}', []],
    ['of a label', '{"op":"remove","path":"/metadata/labels/x"}', []],
    ['of the name', '{"op":"replace","path":"/metadata/name","value":"x"}', ['restore-patch spec.patches[0]']],
    [
      'that KubeVirt cannot read',
      '{"op":"add","path":"/spec/x","value":{"a":{"b":1}}}',
      ['restore-patch spec.patches[0]'],
    ],
  ])('for a restore with a patch %s', (_, patch, want) => {
    const given = restore('before');
    given.spec.patches = [patch];
    expect(together(given)).toEqual(want);
  });

  test('for a backup that is served needs a token', () => {
    const source = of('VirtualMachine', 'db');
    expect(together(backup(source, { mode: 'Pull' }))).toEqual(['backup-token spec.tokenSecretRef']);
    expect(together(backup(source, { mode: 'Pull', tokenSecretRef: 'token' }))).toEqual([]);
    expect(together(backup(source, { mode: 'Push' }))).toEqual([]);
  });
});

describe('a migration policy', () => {
  const policy = (instances?: Loose, namespaces?: Loose): Loose =>
    object('migrations.kubevirt.io/v1alpha1', 'MigrationPolicy', 'policy', {
      selectors: {
        ...(instances ? { virtualMachineInstanceSelector: instances } : {}),
        ...(namespaces ? { namespaceSelector: namespaces } : {}),
      },
    });
  const namespace = (name: string, labels: Loose): Loose => object('v1', 'Namespace', name, {}, { labels });
  const large = vm('db', { namespace: 'prod', labels: { size: 'large' } });
  const instances = 'policy-matches spec.selectors.virtualMachineInstanceSelector';
  const namespaces = 'policy-matches spec.selectors.namespaceSelector';

  test.each<[string, Loose[], string[]]>([
    ['for a guest', [large, policy({ size: 'large' })], []],
    ['for no guest', [large, policy({ size: 'small' })], [instances]],
    ['for no guest with all its labels', [large, policy({ size: 'large', tier: 'x' })], [instances]],
    ['for guests of a pool', [pool('web', { labels: { size: 'large' } }), policy({ size: 'large' })], []],
    ['for an instance', [vmi('db', { labels: { size: 'large' } }), policy({ size: 'large' })], []],
    ['where no guest is declared', [policy({ size: 'small' })], []],
    ['that selects nothing, and is for none', [large, policy()], []],
    [
      'for a namespace of its guests',
      [namespace('prod', { env: 'prod' }), large, policy(undefined, { env: 'prod' })],
      [],
    ],
    [
      'for a namespace without its guests',
      [namespace('prod', { env: 'prod' }), large, policy(undefined, { env: 'test' })],
      [namespaces],
    ],
    ['for a namespace that is not declared', [large, policy(undefined, { env: 'test' })], []],
    [
      'for a namespace by its name',
      [namespace('prod', {}), large, policy(undefined, { 'kubernetes.io/metadata.name': 'prod' })],
      [],
    ],
    [
      'for guests in another namespace',
      [
        namespace('prod', { env: 'prod' }),
        namespace('test', { env: 'test' }),
        large,
        policy({ size: 'large' }, { env: 'test' }),
      ],
      [namespaces],
    ],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

  test('says which labels there are', () => {
    expect(words(large, policy({ size: 'small' }))).toEqual([
      'no guest of this app has the labels size=small; use labels of the instances, which come from the template of their VM (instanceMetadata)',
    ]);
  });
});

describe('a budget of disruptions', () => {
  const budget = (spec: Loose, matchLabels: Loose = { app: 'web' }, namespace?: string): Loose =>
    object('policy/v1', 'PodDisruptionBudget', 'budget', { ...spec, selector: { matchLabels } }, place(namespace));
  const web = pool('web', { labels: { app: 'web' } });

  test.each<[string, Loose[], string[]]>([
    ['by a number that stays', [web, budget({ minAvailable: 1 })], []],
    ['by a share that stays', [web, budget({ minAvailable: '50%' })], ['budget-guests spec.minAvailable']],
    [
      'by a maximal number of unavailable Pods',
      [web, budget({ maxUnavailable: 1 })],
      ['budget-guests spec.maxUnavailable'],
    ],
    [
      'by a maximal percentage of unavailable Pods',
      [web, budget({ maxUnavailable: '10%' })],
      ['budget-guests spec.maxUnavailable'],
    ],
    ['of other Pods', [web, budget({ maxUnavailable: 1 }, { app: 'other' })], []],
    ['of another namespace', [web, budget({ maxUnavailable: 1 }, { app: 'web' }, 'b')], []],
    [
      'of one VM by its name',
      [vm('db'), budget({ maxUnavailable: 0 }, { 'vm.kubevirt.io/name': 'db' })],
      ['budget-guests spec.maxUnavailable'],
    ],
    ['of every Pod', [vm('db'), budget({ maxUnavailable: 1 }, {})], ['budget-guests spec.maxUnavailable']],
    [
      'by an expression',
      [
        web,
        object('policy/v1', 'PodDisruptionBudget', 'b', {
          maxUnavailable: 1,
          selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
        }),
      ],
      ['budget-guests spec.maxUnavailable'],
    ],
  ])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

  test.each<[string, Loose, string[]]>([
    ['of both', budget({ minAvailable: 1, maxUnavailable: 1 }), ['budget-one spec.maxUnavailable']],
    ['of less than nothing', budget({ minAvailable: -1 }), ['budget-amount spec.minAvailable']],
    ['of a text', budget({ maxUnavailable: 'some' }), ['budget-amount spec.maxUnavailable']],
    ['of a share', budget({ maxUnavailable: '10%' }), []],
  ])('%s, alone', (_, given, want) => expect(alone(given)).toEqual(want));
});

describe('a CronJob', () => {
  const cron = (spec: Loose, name = 'job'): Loose => object('batch/v1', 'CronJob', name, spec);

  test.each<[string, Loose, string[]]>([
    ['by the hour', cron({ schedule: '0 * * * *' }), []],
    ['by a word', cron({ schedule: '@weekly' }), []],
    ['in a time zone', cron({ schedule: '@weekly', timeZone: 'Asia/Tokyo' }), []],
    ['never', cron({}), ['cron-schedule spec.schedule']],
    ['at the 32nd', cron({ schedule: '0 0 32 * *' }), ['cron-schedule spec.schedule']],
    ['in no time zone', cron({ schedule: '@daily', timeZone: 'Mars/Base' }), ['cron-time-zone spec.timeZone']],
    ['of a long name', cron({ schedule: '@daily' }, 'x'.repeat(53)), ['cron-name-length metadata.name']],
  ])('%s', (_, given, want) => expect(alone(given)).toEqual(want));
});

test.each<[string, string]>([
  [SNAPSHOT, 'VirtualMachineSnapshot'],
  [SNAPSHOT, 'VirtualMachineRestore'],
  ['migrations.kubevirt.io/v1alpha1', 'MigrationPolicy'],
  ['policy/v1', 'PodDisruptionBudget'],
  ['batch/v1', 'CronJob'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition'],
])('%s %s of another shape breaks nothing', (apiVersion, kind) => {
  const shapes: unknown[] = [
    undefined,
    null,
    7,
    'x',
    [],
    {
      source: 3,
      target: [],
      schedule: {},
      selectors: 'x',
      selector: { matchExpressions: 5, matchLabels: 'x' },
      maxUnavailable: {},
      rules: [null, { http: { paths: 'x' } }],
      config: 5,
      virtualMachineSnapshotName: {},
    },
  ];
  for (const spec of shapes) {
    const given = { apiVersion, kind, metadata: { name: 'x' }, spec } as Loose;
    expect(() => [together(vm('db'), given), alone(given)]).not.toThrow();
  }
});
