/** @needs guest @tier all */
import { FleetRun } from '../../support/fleet-run/run';
import { faultsOf, FLEET_VICTIMS } from '../../support/fleet-run/schedule';

/** `npm run kills -- --fleet` sets these. */
const SEED = Number(process.env.VIRT8S_SEED ?? 1);
const FAULTS = Number(process.env.VIRT8S_KILLS ?? FLEET_VICTIMS.length);
const VMS = Number(process.env.VIRT8S_VMS ?? 3);
/** Seconds without the API server: longer than the 50 s after which a silent node is not Ready, and its last renewal. */
const OUTAGE = Number(process.env.VIRT8S_OUTAGE ?? 65);
/** Faults after which everything must work again. */
const FAULTS_PER_ROUND = 10;

/** Kills programs and disconnects nodes at random moments, which follow from the seed. */
describe('random faults of three nodes', () => {
  const isLong = process.env.VIRT8S_KILLS !== undefined;
  let run: FleetRun | undefined;
  beforeAll(async () => {
    run = await FleetRun.start(VMS, (line) => void (isLong && process.stderr.write(`${line}\n`)));
  });
  afterAll(async () => {
    if (run) expect(await run.end()).toEqual([]);
  });

  test('end no guest, duplicate nothing, and leave nothing', async () => {
    const faults = faultsOf(SEED, FAULTS);
    for (let at = 0; at < faults.length; at += FAULTS_PER_ROUND) {
      await run!.during(faults.slice(at, at + FAULTS_PER_ROUND));
    }
  });

  if (OUTAGE > 0) {
    test('a time without the API server ends no guest', () => run!.withoutApiServer(OUTAGE * 1_000));
  }
});
