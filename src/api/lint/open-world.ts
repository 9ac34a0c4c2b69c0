import type { ClusterConfig } from '../cluster-config';
import { contextOf } from '../context';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import { kindOf } from '../instancetype';
import type { AdmissionContext, Find } from '../kinds/kind';
import type { KubeObject } from '../meta';
import type { World } from './world';

/** Name of the stand-in for an instance type or preference that only the cluster has; no object can have this name. */
const UNSEEN = '(not declared here)';

/** Required fields of an instance type: the size of a VM conflicts with them in any type. */
const unseen: Record<'instancetype' | 'preference', object> = {
  instancetype: { cpu: { guest: 1 }, memory: { guest: '1Gi' } },
  preference: {},
};

/** Kinds that rules may look up. Other kinds show the state of a cluster, which the app does not have. */
const DECLARED =
  /^(VirtualMachine(Cluster)?(Instancetype|Preference)|DataSource|DataVolume|PersistentVolumeClaim|StorageClass|StorageProfile)$/;

/** Returns the context of a cluster that will have these objects, and may have others. */
export function openContext(config: ClusterConfig, world: Pick<World, 'find'>): AdmissionContext {
  const find: Find = (kind, namespace, name) => {
    if (name === UNSEEN) {
      const spec = kind.endsWith('Preference') ? unseen.preference : unseen.instancetype;
      return { apiVersion: '', kind, metadata: { name }, spec } as KubeObject;
    }
    return DECLARED.test(kind) ? world.find(kind, namespace, name) : undefined;
  };
  return { ...contextOf(config), find };
}

/** Returns a copy of the VM with stand-ins for the instance type and preference that are not declared. */
export function withUnseenMatchers(vm: VirtualMachine, world: Pick<World, 'find'>): VirtualMachine {
  const { instancetype, preference } = vm.spec ?? {};
  if (!instancetype && !preference) return vm;
  const spec = { ...vm.spec };
  for (const field of ['instancetype', 'preference'] as const) {
    const matcher = spec[field];
    // its shape is validated later
    if (typeof matcher !== 'object' || (matcher?.kind && typeof matcher.kind !== 'string')) continue;
    const kind = matcher && kindOf(field, matcher);
    if (!kind || !isSeenElsewhere(vm, field, kind, world)) continue;
    spec[field] = { kind: matcher.kind, name: UNSEEN };
  }
  return { ...vm, spec };
}

function isSeenElsewhere(
  vm: VirtualMachine,
  field: 'instancetype' | 'preference',
  kind: string,
  world: Pick<World, 'find'>,
): boolean {
  const { name, revisionName, inferFromVolume } = vm.spec[field]!;
  // a reference that is both is a mistake with or without a cluster
  if (inferFromVolume && (name || vm.spec[field]!.kind)) return false;
  if (revisionName) return true;
  if (inferFromVolume) return mayHaveLabels(vm, inferFromVolume);
  const namespace = kind.includes('Cluster') ? undefined : vm.metadata.namespace;
  return Boolean(name) && !world.find(kind, namespace, name!);
}

/** Whether a volume refers to an object whose labels may be in the cluster. Other volumes have none, and a missing one too. */
function mayHaveLabels({ spec }: VirtualMachine, name: string): boolean {
  const volume = (spec.template?.spec?.volumes ?? []).find((each) => each?.name === name);
  const dataVolume = volume?.dataVolume?.name;
  const template = spec.dataVolumeTemplates?.find((each) => dataVolume && each?.metadata?.name === dataVolume);
  if (!template) return Boolean(volume?.persistentVolumeClaim ?? volume?.dataVolume);
  const { source, sourceRef } = template.spec ?? {};
  return Boolean(sourceRef ?? source?.pvc ?? source?.snapshot);
}
