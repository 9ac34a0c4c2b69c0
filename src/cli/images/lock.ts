import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type ImageLock, LOCK_VERSION } from '../../constructs/platform/image-lock';
import { imageNames, type ImageName } from './names';

/** A lock with pushed images. Images that were locked before with the same registry and tag stay. */
export function lockOf(
  registry: string,
  tag: string,
  digests: Readonly<Record<string, string>>,
  before?: Partial<ImageLock>,
): ImageLock {
  const kept = before?.registry === registry && before.tag === tag ? before.images : {};
  const all: Readonly<Record<string, string>> = { ...kept, ...digests };
  // an image that the platform does not deploy is not part of a lock
  const entries = imageNames.flatMap((name: ImageName): [string, string][] => (all[name] ? [[name, all[name]]] : []));
  return { lockVersion: LOCK_VERSION, registry, tag, images: Object.fromEntries(entries) };
}

/** Writes the lock of pushed images. Returns the names of images that it lacks. */
export function writeLock(file: string, registry: string, tag: string, digests: Record<string, string>): string[] {
  const lock = lockOf(registry, tag, digests, lockIn(file));
  writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
  return imageNames.filter((name) => !lock.images[name]);
}

/** Content of the file, unless it is missing or damaged: it is replaced in any case. */
function lockIn(file: string): Partial<ImageLock> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<ImageLock>;
  } catch {
    return undefined;
  }
}
