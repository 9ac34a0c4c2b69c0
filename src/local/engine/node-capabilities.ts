import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, mkdir, rmdir } from 'node:fs/promises';
import { cpus, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorText } from '../../api/error-text';
import { run } from '../../runtime/host/command';
import { readJson, writeJson } from '../host/files';
import type { Image, ImageStore } from '../images';
import { type Index, indexFile } from '../images/cache-index';
import { cacheDir, imagesDir } from './cache';
import { launcherImage } from './images';

/** Facts of which the capabilities of a node are a function. */
export interface Machine {
  /** Digest of the launcher image, with its libvirt and QEMU. */
  readonly image: string;
  readonly kernel: string;
  readonly cpu: string;
  /** Identity of the device of KVM; empty without KVM. */
  readonly kvm: string;
}

export interface DescribeOptions {
  readonly machine: Machine;
  /** Folder in which all engines of a user keep answers. */
  readonly cache: string;
  /** File that the node's virt-handler reads. */
  readonly file: string;
  /** Asks libvirt; returns its answer, which is JSON. */
  readonly ask: () => Promise<string>;
}

/**
 * Writes what guests of a node can have to the file that its virt-handler reads. libvirt is asked once for each launcher image
 * and machine; later engines use the same answer.
 */
export async function describeNode({ machine, cache, file, ask }: DescribeOptions): Promise<void> {
  const name = createHash('sha256').update(JSON.stringify(machine)).digest('hex').slice(0, 16);
  const kept = join(cache, `${name}.json`);
  const known = await readJson<object>(kept).catch(() => undefined);
  if (known) return writeJson(file, known);
  let answer: object;
  try {
    answer = JSON.parse(await ask()) as object;
    await mkdir(cache, { recursive: true });
    await writeJson(kept, answer);
  } catch (error) {
    answer = { error: errorText(error) };
  }
  await writeJson(file, answer);
}

/**
 * Describes the node of an engine in the background of its start. A failure is part of the file, and virt-handler reports it
 * on the node.
 */
export async function describeThisNode(images: ImageStore, file: string, signal: AbortSignal): Promise<void> {
  const index = await readJson<Index>(indexFile(imagesDir()));
  await describeNode({
    machine: thisMachine(index?.[launcherImage]?.digest ?? ''),
    cache: join(cacheDir(), 'node-capabilities'),
    file,
    ask: async () => {
      using lease = images.lease();
      return askImage(await images.ensure(launcherImage, 'Never', lease), images.layersDir, signal);
    },
  });
}

function thisMachine(image: string): Machine {
  return { image, kernel: release(), cpu: cpus()[0]?.model ?? '', kvm: identityOf('/dev/kvm') };
}

function identityOf(path: string): string {
  try {
    const { rdev, mode } = statSync(path);
    // with nested virtualization, the modules can be loaded with other features of the same CPU
    return [rdev, mode, ...['kvm_intel', 'kvm_amd'].map(nested)].join(' ');
  } catch {
    return '';
  }
}

function nested(module: string): string {
  try {
    return readFileSync(`/sys/module/${module}/parameters/nested`, 'utf8').trim();
  } catch {
    return '';
  }
}

/** Runs the program of the image as its container does: in its own namespaces, with copies of the device nodes. */
const SCRIPT = [
  'set -e',
  'mount -t overlay -o "ro,lowerdir=$2" overlay "$1"',
  'mount -t proc proc "$1/proc"',
  // an engine in a container may not; libvirt then does not know the topology, which the answer does not contain
  'mount -t sysfs -o ro sysfs "$1/sys" 2>/dev/null || true',
  'mount -t tmpfs -o size=16m,mode=1777 tmpfs "$1/tmp"',
  'mount -t tmpfs -o size=1m,mode=755 tmpfs "$1/dev"',
  'for d in null zero random urandom kvm sev; do [ ! -e "/dev/$d" ] || cp -a "/dev/$d" "$1/dev/$d"; done',
  // the shell stays: it dies with unshare, and the program with it
  'nice -n 19 chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin /usr/bin/virt-node-capabilities',
].join('\n');

const LIMIT_MS = 120_000;

/** Asks the libvirt of an image whose layers are unpacked. */
export async function askImage(
  { layers }: Pick<Image, 'layers'>,
  layersDir: string,
  signal?: AbortSignal,
): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'virt8s-node-'));
  // relative lower directories, because the options of mount(2) are limited to one page
  const lower = [...layers].reverse().join(':');
  const namespaces = ['--mount', '--pid', '--net', '--fork', '--kill-child=KILL'];
  try {
    const { stdout } = await run('unshare', [...namespaces, 'sh', '-c', SCRIPT, 'sh', root, lower], {
      cwd: layersDir,
      timeoutMs: LIMIT_MS,
      signal,
    });
    return stdout;
  } finally {
    // empty again: its mounts ended with the namespace
    await rmdir(root);
  }
}

/** Path of the file for a node's virt-handler. */
export const capabilitiesFile = (stateDir: string): string => join(stateDir, 'node-capabilities.json');
