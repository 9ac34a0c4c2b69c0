import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import pino from 'pino';
import { mountContainerDisk, unmountContainerDisks } from '../../../../src/runtime/handler/container-disk/mount';
import type { MountPaths } from '../../../../src/runtime/handler/container-disk/mount';
import type { ContainerDisk } from '../../../../src/runtime/handler/container-disk/plan';
import { Staging } from '../../../../src/runtime/handler/container-disk/staging';
import { MountSweep } from '../../../../src/runtime/handler/container-disk/sweep';
import { PodVolumes } from '../../../../src/runtime/handler/paths/pod-volumes';
import { startContainer } from './container';
import { until } from '../../../support/until';

/** A real overlay, a real holder process in it, real mounts below a directory that is shared as a kubelet's is. */

const UID = '11111111-2222-4333-8444-555555555555';
let dir: string;
let target: string;
let stagingDir: string;
let places: MountPaths;
const cleanups: (() => unknown)[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-disk-'));
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
  execFileSync('mount', ['--bind', dir, dir]);
  cleanups.push(() => execFileSync('umount', ['--lazy', dir]));
  execFileSync('mount', ['--make-rshared', dir]);
  stagingDir = join(dir, 'staging');
  mkdirSync(stagingDir);
  target = volumeOf(UID);
  mkdirSync(target, { recursive: true });
  const staging = new Staging(stagingDir);
  cleanups.push(() => staging.remove());
  places = { volumes: new PodVolumes(dir), procDir: '/proc', staging };
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const volumeOf = (uid: string): string =>
  join(dir, 'pods', uid, 'volumes', 'kubernetes.io~empty-dir', 'container-disks');
const mounts = (below: string): string[] =>
  readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.split(' ')[4]?.startsWith(`${below}/`));
const mount = (disk: ContainerDisk): Promise<void> => mountContainerDisk(disk, UID, places);
const unmount = (): Promise<void> => unmountContainerDisks(UID, places.volumes);

/** A holder whose root is an overlay with this image in it. */
async function holder(
  fill: (image: string) => void = (image) => writeFileSync(join(image, 'disk', 'any.qcow2'), 'QFI'),
): Promise<ContainerDisk> {
  const parts = Object.fromEntries(['image', 'upper', 'work', 'merged'].map((name) => [name, join(dir, name)]));
  for (const part of Object.values(parts)) mkdirSync(part);
  mkdirSync(join(parts.image, 'disk'));
  fill(parts.image);
  copyFileSync('/bin/busybox', join(parts.image, 'holder'));
  const options = `lowerdir=${parts.image},upperdir=${parts.upper},workdir=${parts.work}`;
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', options, parts.merged]);
  cleanups.push(() => execFileSync('umount', ['-l', parts.merged]));
  copyFileSync('/bin/busybox', join(parts.merged, 'sleep'));
  const container = await startContainer(
    ['--mount', '--propagation', 'private', `--root=${parts.merged}`],
    ['/sleep', '600'],
  );
  cleanups.push(() => container.close());
  return { volume: 'root', target: 'disk_0.img', containerId: container.id };
}

/** A mount namespace to which mounts propagate, as they do to a launcher's container. */
async function launcherView(): Promise<(command: string) => string> {
  const container = await startContainer(['--mount', '--propagation', 'slave']);
  cleanups.push(() => container.close());
  return (command) => {
    const { stdout, stderr } = spawnSync('nsenter', [
      `--mount=/proc/${container.pid}/ns/mnt`,
      '--',
      'sh',
      '-c',
      command,
    ]);
    return `${stdout.toString()}${stderr.toString()}`;
  };
}

test('the disk of a side container appears for the launcher, read-only, once, and is unmounted with the Pod', async () => {
  const disk = await holder();
  const launcher = await launcherView();
  await mount(disk);
  const file = join(target, 'disk_0.img');
  expect(readFileSync(file, 'utf8')).toBe('QFI');
  expect(() => openSync(file, 'r+')).toThrow('EROFS');
  expect(launcher(`cat ${file}; echo x > ${file}`)).toMatch(/^QFI[^]*Read-only file system/);
  await mount(disk);
  expect(mounts(target)).toHaveLength(1);
  const [place] = readdirSync(stagingDir);
  expect(readdirSync(join(stagingDir, place))).toEqual([]);

  await unmount();
  expect(mounts(target)).toHaveLength(0);
  expect(launcher(`stat -c %s ${file}`)).toBe('0\n');
  expect(statSync(file).size).toBe(0);
  await unmount();
});

test('a kernel and an initrd of a side container appear in a directory that the launcher can enter', async () => {
  const { containerId } = await holder((image) => {
    for (const name of ['vmlinuz', 'initrd.img']) writeFileSync(join(image, name), name);
  });
  for (const name of ['vmlinuz', 'initrd.img']) {
    await mount({ volume: 'kernel-boot-volume', directory: 'kernel-boot', target: name, path: [name], containerId });
  }
  const read = (name: string) => readFileSync(join(target, 'kernel-boot', name), 'utf8');
  expect([read('vmlinuz'), read('initrd.img')]).toEqual(['vmlinuz', 'initrd.img']);
  expect(statSync(join(target, 'kernel-boot')).mode & 0o777).toBe(0o755);

  renameSync(join(target, 'kernel-boot'), join(target, 'hidden'));
  await unmount();
  expect(mounts(target)).toEqual([]);
});

test('a mount that is writable is replaced by one that is not', async () => {
  const disk = await holder();
  const launcher = await launcherView();
  writeFileSync(join(target, 'disk_0.img'), '');
  execFileSync('mount', ['--bind', join(dir, 'merged', 'disk', 'any.qcow2'), join(target, 'disk_0.img')]);
  await mount(disk);
  expect(mounts(target)).toHaveLength(1);
  expect(launcher(`echo x > ${join(target, 'disk_0.img')}`)).toContain('Read-only file system');
});

test('disks are mounted even after the directory for temporary files was cleaned up', async () => {
  const disk = await holder();
  await mount(disk);
  await unmount();
  const [place] = readdirSync(stagingDir);
  execFileSync('umount', [join(stagingDir, place)]);
  rmSync(join(stagingDir, place), { recursive: true });
  await mount(disk);
  expect(mounts(target)).toHaveLength(1);
});

test('several disks are mounted at a time', async () => {
  const disk = await holder();
  const disks = [0, 1, 2, 3].map((i) => ({ ...disk, target: `disk_${i}.img` }));
  await Promise.all(disks.map((each) => mount(each)));
  expect([mounts(target).length, readdirSync(stagingDir).length]).toEqual([4, 1]);
});

test('a launcher that plants a link where the disk will be gets no mount anywhere', async () => {
  const disk = await holder();
  const precious = join(dir, 'precious');
  writeFileSync(precious, 'host');
  symlinkSync(precious, join(target, 'disk_0.img'));
  await expect(mount(disk)).rejects.toThrow('is a symbolic link');
  expect(readFileSync(precious, 'utf8')).toBe('host');
  await unmount();
  expect(readdirSync(target)).toEqual(['disk_0.img']);
});

test('a launcher that plants a link where the directory of the kernel will be gets no mount anywhere', async () => {
  const { containerId } = await holder();
  mkdirSync(join(dir, 'elsewhere'));
  symlinkSync(join(dir, 'elsewhere'), join(target, 'kernel-boot'));
  const disk = { volume: 'v', directory: 'kernel-boot', target: 'vmlinuz', path: ['disk', 'any.qcow2'], containerId };
  await expect(mount(disk)).rejects.toThrow('is a symbolic link');
  expect(readdirSync(join(dir, 'elsewhere'))).toEqual([]);
});

test('an image with a link to a file of the host is rejected', async () => {
  const disk = await holder((image) => symlinkSync('/etc/shadow', join(image, 'disk', 'disk.img')));
  await expect(mount(disk)).rejects.toThrow('is a symbolic link');
  expect(existsSync(join(target, 'disk_0.img'))).toBe(false);
});

test('a holder that has exited is reported', async () => {
  const disk = { volume: 'root', target: 'disk_0.img', containerId: 'd'.repeat(64) };
  await expect(mount(disk)).rejects.toThrow('container "volumeroot" has no process');
});

test('reports why a disk can never be mounted', async () => {
  await expect(mount({ volume: 'root', target: 'disk_0.img', problem: 'no image' })).rejects.toThrow('no image');
});

describe('a handler that is killed', () => {
  let program: string;
  let tools: string;

  beforeEach(() => {
    program = join(dir, 'handler.cjs');
    const entryPoints = [join(__dirname, 'mount-process.ts')];
    buildSync({ entryPoints, outfile: program, bundle: true, platform: 'node', target: 'node24', logLevel: 'error' });
    tools = join(dir, 'tools');
    mkdirSync(tools);
    for (const tool of ['mount', 'umount']) {
      const real = execFileSync('which', [tool], { encoding: 'utf8' }).trim();
      // counts the calls, and kills its caller before or after the one that is due
      const script = `#!/bin/sh
        echo >> "$VIRT8S_COUNT"
        now=$(wc -l < "$VIRT8S_COUNT")
        if [ "$now" = "$VIRT8S_KILL_BEFORE" ]; then kill -9 $PPID; exit 1; fi
        ${real} "$@"; code=$?
        if [ "$now" = "$VIRT8S_KILL_AFTER" ]; then kill -9 $PPID; fi
        exit $code`;
      writeFileSync(join(tools, tool), script, { mode: 0o755 });
    }
  });

  /** Runs the handler's work in a process; how that ended. */
  const run = (verb: 'mount' | 'unmount', disk: ContainerDisk, kill: Record<string, string> = {}) => {
    const count = join(dir, 'count');
    writeFileSync(count, '');
    const { status, signal, stderr } = spawnSync(
      process.execPath,
      [program, verb, dir, stagingDir, UID, JSON.stringify(disk)],
      { env: { ...process.env, PATH: `${tools}:${process.env.PATH}`, VIRT8S_COUNT: count, ...kill }, encoding: 'utf8' },
    );
    return { ended: signal ?? status, stderr };
  };

  test.each(['VIRT8S_KILL_BEFORE', 'VIRT8S_KILL_AFTER'])(
    'at any step of a mount (%s) never leaves a writable disk, and the next one finishes its work',
    async (when) => {
      const disk = await holder();
      const launcher = await launcherView();
      const file = join(target, 'disk_0.img');
      let steps = 0;
      for (let step = 1; ; step++) {
        const { ended, stderr } = run('mount', disk, { [when]: String(step) });
        launcher(`echo overwritten > ${file}`);
        expect(readFileSync(join(dir, 'merged', 'disk', 'any.qcow2'), 'utf8')).toBe('QFI');
        if (ended !== 'SIGKILL') {
          expect({ ended, stderr }).toEqual({ ended: 0, stderr: '' });
          break;
        }
        steps = step;
        expect(run('mount', disk)).toEqual({ ended: 0, stderr: '' });
        expect(launcher(`cat ${file}`)).toBe('QFI');
        expect(mounts(target)).toHaveLength(1);
        expect(mounts(stagingDir)).toEqual([]);

        run('unmount', disk, { [when]: '1' });
        expect(run('unmount', disk)).toEqual({ ended: 0, stderr: '' });
        expect(mounts(target)).toEqual([]);
      }
      expect(steps).toBeGreaterThanOrEqual(3); // bind, read-only, move
    },
  );
});

describe('the sweep', () => {
  const log = pino({ level: 'silent' });
  const GONE = '99999999-2222-4333-8444-555555555555';
  const bind = (uid: string): void => {
    mkdirSync(volumeOf(uid), { recursive: true });
    for (const name of ['source', 'disk_0.img']) writeFileSync(join(volumeOf(uid), name), '');
    execFileSync('mount', ['--bind', join(volumeOf(uid), 'source'), join(volumeOf(uid), 'disk_0.img')]);
  };

  test('unmounts the disks of a Pod that was deleted while no handler ran, as soon as the Pods are known', async () => {
    bind(UID);
    bind(GONE);
    const answers = [undefined, undefined, new Set([UID])];
    let asked = 0;
    const done = new Promise<void>((resolve) => {
      const livePods = () => {
        expect(mounts(volumeOf(GONE))).toHaveLength(1);
        if (++asked === answers.length) resolve();
        return answers[asked - 1];
      };
      const sweep = new MountSweep({ volumes: places.volumes, livePods, log, retryMs: 1 });
      sweep.start();
      cleanups.push(() => sweep.stop());
    });
    await done;
    await cleanups.pop()!();
    expect([mounts(volumeOf(GONE)).length, mounts(volumeOf(UID)).length]).toEqual([0, 1]);
    await unmount();
  });

  test('retries Pods whose disks could not be unmounted', async () => {
    bind(GONE);
    const warned: unknown[] = [];
    let asked = 0;
    const livePods = (): ReadonlySet<string> => {
      // at the first look the volume cannot be opened
      if (++asked === 1) renameSync(volumeOf(GONE), `${volumeOf(GONE)}-moved`);
      return new Set();
    };
    const sweep = new MountSweep({
      volumes: places.volumes,
      livePods: () => {
        const live = livePods();
        if (asked === 1) symlinkSync('/', volumeOf(GONE));
        return live;
      },
      log: { info: () => {}, warn: (fields: unknown) => void warned.push(fields) } as never,
      intervalMs: 1,
    });
    sweep.start();
    await until(() => warned.length > 0);
    rmSync(volumeOf(GONE));
    renameSync(`${volumeOf(GONE)}-moved`, volumeOf(GONE));
    await until(() => mounts(volumeOf(GONE)).length === 0);
    await sweep.stop();
    expect(asked).toBeGreaterThanOrEqual(2);
  });
});
