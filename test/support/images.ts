import { copyFileSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from '../../src/local/engine/cache';

type Index = Record<string, { archive: string; digest: string }>;

/**
 * A cache of images (`VIRT8S_CACHE`) that a test may change: it can add and remove names, the archives are those that
 * `scripts/setup` built.
 */
export class PrivateImages {
  public readonly cache = mkdtempSync(join(tmpdir(), 'virt8s-images-'));
  private readonly index: Index;

  public constructor() {
    const from = join(cacheDir(), 'images');
    mkdirSync(join(this.cache, 'images'));
    const index = JSON.parse(readFileSync(join(from, 'index.json'), 'utf8')) as Index;
    // not those that `virt8s images build` made: another suite may replace them at this moment
    this.index = Object.fromEntries(Object.entries(index).filter(([, { archive }]) => !archive.includes('/')));
    for (const { archive } of Object.values(this.index))
      share(join(from, archive), join(this.cache, 'images', archive));
    this.write();
  }

  /** Makes an image available under a second name. */
  public name(ref: string, like: string): void {
    this.index[ref] = this.index[like]!;
    this.write();
  }

  public archiveOf(ref: string): string {
    return join(this.cache, 'images', this.index[ref]!.archive);
  }

  public remove(): void {
    rmSync(this.cache, { recursive: true, force: true });
  }

  private write(): void {
    writeFileSync(join(this.cache, 'images/index.json'), JSON.stringify(this.index));
  }
}

function share(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to); // another file system
  }
}
