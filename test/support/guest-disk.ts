import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PrivateImages } from './images';

/** Writes the disk of a guest's image (qcow2) to a file. */
export function guestDisk(guest: string, file: string): void {
  const images = new PrivateImages();
  const folder = mkdtempSync(join(dirname(file), '.image-'));
  try {
    execFileSync('tar', ['-xf', images.archiveOf(`localhost/virt8s/${guest}:latest`), '-C', folder]);
    const blobs = join(folder, 'blobs/sha256');
    for (const name of readdirSync(blobs)) {
      const layer = join(blobs, name);
      const [path] = listed(layer).filter((each) => /^disk\/[^/]+$/.test(each));
      if (!path) continue;
      execFileSync('tar', ['-xf', layer, '-C', folder, path]);
      renameSync(join(folder, path), file);
      return;
    }
    throw new Error(`the image of ${guest} has no disk`);
  } finally {
    rmSync(folder, { recursive: true });
    images.remove();
  }
}

/** Paths of a layer; none of a blob that is not a layer. */
function listed(blob: string): string[] {
  try {
    return execFileSync('tar', ['-tf', blob], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n');
  } catch {
    return [];
  }
}
