/**
 * Builds the virt-handler image for real clusters (the embedded engine runs the handler on the host): the programs for
 * namespaces, network, mounts and devices, QEMU for the KVM probe, Node, and the bundle.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Architecture } from '../launcher-image/arch';
import { filesLayer, nodeLayer, type Image, type ImageParts } from '../launcher-image/layers';
import { writeArchive } from '../launcher-image/oci';
import { componentRecipe, type BaseRecipe } from '../launcher-image/recipe';
import { recipeLayer } from '../launcher-image/recipe-layer';
import { nodeMemoryFlags, nodeMemoryVariables } from '../local/engine/node-memory-flags';

/** Programs that the handler starts. The shell runs the scripts that enter a Pod's network namespace once. */
export const HANDLER_PROGRAMS: readonly string[] = [
  ...['/usr/bin/sh', '/usr/bin/cat', '/usr/bin/true', '/usr/bin/mknod'],
  ...['/usr/bin/nsenter', '/usr/bin/mount', '/usr/bin/umount', '/usr/bin/setpriv'],
  ...['/usr/sbin/ip', '/usr/sbin/nft', '/usr/sbin/bpftool'],
];

export const handlerRecipe = (architecture: Architecture): BaseRecipe => {
  const component = componentRecipe(architecture);
  return {
    ...component,
    packages: [
      ...component.packages,
      ...['dash', 'coreutils', 'util-linux', 'mount', 'iproute2', 'nftables', 'bpftool', architecture.qemu.package],
    ],
    // QEMU's firmware and modules are missing: the probe of KVM brings its own
    programs: [...component.programs, ...HANDLER_PROGRAMS, architecture.qemu.program],
  };
};

/** Writes the image archive. */
export async function buildHandler(out: string, parts: ImageParts): Promise<Image> {
  const program = '/usr/lib/virt-handler/virt-handler.cjs';
  const work = await mkdtemp(join(tmpdir(), 'virt-handler-image-'));
  try {
    const [packages, node, ours] = await Promise.all([
      recipeLayer('handler', handlerRecipe(parts.architecture), { refresh: parts.refresh }),
      nodeLayer(parts),
      filesLayer(work, { [program]: join(parts.bundles, 'virt-handler.cjs') }),
    ]);
    const digest = await writeArchive(out, [packages, node, ours], {
      architecture: parts.architecture,
      env: ['PATH=/usr/sbin:/usr/bin', ...nodeMemoryVariables],
      entrypoint: ['/usr/bin/node', ...nodeMemoryFlags, program],
      user: '0:0',
      labels: { 'org.opencontainers.image.title': 'virt-handler' },
    });
    return { digest, packages: packages.packages };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
