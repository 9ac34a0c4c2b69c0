/**
 * Builds the virt-handler image for real clusters (the embedded engine runs the handler on the host): Debian's packages
 * for namespaces, network, mounts and devices, QEMU for the KVM probe, Node, and the bundle.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached, filesLayer, layerName, nodeLayer, withRoot, type ImageParts } from '../launcher-image/layers';
import { tarDirectory, writeArchive } from '../launcher-image/oci';
import { unpackPackages } from '../launcher-image/rootfs';
import { nodeMemoryFlags, nodeMemoryVariables } from '../local/engine/node-memory-flags';

/** Files of QEMU's packages that the probe of KVM does not read. */
export const QEMU_DATA: readonly string[] = [
  ...['qemu', 'qemu-efi-aarch64', 'OVMF', 'seabios', 'icons'].map((name) => `/usr/share/${name}/*`),
  '/usr/lib/x86_64-linux-gnu/qemu/*',
];

const RECIPE = {
  /** Packages of `nsenter`, `mount`, `ip`, `nft`, `bpftool`, `sh` and `qemu-system-x86_64`, and of the libraries of Node.js. */
  packages: [
    ...['base-files', 'dash', 'coreutils', 'util-linux', 'mount', 'iproute2', 'nftables', 'bpftool'],
    ...['qemu-system-x86', 'ca-certificates', 'libstdc++6'],
  ],
  excluded: QEMU_DATA,
  /** Directories that are emptied: the container runtime provides devices, and rejects images that contain some. */
  emptied: ['var/lib/apt', 'dev'],
};

/** Unpacks the packages. No maintainer script runs, so the result does not depend on this machine. */
async function packages(refresh?: boolean): Promise<string> {
  const folder = await cached(
    layerName('handler', RECIPE),
    (work) =>
      withRoot(async (root) => {
        const options = RECIPE.excluded.map((path) => `--dpkgopt=path-exclude=${path}`);
        await unpackPackages(RECIPE.packages, root, options);
        for (const path of RECIPE.emptied) {
          await rm(join(root, path), { recursive: true, force: true });
          await mkdir(join(root, path));
        }
        await tarDirectory(root, join(work, 'layer.tar'));
      }),
    refresh,
  );
  return join(folder, 'layer.tar');
}

/** Writes the image archive. Returns the digest of its manifest. */
export async function buildHandler(out: string, { bundles, node, refresh }: ImageParts): Promise<string> {
  const program = '/usr/lib/virt-handler/virt-handler.cjs';
  const work = await mkdtemp(join(tmpdir(), 'virt-handler-image-'));
  try {
    const ours = filesLayer(join(work, 'ours.tar'), { [program]: join(bundles, 'virt-handler.cjs') });
    const layers = await Promise.all([packages(refresh), nodeLayer(node), ours]);
    return await writeArchive(out, layers, {
      env: ['PATH=/usr/sbin:/usr/bin', ...nodeMemoryVariables],
      entrypoint: ['/usr/bin/node', ...nodeMemoryFlags, program],
      user: '0:0',
      labels: { 'org.opencontainers.image.title': 'virt-handler' },
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
