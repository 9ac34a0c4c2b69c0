import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { eventually } from '../../../support/patience';
import { until } from '../../../support/until';

/** A process with a cgroup and a network namespace like a container's, without a runtime. */
export interface TestContainer {
  readonly id: string;
  readonly pid: number;
  /** Runs a command in its network namespace. */
  exec(command: string[], input?: string): string;
  close(): Promise<void>;
}

const CGROUP_ROOT = existsSync('/sys/fs/cgroup/freezer') ? '/sys/fs/cgroup/freezer' : '/sys/fs/cgroup';

/** A mount namespace of its own. */
const OWN_MOUNTS = ['--mount', '--propagation', 'private'];

/**
 * `unshared`: flags of unshare(1) beside `--net`. The process is in its namespaces when this resolves; without flags it
 * also has a /dev as a runtime makes it, with a device for KVM that everybody may use.
 */
export async function startContainer(
  unshared: string[] = OWN_MOUNTS,
  command = ['sleep', '600'],
): Promise<TestContainer> {
  const id = randomBytes(32).toString('hex');
  const cgroup = `${CGROUP_ROOT}/virt8s-test-${id.slice(0, 8)}/podtest/${id}`;
  mkdirSync(cgroup, { recursive: true });
  const child: ChildProcess = spawn('unshare', ['--net', ...unshared, '--', ...command], { stdio: 'ignore' });
  const pid = child.pid!;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  writeFileSync(`${cgroup}/cgroup.procs`, String(pid));
  const own = statSync('/proc/self/ns/net').ino;
  const comm = command[0].split('/').at(-1)!.slice(0, 15);
  await until(
    () => statSync(`/proc/${pid}/ns/net`).ino !== own && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === comm,
    { everyMs: 5 },
  );
  if (unshared === OWN_MOUNTS) {
    const makeDev = 'mount -t tmpfs -o mode=755 tmpfs /dev && mknod --mode=0666 /dev/kvm c 10 232';
    execFileSync('nsenter', [`--mount=/proc/${pid}/ns/mnt`, '--', 'sh', '-c', makeDev]);
  }
  return {
    id,
    pid,
    exec: ([file, ...args], input) =>
      execFileSync('nsenter', [`--net=/proc/${pid}/ns/net`, '--', file, ...args], { input, encoding: 'utf8' }),
    async close() {
      child.kill('SIGKILL');
      await exited;
      for (let dir = cgroup; dir !== CGROUP_ROOT; dir = dirname(dir)) {
        // the dead process leaves its cgroup a moment later
        await eventually(() => existsSync(dir) && rmdirSync(dir), { everyMs: 10 });
      }
    },
  };
}

let links = 0;

/** Gives the container an eth0 with addresses; the peer stays in our namespace and is deleted with the container. */
export function addEth0(container: TestContainer, addresses: string[], mtu = 1500): string {
  const host = `h8t${process.pid % 10_000}x${links++}`;
  const ip = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8' });
  ip(
    'link',
    'add',
    host,
    'mtu',
    String(mtu),
    'type',
    'veth',
    'peer',
    'name',
    'eth0',
    'mtu',
    String(mtu),
    'netns',
    String(container.pid),
  );
  ip('link', 'set', host, 'up');
  container.exec(['ip', 'link', 'set', 'lo', 'up']);
  for (const address of addresses) {
    const nodad = address.includes(':') ? ['nodad'] : [];
    container.exec(['ip', 'addr', 'add', address, 'dev', 'eth0', ...nodad]);
  }
  container.exec(['ip', 'link', 'set', 'eth0', 'up']);
  return host;
}
