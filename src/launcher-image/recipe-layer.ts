import { unpackPackages, type DebianPackage } from './debian';
import { packageLayer, withRoot, type PackageLayer } from './layers';
import type { BaseRecipe } from './recipe';
import { pickBase } from './rootfs';

/** Folders of a layer that is built. */
export interface RecipeFolders {
  /** Root of all unpacked packages. */
  readonly unpacked: string;
  /** Root of the layer. */
  readonly root: string;
  /** Folder of the cache in which the layer will be. */
  readonly folder: string;
}

export interface RecipeLayerOptions {
  /** Whether to download the packages again. */
  readonly refresh?: boolean;
  /** Completes the layer. */
  readonly complete?: (folders: RecipeFolders, packages: readonly DebianPackage[]) => Promise<void>;
}

/** Returns the layer of a recipe from the cache, or builds it. */
export function recipeLayer(name: string, recipe: BaseRecipe, options: RecipeLayerOptions): Promise<PackageLayer> {
  const fill = (root: string, folder: string): Promise<readonly DebianPackage[]> =>
    withRoot(async (unpacked) => {
      const architecture = recipe.architecture.name;
      const content = await unpackPackages(recipe.packages, unpacked, { architecture });
      const packages = await pickBase(recipe, content, unpacked, root);
      await options.complete?.({ unpacked, root, folder }, packages);
      return packages;
    });
  return packageLayer(name, recipe, fill, options.refresh);
}
