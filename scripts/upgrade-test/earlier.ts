import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '../../src/local/engine/cache';
import type { PlatformManifests } from '../../test/support/platform';

const REPOSITORY = resolve(__dirname, '../..');
const run = promisify(execFile);
/** The output of builds is long. */
const execute = (command: string, args: string[], options: object): Promise<{ stdout: string }> =>
  run(command, args, { ...options, encoding: 'utf8', maxBuffer: 64 << 20 });

/** An earlier commit of this repository in a worktree of its own, with its packages and programs. */
export class Earlier {
  /** Its images, beside those of this tree. */
  private readonly cache = mkdtempSync('/var/tmp/virt8s-earlier-');

  private constructor(
    private readonly tree: string,
    /** Its command `virt8s`. */
    public readonly command: string,
  ) {}

  /** @throws if the commit does not exist, or its programs cannot be built */
  public static async checkOut(commit: string): Promise<Earlier> {
    const tree = mkdtempSync(join(tmpdir(), 'virt8s-earlier-'));
    const earlier = new Earlier(tree, join(tree, 'bin/virt8s'));
    try {
      await execute('git', ['worktree', 'add', '--force', '--detach', tree, commit], { cwd: REPOSITORY });
      for (const args of [
        ['ci', '--no-audit', '--no-fund'],
        ['run', 'bundle'],
      ]) {
        await execute('npm', args, { cwd: tree });
      }
    } catch (error) {
      await earlier.remove();
      throw error;
    }
    return earlier;
  }

  /** Starts its engine, with its launcher. */
  public async up(stateDir: string, port: number): Promise<void> {
    cpSync(join(cacheDir(), 'images'), join(this.cache, 'images'), { recursive: true });
    const env = { ...process.env, VIRT8S_CACHE: this.cache, VIRT8S_STATE_DIR: stateDir };
    await execute(join(this.tree, 'node_modules/.bin/tsx'), ['scripts/images.ts', 'virt-launcher'], {
      cwd: this.tree,
      env,
    });
    await execute(this.command, ['up', '--port', String(port)], { env });
  }

  /** Manifests of its platform for one node, with these images. */
  public async manifests(registry: string, tag: string): Promise<PlatformManifests> {
    const script = [
      "const { PlatformImages } = require('./src');",
      "const { platformManifests } = require('./test/support/platform');",
      `const images = PlatformImages.of(${JSON.stringify({ registry, tag })});`,
      'process.stdout.write(JSON.stringify(platformManifests(images)));',
    ].join('\n');
    const { stdout } = await execute(join(this.tree, 'node_modules/.bin/tsx'), ['-e', script], {
      cwd: this.tree,
    });
    return JSON.parse(stdout) as PlatformManifests;
  }

  public async remove(): Promise<void> {
    for (const folder of [this.cache, this.tree]) rmSync(folder, { recursive: true, force: true });
    await execute('git', ['worktree', 'prune'], { cwd: REPOSITORY });
  }
}
