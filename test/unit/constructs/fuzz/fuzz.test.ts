/**
 * Programs that nobody would write: everything that is exported is called with everything, right and wrong.
 *
 * `FUZZ_RUNS=10000 FUZZ_SEED=$RANDOM npx jest test/unit/constructs/fuzz` is a long run with others; a failure prints its
 * seed, which repeats it. By default each run is the same: what it finds is the last change's.
 */
import * as fc from 'fast-check';
import { Play } from './play';
import { constructClasses, type Draw, factoriesOf, signatures } from './values';

const runs = Number(process.env.FUZZ_RUNS ?? 40);
const seed = Number(process.env.FUZZ_SEED ?? 1);
const long = 60_000 + runs * 1_000;

const belowOf = (count: number): fc.Arbitrary<number> => fc.noBias(fc.nat({ max: count - 1 }));
/** One value of so many is wrong. */
const wrongs = fc.constantFrom(0, 60, 25, 8);

const factories = Object.keys(signatures.classes).flatMap((type) =>
  factoriesOf(type).flatMap(([method, takes]) =>
    takes[0]?.startsWith('scope') ? [] : [{ type, method, takes, name: `${type}.${method}` }],
  ),
);

/** Plays with what fast-check draws. */
function played(play: (draw: Draw, wrong: number) => void, numRuns: number): void {
  fc.assert(
    fc.property(fc.gen(), wrongs, (g, wrong) => play((count) => g(belowOf, count), wrong)),
    { numRuns, seed, endOnFailure: true },
  );
}

test(
  'programs are written whole and are admitted, or are told what is wrong and write nothing',
  () => {
    played((draw, wrong) => new Play(draw, wrong).run(), runs);
  },
  long,
);

test.each(constructClasses)(
  '%s takes what it is given or tells what is wrong',
  (type) => played((draw, wrong) => new Play(draw, wrong, [type]).run(), Math.ceil(runs / 20)),
  long,
);

test.each(factories)(
  '$name takes what it is given or tells what is wrong',
  ({ type, method, takes }) =>
    played((draw, wrong) => Play.factory(draw, wrong, type, method, takes), Math.ceil(runs / 10)),
  long,
);
