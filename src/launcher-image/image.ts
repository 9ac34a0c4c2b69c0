/**
 * Builds the virt-launcher image: an OCI archive of three layers, so that a change of our code rebuilds only the last.
 *   1. Debian packages, picked (cached by the content of the recipe)
 *   2. Node
 *   3. our files and the bundle
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probeCapabilities } from './capabilities';
import { cached, layerName, nodeLayer, withRoot, type ImageParts } from './layers';
import { tarDirectory, writeArchive } from './oci';
import { LAUNCHER, LIBVIRT_VERSION } from './recipe';
import { addContainerDisk, addShell, pickBase, requireLibvirt, unpackPackages } from './rootfs';
import { run } from './run';

/** Layer 1, and the capabilities of QEMU from its libvirtd. */
async function base(refresh?: boolean): Promise<string> {
  return cached(
    layerName('base', LAUNCHER),
    (work) =>
      withRoot((unpacked) =>
        withRoot(async (root) => {
          await unpackPackages(LAUNCHER.packages, unpacked);
          await requireLibvirt(LIBVIRT_VERSION, unpacked);
          await pickBase(LAUNCHER, unpacked, root);
          await addShell(unpacked, root);
          await addContainerDisk(unpacked, root);
          await writeFile(join(work, 'capabilities.json'), JSON.stringify(await probeCapabilities(root)));
          await tarDirectory(root, join(work, 'layer.tar'));
        }),
      ),
    refresh,
  );
}

/** Bundles in the image. */
export const LAUNCHER_PROGRAMS: readonly string[] = ['virt-launcher.cjs', 'node-capabilities.cjs'];

/** Programs with CAP_NET_BIND_SERVICE. They are copies, so that no other shell has the capability. */
const CAPABLE = ['sh', 'setpriv'];

/** Layer 3. */
async function ours(work: string, baseDir: string, { bundles, launcherFiles }: ImageParts): Promise<string> {
  const root = join(work, 'root');
  await cp(launcherFiles, root, { recursive: true });
  await run('chmod', ['-R', 'u=rwX,go=rX', root]);
  const lib = join(root, 'usr/lib/virt-launcher');
  await mkdir(lib, { recursive: true });
  await run('tar', ['-xf', join(baseDir, 'layer.tar'), '-C', work, './usr/bin/busybox']);
  for (const name of CAPABLE) {
    await cp(join(work, 'usr/bin/busybox'), join(lib, name));
    await run('setcap', ['cap_net_bind_service=p', join(lib, name)]);
  }
  for (const program of LAUNCHER_PROGRAMS) await cp(join(bundles, program), join(lib, program));
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

/** Writes the image archive. Returns the digest of its manifest. */
export async function buildLauncher(out: string, parts: ImageParts): Promise<string> {
  const [baseDir, node] = await Promise.all([base(parts.refresh), nodeLayer(parts.node)]);
  const work = await mkdtemp(join(tmpdir(), 'virt-launcher-image-'));
  try {
    const layers = [join(baseDir, 'layer.tar'), node, await ours(work, baseDir, parts)];
    return await writeArchive(out, layers, {
      env: ['PATH=/usr/sbin:/usr/bin'],
      user: '107:107',
      labels: { 'org.opencontainers.image.title': 'virt-launcher' },
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
