import type { ClusterConfig } from '../cluster-config';
import { contextOf } from '../context';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import { kindOf } from '../instancetype';
import type { AdmissionContext, Find } from '../kinds/kind';
import type { KubeObject } from '../meta';
import type { World } from './world';

/** Stands for an instance type or preference that only the cluster holds; no object can have this name. */
const UNSEEN = '(not declared here)';

/** What an instance type always has: with it, a VM's own size is a conflict whatever the type is. */
const unseen: Record<'instancetype' | 'preference', object> = {
  instancetype: { cpu: { guest: 1 }, memory: { guest: '1Gi' } },
  preference: {},
};

/** What may be found: other kinds tell about what happened in a cluster, and nothing has happened yet. */
const DECLARED =
  /^(VirtualMachine(Cluster)?(Instancetype|Preference)|DataSource|DataVolume|PersistentVolumeClaim|StorageClass|StorageProfile)$/;

/** The context of a cluster that will hold these objects, and may hold others. */
export function openContext(config: ClusterConfig, world: World): AdmissionContext {
  const find: Find = (kind, namespace, name) => {
    if (name === UNSEEN) {
      const spec = kind.endsWith('Preference') ? unseen.preference : unseen.instancetype;
      return { apiVersion: '', kind, metadata: { name }, spec } as KubeObject;
    }
    return DECLARED.test(kind) ? world.find(kind, namespace, name) : undefined;
  };
  return { ...contextOf(config), find };
}

/** The VM with stand-ins for the instance type and preference that are not declared. Does not change what it is given. */
export function withUnseenMatchers(vm: VirtualMachine, world: World): VirtualMachine {
  const { instancetype, preference } = vm.spec ?? {};
  if (!instancetype && !preference) return vm;
  const spec = { ...vm.spec };
  for (const field of ['instancetype', 'preference'] as const) {
    const matcher = spec[field];
    // its shape is judged later
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
  world: World,
): boolean {
  const { name, revisionName, inferFromVolume } = vm.spec[field]!;
  if (revisionName) return true;
  // a volume that the VM does not have is a mistake that needs no cluster
  if (inferFromVolume) {
    return (vm.spec.template?.spec?.volumes ?? []).some((volume) => volume?.name === inferFromVolume);
  }
  const namespace = kind.includes('Cluster') ? undefined : vm.metadata.namespace;
  return Boolean(name) && !world.find(kind, namespace, name!);
}
