/** Image of the importer: besides Node, the programs that read images of strangers, and those that confine them. */
import type { Architecture } from '../launcher-image/arch';
import { componentRecipe, type BaseRecipe } from '../launcher-image/recipe';

export const importerRecipe = (architecture: Architecture): BaseRecipe => {
  const component = componentRecipe(architecture);
  return {
    ...component,
    packages: [...component.packages, 'qemu-utils', 'util-linux', 'xz-utils'],
    programs: [
      ...component.programs,
      ...['/usr/bin/qemu-img', '/usr/bin/xz', '/usr/bin/setpriv', '/usr/bin/prlimit', '/usr/bin/fallocate'],
    ],
    // that of the launcher: both write the disks of guests
    user: { ...component.user, id: 107 },
  };
};
