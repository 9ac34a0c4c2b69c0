/**
 * Backs up the disks of the running guest to files in a claim. QEMU itself copies them, and records what the guest writes
 * afterwards in dirty bitmaps, which exist as long as QEMU. Jobs and bitmaps are QEMU's; the rest is in the launcher's record,
 * so that a launcher that was restarted continues.
 */
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { VirtualMachineInstance } from '../../../api';
import { backupSocketOf } from '../../../api/backup-socket';
import type { BackupState } from '../../protocol';
import { writeWhole } from '../disks/files';
import { newQcow2 } from '../disks/qcow2';
import type { DomainRef, LibvirtClient } from '../libvirt/client';
import { log } from '../log';
import {
  backupDisks,
  backupExports,
  backupJobs,
  type BackupRequest,
  type BackupTarget,
  backupTargets,
  beginJobs,
  checkpointOf,
  closeTarget,
  type JobState,
  openScratch,
  openTarget,
  outdatedBitmaps,
  PREFIX,
  serveDisks,
} from './backup-plan';
import { Refusal, refusalOf } from './refusal';

const POLL_MS = 500;
/** Interval and number of looks at exports that end. */
const LOOK_MS = 50;
const MOST_LOOKS = 100;
/** Limit of a freeze: the guest is thawed as soon as the jobs have begun. */
const FREEZE_MS = 60_000;

/** A backup, for the record. */
export interface BackupRecord {
  readonly state: BackupState;
  readonly files: readonly string[];
  readonly tracker?: string;
  /** Socket at which the disks are served until the backup is aborted. */
  readonly socket?: string;
  /** Whether the backup has not begun completely. If that was interrupted, QEMU may have parts of it, which are removed. */
  readonly isBeginning?: boolean;
  readonly isAborted?: boolean;
  /** Cause for which it was ended. */
  readonly failure?: string;
}

export interface BackupOptions {
  domain(): Promise<{ client: LibvirtClient; dom: DomainRef }>;
  /** The VMI of the guest, whose volumes are backed up. */
  freeze(limitMs: number): Promise<void>;
  /** Ends the freeze, unless somebody else needs it. */
  thaw(): Promise<void>;
  save(record: BackupRecord | undefined): void;
  /** Called when the backup has ended. */
  onEnd(): void;
  readonly now?: () => number;
}

export class Backup {
  private current: BackupRecord | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: BackupOptions) {}

  /** The last backup that has begun. */
  get state(): BackupState | undefined {
    return this.current?.isBeginning ? undefined : this.current?.state;
  }

  /** Continues the work of a previous launcher process. */
  resume(record: BackupRecord | undefined): void {
    this.current = record;
    if (this.isRunning) this.poll();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  /** Begins a backup. Does nothing if it is the last one. */
  async begin(request: BackupRequest, vmi: VirtualMachineInstance): Promise<void> {
    if (this.isSame(request) && !this.current!.isBeginning) return;
    if (this.isRunning) throw new Refusal('SyncFailed', `backup ${this.state!.name} is in progress; wait for its end`);
    const { client, dom } = await this.options.domain();
    await this.undo(client, dom);
    await removeLeftovers(client, dom);
    const targets = backupTargets(request, vmi, backupDisks(await client.qmp(dom, { execute: 'query-block' }), vmi));
    const record = recordOf(request, targets);
    // before QEMU gets anything: its answers, and this process, may be lost
    this.set({ ...record, isBeginning: true });
    try {
      for (const { file, bytes, name } of targets) await writeWhole(file, newQcow2({ virtualSize: bytes }), name);
      for (const target of targets) await client.qmp(dom, (request.isPull ? openScratch : openTarget)(target));
      const quiesced = await this.beginFrozen(request, targets, client, dom);
      const failure = await serve(request, targets, client, dom);
      this.set({ ...record, state: { ...record.state, ...quiesced }, ...(failure !== undefined && { failure }) });
    } catch (error) {
      await this.undo(client, dom).catch((why: unknown) =>
        log('warn', 'a backup that failed is removed before the next one', { error: String(why) }),
      );
      throw error;
    }
    log('info', 'backup begins', { name: request.name, incremental: request.incremental });
    this.poll();
  }

  /** Requests the end of a backup. Does nothing if it has ended. */
  async abort(request: Pick<BackupRequest, 'name' | 'startedAt'>): Promise<void> {
    if (!this.isSame(request)) return;
    const { isBeginning } = this.current!;
    if (!isBeginning && !this.isRunning) return;
    if (!isBeginning) this.set({ ...this.current!, isAborted: true });
    const { client, dom } = await this.options.domain();
    await (isBeginning ? this.undo(client, dom) : cancelJobs(client, dom));
  }

  private get isRunning(): boolean {
    return this.state !== undefined && this.state.endedAt === undefined;
  }

  private isSame({ name, startedAt }: Pick<BackupRequest, 'name' | 'startedAt'>): boolean {
    return this.current?.state.name === name && this.current.state.startedAt === startedAt;
  }

  /** Removes a backup that has not begun completely. */
  private async undo(client: LibvirtClient, dom: DomainRef): Promise<void> {
    if (!this.current?.isBeginning) return;
    await removeLeftovers(client, dom);
    await removeBitmaps(this.current, true, client, dom);
    await removeFiles(this.current.files);
    this.set(undefined);
  }

  private async beginFrozen(
    request: BackupRequest,
    targets: readonly BackupTarget[],
    client: LibvirtClient,
    dom: DomainRef,
  ): Promise<Pick<BackupState, 'quiesced' | 'warning'>> {
    const begin = () => client.qmp(dom, beginJobs(request, targets));
    if (request.skipQuiesce) {
      await begin();
      return { quiesced: 'Skipped' };
    }
    const warning = await this.options.freeze(FREEZE_MS).then(
      () => undefined,
      (error: unknown) => `the file systems of the guest were not frozen: ${refusalOf(error).message}`,
    );
    try {
      await begin();
    } finally {
      // it is thawed again by its limit
      if (warning === undefined) await this.options.thaw().catch(() => undefined);
    }
    return warning === undefined ? { quiesced: 'Succeeded' } : { quiesced: 'Failed', warning };
  }

  private poll(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look().catch((error: unknown) => this.retry(error)), POLL_MS);
  }

  private retry(error: unknown): void {
    log('warn', 'the backup cannot be observed', { error: String(error) });
    this.poll();
  }

  private async look(): Promise<void> {
    if (!this.isRunning) return;
    const { client, dom } = await this.options.domain();
    const jobs = backupJobs(await client.qmp(dom, { execute: 'query-jobs' }));
    if (jobs.some(({ isOver }) => !isOver)) {
      if (jobs.some(({ error }) => error !== undefined)) await cancelJobs(client, dom);
      return this.poll();
    }
    const { state, files, socket, isAborted } = this.current!;
    const isPull = socket !== undefined;
    // a pull has no other end
    let failure = this.current!.failure;
    if (!isAborted) failure ??= failureOf(jobs);
    else if (!isPull) failure ??= 'the backup was aborted';
    if (jobs.length === 0) failure ??= 'QEMU does not know the backup';
    await removeLeftovers(client, dom);
    try {
      if (failure === undefined && !isPull) await flush(files);
    } catch (error) {
      failure = refusalOf(error).message;
    }
    await removeBitmaps(this.current!, failure !== undefined, client, dom);
    if (failure !== undefined || isPull) await removeFiles(files);
    log(failure === undefined ? 'info' : 'warn', 'backup ended', { name: state.name, failure });
    const endedAt = new Date((this.options.now ?? Date.now)()).toISOString();
    this.set({
      ...this.current!,
      state: { ...state, endedAt, ...(failure !== undefined && { failure: remedied(failure) }) },
    });
    this.options.onEnd();
  }

  private set(record: BackupRecord | undefined): void {
    this.current = record;
    this.options.save(record);
  }
}

/** The first failure; jobs that were cancelled because of it come after it. */
function failureOf(jobs: readonly JobState[]): string | undefined {
  const errors = jobs.flatMap(({ error }) => error ?? []);
  return errors.find((error) => !/cancel/i.test(error)) ?? errors[0];
}

const remedied = (failure: string): string =>
  /No space left on device/i.test(failure) ? 'the claim is full; use a larger claim' : failure;

/** Volume that contains the directory. */
const volumeOf = ({ targetPath }: BackupRequest): string => targetPath.split('/').at(-1) ?? '';

/** Record of a backup, before it is known whether the file systems were frozen. */
function recordOf(request: BackupRequest, targets: readonly BackupTarget[]): BackupRecord {
  const state = {
    name: request.name,
    startedAt: request.startedAt,
    volume: volumeOf(request),
    checkpoint: checkpointOf(request),
    volumes: targets.map(({ name }) => name),
    quiesced: 'Skipped' as const,
  };
  const files = targets.map(({ file }) => file);
  return {
    state,
    files,
    tracker: request.tracker,
    ...(request.isPull && { socket: backupSocketOf(request.targetPath) }),
  };
}

/** Serves the disks of a pull. Returns why they cannot be served, which ends the backup. */
async function serve(
  request: BackupRequest,
  targets: readonly BackupTarget[],
  client: LibvirtClient,
  dom: DomainRef,
): Promise<string | undefined> {
  if (!request.isPull) return undefined;
  try {
    // of a guest that was killed
    await rm(backupSocketOf(request.targetPath), { force: true });
    for (const command of serveDisks(request, targets)) await client.qmp(dom, command);
    return undefined;
  } catch (error) {
    await cancelJobs(client, dom);
    return `the disks cannot be served: ${refusalOf(error).message}`;
  }
}

async function cancelJobs(client: LibvirtClient, dom: DomainRef): Promise<void> {
  for (const id of await runningJobs(client, dom)) {
    try {
      await client.qmp(dom, { execute: 'job-cancel', arguments: { id } });
    } catch (error) {
      // it may have ended meanwhile
      if ((await runningJobs(client, dom)).includes(id)) throw error;
    }
  }
}

async function runningJobs(client: LibvirtClient, dom: DomainRef): Promise<string[]> {
  const jobs = backupJobs(await client.qmp(dom, { execute: 'query-jobs' }));
  return jobs.flatMap(({ id, isRunning }) => (isRunning ? [id] : []));
}

/** Removes what backups have in QEMU except bitmaps: the service of a pull, jobs, and the nodes of their files. */
async function removeLeftovers(client: LibvirtClient, dom: DomainRef): Promise<void> {
  await endService(client, dom);
  for (const { id } of await endedJobs(client, dom))
    await client.qmp(dom, { execute: 'job-dismiss', arguments: { id } });
  const answer = (await client.qmp(dom, { execute: 'query-named-block-nodes', arguments: { flat: true } })) as {
    return?: readonly { 'node-name'?: string }[];
  };
  const nodes = (answer.return ?? []).flatMap((each) => each['node-name'] ?? []);
  for (const node of nodes.filter((name) => name.startsWith(PREFIX))) await client.qmp(dom, closeTarget(node));
}

/** Cancels all jobs and returns them when they have ended. */
async function endedJobs(client: LibvirtClient, dom: DomainRef): Promise<JobState[]> {
  for (let tries = 0; tries < MOST_LOOKS; tries++) {
    const jobs = backupJobs(await client.qmp(dom, { execute: 'query-jobs' }));
    if (jobs.every(({ isOver }) => isOver)) return jobs;
    // a job may have ended since, and then rejects it
    await cancelJobs(client, dom).catch(() => undefined);
    await sleep(LOOK_MS);
  }
  throw new Refusal('SyncFailed', 'QEMU does not end the jobs of an earlier backup; its claim may not answer');
}

/** An export ends when its clients are disconnected, which takes a moment. */
async function endService(client: LibvirtClient, dom: DomainRef): Promise<void> {
  const exports = async (): Promise<string[]> =>
    backupExports(await client.qmp(dom, { execute: 'query-block-exports' }));
  for (const id of await exports())
    await client.qmp(dom, { execute: 'block-export-del', arguments: { id, mode: 'hard' } });
  for (let tries = 0; tries < MOST_LOOKS && (await exports()).length > 0; tries++) await sleep(LOOK_MS);
  // a server without exports is in the way of the next one; QEMU rejects the command if there is none
  await client.qmp(dom, { execute: 'nbd-server-stop' }).catch(() => undefined);
}

/** Removes bitmaps that are not needed after a backup, of the disks that the guest still has. */
async function removeBitmaps(
  { tracker, state: { checkpoint, volumes } }: BackupRecord,
  hasFailed: boolean,
  client: LibvirtClient,
  dom: DomainRef,
): Promise<void> {
  const disks = backupDisks(await client.qmp(dom, { execute: 'query-block' }), {
    spec: { volumes: volumes.map((name) => ({ name, hostDisk: {} })) },
  } as never);
  for (const command of outdatedBitmaps({ tracker, checkpoint }, disks, hasFailed)) await client.qmp(dom, command);
}

async function removeFiles(files: readonly string[]): Promise<void> {
  for (const directory of new Set(files.map(dirname)))
    await rm(directory, { recursive: true, force: true }).catch(() => undefined);
}

/** A backup that is reported is on its storage. */
async function flush(files: readonly string[]): Promise<void> {
  for (const path of [...files, ...new Set(files.map(dirname))]) {
    await using file = await open(path, 'r');
    await file.sync();
  }
}
