/**
 * Builds the virt-launcher image: an OCI archive of three layers, so that a change of our code rebuilds only the last.
 *   1. Debian packages, picked (cached by the content of the recipe)
 *   2. Node
 *   3. our files and the bundle
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from '../local/engine/cache';
import { probeCapabilities } from './capabilities';
import { tarDirectory, writeArchive } from './oci';
import { pickBase, unpackPackages } from './rootfs';
import { run } from './run';

const here = join(process.cwd(), 'src/launcher-image');
const cache = join(cacheDir(), 'launcher-image');

/** Makes a file in the cache unless it is there; never half of one. */
async function cached(name: string, make: (work: string) => Promise<void>): Promise<string> {
  const target = join(cache, name);
  if (existsSync(target)) return target;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'work-'));
  try {
    await make(work);
    await rename(work, target).catch((error: unknown) => {
      // another build was quicker; the content is the same
      if (!existsSync(target)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return target;
}

async function hashOf(...files: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

/** Layer 1, and QEMU's capabilities as its libvirtd sees them. */
async function base(): Promise<string> {
  const name = `base-${await hashOf(...['recipe.ts', 'rootfs.ts', 'capabilities.ts', 'oci.ts'].map((f) => join(here, f)))}`;
  return cached(name, async (work) => {
    const unpacked = await mkdtemp(join(tmpdir(), 'virt-launcher-packages-'));
    const root = await mkdtemp(join(tmpdir(), 'virt-launcher-root-'));
    try {
      await chmod(root, 0o755);
      await unpackPackages(unpacked);
      await pickBase(unpacked, root);
      await writeFile(join(work, 'capabilities.json'), JSON.stringify(await probeCapabilities(root)));
      await tarDirectory(root, join(work, 'layer.tar'));
    } finally {
      await rm(unpacked, { recursive: true, force: true });
      await rm(root, { recursive: true, force: true });
    }
  });
}

/** Layer 2: the pinned Node of package.json. */
async function node(): Promise<string> {
  const binary = join(process.cwd(), 'node_modules/node/bin/node');
  const { version } = JSON.parse(await readFile('node_modules/node/package.json', 'utf8')) as { version: string };
  return cached(`node-${version}`, async (work) => {
    const root = await mkdtemp(join(work, 'root-'));
    await chmod(root, 0o755);
    await mkdir(join(root, 'usr/bin'), { recursive: true });
    await cp(binary, join(root, 'usr/bin/node'));
    await chmod(join(root, 'usr/bin/node'), 0o755);
    await tarDirectory(root, join(work, 'layer.tar'));
    await rm(root, { recursive: true });
  });
}

/** Programs that keep CAP_NET_BIND_SERVICE: copies, so that no other shell has it. */
const CAPABLE = ['sh', 'setpriv'];

/** Layer 3. */
async function ours(work: string, baseDir: string): Promise<string> {
  const root = join(work, 'root');
  await cp(join(here, 'files'), root, { recursive: true });
  await run('chmod', ['-R', 'u=rwX,go=rX', root]);
  const lib = join(root, 'usr/lib/virt-launcher');
  await mkdir(lib, { recursive: true });
  await run('tar', ['-xf', join(baseDir, 'layer.tar'), '-C', work, './usr/bin/busybox']);
  for (const name of CAPABLE) {
    await cp(join(work, 'usr/bin/busybox'), join(lib, name));
    await run('setcap', ['cap_net_bind_service=p', join(lib, name)]);
  }
  await cp('build/virt-launcher.cjs', join(lib, 'virt-launcher.cjs'));
  const { name, xml } = JSON.parse(await readFile(join(baseDir, 'capabilities.json'), 'utf8')) as Record<
    string,
    string
  >;
  await writeFile(join(root, 'usr/share/virt-launcher/qemu-capabilities.xml'), xml!);
  await writeFile(join(root, 'usr/share/virt-launcher/qemu-capabilities.name'), `${name}\n`);
  const layer = join(work, 'layer.tar');
  await tarDirectory(root, layer);
  return layer;
}

async function main(): Promise<void> {
  const out = process.argv[2];
  if (!out) throw new Error('usage: src/launcher-image/build OUT.tar');
  await run('npx', ['tsx', 'scripts/bundle.ts', 'virt-launcher']);
  const [baseDir, nodeDir] = await Promise.all([base(), node()]);
  const work = await mkdtemp(join(tmpdir(), 'virt-launcher-image-'));
  try {
    const layers = [join(baseDir, 'layer.tar'), join(nodeDir, 'layer.tar'), await ours(work, baseDir)];
    const digest = await writeArchive(out, layers, {
      env: ['PATH=/usr/sbin:/usr/bin'],
      user: '107:107',
      labels: { 'org.opencontainers.image.title': 'virt-launcher' },
    });
    console.log(digest);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
