/** Runs commands; errors contain the command's output. */
import { execFile } from 'node:child_process';

/** Commands sort, and write numbers and dates, in the same way on every machine. */
const environment = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' });

/** Runs a command and returns its standard output. */
export function run(command: string, args: readonly string[], input?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 64 * 1024 * 1024, env: environment() };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const remedy = missing ? `${command} is not installed; install it with apt-get` : stderr.trim().slice(-2000);
      reject(new Error(`${command} ${args.slice(0, 4).join(' ')} failed: ${remedy || error.message}`));
    });
    if (input !== undefined) child.stdin?.end(input);
  });
}

/** Debian mirror of this machine, or Debian's own. */
export async function mirror(): Promise<string> {
  const format = ['--format', '$(REPO_URI) $(CODENAME)', 'Created-By: Packages', 'Component: main'];
  const targets = await run('apt-get', ['indextargets', ...format]).catch(() => '');
  const [uri] = targets.split('\n').flatMap((line) => {
    const [address = '', suite = ''] = line.split(' ');
    return /\bdebian\/?$/.test(address) && !/security|updates|backports/.test(suite) ? [address] : [];
  });
  return (uri ?? 'http://deb.debian.org/debian').replace(/\/?$/, '/');
}
