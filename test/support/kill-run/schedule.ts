import { inRandomRounds, randomNumbers } from '../dying-client';

/** Programs that the run kills. `guest` is QEMU, so that the VM of the run starts again; the others must not end it. */
export const VICTIMS = [
  'importer',
  'virt-controller',
  'virt-handler',
  'virt-launcher',
  'libvirtd',
  'virt-api',
  'engine',
  'api-server',
  'guest',
] as const;

export type Victim = (typeof VICTIMS)[number];

export interface Kill {
  readonly victim: Victim;
  /** Time since the kill before it. */
  readonly afterMs: number;
}

const SHORTEST_MS = 100;
const LONGEST_MS = 4_000;

/** Kills that follow from a seed: each victim once before any is killed again, in a random order and at random moments. */
export function killsOf(seed: number, count: number): Kill[] {
  const random = randomNumbers(seed);
  const victims = inRandomRounds(VICTIMS, random);
  return Array.from({ length: count }, () => ({
    victim: victims.next().value,
    afterMs: SHORTEST_MS + random(LONGEST_MS - SHORTEST_MS),
  }));
}
