import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const checkout = resolve(__dirname, '../..');
/** Paths that every copy has. */
export const COPIED = [
  '.prettierrc.json',
  'api',
  'docs',
  'guests',
  'imports',
  'package.json',
  'scripts',
  'src',
  'test',
];

export interface Outcome {
  readonly status: number | null;
  /** Both streams. */
  readonly text: string;
}

/** A copy of the checkout in which a test may change sources. */
export class CheckoutCopy {
  public readonly root = mkdtempSync(join(tmpdir(), 'virt8s-copy-'));

  /** @param more - paths that the copy has, besides the sources and what generators read */
  public constructor(more: readonly string[] = []) {
    for (const path of [...COPIED, ...more]) cpSync(join(checkout, path), join(this.root, path), { recursive: true });
    symlinkSync(join(checkout, 'node_modules'), join(this.root, 'node_modules'));
  }

  public read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  public write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  /** Inserts a text in front of the only occurrence of another one. */
  public insert(path: string, text: string, before: string): void {
    const [head, tail, ...more] = this.read(path).split(before);
    if (tail === undefined || more.length > 0) throw new Error(`${path} does not contain ${before} exactly once`);
    this.write(path, `${head}${text}${before}${tail}`);
  }

  /** Runs a program of `node_modules/.bin` in the copy. */
  public run(program: string, ...args: string[]): Outcome {
    const { status, stdout, stderr } = spawnSync(join(checkout, 'node_modules/.bin', program), args, {
      cwd: this.root,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
      env: { ...process.env, UPDATE_GOLDENS: '', VIRT8S_CACHE: join(this.root, 'cache') },
    });
    return { status, text: `${stdout}${stderr}` };
  }

  public remove(): void {
    rmSync(this.root, { recursive: true });
  }
}
