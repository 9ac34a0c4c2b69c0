import { root } from '../findings';
import type { Finding } from '../findings';
import { refusal } from '../kinds/refusal';
import { preferredTopology, spreadOptions } from './preference/topology';
import type { InstancetypeSpec, PreferenceSpec } from './types';

/** KubeVirt names no field of the VM here, but one of the instance type. */
const field = 'instancetype.spec.cpu.guest';

/** vCPUs that are to be spread must come out even. */
export function checkSpread(type: InstancetypeSpec | undefined, preference: PreferenceSpec | undefined): Finding[] {
  if (!type || !preference || preferredTopology(preference) !== 'spread') return [];
  const { guest } = type.cpu;
  const { across, ratio } = spreadOptions(preference);
  if (ratio < 1) {
    return uneven('a ratio of 0 divides no vCPUs', 'set spec.cpu.spreadOptions.ratio of the preference to 2');
  }
  const options = 'Spec.PreferSpreadSocketToCoreRatio or Spec.CPU.PreferSpreadOptions.Ratio';
  const remedy = `choose an instance type of a multiple of ${across === 'SocketsCoresThreads' ? 2 * ratio : ratio} vCPUs`;
  const say = (divisors: string): Finding[] =>
    uneven(`${guest} vCPUs provided by the instance type are not divisible by ${divisors}`, remedy);
  switch (across) {
    case 'SocketsCores':
      return guest % ratio > 0 ? say(`the ${options} of ${ratio} provided by the preference`) : [];
    case 'CoresThreads':
      return guest % ratio > 0 ? say(`the number of threads per core ${ratio}`) : [];
    case 'SocketsCoresThreads':
      return guest % (2 * ratio) > 0 ? say(`the number of threads per core 2 and ${options} of ${ratio}`) : [];
    default:
      return [];
  }
}

const uneven = (message: string, remedy: string): Finding[] => [
  refusal('preference-spread', root.at('spec', 'instancetype'), message, remedy, { field }),
];
