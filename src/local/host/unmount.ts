import { attempt } from './command';
import { mountsUnder, removeTree } from './files';

/**
 * Unmounts everything at and below a directory. What is still in use goes when its last user goes; a mount that cannot
 * even be detached is an error, since a removal of the directory would reach into it.
 */
export async function unmountBelow(directory: string): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    const mounts = mountsUnder(directory);
    if (!mounts.length) return;
    await attempt('umount', ['--lazy', ...mounts]);
  }
  const left = mountsUnder(directory);
  if (left.length) throw new Error(`cannot unmount ${left.join(', ')}; nothing below ${directory} is removed`);
}

/** Removes a directory, never what is mounted in it. */
export async function removeUnmounted(directory: string): Promise<void> {
  await unmountBelow(directory);
  await removeTree(directory);
}
