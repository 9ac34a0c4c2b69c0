import { mistake, notOneOf } from '../admission/rule';
import { type Finding, type Path, text } from '../findings';
import { deprecatedTopologies, preferredTopology, spreadOptions, spreads, topologies } from './preference/topology';
import type { InstancetypeSpec, PreferenceSpec } from './types';

/** Returns every mistake in an instance type's spec. */
export function validateInstancetypeSpec({ memory }: InstancetypeSpec, at: Path): Finding[] {
  const percent = memory?.overcommitPercent ?? 0;
  const path = at.at('memory', 'overcommitPercent');
  const errors: Finding[] = [];
  if (percent < 0 || percent > 100) {
    const message = `${path} '${percent}': must be in range between 0 and 100.`;
    errors.push(...mistake('overcommit-range', path, message, 'use 0 to 100', { value: percent }));
  }
  if (percent !== 0 && memory?.hugepages) {
    const message = text`${path} and ${at.at('memory', 'hugepages')} should not be requested together.`;
    errors.push(
      ...mistake('overcommit-hugepages', path, message, 'remove one of them: huge pages are never overcommitted'),
    );
  }
  return errors;
}

/** Returns warnings of deprecated fields. */
export function instancetypeWarnings({ launchSecurity }: InstancetypeSpec): string[] {
  return launchSecurity
    ? ['launchSecurity is deprecated and will be removed in a future release. Use preference instead.']
    : [];
}

/** Returns every mistake in a preference's spec. */
export function validatePreferenceSpec(spec: PreferenceSpec, at: Path): Finding[] {
  return [...topologyIsKnown(spec, at.at('cpu')), ...spreadIsPossible(spec, at.at('cpu', 'spreadOptions'))];
}

function topologyIsKnown({ cpu }: PreferenceSpec, at: Path): Finding[] {
  const got: string | undefined = cpu?.preferredCPUTopology;
  if (deprecatedTopologies.has(got)) return [];
  const path = at.at('preferredCPUTopology');
  const message = `unknown preferredCPUTopology ${got}`;
  // an empty string is not a topology either
  if (got === '') return mistake('preferred-topology', path, message, 'remove it', { value: got, allowed: topologies });
  return notOneOf('preferred-topology', path, got, topologies, message, { type: 'FieldValueInvalid' });
}

function spreadIsPossible(spec: PreferenceSpec, at: Path): Finding[] {
  if (preferredTopology(spec) !== 'spread') return [];
  const { across, ratio } = spreadOptions(spec);
  if (!spreads.some((known) => known === across)) {
    return mistake(
      'spread-across',
      at.at('across'),
      `across ${across} is not supported`,
      'use one of the allowed values',
      {
        value: across,
        allowed: spreads,
      },
    );
  }
  const path = at.at('ratio');
  if (across === 'CoresThreads' && ratio !== 2) {
    return mistake(
      'spread-ratio',
      path,
      'only a ratio of 2 (1 core 2 threads) is allowed when spreading vCPUs over cores and threads',
      'remove the ratio, or spread over SocketsCores',
      { value: ratio },
    );
  }
  if (ratio < 1) return mistake('spread-ratio', path, 'a ratio of 0 is not possible', 'use 2', { value: ratio });
  return [];
}

/** Returns warnings of deprecated values. */
export function preferenceWarnings({ cpu }: PreferenceSpec): string[] {
  const topology = cpu?.preferredCPUTopology;
  const better = deprecatedTopologies.get(topology);
  return better
    ? [`PreferredCPUTopology ${topology} is deprecated for removal in a future release, please use ${better} instead`]
    : [];
}
