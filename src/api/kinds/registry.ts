/**
 * The kinds of the platform. How each is served is generated from `api/schema`; this file adds facts that several rooms
 * need. Tables of other rooms are `Record<KindName, …>`: a kind without an entry does not compile.
 */
import { kinds } from '../generated/kinds';

/** Name of a kind of KubeVirt or CDI. No two groups share one. */
export type KindName = keyof typeof kinds;

/** Group, versions, plural and scope of a kind. */
export interface KindFacts {
  readonly group: string;
  /** Version for new objects. */
  readonly version: string;
  /** Every served version, oldest first. */
  readonly versions: readonly string[];
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
}

export { kinds };

/** Every kind, in alphabetical order. */
export const allKinds = Object.keys(kinds) as readonly KindName[];

/** Facts of a kind, by name alone. */
export const kindFacts: Readonly<Record<KindName, KindFacts>> = kinds;

/** Returns the group of an API version: `kubevirt.io` of `kubevirt.io/v1`; empty for Kubernetes' own `v1`. */
export const groupOf = (apiVersion: unknown): string =>
  typeof apiVersion === 'string' && apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** Returns the kind of an object, by its group and kind in any version; undefined when the platform does not define it. */
export function kindOf(object: { readonly apiVersion?: unknown; readonly kind?: unknown }): KindName | undefined {
  const kind = String(object.kind);
  if (!Object.hasOwn(kinds, kind)) return undefined;
  const { group } = kindFacts[kind as KindName];
  const version = String(object.apiVersion);
  return version === group || version.startsWith(`${group}/`) ? (kind as KindName) : undefined;
}

/** Names by which commands accept a kind: `vm`, `vms`, `virtualmachine`, `virtualmachines`. */
export function namesOfKind(kind: KindName): string[] {
  const { shortNames, singular, plural } = kindFacts[kind];
  return [...shortNames, singular, plural];
}

/** `VirtualMachine.kubevirt.io`: the key of a kind in tables that also have kinds of Kubernetes. */
export const keyOfKind = (kind: KindName): string => `${kind}.${kindFacts[kind].group}`;

/** The same table, by `VirtualMachine.kubevirt.io`. */
export const byKey = <T>(table: Readonly<Partial<Record<KindName, T>>>): Record<string, T> =>
  Object.fromEntries(Object.entries(table).map(([kind, value]) => [keyOfKind(kind as KindName), value]));

/** A kind of the platform, or one of its subresources: `VirtualMachine`, `VirtualMachine/status`. */
export type Collection = KindName | `${KindName}/${string}`;

/** Group and resources of kinds of one group, as roles and webhooks name them. */
export function collections(...targets: [Collection, ...Collection[]]): { group: string; resources: string[] } {
  const found = targets.map((target) => {
    const [kind, ...rest] = target.split('/') as [KindName, ...string[]];
    const { group, plural } = kindFacts[kind];
    return { group, resource: [plural, ...rest].join('/') };
  });
  return { group: found[0].group, resources: found.map(({ resource }) => resource) };
}

/** Cluster-scoped kinds of Kubernetes that manifests name. */
const KUBERNETES_CLUSTER_SCOPED: ReadonlySet<string> = new Set([
  'APIService',
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'Group',
  'IngressClass',
  'MutatingWebhookConfiguration',
  'Namespace',
  'Node',
  'PersistentVolume',
  'PriorityClass',
  'StorageClass',
  'User',
  'ValidatingWebhookConfiguration',
  'VolumeSnapshotClass',
]);

/** Whether objects of the kind have no namespace. Kinds that the library does not know are namespaced. */
export const isClusterScoped = (kind: string): boolean =>
  Object.hasOwn(kinds, kind) ? !kindFacts[kind as KindName].namespaced : KUBERNETES_CLUSTER_SCOPED.has(kind);

/** Kinds that run guests: fields that lead to the template of a guest; an empty list where the object is the template. */
export const GUEST_TEMPLATES = {
  VirtualMachine: ['spec', 'template'],
  VirtualMachineInstance: [],
  VirtualMachineInstanceReplicaSet: ['spec', 'template'],
  VirtualMachinePool: ['spec', 'virtualMachineTemplate', 'spec', 'template'],
} as const satisfies Partial<Record<KindName, readonly string[]>>;

/** Kinds that hold the spec of a VM: fields that lead to it. */
export const MACHINE_SPECS = {
  VirtualMachine: ['spec'],
  VirtualMachinePool: ['spec', 'virtualMachineTemplate', 'spec'],
} as const satisfies Partial<Record<KindName, readonly string[]>>;

/** Returns the fields that lead to the template of the object's guest; undefined when it runs none. */
export function guestTemplateOf(object: Parameters<typeof kindOf>[0]): readonly string[] | undefined {
  const kind = kindOf(object);
  return kind && (GUEST_TEMPLATES as Partial<Record<KindName, readonly string[]>>)[kind];
}

/** Returns the fields that lead to the spec of the object's VM; undefined when it has none. */
export function machineSpecOf(object: Parameters<typeof kindOf>[0]): readonly string[] | undefined {
  const kind = kindOf(object);
  return kind && (MACHINE_SPECS as Partial<Record<KindName, readonly string[]>>)[kind];
}
