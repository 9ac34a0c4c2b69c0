/** Replaces the programs that decide on the devices of a cgroup, with bpftool. The kernel's programs are the only record. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../paths/run';
import { bpfObject } from './bpf-object';
import { parseProgram, renderProgram, replacements, type Attached, type DeviceProgram } from './device-program';

/** bpftool mounts a bpf file system there if there is none. */
const PINS = '/sys/fs/bpf';
const TYPE = 'cgroup_device';

interface Shown {
  readonly id: number;
  readonly attach_type: string;
  /** Flag with which the runtime has attached it: `multi`, `override`, or none. */
  readonly attach_flags: string;
}

/** Makes the programs of one cgroup allow or deny a block device. Does nothing without a program: all devices are allowed. */
export async function changePrograms(cgroup: string, verb: 'allow' | 'deny', device: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'virt-handler-devices-'));
  try {
    const shown = JSON.parse((await run('bpftool', ['-j', 'cgroup', 'show', cgroup])) || '[]') as Shown[];
    const attached: (Attached & Shown)[] = [];
    for (const each of shown.filter(({ attach_type }) => attach_type === TYPE)) {
      attached.push({ ...each, program: await readProgram(each.id, join(work, `${each.id}`)) });
    }
    for (const { attach, detach } of replacements(attached, verb, device)) {
      const flags = attached.find(({ id }) => detach.includes(id))?.attach_flags ?? '';
      if (attach) await attachProgram(attach, cgroup, flags, work);
      // a program that is not one of several has been replaced
      if (flags !== 'multi') continue;
      for (const id of detach) await run('bpftool', ['cgroup', 'detach', cgroup, TYPE, 'id', `${id}`]);
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function readProgram(id: number, file: string): Promise<DeviceProgram> {
  await run('bpftool', ['prog', 'dump', 'xlated', 'id', `${id}`, 'file', file]);
  try {
    return parseProgram(await readFile(file));
  } catch (error) {
    throw new Error(
      `the devices of this container cannot be changed: ${(error as Error).message}; ` +
        'use a claim with volumeMode Filesystem, or restart the VM with the volume (without hotpluggable)',
      { cause: error },
    );
  }
}

async function attachProgram(program: DeviceProgram, cgroup: string, flags: string, work: string): Promise<void> {
  const object = join(work, 'program.o');
  // one name for each cgroup: a killed handler leaves one file at most, until the next attempt
  const pin = join(PINS, `virt8s-${createHash('sha256').update(cgroup).digest('hex').slice(0, 32)}`);
  await writeFile(object, bpfObject(renderProgram(program)));
  await rm(pin, { force: true });
  try {
    await run('bpftool', ['prog', 'load', object, pin, 'type', 'cgroup/dev']);
    await run('bpftool', ['cgroup', 'attach', cgroup, TYPE, 'pinned', pin, ...(flags ? [flags] : [])]);
  } finally {
    await rm(pin, { force: true });
  }
}
