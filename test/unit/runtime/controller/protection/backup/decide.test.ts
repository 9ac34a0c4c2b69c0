import type { VirtualMachine, VirtualMachineInstance } from '../../../../../../src/api';
import type { Action } from '../../../../../../src/runtime/controller/protection/actions';
import { decide } from '../../../../../../src/runtime/controller/protection/backup/decide';
import type { Backup, Observed, Tracker } from '../../../../../../src/runtime/controller/protection/backup/observed';

const CREATED = '2026-01-02T00:00:00Z';
const FINALIZER = 'backup.kubevirt.io/vmbackup-protection';
const VOLUME = 'backup-u1';

const backup = (more: object = {}, status?: Backup['status'], metadata: object = {}): Backup =>
  ({
    kind: 'VirtualMachineBackup',
    metadata: {
      name: 'monday',
      namespace: 'shop',
      uid: 'u1',
      creationTimestamp: CREATED,
      finalizers: [FINALIZER],
      ...metadata,
    },
    spec: { source: { kind: 'VirtualMachine', name: 'web' }, pvcName: 'backups', ...more },
    status,
  }) as Backup;
const ofSnapshot = (status?: Backup['status']): Backup =>
  backup({}, status, {
    annotations: { 'virt8s.io/guest-copies': 'data,logs' },
    ownerReferences: [{ kind: 'VirtualMachineSnapshotContent', name: 'c', controller: true }],
  });
const tracked = { source: { kind: 'VirtualMachineBackupTracker', name: 'daily' } };
const tracker = (latestCheckpoint?: object): Tracker =>
  ({
    metadata: { name: 'daily', uid: 't1' },
    spec: { source: { name: 'web' } },
    status: { latestCheckpoint },
  }) as Tracker;
const checkpoint = { name: 'sunday', creationTime: '2026-01-01T12:00:00Z', volumes: [{ volumeName: 'data' }] };
const vm = { metadata: { name: 'web' } } as VirtualMachine;

interface Guest {
  readonly phase?: string;
  readonly attached?: 'spec' | 'ready' | 'leaving';
  readonly progress?: object;
  readonly created?: string;
  readonly volumes?: object[];
}
const guest = ({ phase = 'Running', attached, progress, created = '2026-01-01T00:00:00Z', volumes }: Guest = {}) =>
  ({
    metadata: { name: 'web', resourceVersion: '5', uid: 'v1', creationTimestamp: created },
    spec: {
      domain: { devices: {} },
      volumes: volumes ?? [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      ...(attached && attached !== 'leaving' && { utilityVolumes: [{ name: VOLUME, claimName: 'backups' }] }),
    },
    status: {
      phase,
      volumeStatus: attached && attached !== 'spec' ? [{ name: VOLUME, target: '', phase: 'MountedToPod' }] : [],
      ...(progress && { changedBlockTracking: { state: 'Enabled', backupStatus: progress } }),
    },
  }) as unknown as VirtualMachineInstance;
const mine = (more: object = {}) => ({ backupName: 'monday', startTimestamp: CREATED, ...more });
const done = mine({
  completed: true,
  checkpointName: 'cp',
  volumes: [{ volumeName: 'data' }],
  quiesceStatus: 'Succeeded',
});

const shown = (action: Action): string => {
  switch (action.do) {
    case 'patch':
      return `${action.kind} ${JSON.stringify({ ...action.body, metadata: undefined })}`;
    case 'backUp':
      return `backUp ${JSON.stringify(action.options)}`;
    case 'event':
      return `event ${action.type} ${action.reason}`;
    default:
      return action.do;
  }
};
const claim = { metadata: { name: 'backups' }, spec: {} } as Observed['claim'];
const actionsOf = (seen: Partial<Observed>): string =>
  decide({ backup: backup(), vm, vmi: guest(), claim, now: Date.parse(CREATED), ...seen })
    .map(shown)
    .join('\n');

test.each<[string, Partial<Observed>, RegExp]>([
  [
    'a backup without a claim',
    { backup: backup({ pvcName: undefined }) },
    /"type":"Failed".*set pvcName.*\nevent Warning/,
  ],
  [
    'a pull without a token',
    { backup: backup({ mode: 'Pull' }) },
    /"type":"Failed".*tokenSecretRef is required when mode is Pull/,
  ],
  ['a block volume', { claim: { ...claim!, spec: { volumeMode: 'Block' } } as never }, /"type":"Failed".*is block/],
  ['a missing claim', { claim: undefined }, /Initializing.*PVC shop\/backups doesnt exist/],
  ['a missing tracker', { backup: backup(tracked) }, /Initializing.*BackupTracker daily does not exist/],
  ['a missing VM', { vm: undefined, vmi: undefined }, /Initializing.*VM shop\/web doesnt exist/],
  ['a stopped guest', { vmi: undefined }, /Initializing.*is not running/],
  ['the stopped guest of a snapshot', { backup: ofSnapshot(), vmi: undefined }, /"type":"Failed".*is not running/],
  ['a guest without claims', { vmi: guest({ volumes: [] }) }, /Initializing.*no volumes to backup/],
  [
    'another backup',
    { vmi: guest({ progress: { backupName: 'sunday' } }) },
    /Initializing.*backup sunday of vm web is in progress/,
  ],
])('reports %s', (_, seen, expected) => {
  expect(actionsOf(seen)).toMatch(expected);
});

test.each<[string, Partial<Observed>, RegExp]>([
  [
    'protects the backup',
    { backup: backup({}, undefined, { finalizers: [] }) },
    /^VirtualMachineBackup \{\}\nrecheck$/,
  ],
  [
    'attaches the claim',
    {},
    /^VirtualMachineInstance .*"utilityVolumes":\[\{"name":"backup-u1","claimName":"backups","type":"Backup"\}\]/,
  ],
  [
    'does not wait for a snapshot of the VM, which shares the freeze of the guest in the launcher',
    { vm: { ...vm, status: { snapshotInProgress: 'nightly' } }, vmi: guest({ attached: 'ready' }) },
    /"backupStatus":\{"backupName":"monday"/,
  ],
  ['waits until it is attached', { vmi: guest({ attached: 'spec' }) }, /Initializing.*it is being attached/],
  [
    'claims the guest',
    { vmi: guest({ attached: 'ready' }) },
    /^VirtualMachineInstance .*"backupStatus":\{"backupName":"monday","startTimestamp"/,
  ],
  [
    'records a full backup',
    { vmi: guest({ attached: 'ready', progress: mine() }) },
    /^VirtualMachineBackup .*"type":"Full"/,
  ],
  [
    'asks the launcher',
    { backup: backup({}, { type: 'Full' }), vmi: guest({ attached: 'ready', progress: mine() }) },
    /^backUp \{"backupName":"monday","backupStartTime":"2026-01-02T00:00:00Z","cmd":"Start","mode":"Push","skipQuiesce":false,"targetPath":"\/var\/run\/kubevirt\/hotplug-disks\/backup-u1"\}\nrecheck$/,
  ],
  [
    'asks for the volumes of a snapshot only',
    { backup: ofSnapshot({ type: 'Full' }), vmi: guest({ attached: 'ready', progress: mine() }) },
    /^backUp .*"volumes":\["data","logs"\]\}\nrecheck$/,
  ],
  [
    'waits for the launcher',
    {
      backup: backup({}, { type: 'Full' }),
      vmi: guest({ attached: 'ready', progress: mine({ checkpointName: 'cp' }) }),
    },
    /^recheck$/,
  ],
  [
    'records the checkpoint, and detaches the claim',
    {
      backup: backup(tracked, { type: 'Full' }),
      tracker: tracker(),
      vmi: guest({ attached: 'ready', progress: done }),
    },
    /^VirtualMachineBackupTracker .*"latestCheckpoint":\{"name":"cp","creationTime":"2026-01-02T00:00:00Z","volumes":\[\{"volumeName":"data"\}\]\}.*\nVirtualMachineInstance \{"spec":\{"utilityVolumes":null\}\}/,
  ],
  ['waits until it is detached', { vmi: guest({ attached: 'leaving', progress: done }) }, /^recheck\nrecheck$/],
  [
    'is complete',
    { vmi: guest({ progress: done }) },
    /"type":"Complete","status":"True".*"type":"Quiesced","status":"True".*\nevent Normal VirtualMachineBackupCompletedSuccessfully$/,
  ],
  [
    'is complete with a warning',
    { vmi: guest({ progress: { ...done, backupMsg: 'no agent', quiesceStatus: 'Failed' } }) },
    /CompletedWithWarning.*no agent.*\nevent Warning VirtualMachineBackupCompletedWithWarning$/,
  ],
  [
    'fails with its cause',
    { vmi: guest({ progress: { ...done, failed: true, backupMsg: 'full' } }) },
    /"type":"Failed".*Backup has failed: full.*\nevent Warning/,
  ],
  [
    'releases the guest',
    {
      backup: backup({}, { conditions: [{ type: 'Complete', status: 'True' } as never] }),
      vmi: guest({ progress: done }),
    },
    /"backupStatus":null/,
  ],
  ['fails if the guest stops', { vmi: guest({ phase: 'Failed', progress: mine() }) }, /"reason":"SourceUnhealthy"/],
  ['fails if the guest was restarted', { backup: backup({}, { type: 'Full' }) }, /"reason":"SourceLost"/],
  [
    'aborts a backup that is deleted',
    {
      backup: backup({}, { type: 'Full' }, { deletionTimestamp: CREATED }),
      vmi: guest({ attached: 'ready', progress: mine({ checkpointName: 'cp' }) }),
    },
    /^backUp .*"cmd":"Abort"\}\nrecheck$/,
  ],
  [
    'aborts one whose beginning the launcher has not reported, and releases the guest',
    {
      backup: backup({}, { type: 'Full' }, { deletionTimestamp: CREATED }),
      vmi: guest({ attached: 'ready', progress: mine() }),
    },
    /^backUp .*"cmd":"Abort"\}\nVirtualMachineInstance .*"backupStatus":null.*\nrecheck$/,
  ],
  [
    'releases one that has not begun',
    { backup: backup({}, undefined, { deletionTimestamp: CREATED }) },
    /^VirtualMachineBackup \{\}$/,
  ],
])('%s', (_, seen, expected) => {
  expect(actionsOf(seen)).toMatch(expected);
});

test.each<[string, Tracker, Guest, object, string]>([
  ['without a checkpoint', tracker(), {}, {}, 'Full'],
  ['with a checkpoint', tracker(checkpoint), {}, {}, 'Incremental'],
  ['that is forced', tracker(checkpoint), {}, { forceFullBackup: true }, 'Full'],
  ['of a guest that was restarted since', tracker(checkpoint), { created: '2026-01-01T13:00:00Z' }, {}, 'Full'],
  [
    'of a guest with a new disk',
    tracker(checkpoint),
    {
      volumes: [
        { name: 'data', dataVolume: { name: 'a' } },
        { name: 'logs', dataVolume: { name: 'b' } },
      ],
    },
    {},
    'Full',
  ],
])('a backup %s is %s', (_, of, more, spec, type) => {
  const seen = {
    backup: backup({ ...tracked, ...spec }),
    tracker: of,
    vmi: guest({ attached: 'ready', progress: mine(), ...more }),
  };
  expect(actionsOf(seen)).toMatch(new RegExp(`"type":"${type}"`));
});

describe('a pull', () => {
  const pull = (more: object = {}, metadata: object = {}): Backup =>
    backup({ mode: 'Pull', tokenSecretRef: 'token', ...more }, { type: 'Full' }, metadata);
  const begun = {
    attached: 'ready',
    progress: mine({ checkpointName: 'cp', volumes: [{ volumeName: 'data' }] }),
  } as const;
  const start = Date.parse(CREATED);
  const exported = (more: object = {}, uid = 'u1'): Observed['vmExport'] =>
    ({
      metadata: { name: 'monday', uid: 'e1', ownerReferences: [{ uid, controller: true }] },
      spec: {},
      ...more,
    }) as unknown as Observed['vmExport'];
  const link = {
    cert: 'pem',
    backups: [
      {
        name: 'data',
        endpoints: [
          { endpoint: 'data', url: 'https://d' },
          { endpoint: 'map', url: 'https://m' },
        ],
      },
    ],
  };
  const ready = { status: { phase: 'Ready', links: { internal: link } } };

  test.each<[string, Partial<Observed>, RegExp]>([
    [
      'is begun by the launcher',
      { backup: pull(), vmi: guest({ attached: 'ready', progress: mine() }) },
      /backUp .*"cmd":"Start","mode":"Pull".*"targetPath"/,
    ],
    [
      'gets an export',
      { backup: pull(), vmi: guest(begun) },
      /"includedVolumes":\[\{"volumeName":"data"\}\].*PreparingExport.*\ncreate/,
    ],
    [
      'tells what its export waits for',
      {
        backup: pull(),
        vmi: guest(begun),
        vmExport: exported({ status: { phase: 'Pending', conditions: [{ type: 'Ready', message: 'no token' }] } }),
      },
      /PreparingExport.*VMExport for backup: no token/,
    ],
    [
      'does not use an export of somebody else',
      { backup: pull(), vmi: guest(begun), vmExport: exported(ready, 'other') },
      /shop\/monday already exists but is not owned by backup monday/,
    ],
    [
      'offers the addresses',
      { backup: pull(), vmi: guest(begun), vmExport: exported(ready) },
      /"dataEndpoint":"https:\/\/d","mapEndpoint":"https:\/\/m".*"endpointCert":"pem","exportUID":"e1".*ExportReady/,
    ],
    [
      'ends with its lifetime',
      { backup: pull({ ttlDuration: '1m' }), vmi: guest(begun), vmExport: exported(ready), now: start + 60_000 },
      /Aborting.*TTL has expired.*\nbackUp .*"cmd":"Abort"/,
    ],
    [
      'does not end before',
      { backup: pull({ ttlDuration: '1m' }), vmi: guest(begun), vmExport: exported(ready), now: start + 59_999 },
      /ExportReady/,
    ],
    [
      'ends with its object',
      { backup: pull({}, { deletionTimestamp: CREATED }), vmi: guest(begun), vmExport: exported(ready) },
      /^backUp .*"cmd":"Abort"/,
    ],
    [
      'withdraws its export, and keeps its checkpoint',
      {
        backup: { ...pull(), spec: { ...pull().spec, ...tracked } } as Backup,
        tracker: tracker(),
        vmi: guest({ attached: 'ready', progress: done }),
        vmExport: exported(ready),
      },
      /^VirtualMachineBackupTracker .*"name":"cp".*\ndelete\n/,
    ],
  ])('%s', (_, seen, expected) => {
    expect(actionsOf(seen)).toMatch(expected);
  });

  test.each([
    [undefined, 0, '7200s'],
    ['90s', 500, '90s'],
    ['90s', 30_000, '60s'],
  ])('of lifetime %s has an export that ends with it', (ttlDuration, passed, expected) => {
    const actions = decide({
      backup: pull({ ttlDuration }),
      ...{ vm, claim, vmi: guest(begun), now: start + passed },
    });
    const made = actions.find((action) => action.do === 'create');
    expect(made?.object).toMatchObject({
      metadata: { name: 'monday', namespace: 'shop', ownerReferences: [expect.objectContaining({ uid: 'u1' })] },
      spec: {
        tokenSecretRef: 'token',
        ttlDuration: expected,
        source: { kind: 'VirtualMachineBackup', name: 'monday' },
      },
    });
  });
});
