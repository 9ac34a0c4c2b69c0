import type { PreferenceSpec } from '../types';

/** Field of the topology that vCPUs are assigned to. */
export type Topology = 'sockets' | 'cores' | 'threads' | 'spread' | 'any';
export type SpreadAcross = 'SocketsCores' | 'CoresThreads' | 'SocketsCoresThreads';

/** Deprecated names, which still work. */
export const deprecatedTopologies: ReadonlyMap<string | undefined, Topology> = new Map([
  ['preferSockets', 'sockets'],
  ['preferCores', 'cores'],
  ['preferThreads', 'threads'],
  ['preferSpread', 'spread'],
  ['preferAny', 'any'],
]);
export const topologies: readonly Topology[] = ['sockets', 'cores', 'threads', 'spread', 'any'];
export const spreads: readonly SpreadAcross[] = ['SocketsCores', 'CoresThreads', 'SocketsCoresThreads'];

/** Returns the topology of a preference. Default: sockets; an unknown value is returned unchanged. */
export function preferredTopology(preference: PreferenceSpec | undefined): string {
  const written: string = preference?.cpu?.preferredCPUTopology ?? 'sockets';
  return deprecatedTopologies.get(written) ?? written;
}

/** Returns the fields that vCPUs are spread over, and the ratio. */
export function spreadOptions(preference: PreferenceSpec): { ratio: number; across: string } {
  const { across = 'SocketsCores', ratio } = preference.cpu?.spreadOptions ?? {};
  return { across, ratio: ratio ?? (preference.preferSpreadSocketToCoreRatio || 2) };
}
