import type { ClusterConfig } from '../cluster-config';
import type { Finding, Path } from '../findings';
import type { VirtualMachineInstanceSpec, VirtualMachineSpec } from '../generated/kubevirt-v1';
import { socketsWithinMax } from './cpu';
import { memoryMayGrow } from './memory';
import { gateOff, mistake, nearest } from './rule';

const runStrategies = ['Halted', 'Manual', 'Always', 'RerunOnFailure', 'Once'];

/** A VM must have either `running` or `runStrategy`. */
export function runStrategy({ running, runStrategy: got }: VirtualMachineSpec, at: Path, config: ClusterConfig) {
  const receiver = config.hasGate('DecentralizedLiveMigration');
  const allowed = receiver ? [...runStrategies, 'WaitAsReceiver'] : runStrategies;
  const path = at.at('running');
  const errors: Finding[] = [];
  if (running !== undefined && got !== undefined) {
    const message =
      'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead';
    errors.push(...mistake('run-strategy-one', path, message, 'remove running'));
  }
  if (running === undefined && got === undefined) {
    const remedy = 'set runStrategy, for example to Always';
    errors.push(...mistake('run-strategy-required', path, 'RunStrategy must be specified', remedy, { allowed }));
  }
  if (got === undefined || allowed.includes(got)) return errors;
  const own = at.at('runStrategy');
  if (got === 'WaitAsReceiver') {
    const gate = 'DecentralizedLiveMigration';
    const message = `Invalid RunStrategy (${got}), ${gate} feature gate is not enabled in kubevirt resource`;
    return [...errors, ...gateOff('gate-receiver', own, message, gate, { value: got })];
  }
  const message = `Invalid RunStrategy (${got})`;
  return [...errors, ...mistake('run-strategy', own, message, nearest(got, allowed), { value: got, allowed })];
}

/** Validates a VM on a platform that resizes running guests. `spec` is that of the template. */
export function liveUpdate(spec: VirtualMachineInstanceSpec, at: Path, config: ClusterConfig): Finding[] {
  if (config.vmRolloutStrategy !== 'LiveUpdate') return [];
  return [...socketsWithinMax(spec, at, config), ...memoryMayGrow(spec, at)];
}
