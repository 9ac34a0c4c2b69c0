import { sampleOf } from '../../../../support/tier';
import type { RunStrategy } from '../../../../../src/api/run-state';
import { moments, Simulation, timings } from './simulation';
import type { Step } from './simulation';

/**
 * All orders of two and three requests, for every run strategy and at every moment of an instance's life, with the
 * controller's passes in between, at the same time and late. Every decision is virt-api's and virt-controller's own.
 */
const strategies: RunStrategy[] = ['Always', 'Halted', 'Manual', 'Once', 'RerunOnFailure', 'WaitAsReceiver'];
const steps: Step[] = [
  ...(['start', 'start --paused', 'stop', 'restart'] as const),
  ...(['edit Always', 'edit Halted', 'edit Manual', 'edit RerunOnFailure'] as const),
];
const pairs = steps.flatMap((a) => steps.map((b) => [a, b]));
// a third edit to Always is what the pairs have already
const inTriples = steps.filter((step) => step !== 'edit Always');
const triples = inTriples.flatMap((a) => inTriples.flatMap((b) => inTriples.map((c) => [a, b, c])));
// 7 and 29 have no common factor with the numbers of requests and timings, so a sample has every request at every place
const ofPairs = sampleOf(
  pairs.flatMap((order) => [
    ...timings.map((timing) => ({ order, timing, isFresh: false })),
    ...(['none', 'after'] as const).map((timing) => ({ order, timing, isFresh: true })),
  ]),
  7,
);
const ofTriples = sampleOf(
  triples.flatMap((order) => (['none', 'after'] as const).map((timing) => ({ order, timing, isFresh: false }))),
  29,
);
type Run = (typeof ofPairs)[number];
/** Moments with the same decisions as while the instance is created or runs, as the runs of pairs show. */
const likeOthers = ['pending', 'scheduling', 'scheduled', 'paused', 'unknown'];

/** The strategy that the user chose by an accepted request, given the one that was in the spec. */
function chosen(step: Step, before: RunStrategy): RunStrategy {
  if (step.startsWith('edit ')) return step.slice(5) as RunStrategy;
  if (step === 'stop') return ['Always', 'Once', 'WaitAsReceiver'].includes(before) ? 'Halted' : before;
  return step.startsWith('start') && before === 'Halted' ? 'Always' : before;
}

const startsAlone = (strategy: RunStrategy): boolean => strategy === 'Always' || strategy === 'Once';
const isNoStop = (step: Step): boolean => step.startsWith('edit ') && step !== 'edit Halted';

/** Problem of the end of one run; undefined if there is none. */
function verdict(strategy: RunStrategy, moment: string, { order, timing, isFresh }: Run): string | undefined {
  const world = new Simulation(strategy, moment, isFresh);
  const writeLate = world.lookEarly();
  let wanted = strategy;
  let last: Step | undefined;
  let before: string | undefined;
  let wasUp = false;
  for (const step of order) {
    const spec = world.strategy!;
    const uid = world.vmi?.metadata.uid;
    const isUp = world.isLive && !world.vmi?.metadata.deletionTimestamp;
    if (!world.ask(step, timing)) continue;
    wanted = chosen(step, step.startsWith('edit ') ? wanted : spec);
    last = step;
    before = uid;
    wasUp = isUp;
  }
  if (timing === 'last') writeLate();
  world.settle();
  if (world.strategy !== wanted) return `runStrategy is ${world.strategy}, the user chose ${wanted}`;
  const phase = world.vmi?.status?.phase;
  if (world.vm.status?.stateChangeRequests?.length) return 'a request stays open';
  // a stop of Manual is refused while nothing runs, and what Always was about to make outlives the change to Manual
  const isOfAlways = last === 'edit Manual' && timing === 'last' && startsAlone(strategy);
  if (order.at(-1) === 'stop' && world.isLive && !isOfAlways)
    return last === 'stop' ? 'runs after a stop' : 'a stop was refused, and it runs';
  const isKept = wasUp && startsAlone(strategy) && last === 'edit Manual' && order.every(isNoStop);
  if (isKept && world.vmi?.metadata.uid !== before) return 'lost an instance that nobody stopped';
  if (last === 'edit Halted' && world.vmi) return 'has an instance although Halted';
  if (last === 'restart' && world.vmi?.metadata.uid === before) return 'was not restarted';
  if (['start', 'start --paused', 'restart', 'edit Always'].includes(last ?? '') && !world.isLive)
    return `does not run: ${phase}`;
  const isPaused = world.vmi?.spec.startStrategy === 'Paused';
  if (last === 'start --paused' && !isPaused) return 'was not started paused';
  if (last === 'start' && isPaused) return 'was started paused';
  return undefined;
}

// the work is bounded by the table, not by the machine
describe.each(strategies)('%s', (strategy) => {
  test.each(Object.keys(moments))('ends in the state of the last request: %s', (moment) => {
    const runs: readonly Run[] = likeOthers.includes(moment) ? ofPairs : [...ofPairs, ...ofTriples];
    const wrong = runs.flatMap((run) => {
      const what = verdict(strategy, moment, run);
      return what ? [`${run.isFresh ? 'fresh, ' : ''}${run.order.join(', ')} (${run.timing}): ${what}`] : [];
    });
    expect(wrong).toEqual([]);
  });
});
