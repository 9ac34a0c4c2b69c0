import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandResult, TestEngine } from './engine';

/** A key of its own, with which a test logs in to guests by `virt8s ssh` and `virt8s scp`. */
export class GuestSsh {
  private readonly directory = mkdtempSync(join(tmpdir(), 'virt8s-ssh-'));
  private readonly key = join(this.directory, 'id');

  public constructor(private readonly engine: TestEngine) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', this.key]);
  }

  public get publicKey(): string {
    return readFileSync(`${this.key}.pub`, 'utf8').trim();
  }

  /** virtctl's flags: our key, and host keys that are not stored. */
  public get flags(): string[] {
    return [
      `--identity-file=${this.key}`,
      '--known-hosts=/dev/null',
      '-t=-oStrictHostKeyChecking=no',
      '-t=-oLogLevel=ERROR',
    ];
  }

  /** Runs a command in the guest, whether or not it succeeds. */
  public run(target: string, command: string): Promise<CommandResult> {
    return this.engine.virt8s('ssh', ...this.flags, `--command=${command}`, target);
  }

  /** A command that must succeed; what it printed. */
  public async output(target: string, command: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(target, command);
    if (code !== 0) throw new Error(`"${command}" in ${target} ended with ${code}: ${stderr.trim()} ${stdout.trim()}`);
    return stdout.trim();
  }

  public copy(source: string, destination: string): Promise<CommandResult> {
    return this.engine.virt8s('scp', ...this.flags, source, destination);
  }

  public remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
