import { root } from '../findings';
import type { Finding } from '../findings';
import { refusal } from '../kinds/refusal';
import { preferredTopology, spreadOptions } from './preference/topology';
import type { InstancetypeSpec, PreferenceSpec } from './types';

/** Field in KubeVirt's messages, which is a field of the instance type instead of the VM. */
const field = 'instancetype.spec.cpu.guest';

/** The number of vCPUs must be divisible by the ratio of the preference. */
export function checkSpread(type: InstancetypeSpec | undefined, preference: PreferenceSpec | undefined): Finding[] {
  if (!type || !preference || preferredTopology(preference) !== 'spread') return [];
  const { guest } = type.cpu;
  const { across, ratio } = spreadOptions(preference);
  if (ratio < 1) {
    return uneven('a ratio of 0 is not possible', 'set the ratio of the preference to 2, or leave it out');
  }
  const options = 'Spec.PreferSpreadSocketToCoreRatio or Spec.CPU.PreferSpreadOptions.Ratio';
  const remedy = `choose an instance type with a multiple of ${across === 'SocketsCoresThreads' ? 2 * ratio : ratio} vCPUs`;
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
