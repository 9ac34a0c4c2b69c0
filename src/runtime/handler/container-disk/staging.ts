import { closeSync, constants, mkdtempSync, openSync, realpathSync, rmdirSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mountsBelow, ownMounts } from '../../host/mounts';
import { run } from '../paths/run';
import { Place } from '../paths/safe-path';

/** By which a handler finds the places of its predecessors in its mount namespace. */
const NAME = 'virt-handler-staging';

/**
 * A private place in which a mount gets its flags before anybody sees it. Binding and making read-only are two calls of
 * the kernel, and the second does not reach the copies that the first made in the mount namespaces of Pods.
 */
export class Staging {
  private place: Promise<string | undefined> = Promise.resolve(undefined);

  /** `base`: where the place is made. Default: the directory for temporary files. */
  public constructor(private readonly base = tmpdir()) {}

  /** Undoes what a handler left that was killed between two steps. Only while nobody mounts: when the handler starts. */
  public async clear(): Promise<void> {
    const mounts = ownMounts();
    for (const { mountPoint } of mountsBelow(mounts, realpathSync(this.base)).filter(({ source }) => source === NAME)) {
      for (const below of mountsBelow(mounts, mountPoint)) await unmount(below.mountPoint);
      await unmount(mountPoint);
      rmdirSync(mountPoint);
    }
  }

  /** Leaves nothing on the node. */
  public async remove(): Promise<void> {
    const path = await this.place;
    this.place = Promise.resolve(undefined);
    if (path === undefined || !isPlace(path)) return;
    await unmount(path);
    rmdirSync(path);
  }

  /** Mounts a file on another one, read-only from the first moment on. */
  public async mountReadOnly(source: Place, target: Place, name: string): Promise<void> {
    using dir = Place.trusted(await this.made());
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

  /** The place, made anew when somebody tidied up: one caller after the other. */
  private async made(): Promise<string> {
    const before = this.place;
    const next = (async () => {
      const path = await before.catch(() => undefined);
      return path !== undefined && isPlace(path) ? path : this.make();
    })();
    this.place = next;
    return next;
  }

  /** A file system of its own, private: the kernel moves no mount out of a shared one. */
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

async function publish(staged: Place, target: Place): Promise<void> {
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

const isPlace = (path: string): boolean =>
  ownMounts().some((mount) => mount.mountPoint === path && mount.source === NAME);
const unmount = (path: string): Promise<string> => run('umount', ['--no-canonicalize', '--lazy', path]);

/** The handler's own. */
export const staging = new Staging();
