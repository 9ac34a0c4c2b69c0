import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Another command as the container's own process runs: its user and groups, capabilities, directory and variables. crun
 * exec would otherwise make it root. Answers a file for `crun exec --process`; the caller removes it.
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
