/** Programs that are separate from the command: the engine, the components of the platform, recipes of images, Graphviz. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { cacheDir } from '../local/engine/cache';
import { CliError, messageOf } from './errors';
import { packageRoot } from './package-root';

/** One file of the archive that the package holds. */
export interface ProgramFile {
  readonly path: string;
  readonly executable: boolean;
  readonly text: string;
}

/**
 * Folder of the programs. A checkout has them in `build/`. The package holds them compressed, since programs that only
 * declare objects never load them; the first command that needs one unpacks them all into the cache.
 */
export function programsFolder(root = packageRoot(), cache = cacheDir()): string {
  const build = join(root, 'build');
  if (existsSync(join(build, 'engine.cjs'))) return build;
  const file = join(build, 'programs.br');
  if (!existsSync(file)) throw new CliError(`${join(build, 'engine.cjs')} is missing; run: npm run bundle`);
  const archive = readFileSync(file);
  const target = join(cache, 'programs', createHash('sha256').update(archive).digest('hex').slice(0, 16));
  if (!existsSync(target)) unpack(archive, target);
  return join(target, 'build');
}

/** Unpacks next to the target and then renames, so that the target is complete as soon as it exists. */
function unpack(archive: Buffer, target: string): void {
  const files = JSON.parse(brotliDecompressSync(archive).toString('utf8')) as ProgramFile[];
  let work: string | undefined;
  try {
    mkdirSync(dirname(target), { recursive: true });
    work = mkdtempSync(`${target}-`);
    for (const { path, executable, text } of files) {
      mkdirSync(dirname(join(work, path)), { recursive: true });
      writeFileSync(join(work, path), text, { mode: executable ? 0o755 : 0o644 });
    }
    renameSync(work, target);
  } catch (error) {
    if (work) rmSync(work, { recursive: true, force: true });
    // another command may have unpacked the same archive meanwhile
    if (existsSync(target)) return;
    throw new CliError(
      `the programs of virt8s cannot be unpacked into ${dirname(target)}: ${messageOf(error)}; set VIRT8S_CACHE to a folder that you can write to`,
    );
  }
}
