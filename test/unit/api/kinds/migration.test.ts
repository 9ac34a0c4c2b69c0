import { created, cluster, deleted, type Loose, mutated, object, updated, withGates } from './fixtures';

const migration = (spec: object = {}, metadata: object = {}): Loose =>
  object('kubevirt.io/v1', 'VirtualMachineInstanceMigration', { vmiName: 'web', ...spec }, metadata);
const instance = (status: object = { phase: 'Running' }): Loose => ({
  kind: 'VirtualMachineInstance',
  metadata: { name: 'web', namespace: 'default' },
  status,
});
const stuck = (reason: string): Loose =>
  instance({ phase: 'Running', conditions: [{ type: 'LiveMigratable', status: 'False', reason, message: 'no' }] });
const other = (phase: string): Loose => ({
  ...migration({}, { name: 'other', uid: 'u', labels: { 'kubevirt.io/vmi-name': 'web' } }),
  status: { phase },
});
const send = { sendTo: { migrationID: 'a', connectURL: 'there' } };
const about = (rule: string): string[] => [`${rule} spec.vmiName as nothing`];

test.each<[string, Loose, Loose[], string[]]>([
  ['a valid one passes', migration(), [instance()], []],
  ['no name', migration({ vmiName: '' }), [], ['migration-target spec.vmiName']],
  ['no such VMI', migration(), [], about('migration-instance')],
  ['a VMI that has ended', migration(), [instance({ phase: 'Succeeded' })], about('migration-finalized')],
  ['a VMI that cannot move', migration(), [stuck('HostDevice')], about('migration-possible')],
  ['disks that cannot move', migration(), [stuck('DisksNotLiveMigratable')], about('migration-possible')],
  ['disks that are copied to another cluster', migration(send), [stuck('DisksNotLiveMigratable')], []],
  ['a VMI that moves already', migration(), [instance(), other('Running')], about('migration-in-flight')],
  ['a VMI that has moved', migration(), [instance(), other('Failed')], []],
  ['itself is not in its way', migration(), [instance(), { ...other('Running'), metadata: migration().metadata }], []],
  [
    "a user's priority",
    migration({ priority: 'system-critical' }),
    [instance()],
    ['migration-priority spec.priority as spec.migrationPriority'],
  ],
  ['both ends with one name', migration({ ...send, receive: { migrationID: 'a' } }), [instance()], []],
  [
    'both ends with different names',
    migration({ ...send, receive: { migrationID: 'b' } }),
    [instance()],
    ['migration-id spec.receive.migrationID as nothing'],
  ],
])('%s', (_, given, objects, want) => expect(created(given, cluster(...objects))).toEqual(want));

test('a migration between clusters needs its gate', () => {
  const config = withGates([], ['DecentralizedLiveMigration']);
  expect(created(migration(send), { config, ...cluster(instance()) })).toEqual([
    'gate-decentralized-live-migration spec.sendTo as nothing',
  ]);
});

test.each([
  ['the controller', { trusted: true, username: 'system:serviceaccount:kubevirt:kubevirt-controller' }, 0],
  ['another component', { trusted: true, username: 'system:serviceaccount:kubevirt:kubevirt-handler' }, 1],
  ['a user of that name', { trusted: false, username: 'kubevirt-controller' }, 1],
])('%s and the priority', (_, by, mistakes) => {
  const given = migration({ priority: 'system-critical' });
  expect(created(given, { by, ...cluster(instance()) })).toHaveLength(mistakes);
});

test('gets a label by which it is found, and a finalizer, once', () => {
  const once = mutated(migration({}, { labels: { a: 'b' }, finalizers: ['mine'] }));
  expect(once.metadata).toMatchObject({
    labels: { a: 'b', 'kubevirt.io/vmi-name': 'web' },
    finalizers: ['mine', 'kubevirt.io/migrationJobFinalize'],
  });
  expect(mutated(once)).toEqual(once);
});

const label = { labels: { 'kubevirt.io/vmi-name': 'web' } };
const path = 'metadata.labels.kubevirt.io/vmi-name';
test.each<[string, Loose, Loose, string[]]>([
  ['keeps its spec', migration({ vmiName: 'b' }), migration(), ['migration-immutable spec as nothing']],
  ['may get a finalizer', migration({}, { finalizers: ['a'] }), migration(), []],
  ['keeps its label', migration({}, { labels: {} }), migration({}, label), [`migration-label ${path} as nothing`]],
  ['keeps its labels', migration(), migration({}, label), [`migration-label ${path} as nothing`]],
  ['loses its label when it is over', { ...migration(), status: { phase: 'Failed' } }, migration({}, label), []],
])('%s', (_, given, old, want) => expect(updated(given, old)).toEqual(want));

test('can be deleted', () => expect(deleted(migration())).toEqual([]));

const policy = (spec: object): Loose =>
  object('migrations.kubevirt.io/v1alpha1', 'MigrationPolicy', { selectors: {}, ...spec });
const detector = (stallDetector: object): Loose => policy({ experimental: { stallDetector } });
const at = 'spec.experimental.stallDetector';

test.each<[string, Loose, string[]]>([
  ['an ordinary one', policy({ completionTimeoutPerGiB: 0, bandwidthPerMigration: '64Mi' }), []],
  ['a negative time', policy({ completionTimeoutPerGiB: -1 }), ['not-negative spec.completionTimeoutPerGiB']],
  ['a negative bandwidth', policy({ bandwidthPerMigration: '-1' }), ['not-negative spec.bandwidthPerMigration']],
  [
    'two schedules',
    policy({ experimental: { stallDetector: {}, downtimeTuning: {} } }),
    ['one-downtime-schedule spec.experimental'],
  ],
  ['factors in range', detector({ ewmaAlpha: '0.5', precopyPossibleFactor: 1, completionTimeoutFactor: '1500m' }), []],
  ['a weight of 0', detector({ ewmaAlpha: 0 }), [`stall-detector-factor ${at}.ewmaAlpha`]],
  ['a weight above 1', detector({ ewmaAlpha: '1.5' }), [`stall-detector-factor ${at}.ewmaAlpha`]],
  ['a decay of 0', detector({ patienceWindowDecayFactor: 0 }), []],
  [
    'a factor below 1',
    detector({ completionTimeoutFactor: '0.9' }),
    [`stall-detector-factor ${at}.completionTimeoutFactor`],
  ],
  ['a negative factor', detector({ precopyPossibleFactor: -1 }), [`stall-detector-factor ${at}.precopyPossibleFactor`]],
  ['four decimals', detector({ ewmaAlpha: '0.1234' }), [`stall-detector-factor ${at}.ewmaAlpha`]],
])('a migration policy: %s', (_, given, want) => {
  const config = withGates(['MigrationStallDetection', 'MigrationDowntimeTuning']);
  expect(created(given, { config })).toEqual(want);
});

test.each<[string, Loose, string]>([
  ['a downtime', policy({ maxDowntimeMs: 300 }), 'spec.maxDowntimeMs'],
  ['a schedule', policy({ experimental: { downtimeTuning: { steps: 3 } } }), 'spec.experimental.downtimeTuning'],
  ['a detector', detector({}), at],
])('a migration policy with %s needs a gate, but may keep it', (_, given, field) => {
  expect(created(given)).toEqual([`migration-tuning-gate ${field}`]);
  expect(updated(given, given)).toEqual([]);
  expect(updated(given, policy({}))).toEqual([`migration-tuning-gate ${field}`]);
});
