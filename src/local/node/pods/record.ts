import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listDirectory, readJson, removeTree, writeJson } from '../../host/files';
import { isAlive } from '../runtime/crun';
import type { ProcessId } from '../runtime/crun';
import type { NodePaths } from './paths';

/** What the node knows about one container: written beside its bundle, so that a restarted engine knows it too. */
export interface ContainerRecord {
  readonly id: string;
  readonly podUid: string;
  readonly namespace: string;
  readonly pod: string;
  readonly name: string;
  /** 0 for the first, one more with each restart. */
  readonly attempt: number;
  /** The sandbox that it runs in; init containers run again in a new one. */
  readonly sandbox: string;
  readonly image: string;
  readonly imageId: string;
  /** Which signal asks it to end. */
  readonly stopSignal: string;
  readonly tty: boolean;
  readonly createdAt: string;
  process?: ProcessId;
  /** Written before the runtime starts it: whoever finds it without `startedAt` asks the runtime. */
  startingAt?: string;
  /** The boot of the machine in which `startingAt` was written. */
  startingBoot?: string;
  startedAt?: string;
  /** Why the node ended it, for the status and the logs. */
  killedBecause?: string;
  /** Lifecycle hook that failed, or what start said. */
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

/** Records on disk and in memory, and how containers' ends become known. */
export class ContainerRecords {
  private readonly records = new Map<string, ContainerRecord>();

  public constructor(private readonly paths: NodePaths) {}

  /** Reads what an earlier engine left. */
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

  /** A Pod's containers, latest attempt of each name last. */
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
   * The end of a container, from what conmon wrote. A container whose process is gone without a word of conmon (the
   * machine was restarted, conmon was killed) has an unknown end.
   */
  public async findExit(record: ContainerRecord): Promise<ContainerExit | undefined> {
    const exit = await this.readExit(record);
    if (exit || isAlive(record.process)) return exit;
    // conmon writes the file after the process has gone
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
    // written in one go, but a reader may be faster
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
