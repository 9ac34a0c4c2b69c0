/**
 * Builds the images of programs that only access the API server: glibc, Node and one bundle. They have no shell
 * and run as any user on a read-only file system.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached, filesLayer, layerName, nodeLayer, withRoot, type ImageParts } from '../launcher-image/layers';
import { tarDirectory, writeArchive } from '../launcher-image/oci';
import { COMPONENT, type BaseRecipe } from '../launcher-image/recipe';
import { pickBase, unpackPackages } from '../launcher-image/rootfs';
import { nodeFlagsOf, nodeMemoryVariables } from '../local/engine/node-memory-flags';

async function base(name: string, recipe: BaseRecipe, refresh?: boolean): Promise<string> {
  const folder = await cached(
    layerName(name, recipe),
    (work) =>
      withRoot((unpacked) =>
        withRoot(async (root) => {
          await unpackPackages(recipe.packages, unpacked);
          await pickBase(recipe, unpacked, root);
          await tarDirectory(root, join(work, 'layer.tar'));
        }),
      ),
    refresh,
  );
  return join(folder, 'layer.tar');
}

/** Writes the image archive of a program. Returns the digest of its manifest. */
export async function buildComponent(
  name: string,
  out: string,
  parts: ImageParts,
  recipe: BaseRecipe = COMPONENT,
): Promise<string> {
  const program = `/usr/lib/virt8s/${name}.cjs`;
  const work = await mkdtemp(join(tmpdir(), `${name}-image-`));
  try {
    const ours = filesLayer(join(work, 'ours.tar'), { [program]: join(parts.bundles, `${name}.cjs`) });
    const layers = await Promise.all([
      base(recipe === COMPONENT ? 'component' : name, recipe, parts.refresh),
      nodeLayer(parts.node),
      ours,
    ]);
    const { id } = recipe.user;
    return await writeArchive(out, layers, {
      env: ['PATH=/usr/bin', ...nodeMemoryVariables],
      entrypoint: ['/usr/bin/node', ...nodeFlagsOf(name), program],
      user: `${id}:${id}`,
      labels: { 'org.opencontainers.image.title': name },
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
