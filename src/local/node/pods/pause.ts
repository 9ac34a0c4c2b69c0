import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../../../runtime/host/command';
import { cgroupDirectory } from '../runtime/cgroups';

/**
 * First process of a PID namespace that the containers of a Pod share: it reaps orphans. Containers with SYS_PTRACE can
 * open its root directory and its files, so it has an empty root in a mount namespace of its own, and no privileges.
 */
const PAUSE = `
my ($root, $cgroup, $umount2) = @ARGV;
open(my $procs, ">", "$cgroup/cgroup.procs") or die "$cgroup: $!";
syswrite($procs, "0") or die "$cgroup: $!";
close($procs);
system("mount", "-t", "tmpfs", "-o", "nosuid,nodev,noexec,size=4k,mode=0555", "pause", $root) == 0 or die;
chdir($root) or die;
mkdir("old") or die;
system("pivot_root", ".", "old") == 0 or die;
chdir("/");
my $old = "/old";
syscall($umount2 + 0, $old, 2) == 0 or die "umount: $!";
rmdir("old");
$SIG{CHLD} = "IGNORE";
$SIG{TERM} = $SIG{INT} = sub { exit 0 };
$( = 65535; $) = "65535 65535";
$< = $> = 65535;
$< == 65535 && $> == 65535 or die "the user was not changed";
syswrite(STDOUT, "ready\\n");
close(STDOUT); close(STDERR); close(STDIN);
sleep while 1;
`;

/** Number of the system call umount2. */
const UMOUNT2 = process.arch === 'arm64' ? 39 : 166;

/** Creates a PID namespace at the path `file`, whose first process is in `cgroup`. Both outlive the engine. */
export async function createPidNamespace(file: string, directory: string, cgroup: string): Promise<void> {
  const root = join(directory, 'pause');
  const place = cgroupDirectory(cgroup);
  mkdirSync(place, { recursive: true });
  await mkdir(root, { recursive: true });
  await writeFile(file, '');
  const args = [`--pid=${file}`, '--fork', '--mount', '--propagation=private', 'perl', '-e', PAUSE];
  const child = spawn('unshare', [...args, root, place, String(UMOUNT2)], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-500)));
  const ready = once(child.stdout, 'data').then(() => true);
  const ended = once(child, 'close').then(() => false);
  try {
    if (!(await Promise.race([ready, ended]))) throw new CommandError(['unshare', '--pid'], child.exitCode ?? 1, said);
  } finally {
    ended.catch(() => undefined);
    child.stdout.destroy();
    child.stderr.destroy();
    child.unref();
  }
}
