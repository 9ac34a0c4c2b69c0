import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve } from 'node:path';

/**
 * The unit tests of a source file: the one that mirrors its path, those that import it, and, without either, those of
 * the nearest folder that mirrors a folder of the source. `npm test -- src/PATH` runs them.
 */
const checkout = resolve(__dirname, '..');
const imports = /from '(\.{1,2}\/[^']+)'/g;

export function testsOf(source: string): string[] {
  const path = relative(checkout, resolve(source)).replace(/\.ts$/, '');
  const mirrored = `${path.replace(/^src\//, 'test/unit/')}.test.ts`;
  const all = globSync('test/unit/**/*.test.ts', { cwd: checkout });
  const importing = all.filter((test) =>
    [...readFileSync(join(checkout, test), 'utf8').matchAll(imports)].some(
      ([, module]) => normalize(join(dirname(test), module!)).replace(/\.ts$/, '') === path,
    ),
  );
  const found = new Set([...(existsSync(join(checkout, mirrored)) ? [mirrored] : []), ...importing]);
  if (found.size > 0) return [...found];
  for (let folder = dirname(mirrored); folder !== 'test'; folder = dirname(folder)) {
    const near = all.filter((test) => dirname(test) === folder);
    if (near.length > 0) return near;
  }
  return [];
}

if (require.main === module) console.log(process.argv.slice(2).flatMap(testsOf).join('\n'));
