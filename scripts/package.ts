/**
 * What `npm pack` and `npm publish` do beside packing:
 *
 *   tsx scripts/package.ts prepack      builds what is stale, then puts the published package.json in place
 *   tsx scripts/package.ts postpack     puts ours back
 *
 * Ours is back in any case: a watcher puts it back when npm is gone without having called postpack.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkout } from './generated-files';
import { packedManifest, type Manifest } from './package-manifest';
import { writeProgramsArchive } from './programs-archive';
import { writeBom } from './sbom';

const file = join(checkout, 'package.json');
const kept = join(checkout, 'build/package.json.kept');

const script = (...args: string[]): void =>
  void execFileSync(process.execPath, [join(checkout, 'node_modules/tsx/dist/cli.mjs'), ...args], {
    cwd: checkout,
    // npm prints the package's name on stdout, and programs read it
    stdio: ['ignore', 2, 2],
  });

function restore(): void {
  if (existsSync(kept)) renameSync(kept, file);
}

async function prepack(): Promise<void> {
  restore();
  script('scripts/library.ts', '--if-stale');
  script('scripts/bundle.ts');
  writeProgramsArchive();
  writeBom();
  const text = readFileSync(file, 'utf8');
  const packed = `${JSON.stringify(packedManifest(JSON.parse(text) as Manifest), undefined, 2)}\n`;
  const watcher = [join(checkout, 'node_modules/tsx/dist/cli.mjs'), __filename, 'watch', String(caller())];
  spawn(process.execPath, watcher, { detached: true, stdio: 'ignore' }).unref();
  // both by renaming: there is a whole package.json at any time, and ours is never lost
  writeFileSync(`${kept}.new`, text);
  // builds go by its date, and it did not change
  const { atime, mtime } = statSync(file);
  utimesSync(`${kept}.new`, atime, mtime);
  renameSync(`${kept}.new`, kept);
  writeFileSync(`${file}.new`, packed);
  renameSync(`${file}.new`, file);
}

/** npm's process, above the shells that it starts scripts with; else who called us. */
function caller(): number {
  for (let pid = process.ppid; pid > 1;) {
    const out = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [, parent, name] = /^(\d+)\s+(.*)$/.exec(out) ?? [];
    if (name?.startsWith('npm')) return pid;
    pid = Number(parent ?? 0);
  }
  return process.ppid;
}

async function watch(pid: number): Promise<void> {
  const alive = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  // the file appears a moment after our start
  for (let waited = 0; alive() && (existsSync(kept) || waited < 5_000); waited += 200) await sleep(200);
  restore();
}

async function main([task, argument]: string[]): Promise<void> {
  if (task === 'prepack') await prepack();
  else if (task === 'postpack') restore();
  else if (task === 'watch') await watch(Number(argument));
  else throw new Error('usage: scripts/package.ts prepack|postpack');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
