import { attempt } from '../../runtime/host/command';
import { mountsUnder, removeTree } from './files';

/**
 * Unmounts everything at and below a directory. Busy mounts are detached until their last user ends; a mount that cannot
 * be detached is an error, because removing the directory would delete its contents.
 */
export async function unmountBelow(directory: string): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    const mounts = mountsUnder(directory);
    if (!mounts.length) return;
    await attempt('umount', ['--lazy', ...mounts]);
  }
  const left = mountsUnder(directory);
  if (left.length) throw new Error(`cannot unmount ${left.join(', ')}; nothing below ${directory} was removed`);
}

/** Removes a directory, but never the contents of mounts in it. */
export async function removeUnmounted(directory: string): Promise<void> {
  await unmountBelow(directory);
  await removeTree(directory);
}
