/**
 * Libraries of programs, found as glibc's loader finds them. Nothing is executed, so this works for programs of other
 * processors, and the processor of this machine does not select optimized variants (`glibc-hwcaps`).
 */
import { open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { plainPath } from './paths';
import { run } from './run';

/** Requirements of a program or library. */
export interface ElfNeeds {
  /** Dynamic loader. */
  readonly interpreter?: string;
  /** Names of libraries. */
  readonly libraries: readonly string[];
  /** Folders that are searched first. `$ORIGIN` is the folder of the file. */
  readonly folders: readonly string[];
}

/** Parses the output of `readelf --program-headers --dynamic`. */
export function parseNeeds(text: string): ElfNeeds {
  const all = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, value]) => value!);
  return {
    interpreter: all(/\[Requesting program interpreter: (.+)\]/g)[0],
    libraries: all(/\(NEEDED\)\s+Shared library: \[(.+)\]/g),
    folders: all(/\((?:RUNPATH|RPATH)\)\s+Library r(?:un)?path: \[(.+)\]/g).flatMap((value) => value.split(':')),
  };
}

async function isElf(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.equals(Buffer.from('\x7fELF', 'latin1'));
  } finally {
    await handle.close();
  }
}

/** Finds libraries of programs in a root file system of Debian. */
export class Linker {
  private readonly known = new Map<string, Promise<string[]>>();

  /**
   * @param root - folder of the root file system
   * @param triplet - name of the folders with its libraries
   */
  constructor(
    private readonly root: string,
    private readonly triplet: string,
  ) {}

  /** Paths of all libraries that a program needs, including its loader. */
  async librariesOf(program: string): Promise<string[]> {
    const found = new Set<string>();
    const queue = [plainPath(program)];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      for (const library of await this.direct(path)) {
        if (found.has(library)) continue;
        found.add(library);
        queue.push(library);
      }
    }
    return [...found].sort();
  }

  private direct(path: string): Promise<string[]> {
    let known = this.known.get(path);
    if (!known) this.known.set(path, (known = this.read(path)));
    return known;
  }

  private async read(path: string): Promise<string[]> {
    const file = join(this.root, path);
    if (!(await isElf(file))) return [];
    const needs = parseNeeds(await run('readelf', ['--wide', '--program-headers', '--dynamic', file]));
    const own = needs.folders.map((folder) => plainPath(join(folder.replace(/\$(ORIGIN|\{ORIGIN\})/, dirname(path)))));
    const folders = [...own, `/usr/lib/${this.triplet}`, '/usr/lib'];
    const libraries = await Promise.all(needs.libraries.map((name) => this.find(path, name, folders)));
    return [...(needs.interpreter ? [plainPath(needs.interpreter)] : []), ...libraries];
  }

  private async find(path: string, name: string, folders: readonly string[]): Promise<string> {
    for (const folder of folders) {
      const library = join(folder, name);
      if (await stat(join(this.root, library)).catch(() => undefined)) return library;
    }
    throw new Error(`${path} requires ${name}, which the packages do not contain: correct the recipe of the image`);
  }
}
