import { execFileSync } from 'node:child_process';
import { build, type Metafile } from 'esbuild';
import type { Suite } from './suites';

/** Folders that suites with an engine or a guest run as programs or images, not as imports. */
const PROGRAMS = /^(src|guests|bin|test\/support)\//;

/**
 * Returns the suites that read one of the changed files: themselves, one that they import, also over others, or, if they
 * boot guests or try the README's flows, one that the programs are built from.
 */
export async function affectedBy(suites: readonly Suite[], changed: ReadonlySet<string>): Promise<Set<string>> {
  if (changed.size === 0) return new Set();
  const { metafile } = await build({
    entryPoints: suites.map(({ file }) => file),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    tsconfig: 'tsconfig.dev.json',
    outdir: 'build/unused',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const programs = [...changed].some((file) => PROGRAMS.test(file));
  const touched = dependents(metafile.inputs, changed);
  const runsPrograms = (suite: Suite): boolean => suite.needs.includes('guest') || suite.stage === 'e2e';
  return new Set(
    suites.filter((suite) => touched.has(suite.file) || (programs && runsPrograms(suite))).map(({ file }) => file),
  );
}

/** The changed files and all that import them, also over others. */
export function dependents(inputs: Metafile['inputs'], changed: ReadonlySet<string>): Set<string> {
  const importers = new Map<string, string[]>();
  for (const [file, { imports }] of Object.entries(inputs)) {
    for (const { path } of imports) importers.set(path, [...(importers.get(path) ?? []), file]);
  }
  const found = new Set(changed);
  for (const file of found) importers.get(file)?.forEach((importer) => found.add(importer));
  return found;
}

const git = (...args: string[]): string => {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 << 20 });
  } catch {
    return ''; // not a checkout, or a commit that this clone does not have
  }
};

/** The commit of the checkout; forty zeros without git. */
export const headCommit = (): string => git('rev-parse', 'HEAD').trim() || '0'.repeat(40);

/** Files that differ from those of a commit: committed since, changed, or new. Empty if this clone does not have it. */
export function changedSince(commit: string): Set<string> {
  const lines = [git('diff', '--name-only', commit), git('ls-files', '--others', '--exclude-standard')];
  return new Set(lines.flatMap((text) => text.split('\n')).filter(Boolean));
}
