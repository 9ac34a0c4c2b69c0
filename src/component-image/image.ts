/**
 * Builds the images of programs that only access the API server: glibc, Node and one bundle. They have no shell
 * and run as any user on a read-only file system.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesLayer, nodeLayer, type Image, type ImageParts } from '../launcher-image/layers';
import { writeArchive } from '../launcher-image/oci';
import { componentRecipe, type BaseRecipe } from '../launcher-image/recipe';
import { recipeLayer } from '../launcher-image/recipe-layer';
import { nodeFlagsOf, nodeMemoryVariables } from '../local/engine/node-memory-flags';

/** Writes the image archive of a program. */
export async function buildComponent(
  name: string,
  out: string,
  parts: ImageParts,
  recipe: BaseRecipe = componentRecipe(parts.architecture),
  layer = 'component',
): Promise<Image> {
  const program = `/usr/lib/virt8s/${name}.cjs`;
  const work = await mkdtemp(join(tmpdir(), `${name}-image-`));
  try {
    const [packages, node, ours] = await Promise.all([
      recipeLayer(layer, recipe, { refresh: parts.refresh }),
      nodeLayer(parts),
      filesLayer(work, { [program]: join(parts.bundles, `${name}.cjs`) }),
    ]);
    const { id } = recipe.user;
    const digest = await writeArchive(out, [packages, node, ours], {
      architecture: parts.architecture,
      env: ['PATH=/usr/bin', ...nodeMemoryVariables],
      entrypoint: ['/usr/bin/node', ...nodeFlagsOf(name), program],
      user: `${id}:${id}`,
      labels: { 'org.opencontainers.image.title': name },
    });
    return { digest, packages: packages.packages };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
