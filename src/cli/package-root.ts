import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of this package, or of the checkout that we run from. */
export function packageRoot(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
