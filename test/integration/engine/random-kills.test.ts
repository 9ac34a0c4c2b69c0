/** @needs guest */
import { KillRun } from '../../support/kill-run/run';
import { isComplete } from '../../support/tier';
import { killsOf, VICTIMS } from '../../support/kill-run/schedule';

/** Kills before each landing: one of each program. */
const SAMPLE = VICTIMS.length;
/** `npm run kills` sets these. */
const SEED = Number(process.env.VIRT8S_SEED ?? 1);
const KILLS = Number(process.env.VIRT8S_KILLS ?? (isComplete ? 3 * VICTIMS.length : SAMPLE));
/** Kills after which the operations may end, and what is left is compared. */
const KILLS_PER_ROUND = 20;

/** Kills of random programs at random moments, which follow from the seed. */
describe('random kills', () => {
  const isLong = process.env.VIRT8S_KILLS !== undefined;
  let run: KillRun;
  beforeAll(async () => {
    run = await KillRun.start((line) => void (isLong && process.stderr.write(`${line}\n`)));
  });
  afterAll(async () => expect(await run.end()).toEqual([]));

  test('of a schedule kill every program before any again', () => {
    const kills = killsOf(SEED, 3 * VICTIMS.length);
    expect(kills).toEqual(killsOf(SEED, 3 * VICTIMS.length));
    for (const round of [0, 1, 2]) {
      const victims = kills.slice(round * VICTIMS.length, (round + 1) * VICTIMS.length).map(({ victim }) => victim);
      expect(victims.sort()).toEqual([...VICTIMS].sort());
    }
  });

  test('leave every disk with its bytes, and nothing else', async () => {
    const kills = killsOf(SEED, KILLS);
    for (let at = 0; at < kills.length; at += KILLS_PER_ROUND) await run.during(kills.slice(at, at + KILLS_PER_ROUND));
  });
});
