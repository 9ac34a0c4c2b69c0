import { type MutantResult } from '@stryker-mutator/api/core';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { optionsOf, sourcesOf } from './options';
import { rooms } from './rooms';

const count = (results: readonly MutantResult[], ...statuses: MutantResult['status'][]): number =>
  results.filter(({ status }) => statuses.includes(status)).length;

/**
 * Changes the sources of the pure rooms one small thing at a time and runs the unit tests that reach the change. A mutant
 * that survives shows a missing test case. Prints the survivors, and a score for each room.
 *
 *   npm run mutation -- [--jobs N] [SOURCE…]
 *
 * SOURCE is a folder or a file of the rooms in rooms.ts, such as api/admission or api/admission/disks.ts. A room below
 * its goal fails the run.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { jobs: { type: 'string', default: '2' } },
    allowPositionals: true,
  });
  const chosen = rooms
    .map((room) => ({ room, sources: sourcesOf(room, positionals) }))
    .filter(({ sources }) => sources.length > 0);
  if (chosen.length === 0) {
    throw new Error(`${positionals.join(', ')} is in no room; the rooms are ${rooms.map((r) => r.source).join(', ')}`);
  }
  // an ES module, whose dependencies `require` does not find
  const { Stryker } = await import('@stryker-mutator/core');
  process.chdir(resolve(__dirname, '../..'));
  const lines: string[] = [];
  for (const { room, sources } of chosen) {
    const start = performance.now();
    const results = await new Stryker(optionsOf(room, sources, Number(values.jobs))).runMutationTest();
    const noticed = count(results, 'Killed', 'Timeout');
    const tried = noticed + count(results, 'Survived', 'NoCoverage');
    const score = tried === 0 ? 100 : (noticed / tried) * 100;
    const minutes = (performance.now() - start) / 60_000;
    lines.push(
      `${score.toFixed(1).padStart(5)} %  (goal ${room.goal} %)  ${room.source}, ${tried} mutants, ${minutes.toFixed(1)} min`,
    );
  }
  console.log(lines.join('\n'));
}

void main();
