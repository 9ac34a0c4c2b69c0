import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Process file for a command with the main process's user, groups, capabilities, directory and variables. With its
 * defaults, crun would run it as root. Returns a file for `crun exec --process`; the caller deletes it.
 */
export function writeExecProcess(bundle: string, command: readonly string[], terminal = false): string {
  const { process } = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8')) as {
    process: { env: string[] };
  };
  const env = terminal
    ? [...process.env.filter((variable) => !variable.startsWith('TERM=')), 'TERM=xterm']
    : process.env;
  const file = join(bundle, `exec-${randomBytes(6).toString('hex')}.json`);
  writeFileSync(file, JSON.stringify({ ...process, env, args: command, terminal }), { mode: 0o600 });
  return file;
}
