/** Image of the importer: besides Node, the programs that read images of strangers, and those that confine them. */
import { COMPONENT, type BaseRecipe } from '../launcher-image/recipe';

export const IMPORTER: BaseRecipe = {
  ...COMPONENT,
  packages: [...COMPONENT.packages, 'qemu-utils', 'util-linux', 'xz-utils'],
  programs: [
    ...COMPONENT.programs,
    ...['/usr/bin/qemu-img', '/usr/bin/xz', '/usr/bin/setpriv', '/usr/bin/prlimit', '/usr/bin/fallocate'],
  ],
  // that of the launcher: both write the disks of guests
  user: { ...COMPONENT.user, id: 107 },
};
