import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A private mount namespace, which a process holds. Engines that start in another one do not get copies of the mounts
 * that a test makes in this one: a copy keeps a file system in use that the test has unmounted.
 */
export class MountNamespace {
  private constructor(private readonly holder: ChildProcess) {}

  public static async create(): Promise<MountNamespace> {
    // `cat` ends with the pipe, and so with this process
    const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', 'echo ready; exec cat'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [first] = (await Promise.race([once(holder.stdout!, 'data'), once(holder, 'exit')])) as [unknown];
    if (!Buffer.isBuffer(first)) throw new Error('unshare cannot make a mount namespace; run the tests as root');
    return new MountNamespace(holder);
  }

  /** The command that runs `command` in this namespace and in the present folder. */
  public enter(command: readonly string[]): string[] {
    // nsenter leaves the folder, and its own option opens the folder in the old namespace
    const shell = ['sh', '-c', 'cd "$0" && exec "$@"', process.cwd(), ...command];
    return ['nsenter', `--mount=/proc/${this.holder.pid}/ns/mnt`, ...shell];
  }

  public async close(): Promise<void> {
    if (this.holder.exitCode !== null) return;
    const ended = once(this.holder, 'exit');
    this.holder.stdin!.end();
    await ended;
  }
}
