import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Position that an import has reached. An importer that starts again continues there. */
export interface Entry {
  /** `Source.version` of the bytes. */
  readonly version: string;
  readonly format: string;
  /** Bytes of the disk that are on the storage. */
  readonly position: number;
}

const NAME = 'progress.json';

/** The record of an import, in a folder that survives a restart of its container. */
export class Journal {
  public constructor(private readonly folder: string) {}

  /** The position from which this version of the source continues. */
  public async position(version: string | undefined, format: string): Promise<number> {
    const entry = await readFile(join(this.folder, NAME), 'utf8').then(
      (text) => JSON.parse(text) as Entry,
      () => undefined,
    );
    return version !== undefined && entry?.version === version && entry.format === format ? entry.position : 0;
  }

  /** Records a position. Its data must be on the storage. */
  public async write(entry: Entry): Promise<void> {
    const temporary = join(this.folder, `${NAME}.new`);
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(entry));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(this.folder, NAME));
  }

  public async clear(): Promise<void> {
    await rm(join(this.folder, NAME), { force: true });
  }
}
