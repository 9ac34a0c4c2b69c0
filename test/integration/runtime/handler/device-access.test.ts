import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deviceOf } from '../../../../src/runtime/host/mounts';
import { setDeviceAccess } from '../../../../src/runtime/handler/hotplug/device-access';

/** A container of runc in version 2 of cgroups, whose devices a program decides; and loop devices that it may not open. */

const containerId = randomBytes(16).toString('hex');
const cgroupPath = `/virt8s-test-${containerId.slice(0, 8)}/podtest/${containerId}`;
let dir: string;
let cgroup: string;
let procDir: string;
const loops: string[] = [];

const output = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
const runc = (...args: string[]): string => output('runc', `--root=${dir}/state`, ...args);

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-device-access-'));
  for (const name of ['cgroup', 'state', 'rootfs/bin', 'rootfs/dev', 'rootfs/proc']) {
    mkdirSync(join(dir, name), { recursive: true });
  }
  output('mount', '-t', 'cgroup2', 'none', join(dir, 'cgroup'));
  cgroup = join(dir, 'cgroup', cgroupPath);
  output('cp', '/bin/busybox', join(dir, 'rootfs/bin/sleep'));
  writeFileSync(
    join(dir, 'config.json'),
    JSON.stringify({
      ociVersion: '1.0.0',
      root: { path: 'rootfs' },
      process: { user: { uid: 0, gid: 0 }, cwd: '/', args: ['/bin/sleep', '600'] },
      mounts: [
        { destination: '/proc', type: 'proc', source: 'proc' },
        { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['mode=755'] },
      ],
      linux: {
        cgroupsPath: cgroupPath,
        namespaces: [{ type: 'mount' }, { type: 'pid' }],
        resources: { devices: [{ allow: false, access: 'rwm' }] },
      },
    }),
  );
  const unified = 'umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; exec "$@"';
  const run = ['runc', `--root=${dir}/state`, 'run', '--detach', `--bundle=${dir}`];
  const unshare = ['--mount', '--propagation', 'private', 'sh', '-c', unified, 'sh', ...run, containerId];
  // the container would keep our streams open
  execFileSync('unshare', unshare, { stdio: 'ignore' });
  const { pid } = JSON.parse(runc('state', containerId)) as { pid: number };
  // a node of this test has both versions of cgroups, one of a cluster only the second
  procDir = join(dir, 'proc');
  mkdirSync(join(procDir, `${pid}`), { recursive: true });
  const [unifiedLine] = /^0::.*$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8')) ?? [];
  writeFileSync(join(procDir, `${pid}`, 'cgroup'), `${unifiedLine}\n`);
  for (const name of ['a', 'b']) {
    writeFileSync(join(dir, name), `${name} is open`.padEnd(4_096));
    loops.push(output('losetup', '--find', '--show', join(dir, name)));
  }
});
afterAll(() => {
  for (const loop of loops) output('losetup', '--detach', loop);
  spawnSync('runc', [`--root=${dir}/state`, 'delete', '--force', containerId]);
  for (const path of [cgroup, join(cgroup, '..'), join(cgroup, '../..')]) spawnSync('rmdir', [path]);
  output('umount', join(dir, 'cgroup'));
  rmSync(dir, { recursive: true });
});

/** Content that a process of the container reads from each loop device. */
const readable = (): string[] =>
  loops.map((loop) => {
    const script = 'echo $$ > "$0" && exec head -c 9 "$1"';
    return spawnSync('sh', ['-c', script, join(cgroup, 'cgroup.procs'), loop], { encoding: 'utf8' }).stdout;
  });
const nullIsOpen = (): boolean =>
  spawnSync('sh', ['-c', 'echo $$ > "$0" && exec head -c 0 /dev/null', join(cgroup, 'cgroup.procs')]).status === 0;
const attached = (): { id: number }[] =>
  JSON.parse(output('bpftool', '-j', 'cgroup', 'show', cgroup)) as { id: number }[];
const set = (verb: 'allow' | 'deny', index: number): Promise<void> =>
  setDeviceAccess(verb, deviceOf(statSync(loops[index]).rdev), {
    procDir,
    containerId,
    cgroupDir: join(dir, 'cgroup'),
  });

test('devices are allowed and denied one by one, and the rules of the runtime stay', async () => {
  const before = output('bpftool', 'prog', 'dump', 'xlated', 'id', `${attached()[0].id}`);
  expect([readable(), nullIsOpen()]).toEqual([['', ''], true]);
  await set('allow', 0);
  expect([readable(), nullIsOpen()]).toEqual([['a is open', ''], true]);
  await set('allow', 1);
  expect(readable()).toEqual(['a is open', 'b is open']);
  await set('deny', 0);
  expect(readable()).toEqual(['', 'b is open']);
  await set('deny', 1);
  expect([readable(), nullIsOpen()]).toEqual([['', ''], true]);
  expect(attached()).toHaveLength(1);
  expect(output('bpftool', 'prog', 'dump', 'xlated', 'id', `${attached()[0].id}`)).toBe(before);
});

test('what is so already changes nothing', async () => {
  await set('allow', 0);
  const before = attached();
  await set('allow', 0);
  await set('deny', 1);
  expect(attached()).toEqual(before);
  await set('deny', 0);
});

test('a handler that was killed before it detached the old program continues', async () => {
  const [old] = attached();
  const pin = `/sys/fs/bpf/virt8s-test-${containerId.slice(0, 8)}`;
  output('bpftool', 'prog', 'pin', 'id', `${old.id}`, pin);
  await set('allow', 0);
  output('bpftool', 'cgroup', 'attach', cgroup, 'cgroup_device', 'pinned', pin, 'multi');
  rmSync(pin);
  expect(readable()).toEqual(['', '']);
  await set('allow', 0);
  expect(readable()).toEqual(['a is open', '']);
  expect(attached()).toHaveLength(1);
  await set('deny', 0);
});
