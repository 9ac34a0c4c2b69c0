import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { run } from '../paths/run';
import { Place } from '../paths/safe-path';
import { mountsBelow, parseMountInfo } from './mount-info';

const mounts = () => parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'));

/**
 * A private place in which a mount gets its flags before anybody sees it. Binding and making read-only are two calls of
 * the kernel, and the second does not reach the copies that the first made in the mount namespaces of Pods.
 */
export class Staging {
  private made?: Promise<void>;

  public constructor(private readonly dir: string) {}

  /** Undoes what a handler left that was killed between two steps. Only while nobody mounts: when the handler starts. */
  public async clear(): Promise<void> {
    if (!existsSync(this.dir)) return;
    for (const { mountPoint } of mountsBelow(mounts(), realpathSync(this.dir))) {
      await run('umount', ['--no-canonicalize', '--lazy', mountPoint]);
    }
  }

  /** Leaves nothing on the node. */
  public async remove(): Promise<void> {
    if (!this.made) return;
    await this.made.catch(() => {});
    await run('umount', ['--no-canonicalize', '--lazy', realpathSync(this.dir)]);
    rmdirSync(this.dir);
    this.made = undefined;
  }

  /** Mounts a file on another one, read-only from the first moment on. */
  public async mountReadOnly(source: Place, target: Place, name: string): Promise<void> {
    await (this.made ??= this.make());
    using dir = Place.trusted(this.dir);
    const file = `${dir.path}/${name}`;
    closeSync(openSync(file, constants.O_CREAT | constants.O_WRONLY, 0o600));
    try {
      using place = dir.step(name);
      await run('mount', ['--no-canonicalize', '--bind', '/proc/self/fd/3', '/proc/self/fd/4'], {
        fds: [source.fd, place.fd],
      });
      using staged = dir.step(name); // the descriptor above still means the file below the mount
      await this.publish(staged, target);
    } finally {
      unlinkSync(file);
    }
  }

  private async publish(staged: Place, target: Place): Promise<void> {
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

  /** A file system of its own, private: the kernel moves no mount out of a shared one. */
  private async make(): Promise<void> {
    try {
      mkdirSync(this.dir, { recursive: true, mode: 0o700 });
      const path = realpathSync(this.dir);
      if (!mounts().some(({ mountPoint }) => mountPoint === path)) {
        const options = 'mode=0700,size=64k,nosuid,nodev,noexec';
        await run('mount', ['-t', 'tmpfs', '-o', options, 'virt-handler-staging', path]);
      }
      await run('mount', ['--make-private', path]);
    } catch (error) {
      this.made = undefined; // tried again by whoever mounts next
      throw error;
    }
  }
}

/** The handler's own. */
export const staging = new Staging('/run/virt-handler/staging');
