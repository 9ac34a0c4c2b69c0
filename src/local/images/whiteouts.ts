import { lstatSync, unlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { run } from '../../runtime/host/command';
import { removeTree } from '../host/files';
import { paxDevice, paxDirectory } from './pax';

const PREFIX = '.wh.';
const OPAQUE = '.wh..wh..opq';

/**
 * OCI marks deletions by names of files (`.wh.x` hides `x` of the layers below); overlayfs by a 0:0 character device, or by
 * an attribute of a directory. The order within a layer has no meaning: files that the layer itself contains are kept.
 */
export async function convertWhiteouts(directory: string, extract: readonly string[]): Promise<void> {
  const hidden: string[] = [];
  const opaque = new Set<string>();
  for await (const path of whiteoutsIn(directory, '')) {
    const [parent, name] = [dirname(path), basename(path)];
    if (name === OPAQUE) opaque.add(parent);
    if (name.startsWith('.wh..wh.')) continue;
    const target = join(parent, name.slice(PREFIX.length));
    const own = lstatSync(join(directory, target), { throwIfNoEntry: false });
    // a directory would be merged with the lower one; any other file hides it already
    if (own?.isDirectory()) opaque.add(target);
    else if (!own) hidden.push(target);
  }
  // an opaque directory hides lower files already, and a whiteout in it would be visible
  const marks = hidden.filter((path) => !parentsOf(path).some((parent) => opaque.has(parent))).map(paxDevice);
  for (const path of opaque) {
    marks.push(paxDirectory(path, lstatSync(join(directory, path)), { 'trusted.overlay.opaque': 'y' }));
  }
  if (!marks.length) return;
  const input = Buffer.concat([...marks, Buffer.alloc(1024)]);
  const all = [...extract, '--xattrs-include=trusted.overlay.opaque', `--directory=${directory}`];
  await run('tar', all, { input, timeoutMs: 0 });
}

function parentsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === '.' ? ['.'] : [parent, ...parentsOf(parent)];
}

/** Removes all whiteouts below a directory, with their contents; returns their paths relative to `root`. */
async function* whiteoutsIn(root: string, path: string): AsyncGenerator<string> {
  for (const entry of await readdir(join(root, path), { withFileTypes: true })) {
    const own = join(path, entry.name);
    if (entry.name.startsWith(PREFIX)) {
      checked(entry.name, path);
      if (entry.isDirectory()) await removeTree(join(root, own));
      else unlinkSync(join(root, own));
      yield own;
    } else if (entry.isDirectory()) yield* whiteoutsIn(root, own);
    else if (entry.isBlockDevice() || entry.isCharacterDevice()) {
      throw new Error(`layer: "${own}" is a device node, which images cannot bring; build the image without it`);
    }
  }
}

function checked(name: string, path: string): void {
  if (['', '.', '..'].includes(name.slice(PREFIX.length))) {
    throw new Error(`layer: "${join(path, name)}" is a whiteout that does not name a file; build the image again`);
  }
}
