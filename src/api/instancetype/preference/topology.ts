import type { PreferenceSpec } from '../types';

/** How a guest sees its vCPUs. */
export type Topology = 'sockets' | 'cores' | 'threads' | 'spread' | 'any';
export type SpreadAcross = 'SocketsCores' | 'CoresThreads' | 'SocketsCoresThreads';

/** The older names, which still work. */
export const deprecatedTopologies: ReadonlyMap<string | undefined, Topology> = new Map([
  ['preferSockets', 'sockets'],
  ['preferCores', 'cores'],
  ['preferThreads', 'threads'],
  ['preferSpread', 'spread'],
  ['preferAny', 'any'],
]);
export const topologies: readonly Topology[] = ['sockets', 'cores', 'threads', 'spread', 'any'];
export const spreads: readonly SpreadAcross[] = ['SocketsCores', 'CoresThreads', 'SocketsCoresThreads'];

/** Sockets unless it says otherwise; an unknown word stays as it is. */
export function preferredTopology(preference: PreferenceSpec | undefined): string {
  const written: string = preference?.cpu?.preferredCPUTopology ?? 'sockets';
  return deprecatedTopologies.get(written) ?? written;
}

/** Over what vCPUs are spread, and in which proportion. */
export function spreadOptions(preference: PreferenceSpec): { ratio: number; across: string } {
  const { across = 'SocketsCores', ratio } = preference.cpu?.spreadOptions ?? {};
  return { across, ratio: ratio ?? (preference.preferSpreadSocketToCoreRatio || 2) };
}
