import type { VirtualMachineInstance } from '../../../../../src/api';
import {
  backupDisks,
  backupJobs,
  type BackupRequest,
  backupTargets,
  beginJobs,
  openScratch,
  outdatedBitmaps,
  serveDisks,
} from '../../../../../src/runtime/launcher/vm/backup-plan';

const vmi = {
  metadata: { name: 'web' },
  spec: {
    volumes: [
      { name: 'root', containerDisk: { image: 'a' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'a' } },
      { name: 'logs', dataVolume: { name: 'b' } },
      { name: 'iso', dataVolume: { name: 'c' } },
    ],
  },
} as VirtualMachineInstance;
const block = (name: string, more: object = {}) => ({
  qdev: `/machine/peripheral/ua-${name}/virtio-backend`,
  inserted: { 'node-name': `node-${name}`, ro: false, image: { 'virtual-size': 1_048_576 }, ...more },
});
const request: BackupRequest = {
  name: 'monday',
  startedAt: '2026-01-02T03:04:05Z',
  skipQuiesce: false,
  targetPath: '/hotplug/backup-1',
  tracker: 'uid',
};
const bitmap = 'virt8s-backup-uid:monday-2026-01-02_03-04-05';
const disk = (name: string, bitmaps: string[] = []) => ({ name, node: `node-${name}`, bytes: 1_048_576, bitmaps });

test('a backup contains the disks that outlive the guest and can be written', () => {
  const answer = {
    return: [
      block('root'),
      block('data', { 'dirty-bitmaps': [{ name: bitmap }, { name: 'bad', inconsistent: true }, { busy: true }] }),
      block('logs'),
      block('iso', { ro: true }),
      { qdev: 'ua-empty' },
    ],
  };
  expect(backupDisks(answer, vmi)).toEqual([disk('data', [bitmap]), disk('logs')]);
  expect(backupDisks(undefined, vmi)).toEqual([]);
});

test('files have the names of KubeVirt', () => {
  const files = backupTargets(request, vmi, [disk('data')]).map(({ file }) => file);
  expect(files).toEqual(['/hotplug/backup-1/web/monday-2026-01-02_03-04-05/monday-data.qcow2']);
});

test('contains the volumes that are named, or all', () => {
  const names = (volumes?: string[]) =>
    backupTargets({ ...request, volumes }, vmi, [disk('data'), disk('logs')]).map(({ name }) => name);
  expect(names()).toEqual(['data', 'logs']);
  expect(names(['logs', 'other'])).toEqual(['logs']);
  expect(() => names(['other'])).toThrow('no volumes to backup');
});

test('rejects a backup without disks, and an incremental one of a disk without the checkpoint', () => {
  expect(() => backupTargets(request, vmi, [])).toThrow('no volumes to backup');
  const incremental = { ...request, incremental: 'sunday' };
  const known = ['virt8s-backup-uid:sunday'];
  expect(() => backupTargets(incremental, vmi, [disk('data', known), disk('logs')])).toThrow(
    /disk "logs" was attached after the checkpoint "sunday".*forceFullBackup/,
  );
  expect(backupTargets(incremental, vmi, [disk('data', known)])).toHaveLength(1);
});

test.each<[string, Partial<BackupRequest>, object[]]>([
  [
    'a backup without a tracker',
    { tracker: undefined },
    [{ type: 'blockdev-backup', data: expect.objectContaining({ sync: 'full' }) }],
  ],
  [
    'a full backup',
    {},
    [
      { type: 'block-dirty-bitmap-add', data: { node: 'node-data', name: bitmap, persistent: false } },
      { type: 'blockdev-backup', data: expect.objectContaining({ sync: 'full', device: 'node-data' }) },
    ],
  ],
  [
    'an incremental backup',
    { incremental: 'sunday' },
    [
      { type: 'block-dirty-bitmap-add', data: expect.objectContaining({ name: bitmap }) },
      {
        type: 'blockdev-backup',
        data: expect.objectContaining({ sync: 'bitmap', bitmap: 'virt8s-backup-uid:sunday', 'bitmap-mode': 'never' }),
      },
    ],
  ],
])('%s begins with all its disks at one point in time', (_, more, actions) => {
  const asked = { ...request, ...more };
  const targets = backupTargets(asked, vmi, [disk('data', ['virt8s-backup-uid:sunday'])]);
  expect(beginJobs(asked, targets)).toEqual({ execute: 'transaction', arguments: { actions } });
});

test.each<[string, boolean, string[]]>([
  ['after a backup, the earlier checkpoints of its tracker', false, ['virt8s-backup-uid:sunday']],
  ['after a failure, the new one', true, [bitmap]],
])('%s are removed', (_, hasFailed, removed) => {
  const bitmaps = ['virt8s-backup-other:sunday', 'virt8s-backup-uid:sunday', bitmap, 'mine'];
  const commands = outdatedBitmaps(
    { tracker: 'uid', checkpoint: 'monday-2026-01-02_03-04-05' },
    [disk('data', bitmaps)],
    hasFailed,
  );
  expect(commands.map((command) => command.arguments)).toEqual(removed.map((name) => ({ node: 'node-data', name })));
});

test('only jobs of backups are read', () => {
  const answer = {
    return: [
      { id: 'libvirt-1', status: 'running' },
      { id: 'virt8s-backup-job-0', status: 'running' },
      { id: 'virt8s-backup-job-1', status: 'concluded', error: 'No space left on device' },
      { id: 'virt8s-backup-job-2', status: 'aborting' },
    ],
  };
  expect(backupJobs(answer)).toEqual([
    { id: 'virt8s-backup-job-0', isRunning: true, isOver: false },
    { id: 'virt8s-backup-job-1', isRunning: false, isOver: true, error: 'No space left on device' },
    { id: 'virt8s-backup-job-2', isRunning: false, isOver: false },
  ]);
});

test('a pull reads the disk through a file that gets what the guest overwrites', () => {
  const asked = { ...request, targetPath: '/hotplug/backup-0123456789', isPull: true, incremental: 'sunday' };
  const [target] = backupTargets(asked, vmi, [disk('data', ['virt8s-backup-uid:sunday'])]);
  expect(openScratch(target!).arguments).toMatchObject({ driver: 'qcow2', backing: 'node-data' });
  const { actions } = beginJobs(asked, [target!]).arguments as { actions: { type: string; data: object }[] };
  expect(actions.slice(1)).toEqual([
    {
      type: 'block-dirty-bitmap-add',
      data: { node: 'node-data', name: 'virt8s-backup-changes', persistent: false, disabled: true },
    },
    {
      type: 'block-dirty-bitmap-merge',
      data: { node: 'node-data', target: 'virt8s-backup-changes', bitmaps: ['virt8s-backup-uid:sunday'] },
    },
    { type: 'blockdev-backup', data: expect.objectContaining({ sync: 'none', target: target!.targetNode }) },
  ]);
  const [start, add] = serveDisks(asked, [target!]);
  expect(start!.arguments).toMatchObject({
    addr: { type: 'unix', data: { path: '/hotplug/backup-0123456789/nbd-01234567.sock' } },
  });
  expect(add!.arguments).toMatchObject({
    name: 'data',
    writable: false,
    bitmaps: [{ node: 'node-data', name: 'virt8s-backup-changes' }],
  });
});
