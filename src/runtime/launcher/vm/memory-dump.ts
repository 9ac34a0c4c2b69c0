/**
 * Writes the guest's memory to a file in a volume. One dump at a time; its state is part of every report to virt-handler. A
 * launcher that was restarted knows of no dump: virt-handler requests it again, and it is written again.
 */
import { open, readdir, rm, statfs } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { MemoryDumpState } from '../../protocol';
import type { DomainRef, LibvirtClient } from '../libvirt/client';
import { log } from '../log';
import { Refusal, refusalOf } from './refusal';

/** Dumps in a claim, as KubeVirt names them. */
const SUFFIX = '.memory.dump';

export interface MemoryDumpOptions {
  /** Directory of the volumes that virt-handler provides. */
  readonly directory: string;
  /** The running guest; throws if there is none. */
  domain(): Promise<{ client: LibvirtClient; dom: DomainRef }>;
  /** Called when the dump has ended. */
  onEnd(): void;
  readonly now?: () => number;
}

export class MemoryDump {
  private current: MemoryDumpState | undefined;

  constructor(private readonly options: MemoryDumpOptions) {}

  /** The last dump. */
  get state(): MemoryDumpState | undefined {
    return this.current;
  }

  /** Begins a dump of so many bytes to the file. Does nothing if this file is or was the target of the last one. */
  begin(path: string, bytes: number): void {
    const [volume, fileName, ...more] = relative(this.options.directory, path).split(sep);
    if (!volume || !fileName || more.length > 0 || volume === '..' || !fileName.endsWith(SUFFIX)) {
      throw new Refusal('SyncFailed', `"${path}" is not a dump in a volume that virt-handler provides`);
    }
    if (this.current?.fileName === fileName) return;
    if (this.isRunning) throw new Refusal('SyncFailed', `the dump ${this.current!.fileName} is still being written`);
    this.current = { volume, fileName, startedAt: this.time() };
    log('info', 'memory dump begins', { volume, fileName });
    void this.write(path, bytes);
  }

  /** Aborts a dump to a volume that is to be detached. */
  async keepOnly(volumes: ReadonlySet<string>): Promise<void> {
    if (!this.isRunning || volumes.has(this.current!.volume)) return;
    log('info', 'memory dump aborted: its volume is detached', { volume: this.current!.volume });
    const { client, dom } = await this.options.domain();
    // it may have ended
    await client.abortJob(dom).catch((error: unknown) => log('warn', 'no dump was aborted', { error: String(error) }));
  }

  private get isRunning(): boolean {
    return this.current !== undefined && this.current.endedAt === undefined;
  }

  private async write(path: string, bytes: number): Promise<void> {
    const directory = join(path, '..');
    let failure: string | undefined;
    try {
      const { client, dom } = await this.options.domain();
      // of a previous launcher process
      await client.abortJob(dom).catch(() => undefined);
      await removeDumps(directory);
      await requireSpace(directory, bytes);
      await client.dumpMemory(dom, path);
      await flush(path);
    } catch (error) {
      failure = causeOf(error);
      // a part of a dump must not be taken for one
      await rm(path, { force: true }).catch(() => undefined);
    }
    log(failure === undefined ? 'info' : 'warn', 'memory dump ended', { path, failure });
    this.current = { ...this.current!, endedAt: this.time(), ...(failure !== undefined && { failure }) };
    this.options.onEnd();
  }

  private time(): string {
    return new Date((this.options.now ?? Date.now)()).toISOString();
  }
}

function causeOf(error: unknown): string {
  const { message } = refusalOf(error);
  if (/No space left on device/i.test(message)) return 'the claim is full; remove the dump and use a larger claim';
  return `${message}; request the dump again when that is resolved`;
}

/** A claim holds one dump. */
async function removeDumps(directory: string): Promise<void> {
  const dumps = (await readdir(directory)).filter((name) => name.endsWith(SUFFIX));
  for (const name of dumps) await rm(join(directory, name));
}

async function requireSpace(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= bytes) return;
  const mebibytes = (number: number): number => Math.ceil(number / (1 << 20));
  throw new Refusal(
    'DiskFull',
    `the claim has ${mebibytes(bavail * bsize)} MiB free, the dump needs ${mebibytes(bytes)} MiB; free space there, or remove the ` +
      'dump and use a larger claim',
  );
}

/** A dump that is reported is on its storage. */
async function flush(path: string): Promise<void> {
  await using file = await open(path, 'r');
  await file.sync();
}
