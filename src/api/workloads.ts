/** Objects that the controllers of replica sets and pools create. The webhooks add further defaults. */
import { keys } from './keys';
import { KUBEVIRT_API_VERSION } from './constants';
import type {
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstanceSpec,
  VirtualMachineSpec,
  Volume,
} from './generated/kubevirt-v1';
import type { KubeObject, ObjectMeta, OwnerReference } from './meta';

/** On a VM and its template: revision of the pool that it was created from. */
export const POOL_REVISION_LABEL = keys.poolRevision;
/** Finalizer that keeps a pool's VM until the pool has released it. */
export const POOL_FINALIZER = keys.poolFinalizer;
const POOL_API_VERSION = 'pool.kubevirt.io/v1beta1';

/** Fields of a replica set that its VMIs depend on. */
export interface ReplicaSetLike extends KubeObject {
  spec: { template?: { metadata?: ObjectMeta | null; spec?: VirtualMachineInstanceSpec } | null };
}

/** Fields of a pool that its VMs depend on. */
export interface PoolLike extends KubeObject {
  spec: {
    virtualMachineTemplate?: { metadata?: ObjectMeta | null; spec?: VirtualMachineSpec } | null;
    nameGeneration?: {
      appendIndexToConfigMapRefs?: boolean | null;
      appendIndexToSecretRefs?: boolean | null;
    } | null;
  };
}

/**
 * Returns the VMI that a replica set creates; undefined without a template. It has a `generateName` and no name: the API server
 * appends five letters. A set that is not stored yet (no uid) cannot be its owner.
 */
export function instanceOfReplicaSet(set: ReplicaSetLike): VirtualMachineInstance | undefined {
  const { template } = set.spec;
  if (!template) return undefined;
  const { name, generateName, ...metadata } = structuredClone(template.metadata ?? {});
  return {
    apiVersion: KUBEVIRT_API_VERSION,
    kind: 'VirtualMachineInstance',
    metadata: {
      ...metadata,
      generateName: name || generateName || set.metadata.name,
      namespace: set.metadata.namespace,
      ...ownedBy(KUBEVIRT_API_VERSION, 'VirtualMachineInstanceReplicaSet', set),
    },
    spec: structuredClone(template.spec) as VirtualMachineInstanceSpec,
  };
}

/**
 * Returns VM number `index` of a pool; undefined without a template. DataVolumes get the VM's number, and so do ConfigMaps
 * and Secrets if the pool requires it. The revision label requires a stored pool, which has a generation.
 */
export function virtualMachineOfPool(pool: PoolLike, index: number): VirtualMachine | undefined {
  const template = pool.spec.virtualMachineTemplate;
  if (!template?.spec) return undefined;
  const { labels, annotations } = template.metadata ?? {};
  const spec = numbered(template.spec, index, pool.spec.nameGeneration ?? {});
  const { name, namespace, generation } = pool.metadata;
  const revision: Record<string, string> =
    generation === undefined ? {} : { [POOL_REVISION_LABEL]: `${name}-${generation}` };
  if (generation !== undefined && spec.template) {
    const metadata = (spec.template.metadata ?? {}) as ObjectMeta;
    spec.template.metadata = { ...metadata, labels: { ...metadata.labels, ...revision } };
  }
  return {
    apiVersion: KUBEVIRT_API_VERSION,
    kind: 'VirtualMachine',
    metadata: {
      name: `${name}-${index}`,
      namespace,
      ...(labels || generation !== undefined ? { labels: { ...labels, ...revision } } : {}),
      ...(annotations ? { annotations: { ...annotations } } : {}),
      finalizers: [POOL_FINALIZER],
      ...ownedBy(POOL_API_VERSION, 'VirtualMachinePool', pool),
    },
    spec,
  };
}

function ownedBy(apiVersion: string, kind: string, { metadata }: KubeObject): { ownerReferences?: OwnerReference[] } {
  const { name = '', uid } = metadata;
  return uid ? { ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }] } : {};
}

/** Returns the template's spec with the VM's number in the names of objects that each VM has for itself. */
function numbered(
  template: VirtualMachineSpec,
  index: number,
  append: NonNullable<PoolLike['spec']['nameGeneration']>,
): VirtualMachineSpec {
  const spec = structuredClone(template);
  const suffixed = (name: string | undefined): string => `${name ?? ''}-${index}`;
  const own = new Map<string, string>();
  for (const dataVolume of spec.dataVolumeTemplates ?? []) {
    const metadata = ((dataVolume as { metadata?: ObjectMeta }).metadata ??= {});
    own.set(metadata.name ?? '', suffixed(metadata.name));
    metadata.name = suffixed(metadata.name);
  }
  for (const volume of spec.template?.spec?.volumes ?? []) number(volume, own, append, suffixed);
  return spec;
}

/** Numbers the names in a volume. A volume has one source, so the first of these decides. */
function number(
  volume: Volume,
  own: ReadonlyMap<string, string>,
  append: NonNullable<PoolLike['spec']['nameGeneration']>,
  suffixed: (name: string | undefined) => string,
): void {
  const { persistentVolumeClaim: claim, dataVolume, configMap, secret } = volume;
  if (claim) claim.claimName = own.get(claim.claimName) ?? claim.claimName;
  else if (dataVolume) dataVolume.name = own.get(dataVolume.name) ?? dataVolume.name;
  else if (configMap && append.appendIndexToConfigMapRefs) configMap.name = suffixed(configMap.name);
  else if (!append.appendIndexToSecretRefs) return;
  else if (secret) secret.secretName = suffixed(secret.secretName);
  else {
    const cloudInit = volume.cloudInitNoCloud ?? volume.cloudInitConfigDrive;
    for (const reference of [cloudInit?.secretRef, cloudInit?.networkDataSecretRef]) {
      if (reference) reference.name = suffixed(reference.name);
    }
  }
}
