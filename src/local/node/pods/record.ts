import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listDirectory, readJson, removeTree, writeJson } from '../../host/files';
import { isAlive } from '../runtime/crun';
import type { ProcessId } from '../runtime/crun';
import type { NodePaths } from './paths';

/** Record of a container, stored next to its bundle for a restarted engine. */
export interface ContainerRecord {
  readonly id: string;
  readonly podUid: string;
  readonly namespace: string;
  readonly pod: string;
  readonly name: string;
  /** Number of the attempt; starts at 0. */
  readonly attempt: number;
  /** Sandbox of the container; init containers run again in a new sandbox. */
  readonly sandbox: string;
  readonly image: string;
  readonly imageId: string;
  /** Stop signal. */
  readonly stopSignal: string;
  readonly tty: boolean;
  readonly createdAt: string;
  process?: ProcessId;
  /** Written before the runtime starts it. If `startedAt` is missing, the state must be requested from the runtime. */
  startingAt?: string;
  /** Boot id of the machine when `startingAt` was written. */
  startingBoot?: string;
  startedAt?: string;
  /** Reason why the node stopped it, for the status and the logs. */
  killedBecause?: string;
  /** Error of a lifecycle hook or of the start. */
  startError?: string;
  exit?: ContainerExit;
}

export interface ContainerExit {
  readonly code: number;
  readonly signal?: number;
  readonly finishedAt: string;
  readonly reason: 'Completed' | 'Error' | 'OOMKilled' | 'ContainerStatusUnknown' | 'StartError';
  readonly message?: string;
}

export const newContainerId = (): string => randomBytes(32).toString('hex');

/** Stores records on disk and in memory, and detects ended containers. */
export class ContainerRecords {
  private readonly records = new Map<string, ContainerRecord>();

  public constructor(private readonly paths: NodePaths) {}

  /** Reads the records of an earlier engine. */
  public async load(): Promise<void> {
    for (const id of await listDirectory(this.paths.containers)) {
      const record = await readJson<ContainerRecord>(this.paths.container(id, 'record.json'));
      if (record) this.records.set(id, record);
    }
  }

  public get(id: string): ContainerRecord | undefined {
    return this.records.get(id);
  }

  public all(): ContainerRecord[] {
    return [...this.records.values()];
  }

  /** Records of a Pod; the latest attempt of each name is last. */
  public ofPod(podUid: string): ContainerRecord[] {
    return this.all()
      .filter((record) => record.podUid === podUid)
      .sort((a, b) => a.attempt - b.attempt);
  }

  public async save(record: ContainerRecord): Promise<void> {
    this.records.set(record.id, record);
    await writeJson(this.paths.container(record.id, 'record.json'), record);
  }

  public async forget(id: string): Promise<void> {
    this.records.delete(id);
    await removeTree(this.paths.container(id));
  }

  /**
   * Reads the end of a container from conmon's exit file. A container whose process ended without an exit file (the
   * machine was restarted, conmon was killed) has an unknown exit code.
   */
  public async findExit(record: ContainerRecord): Promise<ContainerExit | undefined> {
    const exit = await this.readExit(record);
    if (exit || isAlive(record.process)) return exit;
    // conmon writes the file after the process has ended
    const conmon = Number(await readFile(this.paths.container(record.id, 'conmon.pid'), 'utf8').catch(() => '0'));
    if (conmon && (await isConmon(conmon))) return undefined;
    return (
      (await this.readExit(record)) ?? {
        code: 137,
        reason: 'ContainerStatusUnknown',
        message: 'The container could not be located when the pod was terminated',
        finishedAt: new Date().toISOString(),
      }
    );
  }

  private async readExit(record: ContainerRecord): Promise<ContainerExit | undefined> {
    const file = join(this.paths.exits, record.id);
    let text: string;
    let finishedAt: string;
    try {
      text = await readFile(file, 'utf8');
      finishedAt = (await stat(file)).mtime.toISOString();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    const code = Number(text.trim());
    // a reader may see the file before its content is written
    if (text.trim() === '' || !Number.isInteger(code)) return undefined;
    const oom = await stat(this.paths.container(record.id, 'oom')).then(
      () => true,
      () => false,
    );
    const reason = oom ? 'OOMKilled' : code === 0 ? 'Completed' : 'Error';
    return { code, finishedAt, reason };
  }
}

async function isConmon(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim() === 'conmon';
}
