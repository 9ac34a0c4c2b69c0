import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Programs that an engine runs from its package. */
const programs = ['engine', 'api-server', 'virt-api', 'virt-controller', 'virt-handler'];

/** Identifies the programs in a folder by their content, so that `up` notices an upgraded package. */
export function buildIdOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of programs) {
    const file = join(folder, `${name}.cjs`);
    if (existsSync(file)) hash.update(name).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}
