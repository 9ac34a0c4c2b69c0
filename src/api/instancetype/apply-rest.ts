import type { Finding, Path } from '../findings';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import type { ObjectMeta } from '../meta';
import { conflictAt } from './conflict';
import type { InstancetypeSpec } from './types';

/** Applies node labels and scheduler: those of the instance type, which conflict with the VM's own. */
export function applyPlacement(type: InstancetypeSpec, spec: VirtualMachineInstanceSpec, at: Path): Finding[] {
  const conflicts: Finding[] = [];
  if (type.nodeSelector) {
    if (spec.nodeSelector) conflicts.push(conflictAt(at.at('nodeSelector')));
    else spec.nodeSelector = { ...type.nodeSelector };
  }
  if (type.schedulerName) {
    if (spec.schedulerName) conflicts.push(conflictAt(at.at('schedulerName')));
    else spec.schedulerName = type.schedulerName;
  }
  return conflicts;
}

/** Applies I/O threads, launch security and assigned devices. */
export function applyDevices(type: InstancetypeSpec, spec: VirtualMachineInstanceSpec, at: Path): Finding[] {
  const { domain } = spec;
  const path = at.at('domain');
  const conflicts: Finding[] = [];
  const give = (taken: boolean, where: Path, apply: () => void): void => {
    if (taken) conflicts.push(conflictAt(where));
    else apply();
  };
  const count = type.ioThreads?.supplementalPoolThreadCount;
  if (count != null) {
    const taken = domain.ioThreads?.supplementalPoolThreadCount !== undefined;
    give(taken, path.at('ioThreads', 'supplementalPoolThreadCount'), () => {
      domain.ioThreads = { ...domain.ioThreads, supplementalPoolThreadCount: count };
    });
  }
  if (type.ioThreadsPolicy != null) {
    give(domain.ioThreadsPolicy !== undefined, path.at('ioThreadsPolicy'), () => {
      domain.ioThreadsPolicy = type.ioThreadsPolicy;
    });
  }
  if (type.launchSecurity) {
    give(domain.launchSecurity !== undefined, path.at('launchSecurity'), () => {
      domain.launchSecurity = structuredClone(type.launchSecurity);
    });
  }
  const devices = (domain.devices ??= {});
  if (type.gpus?.length) {
    give(Boolean(devices.gpus?.length), path.at('devices', 'gpus'), () => {
      devices.gpus = structuredClone(type.gpus);
    });
  }
  if (type.hostDevices?.length) {
    give(Boolean(devices.hostDevices?.length), path.at('devices', 'hostDevices'), () => {
      devices.hostDevices = structuredClone(type.hostDevices);
    });
  }
  return conflicts;
}

/** Applies annotations. Equal values do not conflict. */
export function applyAnnotations(given: Record<string, string> | undefined, metadata: ObjectMeta, at: Path): Finding[] {
  const own = (metadata.annotations ??= {});
  return Object.entries(given ?? {}).flatMap(([key, value]) => {
    if (own[key] !== undefined && own[key] !== value) return [conflictAt(at.at(key), { field: `annotations.${key}` })];
    own[key] = value;
    return [];
  });
}
