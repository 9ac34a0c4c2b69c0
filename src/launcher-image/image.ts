/**
 * Builds the virt-launcher image: an OCI archive of three layers, so that a change of our code rebuilds only the last.
 *   1. Debian packages, picked (cached by the content of the recipe)
 *   2. Node
 *   3. our files and the bundle
 */
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNative } from './arch';
import { probeCapabilities } from './capabilities';
import { requireLibvirt } from './debian';
import { nodeLayer, withRoot, type Image, type ImageParts, type PackageLayer } from './layers';
import { writeArchive, writeLayer, type Layer } from './oci';
import { launcherRecipe, LIBVIRT_VERSION } from './recipe';
import { recipeLayer } from './recipe-layer';
import { addShell } from './rootfs';
import { run } from './run';

/** File of the base layer's folder: the capabilities of QEMU from its libvirtd. */
const CAPABILITIES = 'capabilities.json';

/** Layer 1. The capabilities of a QEMU for another processor are missing: its launchers ask libvirt at their start. */
export function baseLayer({
  architecture,
  refresh,
}: Pick<ImageParts, 'architecture' | 'refresh'>): Promise<PackageLayer> {
  return recipeLayer('base', launcherRecipe(architecture), {
    refresh,
    complete: async ({ unpacked, root, folder }, packages) => {
      requireLibvirt(LIBVIRT_VERSION, packages);
      await addShell(unpacked, root);
      const capabilities = isNative(architecture) ? await probeCapabilities(root) : null;
      await writeFile(join(folder, CAPABILITIES), JSON.stringify(capabilities));
    },
  });
}

/** Bundles in the image. */
export const LAUNCHER_PROGRAMS: readonly string[] = ['virt-launcher.cjs', 'node-capabilities.cjs'];

/** Programs with CAP_NET_BIND_SERVICE. They are copies, so that no other shell has the capability. */
const CAPABLE = ['sh', 'setpriv'];

/** Layer 3. */
async function ours(
  work: string,
  { file, folder }: PackageLayer,
  { bundles, launcherFiles }: ImageParts,
): Promise<Layer> {
  return withRoot(async (root) => {
    await cp(launcherFiles, root, { recursive: true });
    await run('chmod', ['-R', 'u=rwX,go=rX', root]);
    const lib = join(root, 'usr/lib/virt-launcher');
    await mkdir(lib, { recursive: true });
    await run('tar', ['-xf', file, '-C', work, './usr/bin/busybox']);
    for (const name of CAPABLE) {
      await cp(join(work, 'usr/bin/busybox'), join(lib, name));
      await run('setcap', ['cap_net_bind_service=p', join(lib, name)]);
    }
    for (const program of LAUNCHER_PROGRAMS) {
      await cp(join(bundles, program), join(lib, program));
      await chmod(join(lib, program), 0o644);
    }
    const capabilities = JSON.parse(await readFile(join(folder, CAPABILITIES), 'utf8')) as Record<
      string,
      string
    > | null;
    if (capabilities) {
      const { name, xml } = capabilities;
      await writeFile(join(root, 'usr/share/virt-launcher/qemu-capabilities.xml'), xml!);
      await writeFile(join(root, 'usr/share/virt-launcher/qemu-capabilities.name'), `${name}\n`);
    }
    return writeLayer(root, work);
  });
}

/** Writes the image archive. */
export async function buildLauncher(out: string, parts: ImageParts): Promise<Image> {
  const [packages, node] = await Promise.all([baseLayer(parts), nodeLayer(parts)]);
  const work = await mkdtemp(join(tmpdir(), 'virt-launcher-image-'));
  try {
    const digest = await writeArchive(out, [packages, node, await ours(work, packages, parts)], {
      architecture: parts.architecture,
      env: ['PATH=/usr/sbin:/usr/bin'],
      user: '107:107',
      labels: { 'org.opencontainers.image.title': 'virt-launcher' },
    });
    return { digest, packages: packages.packages };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
