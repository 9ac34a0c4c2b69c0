/**
 * What `npm pack` and `npm publish` do beside packing:
 *
 *   tsx scripts/package.ts prepack      builds what is stale, then replaces package.json and README.md by the published ones
 *   tsx scripts/package.ts postpack     restores those of the checkout
 *
 * They are restored in any case: a watcher does it when npm has ended without having called postpack.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../src/api/error-text';
import { ensure } from './cache';
import { checkout } from './generated-files';
import { packedManifest, type Manifest } from './package-manifest';
import { COMMAND, programNames } from './programs';
import { writeProgramsArchive } from './programs-archive';
import { writeBom } from './sbom';

/** Files that differ in the package: name -> its published text. README.md is for users who have only the package. */
const replaced: Readonly<Record<string, () => string>> = {
  'README.md': () => readFileSync(join(checkout, 'PACKAGE.md'), 'utf8'),
  'package.json': () => {
    const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as Manifest;
    return `${JSON.stringify(packedManifest(manifest), undefined, 2)}\n`;
  },
};
const keptOf = (name: string): string => join(checkout, `build/${name}.kept`);
const kept = (): string[] => Object.keys(replaced).filter((name) => existsSync(keptOf(name)));

const script = (...args: string[]): void =>
  void execFileSync(process.execPath, [join(checkout, 'node_modules/tsx/dist/cli.mjs'), ...args], {
    cwd: checkout,
    // npm prints the package's name on stdout, and programs read it
    stdio: ['ignore', 2, 2],
  });

function restore(): void {
  for (const name of kept()) renameSync(keptOf(name), join(checkout, name));
}

async function prepack(): Promise<void> {
  restore();
  script('scripts/library.ts');
  script('scripts/bundle.ts');
  // its compression takes longer than everything else
  await ensure({
    name: 'programs',
    inputs: [
      ...['package.json', 'build/images', 'scripts/programs-archive.ts', 'scripts/programs.ts'],
      ...programNames.filter((name) => name !== COMMAND).map((name) => `build/${name}.cjs`),
    ],
    outputs: ['build/programs.br'],
    make: writeProgramsArchive,
  });
  writeBom();
  const watcher = [join(checkout, 'node_modules/tsx/dist/cli.mjs'), __filename, 'watch', String(caller())];
  spawn(process.execPath, watcher, { detached: true, stdio: 'ignore' }).unref();
  for (const [name, published] of Object.entries(replaced)) replace(name, published());
}

/** Both rename files, so that each file is always complete and the checkout's is never lost. */
function replace(name: string, published: string): void {
  const file = join(checkout, name);
  writeFileSync(`${keptOf(name)}.new`, readFileSync(file));
  // builds depend on its date, and it did not change
  const { atime, mtime } = statSync(file);
  utimesSync(`${keptOf(name)}.new`, atime, mtime);
  renameSync(`${keptOf(name)}.new`, keptOf(name));
  writeFileSync(`${file}.new`, published);
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
  // the files appear a moment after the start of this process
  for (let waited = 0; alive() && (kept().length > 0 || waited < 5_000); waited += 200) await sleep(200);
  restore();
}

async function main([task, argument]: string[]): Promise<void> {
  if (task === 'prepack') await prepack();
  else if (task === 'postpack') restore();
  else if (task === 'watch') await watch(Number(argument));
  else throw new Error('usage: scripts/package.ts prepack|postpack');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(errorText(error));
  process.exitCode = 1;
});
