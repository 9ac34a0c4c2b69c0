import { inRandomRounds, randomNumbers } from '../dying-client';

/** Parts that a run over several nodes breaks. None of them may end a guest. */
export const FLEET_VICTIMS = [
  'virt-operator',
  'virt-api',
  'virt-controller',
  'virt-handler',
  'virt-launcher',
  'upload-proxy',
  'api-server',
  'engine',
  'node agent',
  'node network',
] as const;

export type FleetVictim = (typeof FLEET_VICTIMS)[number];

export interface FleetFault {
  readonly victim: FleetVictim;
  /** Selects one of several processes or nodes. */
  readonly choice: number;
  /** Time since the fault before it. */
  readonly afterMs: number;
  /** Time for which a node is disconnected. */
  readonly lastsMs: number;
}

const LONGEST_PAUSE_MS = 3_000;
const SHORTEST_BREAK_MS = 1_000;
/** A node that is silent for 40 s loses its Pods, as in Kubernetes. A busy machine may need most of this time to connect it. */
const LONGEST_BREAK_MS = 10_000;

/** Faults that follow from a seed: each victim once before any again, in a random order and at random moments. */
export function faultsOf(seed: number, count: number): FleetFault[] {
  const random = randomNumbers(seed);
  const victims = inRandomRounds(FLEET_VICTIMS, random);
  return Array.from({ length: count }, () => ({
    victim: victims.next().value,
    choice: random(1 << 16),
    afterMs: random(LONGEST_PAUSE_MS),
    lastsMs: SHORTEST_BREAK_MS + random(LONGEST_BREAK_MS - SHORTEST_BREAK_MS),
  }));
}
