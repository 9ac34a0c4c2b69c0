/** Fields of which the platform reads one, or that it looks up by a kind: any other value is accepted, and then fails or is ignored. */
import { mistake, nearest } from '../admission/rule';
import { type Finding, root } from '../findings';
import { kindOf as matcherKind } from '../instancetype';
import { kindOf, machineSpecOf } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { guestsIn } from './network-guests';
import { objectAt, read, textAt } from './read';

/** Reports choices of one object. */
export function choices(object: KubeObject): Finding[] {
  if (kindOf(object) === 'DataSource') return oneSource(object);
  return [...matcherKinds(object), ...oneClock(object)];
}

function oneSource(object: KubeObject): Finding[] {
  const source = objectAt(object, 'spec', 'source') ?? {};
  const given = ['pvc', 'snapshot', 'dataSource'].filter((field) => source[field] !== undefined);
  if (given.length < 2) return [];
  const [first, ...others] = given;
  const cause = `CDI reads ${first}, and ignores ${others.join(' and ')}`;
  return mistake('data-source-one', root.at('spec', 'source', others[0]), cause, `keep one of ${given.join(', ')}`);
}

const KINDS = { instancetype: 'Instancetype', preference: 'Preference' } as const;

/** Reports an instance type or preference of another kind: KubeVirt does not find it, and the VM does not start. */
function matcherKinds(object: KubeObject): Finding[] {
  const path = machineSpecOf(object);
  if (!path) return [];
  return (['instancetype', 'preference'] as const).flatMap((field) => {
    const kind = textAt(object, ...path, field, 'kind');
    if (kind === undefined || matcherKind(field, { kind }) !== undefined) return [];
    const allowed = [`VirtualMachineCluster${KINDS[field]}`, `VirtualMachine${KINDS[field]}`];
    const cause = `${kind} is not a kind of ${field}s`;
    return mistake('matcher-kind', root.at(...path, field, 'kind'), cause, nearest(kind, allowed), {
      value: kind,
      allowed,
    });
  });
}

/** KubeVirt ignores the time zone of a clock with UTC. */
function oneClock(object: KubeObject): Finding[] {
  const guests = guestsIn(object);
  const clock = guests && objectAt(guests.spec, 'domain', 'clock');
  if (!clock || read(clock, 'utc') === undefined || textAt(clock, 'timezone') === undefined) return [];
  const cause = 'the clock has utc, so its time zone is ignored';
  return mistake('clock-one', guests.at.at('domain', 'clock', 'timezone'), cause, 'keep utc or timezone');
}
