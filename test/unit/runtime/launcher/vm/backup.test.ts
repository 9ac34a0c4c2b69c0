import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VirtualMachineInstance } from '../../../../../src/api';
import type { DomainRef, LibvirtClient } from '../../../../../src/runtime/launcher/libvirt/client';
import { Backup, type BackupRecord } from '../../../../../src/runtime/launcher/vm/backup';
import type { BackupRequest } from '../../../../../src/runtime/launcher/vm/backup-plan';

const vmi = {
  metadata: { name: 'web' },
  spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'a' } }] },
} as VirtualMachineInstance;

/** QEMU with one disk, as far as backups use it. What it rejects, it rejects as QEMU does. */
class Qemu {
  readonly commands: string[] = [];
  bitmaps: string[] = [];
  nodes: string[] = [];
  jobs: { id: string; status: string; error?: string }[] = [];
  rejected: string | undefined;
  exports: string[] = [];
  isServing = false;
  /** Command whose answer is lost, with all later ones. */
  lost: string | undefined;
  private isGone = false;

  /** The answers arrive again. */
  recover(): void {
    [this.lost, this.isGone] = [undefined, false];
  }

  ask(execute: string, args?: Record<string, unknown>): unknown {
    if (this.isGone) throw new Error('no answer within 30000 ms');
    const answer = this.answer(execute, args);
    if (execute !== this.lost) return answer;
    this.isGone = true;
    throw new Error('no answer within 30000 ms');
  }

  private answer(execute: string, args: Record<string, unknown> = {}): unknown {
    this.commands.push(execute);
    if (execute === this.rejected) throw new Error(`QEMU rejected ${execute}`);
    switch (execute) {
      case 'query-block': {
        const bitmaps = this.bitmaps.map((name) => ({ name }));
        const inserted = { 'node-name': 'node-data', image: { 'virtual-size': 1_048_576 }, 'dirty-bitmaps': bitmaps };
        return { return: [{ qdev: '/machine/peripheral/ua-data/virtio-backend', inserted }] };
      }
      case 'query-jobs':
        return { return: this.jobs };
      case 'query-named-block-nodes':
        return { return: this.nodes.map((name) => ({ 'node-name': name })) };
      case 'blockdev-add':
        this.nodes.push(args['node-name'] as string);
        break;
      case 'blockdev-del':
        if (this.jobs.some(({ status }) => status !== 'concluded')) throw new Error('node is in use');
        this.nodes = this.nodes.filter((name) => name !== args['node-name']);
        break;
      case 'job-dismiss':
        this.jobs = this.jobs.filter(({ id }) => id !== args.id);
        break;
      case 'job-cancel':
        for (const job of this.jobs.filter(({ id }) => id === args.id)) {
          if (job.status !== 'running') throw new Error(`a job that is ${job.status} cannot accept 'cancel'`);
          job.status = 'aborting';
          setTimeout(() => Object.assign(job, { status: 'concluded', error: 'Operation canceled' }), 60);
        }
        break;
      case 'nbd-server-start':
        if (this.isServing) throw new Error('NBD server already running');
        this.isServing = true;
        break;
      case 'nbd-server-stop':
        if (!this.isServing) throw new Error('NBD server not running');
        this.isServing = false;
        break;
      case 'block-dirty-bitmap-remove':
        this.bitmaps = this.bitmaps.filter((name) => name !== args.name);
        break;
      case 'query-block-exports':
        return { return: this.exports.map((id) => ({ id })) };
      case 'block-export-add':
        this.exports.push(args.id as string);
        break;
      case 'block-export-del':
        this.exports = this.exports.filter((id) => id !== args.id);
        break;
      case 'transaction':
        for (const { type, data } of args.actions as { type: string; data: Record<string, string> }[]) {
          if (type === 'block-dirty-bitmap-add') {
            if (this.bitmaps.includes(data.name)) throw new Error(`Bitmap already exists: ${data.name}`);
            this.bitmaps.push(data.name);
          }
          if (type === 'blockdev-backup') this.jobs.push({ id: data['job-id'], status: 'running' });
        }
    }
    return { return: {} };
  }

  end(error?: string): void {
    this.jobs = this.jobs.map(({ id }) => ({ id, status: 'concluded', ...(error && { error }) }));
  }
}

let directory: string;
let qemu: Qemu;
let saved: BackupRecord | undefined;
let frozen: string[];
let ended: Promise<void>;
let backup: Backup;

const request = (more: Partial<BackupRequest> = {}): BackupRequest => ({
  name: 'monday',
  startedAt: '2026-01-02T03:04:05Z',
  skipQuiesce: false,
  targetPath: directory,
  tracker: 'uid',
  ...more,
});
const fileOf = (name = 'monday'): string => join(directory, 'web', `${name}-2026-01-02_03-04-05`, `${name}-data.qcow2`);
const make = (freeze: () => Promise<void> = () => Promise.resolve()): Backup => {
  const client = {
    qmp: (_: DomainRef, command: { execute: string; arguments?: Record<string, unknown> }) =>
      Promise.resolve().then(() => qemu.ask(command.execute, command.arguments)),
  } as unknown as LibvirtClient;
  let made!: Backup;
  ended = new Promise((resolve) => {
    made = new Backup({
      domain: () => Promise.resolve({ client, dom: {} as DomainRef }),
      freeze: () => (frozen.push('freeze'), freeze()),
      thaw: () => (frozen.push(`thaw after ${qemu.commands.at(-1)}`), Promise.resolve()),
      save: (record) => (saved = record),
      onEnd: resolve,
      now: () => 0,
    });
  });
  return made;
};

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation();
  directory = mkdtempSync(join(tmpdir(), 'backup-'));
  [qemu, saved, frozen] = [new Qemu(), undefined, []];
  backup = make();
});

afterEach(() => {
  backup.close();
  rmSync(directory, { recursive: true });
  jest.restoreAllMocks();
});

const BITMAP = 'virt8s-backup-uid:monday-2026-01-02_03-04-05';

test('a backup freezes the guest only until its jobs have begun, and ends with its file and checkpoint', async () => {
  await backup.begin(request(), vmi);
  expect(frozen).toEqual(['freeze', 'thaw after transaction']);
  expect(backup.state).toMatchObject({
    checkpoint: 'monday-2026-01-02_03-04-05',
    volumes: ['data'],
    quiesced: 'Succeeded',
  });
  await backup.begin(request(), vmi);
  await expect(backup.begin(request({ name: 'other' }), vmi)).rejects.toThrow('backup monday is in progress');
  qemu.end();
  await ended;
  expect(backup.state).toMatchObject({ endedAt: '1970-01-01T00:00:00.000Z' });
  expect(backup.state).not.toHaveProperty('failure');
  expect([qemu.nodes, qemu.jobs, qemu.bitmaps]).toEqual([[], [], [BITMAP]]);
  expect(existsSync(fileOf())).toBe(true);
});

test('a launcher that was restarted continues', async () => {
  await backup.begin(request({ skipQuiesce: true }), vmi);
  expect([frozen, backup.state!.quiesced]).toEqual([[], 'Skipped']);
  backup.close();
  backup = make();
  backup.resume(saved);
  qemu.end();
  await ended;
  expect(backup.state).toMatchObject({ name: 'monday', endedAt: '1970-01-01T00:00:00.000Z' });
});

test('an incremental backup replaces the checkpoint of its tracker', async () => {
  qemu.bitmaps = ['virt8s-backup-uid:sunday', 'virt8s-backup-other:sunday'];
  await backup.begin(request({ incremental: 'sunday' }), vmi);
  qemu.end();
  await ended;
  expect(qemu.bitmaps).toEqual(['virt8s-backup-other:sunday', BITMAP]);
});

test('a guest that cannot be frozen is backed up with a warning', async () => {
  backup = make(() => Promise.reject(new Error('no agent')));
  await backup.begin(request(), vmi);
  expect(backup.state).toMatchObject({ quiesced: 'Failed', warning: expect.stringContaining('no agent') });
  expect(frozen).toEqual(['freeze']);
});

test.each<[string, string, string]>([
  ['full storage', 'write: No space left on device', 'the claim is full; use a larger claim'],
  ['another failure', 'Input/output error', 'Input/output error'],
])('%s leaves neither files nor a checkpoint, and keeps the last one', async (_, error, failure) => {
  qemu.bitmaps = ['virt8s-backup-uid:sunday'];
  await backup.begin(request({ incremental: 'sunday' }), vmi);
  qemu.end(error);
  await ended;
  expect(backup.state).toMatchObject({ failure });
  expect([qemu.nodes, qemu.jobs, qemu.bitmaps]).toEqual([[], [], ['virt8s-backup-uid:sunday']]);
  expect(existsSync(fileOf())).toBe(false);
});

test('a backup is aborted', async () => {
  await backup.begin(request(), vmi);
  await backup.abort({ name: 'other', startedAt: 'x' });
  expect(qemu.commands).not.toContain('job-cancel');
  await backup.abort(request());
  await ended;
  expect(backup.state).toMatchObject({ failure: 'the backup was aborted' });
  expect(existsSync(fileOf())).toBe(false);
});

describe.each([false, true])('with isPull: %s', (isPull) => {
  const asked = (more: Partial<BackupRequest> = {}): BackupRequest => request({ isPull, ...more });
  const nothing = { nodes: [], jobs: [], exports: [], bitmaps: [], isServing: false };
  const begun = { nodes: ['virt8s-backup-node-0'], jobs: [expect.anything()], isServing: isPull };
  const last = isPull ? 'block-export-add' : 'transaction';

  const interrupted = async (): Promise<void> => {
    qemu.lost = last;
    await backup.begin(asked(), vmi).catch(() => undefined);
    expect([backup.state, qemu]).toEqual([undefined, expect.objectContaining(begun)]);
    qemu.recover();
  };
  /** The next process, which knows what was saved. */
  const restart = (): void => {
    backup.close();
    backup = make();
    backup.resume(saved);
  };

  test.each<[string, () => void, Partial<BackupRequest>]>([
    ['same launcher', () => undefined, {}],
    ['next launcher', restart, {}],
    ['next launcher, for another backup', restart, { name: 'tuesday' }],
    ['next launcher, for another tracker', restart, { name: 'tuesday', tracker: 'other' }],
  ])('a backup whose beginning was interrupted is replaced by the %s', async (_, before, more) => {
    await interrupted();
    before();
    await backup.begin(asked(more), vmi);
    expect([backup.state, qemu]).toEqual([expect.anything(), expect.objectContaining(begun)]);
    expect(qemu.bitmaps).toHaveLength(1);
    expect(existsSync(fileOf())).toBe(more.name === undefined);
  });

  test('a backup whose beginning was interrupted is removed when it is aborted', async () => {
    await interrupted();
    restart();
    await backup.abort(asked());
    expect(qemu).toMatchObject(nothing);
    expect([saved, existsSync(fileOf())]).toEqual([undefined, false]);
    await backup.abort(asked());
  });

  test('it is aborted repeatedly while its jobs end', async () => {
    await backup.begin(asked(), vmi);
    await backup.abort(asked());
    await backup.abort(asked());
    await ended;
    expect(qemu.jobs).toEqual([]);
  });
});

test('jobs that do not end are reported', async () => {
  qemu.jobs = [{ id: 'virt8s-backup-job-0', status: 'aborting' }];
  await expect(backup.begin(request(), vmi)).rejects.toThrow('QEMU does not end the jobs of an earlier backup');
});

test.each(['blockdev-add', 'transaction'])('nothing is left if QEMU rejects %s', async (command) => {
  qemu.rejected = command;
  await expect(backup.begin(request(), vmi)).rejects.toThrow(`QEMU rejected ${command}`);
  expect([backup.state, qemu.nodes, existsSync(fileOf())]).toEqual([undefined, [], false]);
  expect(frozen.at(-1)).not.toBe('freeze');
});

describe('a pull', () => {
  const pull = (more: Partial<BackupRequest> = {}): BackupRequest => request({ isPull: true, ...more });

  test('serves the disks until it is aborted, without a failure, and keeps its checkpoint', async () => {
    qemu.bitmaps = ['virt8s-backup-uid:sunday'];
    await backup.begin(pull({ incremental: 'sunday' }), vmi);
    expect(qemu.exports).toEqual(['virt8s-backup-export-0']);
    expect(qemu.bitmaps).toContain('virt8s-backup-changes');
    await backup.abort(request());
    await ended;
    expect(backup.state).toHaveProperty('endedAt');
    expect(backup.state).not.toHaveProperty('failure');
    expect([qemu.exports, qemu.nodes, qemu.jobs, qemu.bitmaps]).toEqual([[], [], [], [BITMAP]]);
    expect(qemu.commands).toContain('nbd-server-stop');
    expect(existsSync(fileOf())).toBe(false);
  });

  test('fails if the disks cannot be served, and leaves nothing', async () => {
    qemu.rejected = 'nbd-server-start';
    await backup.begin(pull(), vmi);
    await ended;
    expect(backup.state!.failure).toMatch(/cannot be served: .*nbd-server-start/);
    expect([qemu.exports, qemu.nodes, qemu.jobs, qemu.bitmaps]).toEqual([[], [], [], []]);
  });

  test('fails if the claim is full', async () => {
    await backup.begin(pull(), vmi);
    qemu.end('No space left on device');
    await ended;
    expect(backup.state!.failure).toBe('the claim is full; use a larger claim');
    expect([qemu.exports, qemu.bitmaps]).toEqual([[], []]);
  });
});
