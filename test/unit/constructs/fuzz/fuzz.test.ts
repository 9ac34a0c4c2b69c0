import fc, { runs } from '../../../support/fast-check';
import { isComplete } from '../../../support/tier';
/**
 * Programs that nobody would write: everything that is exported is called with everything, right and wrong.
 *
 * `npm run fuzz -- --runs 250 test/unit/constructs/fuzz` is a long run with a random seed.
 */
import { Play } from './play';
import { constructClasses, type Draw, factoriesOf, signatures } from './values';

const programs = runs(40);

const belowOf = (count: number): fc.Arbitrary<number> => fc.noBias(fc.nat({ max: count - 1 }));
/** One of this many values is wrong. */
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
    { numRuns, endOnFailure: true },
  );
}

test('a program is written whole and admitted, or its mistakes are reported and nothing is written', () => {
  played((draw, wrong) => new Play(draw, wrong).run(), programs);
});

// PlatformDefinitions has two properties, but writing its objects takes as long as those of all other classes
const classes = constructClasses.filter((type) => isComplete || type !== 'PlatformDefinitions');

test.each(classes)('%s accepts its arguments or reports what is wrong', (type) =>
  played((draw, wrong) => new Play(draw, wrong, [type]).run(), Math.ceil(programs / 20)),
);

test.each(factories)('$name accepts its arguments or reports what is wrong', ({ type, method, takes }) =>
  played((draw, wrong) => Play.factory(draw, wrong, type, method, takes), Math.ceil(programs / 10)),
);
