import { type Finding, type Path, text } from '../findings';
import type { Probe } from '../generated/kubevirt-v1';
import { negative } from './memory';
import { networksOf } from './network';
import { InstanceRule, mistake, nearest } from './rule';

export const startStrategy: InstanceRule = (spec, at) => {
  const got = spec.startStrategy as string | undefined;
  if (got === undefined) return [];
  const path = at.at('startStrategy');
  if (got !== 'Paused') {
    const message = `${path} is set with an unrecognized option: ${got}`;
    return mistake('start-strategy', path, message, 'write Paused, or remove it', { value: got, allowed: ['Paused'] });
  }
  if (!spec.livenessProbe) return [];
  const message = text`either ${path} or ${at.at('livenessProbe')} should be provided.Pausing VMI with LivenessProbe is not supported`;
  return mistake('start-strategy-probe', path, message, 'remove one of them');
};

/** Reports a negative grace period. KubeVirt accepts it, and the API server rejects the Pod. */
export const gracePeriod: InstanceRule = (spec, at) => {
  const got = spec.terminationGracePeriodSeconds ?? 0;
  return got < 0 ? negative('grace-period-positive', at.at('terminationGracePeriodSeconds'), got) : [];
};

const evictions = ['LiveMigrate', 'LiveMigrateIfPossible', 'None', 'External'];

export const evictionStrategy: InstanceRule = (spec, at, config) => {
  const got = spec.evictionStrategy ?? config.evictionStrategy;
  if (evictions.includes(got)) return [];
  const path = at.at('evictionStrategy');
  const message = `${path} is set with an unrecognized option: ${got}`;
  return mistake('eviction-strategy', path, message, nearest(got, evictions), { value: got, allowed: evictions });
};

const handlers = ['httpGet', 'tcpSocket', 'exec', 'guestAgentPing'] as const;

/** A probe must have one handler. HTTP and TCP probes require the Pod network. */
export const probes: InstanceRule = (spec, at) => {
  if (!spec.readinessProbe && !spec.livenessProbe) return [];
  const fields = ['readinessProbe', 'livenessProbe'] as const;
  const each = (check: (probe: Probe, at: Path) => Finding[]): Finding[] =>
    fields.flatMap((field) => (spec[field] ? check(spec[field], at.at(field)) : []));
  const onPodNetwork = networksOf(spec).some(({ pod }) => pod);
  return [...each(oneHandler), ...(onPodNetwork ? [] : each(noNetwork))];
};

function oneHandler(probe: Probe, at: Path): Finding[] {
  const used = handlers.filter((handler) => probe[handler]);
  const errors: Finding[] = [];
  if (used.length > 1) {
    const message = `${at} must have exactly one probe type set`;
    errors.push(...mistake('probe-one', at, message, `keep one of ${used.join(', ')}`));
  }
  if (used.length === 0) {
    const message = text`either ${at.at('tcpSocket')}, ${at.at('exec')} or ${at.at('httpGet')} must be set if a ${at} is specified`;
    const extra = { type: 'FieldValueRequired', allowed: handlers } as const;
    errors.push(...mistake('probe-one', at, message, 'add one of them', extra));
  }
  return errors;
}

function noNetwork(probe: Probe, at: Path): Finding[] {
  const errors: Finding[] = [];
  for (const handler of ['httpGet', 'tcpSocket'] as const) {
    if (!probe[handler]) continue;
    const path = at.at(handler);
    const message = `${path} is only allowed if the Pod Network is attached`;
    errors.push(...mistake('probe-pod-network', path, message, 'use guestAgentPing: {} or exec'));
  }
  return errors;
}
