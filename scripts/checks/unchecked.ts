import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheDir } from '../../src/local/engine/cache';
import { hashOf } from '../cache';
import { checkout } from '../generated-files';

/** A check whose result for a file depends only on the file, its path and the configuration. */
export interface FileCheck {
  readonly name: string;
  /** Files and folders that its results depend on, besides the checked files. */
  readonly configuration: readonly string[];
  readonly files: readonly string[];
  /** Checks these files, and throws an error if one fails. */
  readonly run: (files: readonly string[]) => void;
}

/** Passes that are remembered: several times the files of the checkout, since clones at other commits share them. */
const KEPT = 20_000;

/** Files of the checkout that are not ignored. */
export function checkoutFiles(root = checkout): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 }).split('\0');
  return [...new Set(listed)].filter((file) => file !== '' && existsSync(join(root, file))).sort();
}

/** Files of one run: a mistake leaves only the files beside it to be checked again. */
const TOGETHER = 400;

/**
 * Checks the files that have not passed with this path, content and configuration. Returns their number.
 *
 * @throws AggregateError if files fail
 */
export function checkFiles(check: FileCheck, { root = checkout, cache = cacheDir() } = {}): number {
  const record = join(cache, 'results/checks', `${check.name}-${hashOf(check.configuration, [check.name], root)}`);
  const passed = new Set(existsSync(record) ? readFileSync(record, 'utf8').split('\n') : []);
  const hashed = check.files.map((file) => ({ file, hash: hashOf([file], [], root) }));
  const unchecked = hashed.filter(({ hash }) => !passed.has(hash));
  const failed = new Set<string>();
  const errors: unknown[] = [];
  for (let at = 0; at < unchecked.length; at += TOGETHER) {
    const files = unchecked.slice(at, at + TOGETHER).map(({ file }) => file);
    try {
      check.run(files);
    } catch (error) {
      errors.push(error);
      files.forEach((file) => failed.add(file));
    }
  }
  // a file that was changed meanwhile has another hash, which is not recorded
  const isSame = ({ file, hash }: { file: string; hash: string }): boolean =>
    !failed.has(file) && existsSync(join(root, file)) && hash === hashOf([file], [], root);
  const recorded = [...hashed.filter(({ hash }) => passed.has(hash)), ...unchecked.filter(isSame)];
  const all = [...new Set([...recorded.map(({ hash }) => hash), ...passed])].slice(0, KEPT);
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(`${record}.${process.pid}.new`, all.join('\n'));
  renameSync(`${record}.${process.pid}.new`, record);
  if (errors.length > 0) throw new AggregateError(errors, `${check.name} found mistakes`);
  return unchecked.length;
}
