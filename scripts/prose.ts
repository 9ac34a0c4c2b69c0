import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { idiomsIn } from './prose/idioms';
import { quotations } from './prose/quotations';

/** Fails when the source, the tests or the documentation use an idiom of `prose/idioms.ts`. Generated files are not read. */
const READ = /\.(ts|mts|cjs|mjs|md|sh|py|proto)$|^api\/schema\/.*\.json$|^(scripts|bin|\.ci)\/[\w-]+$/;
const SKIPPED =
  /(^|\/)generated\/|(^|\/)(API|CHANGELOG)\.md$|^docs\/(api|reference)\/|^scripts\/prose|^test\/unit\/scripts\/prose/;

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => READ.test(file) && !SKIPPED.test(file));

const uses = files.flatMap((file) =>
  idiomsIn(readFileSync(file, 'utf8'), quotations[file]).map(
    ({ line, found, instead }) => `${file}:${line}: "${found}": write ${instead}`,
  ),
);
console.log(uses.join('\n'));
if (uses.length > 0) {
  console.error(`\n${uses.length} idioms; words that are quoted from others are listed in scripts/prose/quotations.ts`);
  process.exitCode = 1;
}
