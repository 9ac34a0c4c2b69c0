import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folder of this package or checkout. */
export function packageRoot(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
