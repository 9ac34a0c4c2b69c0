/** @needs guest */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// eslint-disable-next-line virt8s/patience -- between two attempts of a race that is repeated until it is won
import { setTimeout as sleep } from 'node:timers/promises';
import { NbdClient } from '../../../../src/runtime/exporter/nbd-client';
import { type DomainRef, LibvirtClient } from '../../../../src/runtime/launcher/libvirt/client';
import type { BackupState } from '../../../../src/runtime/protocol';
import { LauncherPod, tinyVmi } from './pod';

const MIB = 1 << 20;
/** So large that QEMU is not done before the test has limited its speed. */
const DISK_MIB = 256;
const VOLUME = 'backup-1';
const HOTPLUG = '/var/run/kubevirt/hotplug-disks';
const CHECKPOINT = 'monday-2026-01-02_03-04-05';
const BITMAP = `virt8s-backup-tracker:${CHECKPOINT}`;

const vmi = tinyVmi(({ spec }) => {
  spec.domain.devices.disks!.push({ name: 'data', disk: { bus: 'virtio' } });
  spec.volumes!.push({ name: 'data', persistentVolumeClaim: { claimName: 'data' } });
});

let pod: LauncherPod;
let client: LibvirtClient;
let dom: DomainRef;
/** The disk, and the claim for its backups. */
let disk: string;
let claim: string;

async function startGuest(): Promise<void> {
  pod = new LauncherPod();
  disk = join(ownFolder('private/vmi-disks/data'), 'disk.img');
  claim = ownFolder(`public/hotplug-disks/${VOLUME}`);
  writeFileSync(disk, Buffer.alloc(DISK_MIB * MIB, 'data'));
  chownSync(disk, 107, 107);
  await pod.start();
  expect(await pod.sync(vmi)).toMatchObject({ success: true });
  client = await LibvirtClient.open(pod.path('libvirt/libvirt-sock'));
  dom = (await client.lookup('default_tiny'))!;
}

async function endGuest(): Promise<void> {
  client.close();
  await pod.destroy();
}

beforeEach(startGuest);
afterEach(endGuest);

/** Creates a folder that belongs to the user of the Pod. */
function ownFolder(path: string): string {
  const parts = path.split('/');
  parts.slice(1).forEach((_, i) => {
    const folder = pod.path(parts.slice(0, i + 2).join('/'));
    mkdirSync(folder, { recursive: true });
    chownSync(folder, 107, 107);
    chmodSync(folder, 0o755);
  });
  return pod.path(path);
}

const ask = (cmd: 'Start' | 'Abort', more: object = {}) =>
  pod.cmd.backupVirtualMachine({
    vmi: { vmiJson: Buffer.from(JSON.stringify(vmi)) },
    options: Buffer.from(
      JSON.stringify({
        ...{ cmd, backupName: 'monday', backupStartTime: '2026-01-02T03:04:05Z', targetPath: `${HOTPLUG}/${VOLUME}` },
        ...{ tracker: 'tracker', skipQuiesce: true },
        ...more,
      }),
    ),
  });

interface Answers {
  'query-jobs': { id: string };
  'query-named-block-nodes': { 'node-name': string };
  'query-block-exports': { id: string };
  'query-block': { inserted?: { 'dirty-bitmaps'?: { name?: string }[] } };
}
const query = async <Q extends keyof Answers>(execute: Q): Promise<Answers[Q][]> =>
  ((await client.qmp(dom, { execute })) as { return: Answers[Q][] }).return;

/** Parts of backups that QEMU has. The bitmaps of a disk are not in its answer while a job reads the disk. */
async function leftInQemu(): Promise<string[]> {
  const jobs = (await query('query-jobs')).map(({ id }) => id);
  const nodes = (await query('query-named-block-nodes')).map((each) => each['node-name']);
  const exports = (await query('query-block-exports')).map(({ id }) => id);
  const bitmaps = (await query('query-block')).flatMap(
    ({ inserted }) => inserted?.['dirty-bitmaps']?.flatMap(({ name }) => name ?? []) ?? [],
  );
  return [...jobs, ...nodes, ...exports, ...bitmaps].filter((name) => name.startsWith('virt8s-backup'));
}

/** Begins a backup that lasts until it is aborted. */
async function startSlowly(): Promise<void> {
  while (!(await startsSlowly())) {
    // the backup was complete before its speed was limited
    await endGuest();
    await startGuest();
  }
}

async function startsSlowly(): Promise<boolean> {
  const speed = { execute: 'block-job-set-speed', arguments: { device: 'virt8s-backup-job-0', speed: MIB } };
  const slow = async (): Promise<boolean> => {
    for (;;) {
      const isSlow = await client.qmp(dom, speed).then(
        () => true,
        // eslint-disable-next-line virt8s/patience -- as above
        () => sleep(2, false),
      );
      if (isSlow) return true;
      if ((await state())?.endedAt !== undefined) return false;
    }
  };
  const [answer, isSlow] = await Promise.all([ask('Start'), slow()]);
  expect(answer).toMatchObject({ success: true });
  return isSlow;
}

const state = async (): Promise<BackupState | undefined> => (await pod.domain())?.backup;
async function ended(name = 'monday'): Promise<BackupState> {
  let found: BackupState | undefined;
  await pod.until('the end of the backup', async () => {
    found = await state();
    return found?.name === name && found.endedAt !== undefined;
  });
  return found!;
}
const filesOf = (checkpoint: string): string[] => readdirSync(join(claim, 'tiny', checkpoint));
const sizeOf = (checkpoint: string, file: string): number =>
  statSync(join(claim, 'tiny', checkpoint, file)).blocks * 512;

/** The next backup, which must not be affected by the earlier ones. */
async function isBackedUp(name: string, more: object = {}): Promise<string> {
  expect(await ask('Start', { backupName: name, ...more })).toMatchObject({ success: true });
  const { failure, checkpoint } = await ended(name);
  expect(failure).toBeUndefined();
  expect(filesOf(checkpoint)).toEqual([`${name}-data.qcow2`]);
  expect(await leftInQemu()).toEqual([`virt8s-backup-tracker:${checkpoint}`]);
  return checkpoint;
}

test('a backup that is aborted while it is written leaves nothing', async () => {
  await startSlowly();
  expect(await state()).not.toHaveProperty('endedAt');
  expect(await leftInQemu()).toEqual(['virt8s-backup-job-0', 'virt8s-backup-node-0']);
  expect(await ask('Abort')).toMatchObject({ success: true });
  expect(await ask('Abort')).toMatchObject({ success: true });
  expect(await ended()).toMatchObject({ failure: 'the backup was aborted' });
  expect(await leftInQemu()).toEqual([]);
  expect(readdirSync(join(claim, 'tiny'))).toEqual([]);
  expect(await pod.domain()).toMatchObject({ status: 'Running' });
  const checkpoint = await isBackedUp('tuesday');
  execFileSync('qemu-img', ['compare', '-U', disk, join(claim, 'tiny', checkpoint, 'tuesday-data.qcow2')]);
});

test('a pull is served until it is aborted, and its checkpoint remains', async () => {
  // without an agent, which is reported once
  expect(await ask('Start', { mode: 'Pull', skipQuiesce: false })).toMatchObject({ success: true });
  expect(await state()).toMatchObject({ quiesced: 'Failed', warning: expect.stringContaining('agent') });
  const socket = join(claim, 'nbd-1.sock');
  {
    await using served = await NbdClient.open(socket, 'data');
    expect(await served.read(0, 512)).toEqual(Buffer.alloc(512, 'data'));
  }
  const connected = await NbdClient.open(socket, 'data');
  expect(await ask('Abort')).toMatchObject({ success: true });
  expect(await ended()).not.toHaveProperty('failure');
  await expect(connected.read(0, 512)).rejects.toThrow();
  await connected[Symbol.asyncDispose]();
  await expect(NbdClient.open(socket, 'data')).rejects.toThrow();
  expect(await leftInQemu()).toEqual([BITMAP]);
  expect(readdirSync(join(claim, 'tiny'))).toEqual([]);
  const checkpoint = await isBackedUp('tuesday', { incremental: CHECKPOINT });
  expect(sizeOf(checkpoint, 'tuesday-data.qcow2')).toBeLessThan(MIB);
  expect(pod.log).not.toContain('could not be thawed');
});

describe.each(['Push', 'Pull'])('a launcher that was killed while it began a backup in mode %s', (mode) => {
  beforeEach(async () => {
    if (mode === 'Push') await startSlowly();
    else expect(await ask('Start', { mode })).toMatchObject({ success: true });
    const [launcher] = pod.pids('node');
    process.kill(launcher!, 'SIGSTOP');
    const file = pod.path('private/launcher.json');
    const record = JSON.parse(readFileSync(file, 'utf8')) as { backup: object };
    writeFileSync(file, JSON.stringify({ ...record, backup: { ...record.backup, isBeginning: true } }));
    process.kill(launcher!, 'SIGKILL');
    await pod.until('a new launcher', () => pod.pids('node').some((pid) => pid !== launcher));
    await pod.until('answers', async () => (await pod.domain())?.status === 'Running');
    expect(await state()).toBeUndefined();
    expect(await leftInQemu()).toContain('virt8s-backup-job-0');
  });

  test('begins it again on request', async () => {
    expect(await ask('Start', { mode })).toMatchObject({ success: true });
    if (mode === 'Pull') {
      await using served = await NbdClient.open(join(claim, 'nbd-1.sock'), 'data');
      expect(await served.read(0, 512)).toEqual(Buffer.alloc(512, 'data'));
      await ask('Abort');
    }
    expect(await ended()).not.toHaveProperty('failure');
    await isBackedUp('tuesday');
  });

  test('removes it when it is aborted', async () => {
    expect(await ask('Abort', { mode })).toMatchObject({ success: true });
    expect(await leftInQemu()).toEqual([]);
    expect(readdirSync(join(claim, 'tiny'))).toEqual([]);
    await isBackedUp('tuesday');
  });
});
