/** The restored VM. Pure. */
import { keys } from '../../../../api/keys';
import type { VirtualMachine } from '../../../../api';
import { namedClaim } from '../../pod';
import type { Content, Restore, Vm } from '../types';
import { markOf } from './names';

type Spec = VirtualMachine['spec'];

/** Name of the DataVolume template of a volume; undefined if its claim does not come from one. */
export function templateOf(content: Content, volumeName: string): string | undefined {
  const spec = content.spec.source.virtualMachine?.spec;
  const name = spec?.template.spec?.volumes?.find((volume) => volume.name === volumeName)?.dataVolume?.name;
  return spec?.dataVolumeTemplates?.find((template) => template?.metadata?.name === name)?.metadata?.name;
}

/** Spec of the snapshot, with the restored claims. */
export function specOf(content: Content, restore: Restore): Spec {
  const spec = structuredClone(content.spec.source.virtualMachine?.spec as Spec);
  const restores = restore.status?.restores ?? [];
  const templates = spec.dataVolumeTemplates ?? [];
  for (const volume of spec.template.spec?.volumes ?? []) {
    const restored = restores.find(({ volumeName }) => volumeName === volume.name);
    if (!restored || namedClaim(volume) === undefined) continue;
    const template = templates.find((each) => each?.metadata?.name === volume.dataVolume?.name);
    if (volume.dataVolume && template?.metadata) {
      template.metadata.name = restored.persistentVolumeClaim;
      volume.dataVolume.name = restored.persistentVolumeClaim;
    } else if (volume.dataVolume) {
      delete volume.dataVolume;
      volume.persistentVolumeClaim = { claimName: restored.persistentVolumeClaim };
    } else if (volume.persistentVolumeClaim) {
      volume.persistentVolumeClaim.claimName = restored.persistentVolumeClaim;
    }
  }
  const { template } = spec;
  if (template.spec?.volumes) template.spec.volumes = template.spec.volumes.filter(({ memoryDump }) => !memoryDump);
  return spec;
}

/** Patch of an existing VM, which keeps its run strategy. */
export function restoredSpec(content: Content, restore: Restore, vm: Vm): object {
  const spec = specOf(content, restore);
  const { running, runStrategy } = vm.spec;
  const strategy =
    running === undefined || running === null ? { running: null, runStrategy } : { running: false, runStrategy: null };
  return { ...replaced(vm.spec, spec), ...strategy };
}

/** Merge patch from one object to another: what the second one lacks becomes null. */
function replaced(from: unknown, to: unknown): Record<string, unknown> {
  const [old, next] = [from, to] as Record<string, unknown>[];
  const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.keys({ ...old, ...next }).map((key) => {
      if (!(key in next)) return [key, null];
      return [key, isMap(old[key]) && isMap(next[key]) ? replaced(old[key], next[key]) : next[key]];
    }),
  );
}

/** A new VM, which is halted. It is complete when its mark has been added, together with the patches of the user. */
export function newVm(content: Content, restore: Restore): Vm {
  const source = content.spec.source.virtualMachine;
  const { running, ...spec } = specOf(content, restore);
  const { [keys.lastRestore]: _mark, ...annotations } = source?.metadata?.annotations ?? {};
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: {
      name: restore.spec.target.name,
      namespace: restore.metadata.namespace,
      labels: source?.metadata?.labels,
      annotations: { ...annotations, [keys.restoreName]: markOf(restore) },
    },
    spec: { ...spec, ...(running === undefined || running === null ? { runStrategy: 'Halted' } : { running: false }) },
  };
}

/** Operations that complete a new VM. */
export const completing = (restore: Restore): string[] => [
  ...(restore.spec.patches ?? []),
  JSON.stringify({ op: 'add', path: `/metadata/annotations/${escaped(keys.lastRestore)}`, value: markOf(restore) }),
];

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Whether this restore created the VM. */
export const isCreatedBy = ({ metadata }: Vm, restore: Restore): boolean =>
  metadata.annotations?.[keys.restoreName] === markOf(restore);
