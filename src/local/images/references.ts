import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson, writeJsonDurably } from '../host/files';

interface Entry {
  readonly name: string;
  readonly digest: string;
}

/** Maps names to images, with a file per name: concurrent writers cannot lose each other's names. */
export class References {
  private readonly dir: string;
  /** File in which earlier versions kept all names. */
  private readonly old: string;

  public constructor(storeDir: string) {
    this.dir = join(storeDir, 'refs');
    this.old = join(storeDir, 'refs.json');
  }

  /** Imports the names of an earlier version. A name that was set since keeps its newer image. */
  public async takeOver(): Promise<void> {
    const names = await readJson<Record<string, string>>(this.old);
    for (const [name, digest] of Object.entries(names ?? {})) {
      if ((await this.get(name)) === undefined) await this.set(name, digest);
    }
    // removed last: after a crash, the import is repeated
    await rm(this.old, { force: true });
  }

  public async get(name: string): Promise<string | undefined> {
    return (await readJson<Entry>(this.file(name)))?.digest;
  }

  public set(name: string, digest: string): Promise<void> {
    return writeJsonDurably(this.file(name), { name, digest } satisfies Entry);
  }

  /** Digests of images by name. */
  public all(): Record<string, string> {
    const files = namesIn(this.dir).filter((file) => file.endsWith('.json'));
    const entries = files.flatMap((file) => readNow<Entry>(join(this.dir, file)) ?? []);
    return Object.fromEntries(entries.map(({ name, digest }) => [name, digest]));
  }

  private file(name: string): string {
    return join(this.dir, `${createHash('sha256').update(name).digest('hex')}.json`);
  }
}

/** Reads synchronously, for decisions that must not be interrupted; undefined if the file is missing or incomplete. */
export function readNow<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
