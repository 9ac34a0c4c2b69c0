import type { Pod } from '../../../../../../src/runtime/controller/pod';
import type { DataVolume } from '../../../../../../src/runtime/controller/storage/data-volume/decide';
import { decide, dueAt, type Observed } from '../../../../../../src/runtime/controller/storage/import-cron/decide';
import { pinned, type DataImportCron } from '../../../../../../src/runtime/controller/storage/import-cron/names';
import type { DataSource, VolumeSnapshot } from '../../../../../../src/runtime/controller/storage/types';

const DIGEST = `sha256:${'ab'.repeat(32)}`;
const NAME = 'fedora-abababababab';
const DESIRED = 'cdi.kubevirt.io/storage.import.sourceDesiredDigest';
const LABEL = 'cdi.kubevirt.io/dataImportCron';
const now = Date.parse('2026-01-02T12:00:30Z');
const before = '2026-01-02T12:00:00Z';

const cron = (more: { annotations?: object; spec?: object; status?: object; labels?: object } = {}): DataImportCron =>
  ({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataImportCron',
    metadata: {
      name: 'weekly',
      namespace: 'images',
      uid: 'cron-uid',
      labels: more.labels,
      annotations: more.annotations,
    },
    spec: {
      schedule: '30 12 * * *',
      managedDataSource: 'fedora',
      template: {
        spec: {
          source: { registry: { url: 'docker://registry.example/fedora:42', secretRef: 'login' } },
          storage: { resources: { requests: { storage: '10Gi' } } },
        },
      },
      ...more.spec,
    },
    ...(more.status && { status: more.status }),
  }) as unknown as DataImportCron;
const known = (more: object = {}): DataImportCron =>
  cron({ annotations: { [DESIRED]: DIGEST }, status: { lastExecutionTimestamp: before }, ...more });
const poll = (phase: string, state: object): Pod =>
  ({
    metadata: { name: 'poll-cron-uid', namespace: 'images' },
    spec: { containers: [] },
    status: { phase, containerStatuses: [{ name: 'importer', restartCount: 0, state }] },
  }) as unknown as Pod;
const said = (report: object): Pod =>
  poll('Succeeded', { terminated: { exitCode: 0, message: JSON.stringify(report) } });
/** A Pod that its node has ended, some seconds after it was created. */
const evicted = (seconds: number, more: object = {}): Pod => {
  const pod = poll('Failed', { terminated: { exitCode: 137 } });
  const creationTimestamp = new Date(now - seconds * 1000).toISOString();
  const status = { ...pod.status, reason: 'Evicted', message: 'The node was low on resource: memory.' };
  return { ...pod, metadata: { ...pod.metadata, creationTimestamp, ...more }, status } as Pod;
};
const removed = (pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: before } });
const imported = (name: string, phase = 'Succeeded', day = 1): DataVolume =>
  ({
    metadata: { name, namespace: 'images', creationTimestamp: `2026-01-0${day}T00:00:00Z` },
    spec: {},
    status: { phase },
  }) as DataVolume;
const dataSource = (name?: string, labels: object = { [LABEL]: 'weekly' }): DataSource =>
  ({
    metadata: { name: 'fedora', namespace: 'images', labels },
    spec: { source: name ? { pvc: { namespace: 'images', name } } : {} },
  }) as DataSource;

const decided = (more: Partial<Observed>) =>
  decide({
    cron: known(),
    imports: [],
    dataSource: dataSource(),
    settings: { image: 'importer', overhead: 0 },
    now,
    ...more,
  });
const shown = (more: Partial<Observed>): string[] =>
  decided(more).actions.map((action) => {
    switch (action.do) {
      case 'recordDigest':
        return `${action.do} ${action.digest}`;
      case 'createPoll':
      case 'deletePoll':
        return action.do;
      case 'createImport':
      case 'deleteImport':
        return `${action.do} ${action.dataVolume.metadata.name}`;
      case 'createSnapshot':
      case 'deleteSnapshot':
        return `${action.do} ${action.snapshot.metadata.name}`;
      default: {
        const { pvc, snapshot } = action.dataSource.spec.source;
        return `${action.do} ${pvc?.name ?? (snapshot ? `snapshot ${snapshot.name}` : 'empty')}`;
      }
    }
  });
const condition = (type: string, more: Partial<Observed>) =>
  decided(more).status.conditions?.find((each) => each.type === type);

test.each<[string, Pod, boolean]>([
  ['ended with a digest', said({ message: 'ok', digest: DIGEST }), true],
  ['ended without one', said({ message: 'ok' }), true],
  ['is being removed', removed(said({ message: 'ok', digest: DIGEST })), false],
  ['runs', poll('Running', { running: {} }), false],
])('counts a poll that %s', (_name, pod, counts) => {
  expect(decided({ poll: pod }).status.lastExecutionTimestamp).toBe(counts ? '2026-01-02T12:00:30Z' : before);
});

describe('a DataImportCron', () => {
  const problem = { reason: 'ErrProxyAuthorities', message: 'no ConfigMap', retryMs: 60_000 };
  const four = ['fedora-1', 'fedora-2', 'fedora-3', NAME].map((name, i) => imported(name, 'Succeeded', i + 1));
  const complete = { imports: [imported(NAME)], dataSource: dataSource(NAME) };
  test.each<[string, Partial<Observed>, string[]]>([
    ['asks for the digest at once', { cron: cron(), dataSource: undefined }, ['createPoll', 'createDataSource empty']],
    ['asks once', { cron: cron(), poll: poll('Running', { running: {} }) }, []],
    [
      'records the digest and imports it',
      { cron: cron(), poll: said({ message: 'ok', digest: DIGEST }) },
      [`recordDigest ${DIGEST}`, 'deletePoll', `createImport ${NAME}`],
    ],
    ['keeps a Pod that was evicted for a minute', { cron: cron(), poll: evicted(59) }, []],
    ['replaces a Pod that was evicted', { cron: cron(), poll: evicted(60) }, ['deletePoll']],
    ['deletes a Pod once', { cron: cron(), poll: removed(evicted(60)) }, []],
    ['does not ask while the proxy cannot be trusted', { cron: cron(), problem }, []],
    ['takes no text for a digest', { cron: cron(), poll: said({ message: 'ok', digest: '../x' }) }, ['deletePoll']],
    ['takes no text of a user for a digest', { cron: known({ annotations: { [DESIRED]: 'x' } }) }, []],
    ['imports what is not imported', {}, [`createImport ${NAME}`]],
    ['leaves what somebody else made', { named: imported(NAME) }, []],
    ['waits for its import', { imports: [imported(NAME, 'ImportInProgress')] }, []],
    ['points its DataSource to a complete import', { imports: [imported(NAME)] }, [`updateDataSource ${NAME}`]],
    [
      'takes over a DataSource',
      { dataSource: dataSource(undefined, {}) },
      [`createImport ${NAME}`, 'updateDataSource empty'],
    ],
    ['makes its DataSource again', { ...complete, dataSource: undefined }, [`createDataSource ${NAME}`]],
    ['does nothing when it is up to date', complete, []],
    ['keeps three imports', { ...complete, imports: four }, ['deleteImport fedora-1']],
    [
      'keeps as many as requested',
      { cron: known({ spec: { importsToKeep: 1 } }), ...complete, imports: four },
      ['deleteImport fedora-3', 'deleteImport fedora-2', 'deleteImport fedora-1'],
    ],
    [
      'always keeps the current one',
      { cron: known({ spec: { importsToKeep: 0 } }), ...complete, imports: four },
      ['deleteImport fedora-3', 'deleteImport fedora-2', 'deleteImport fedora-1'],
    ],
    ['keeps all on request', { cron: known({ spec: { garbageCollect: 'Never' } }), ...complete, imports: four }, []],
    [
      'removes nothing before the newest is complete',
      { dataSource: dataSource('fedora-3'), imports: [...four.slice(0, 3), imported(NAME, 'Pending', 4)] },
      [],
    ],
    [
      'removes nothing with another name',
      { ...complete, imports: [...four, imported('mine'), imported('mine-2')] },
      ['deleteImport fedora-1'],
    ],
  ])('%s', (_, more, wanted) => expect(shown(more)).toEqual(wanted));

  const taken = (name: string, readyToUse = true, day = 1): VolumeSnapshot =>
    ({
      metadata: { name, namespace: 'images', creationTimestamp: `2026-01-0${day}T00:00:00Z` },
      status: { readyToUse },
    }) as VolumeSnapshot;
  const kept = (...snapshots: VolumeSnapshot[]) => ({ snapshots: { className: 'fast', taken: snapshots } });
  const ofSnapshot = (name: string): DataSource => {
    const source = { spec: { source: { snapshot: { namespace: 'images', name } } } };
    return { ...dataSource(), ...source } as DataSource;
  };
  test.each<[string, Partial<Observed>, string[]]>([
    ['imports first', kept(), [`createImport ${NAME}`]],
    ['waits for the import', { imports: [imported(NAME, 'ImportInProgress')], ...kept() }, []],
    ['takes a snapshot of the import', { imports: [imported(NAME)], ...kept() }, [`createSnapshot ${NAME}`]],
    ['waits for the snapshot', { imports: [imported(NAME)], ...kept(taken(NAME, false)) }, []],
    [
      'points its DataSource to the snapshot, and removes the claim',
      { imports: [imported(NAME)], ...kept(taken(NAME)) },
      [`updateDataSource snapshot ${NAME}`, `deleteImport ${NAME}`],
    ],
    ['is up to date without the claim', { dataSource: ofSnapshot(NAME), ...kept(taken(NAME)) }, []],
    [
      'keeps the DataSource while the next one is imported',
      {
        cron: known({
          status: { sourceFormat: 'snapshot', lastImportedPVC: { namespace: 'images', name: 'fedora-1' } },
        }),
        dataSource: ofSnapshot('fedora-1'),
        imports: [imported(NAME, 'Pending')],
        poll: poll('Running', { running: {} }),
        ...kept(taken('fedora-1')),
      },
      [],
    ],
    [
      'keeps as many snapshots as requested',
      {
        cron: known({ spec: { importsToKeep: 1 } }),
        dataSource: ofSnapshot(NAME),
        ...kept(taken(NAME), taken('fedora-1'), taken('mine')),
      },
      ['deleteSnapshot fedora-1'],
    ],
  ])('that keeps snapshots %s', (_, more, wanted) => expect(shown(more)).toEqual(wanted));

  test('reports a snapshot that it waits for, and looks at it again', () => {
    const error = { message: 'no space' };
    const failing = { ...taken(NAME, false), status: { readyToUse: false, error } };
    const waits = { imports: [imported(NAME)], ...kept(failing) };
    expect(condition('Progressing', waits)).toMatchObject({
      status: 'True',
      message: `VolumeSnapshot ${NAME} is not ready: no space`,
    });
    expect(decided(waits).retryMs).toBe(2_000);
    expect(decided({ ...kept(taken(NAME)) }).status).toMatchObject({
      sourceFormat: 'snapshot',
      lastImportedPVC: { name: NAME },
    });
  });

  test('imports exactly the image of the digest, bound at once, with its labels', () => {
    const labels = { 'instancetype.kubevirt.io/default-instancetype': 'small', app: 'x' };
    const [action] = decided({ cron: known({ labels }) }).actions;
    expect(action).toMatchObject({
      dataVolume: {
        metadata: {
          labels: { 'instancetype.kubevirt.io/default-instancetype': 'small', [LABEL]: 'weekly' },
          annotations: { 'cdi.kubevirt.io/storage.bind.immediate.requested': 'true' },
        },
        spec: { source: { registry: { url: `docker://registry.example/fedora@${DIGEST}`, secretRef: 'login' } } },
      },
    });
    expect(action).not.toHaveProperty('dataVolume.metadata.labels.app');
    expect(action).not.toHaveProperty('dataVolume.metadata.ownerReferences');
  });

  test('owns its imports with the retention policy None', () => {
    const [action] = decided({ cron: known({ spec: { retentionPolicy: 'None' } }) }).actions;
    expect(action).toMatchObject({ dataVolume: { metadata: { ownerReferences: [{ uid: 'cron-uid' }] } } });
  });

  test.each<[string, Partial<Observed>, object]>([
    ['has no digest', { cron: cron() }, { status: 'False', reason: 'NoDigest' }],
    ['imports', { imports: [imported(NAME, 'Pending')] }, { status: 'False', reason: 'Outdated' }],
    ['is complete', { imports: [imported(NAME)] }, { status: 'True', reason: 'UpToDate' }],
    [
      'waits for the next Pod',
      { cron: cron(), poll: evicted(1) },
      { status: 'False', reason: 'Evicted', message: expect.stringMatching(/replaced: The node was low/) as string },
    ],
    ['cannot trust the proxy', { cron: cron(), problem }, { status: 'False', reason: 'ErrProxyAuthorities' }],
    ['need not ask yet', { imports: [imported(NAME)], problem }, { status: 'True', reason: 'UpToDate' }],
    [
      'cannot ask',
      {
        cron: cron(),
        poll: poll('Running', {
          terminated: {
            exitCode: 1,
            message: JSON.stringify({ problem: 'SourceRejected', message: 'HTTP 404', remedy: 'check the URL' }),
          },
        }),
      },
      { status: 'False', reason: 'SourceRejected', message: 'HTTP 404; check the URL' },
    ],
  ])('that %s reports it', (_, more, wanted) => expect(condition('UpToDate', more)).toMatchObject(wanted));

  test('reports the import that it waits for', () => {
    expect(condition('Progressing', { imports: [imported(NAME, 'ImportInProgress')] })).toMatchObject({
      status: 'True',
    });
    expect(condition('Progressing', { named: imported(NAME) })).toMatchObject({
      status: 'False',
      reason: 'ErrImportExists',
    });
  });

  test('status names the imports, their claim and times', () => {
    expect(decided({ imports: [imported(NAME)] }).status).toMatchObject({
      currentImports: [{ DataVolumeName: NAME, Digest: DIGEST }],
      lastImportedPVC: { namespace: 'images', name: NAME },
      lastImportTimestamp: '2026-01-02T12:00:30Z',
      lastExecutionTimestamp: before,
    });
    const status = { lastExecutionTimestamp: before, lastImportTimestamp: before, lastImportedPVC: { name: NAME } };
    const again = decided({ cron: known({ status }), imports: [imported(NAME)] });
    expect(again.status.lastImportTimestamp).toBe(before);
  });

  test.each([
    ['30 12 * * *', before, '2026-01-02T12:30:00.000Z'],
    ['30 12 * * *', undefined, new Date(now).toISOString()],
    ['', undefined, new Date(now).toISOString()],
    ['', before, undefined],
  ])('with the schedule %j, last asked at %s, asks at %s', (schedule, last, wanted) => {
    const due = dueAt(cron({ spec: { schedule } }), last, now);
    expect(due === undefined ? due : new Date(due).toISOString()).toBe(wanted);
  });

  test.each<[string, Partial<Observed>, number | undefined]>([
    ['a Pod that was evicted', { cron: cron(), poll: evicted(20) }, 40_000],
    ['a Pod that runs', { cron: cron(), poll: poll('Running', { running: {} }) }, undefined],
    ['authorities of the proxy', { cron: cron(), problem }, 60_000],
  ])('that waits for %s is decided again in time', (_, more, wanted) => expect(decided(more).retryMs).toBe(wanted));

  test('copies a claim when there is another one', () => {
    const copying = known({
      spec: { template: { spec: { source: { pvc: { namespace: 'images', name: 'golden' } } } } },
    });
    const claim = { metadata: { uid: '12345678-1234-1234' }, spec: {}, status: { phase: 'Bound' } } as never;
    expect(shown({ cron: copying })).toEqual([]);
    expect(shown({ cron: copying, claim })).toEqual(['createImport fedora-12345678-123']);
  });
});

test.each([
  ['docker://registry.example/fedora:42', `docker://registry.example/fedora@${DIGEST}`],
  ['docker://registry.example:5000/team/fedora', `docker://registry.example:5000/team/fedora@${DIGEST}`],
  [`docker://registry.example/fedora:42@sha256:00`, `docker://registry.example/fedora@${DIGEST}`],
])('%s is pinned to %s', (url, wanted) => expect(pinned(url, DIGEST)).toBe(wanted));
