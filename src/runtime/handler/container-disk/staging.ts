import { closeSync, constants, mkdtempSync, openSync, realpathSync, rmdirSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mountsBelow, ownMounts } from '../../host/mounts';
import { run } from '../paths/run';
import { OpenedPath } from '../paths/safe-path';

/** Prefix by which a handler finds the directories of its predecessors in its mount namespace. */
const NAME = 'virt-handler-staging';

/**
 * A private directory in which a mount gets its flags before any Pod can see it. Binding and making read-only are two system
 * calls, and the second does not affect the copies that the first created in the mount namespaces of Pods.
 */
export class Staging {
  private place: Promise<string | undefined> = Promise.resolve(undefined);

  /** `base`: parent of the directory. Default: the directory for temporary files. */
  public constructor(private readonly base = tmpdir()) {}

  /** Removes the remains of a handler that was killed between two steps. Only before anything is mounted: at the start. */
  public async clear(): Promise<void> {
    const mounts = ownMounts();
    for (const { mountPoint } of mountsBelow(mounts, realpathSync(this.base)).filter(({ source }) => source === NAME)) {
      for (const below of mountsBelow(mounts, mountPoint)) await unmount(below.mountPoint);
      await unmount(mountPoint);
      rmdirSync(mountPoint);
    }
  }

  /** Removes everything from the node. */
  public async remove(): Promise<void> {
    const path = await this.place;
    this.place = Promise.resolve(undefined);
    if (path === undefined || !isPlace(path)) return;
    await unmount(path);
    rmdirSync(path);
  }

  /** Mounts a file on another one, read-only from the first moment. */
  public async mountReadOnly(source: OpenedPath, target: OpenedPath, name: string): Promise<void> {
    using dir = OpenedPath.trusted(await this.made());
    const file = `${dir.path}/${name}`;
    closeSync(openSync(file, constants.O_CREAT | constants.O_WRONLY, 0o600));
    try {
      using place = dir.step(name);
      await run('mount', ['--no-canonicalize', '--bind', '/proc/self/fd/3', '/proc/self/fd/4'], {
        fds: [source.fd, place.fd],
      });
      using staged = dir.step(name); // the descriptor above still means the file below the mount
      await publish(staged, target);
    } finally {
      unlinkSync(file);
    }
  }

  /** The directory, which is created again if it was removed; callers wait for each other. */
  private async made(): Promise<string> {
    const before = this.place;
    const next = (async () => {
      const path = await before.catch(() => undefined);
      return path !== undefined && isPlace(path) ? path : this.make();
    })();
    this.place = next;
    return next;
  }

  /** A private file system: the kernel cannot move a mount out of a shared one. */
  private async make(): Promise<string> {
    const path = mkdtempSync(join(realpathSync(this.base), `${NAME}-`));
    try {
      await run('mount', ['-t', 'tmpfs', '-o', 'mode=0700,size=64k,nosuid,nodev,noexec', NAME, path]);
    } catch (error) {
      rmdirSync(path);
      throw error;
    }
    await run('mount', ['--make-private', path]);
    return path;
  }
}

async function publish(staged: OpenedPath, target: OpenedPath): Promise<void> {
  try {
    const readOnly = ['--no-canonicalize', '-o', 'remount,bind,ro', 'none', '/proc/self/fd/3'];
    await run('mount', readOnly, { fds: [staged.fd] });
    await run('mount', ['--no-canonicalize', '--move', '/proc/self/fd/3', '/proc/self/fd/4'], {
      fds: [staged.fd, target.fd],
    });
  } catch (error) {
    await run('umount', ['--no-canonicalize', '--lazy', '/proc/self/fd/3'], { fds: [staged.fd] });
    throw error;
  }
}

/** Unmounts a path. A handler that was killed may have left an umount(8) that has unmounted it in the meantime. */
async function unmount(path: string): Promise<void> {
  try {
    await run('umount', ['--no-canonicalize', '--lazy', path]);
  } catch (error) {
    if (ownMounts().some(({ mountPoint }) => mountPoint === path)) throw error;
  }
}

const isPlace = (path: string): boolean =>
  ownMounts().some((mount) => mount.mountPoint === path && mount.source === NAME);

/** The mounts of the handler's namespace. */
export const staging = new Staging();
