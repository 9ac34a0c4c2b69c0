/** References to objects of the same namespace that the app declares in another namespace. */
import { mistake } from '../admission/rule';
import type { Finding } from '../findings';
import type { KubeObject } from '../meta';
import { isClusterScoped } from '../kinds/registry';
import { type Reference, referencesOf } from '../references';
import { describeObject } from './network-guests';
import type { World } from './world';

/** Kinds whose references have rules of their own, which also look at the namespace (`network.ts`, `protection.ts`). */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'NetworkAttachmentDefinition',
  'VirtualMachine',
  'VirtualMachineInstance',
  'VirtualMachineSnapshot',
  'VirtualMachineBackup',
  'VirtualMachineBackupTracker',
]);

/** Other kinds that create an object of this kind with their own name. */
const CREATORS: ReadonlyMap<string, readonly string[]> = new Map([
  ['PersistentVolumeClaim', ['DataVolume']],
  ['Secret', ['ExternalSecret', 'SealedSecret']],
]);

const CLUSTER_KINDS: ReadonlyMap<string, string> = new Map([
  ['VirtualMachineInstancetype', 'VirtualMachineClusterInstancetype'],
  ['VirtualMachinePreference', 'VirtualMachineClusterPreference'],
]);

/** Reports references to objects that the app declares in another namespace only. Both namespaces must be known. */
export function referencesStayInNamespace(object: KubeObject, world: World): Finding[] {
  const { namespace } = object.metadata;
  if (namespace === undefined || world.namespaces.size < 2) return [];
  const references = referencesOf(object);
  const created = new Set(references.filter(({ isMade }) => isMade).map(keyOf));
  return references.flatMap((reference) => {
    const { kind, name, path } = reference;
    if (reference.isMade || reference.namespace !== undefined) return [];
    if (ELSEWHERE.has(kind) || isClusterScoped(kind) || created.has(keyOf(reference))) return [];
    const declared = [kind, ...(CREATORS.get(kind) ?? [])].flatMap((each) =>
      world.all(each).filter((candidate) => candidate.name === name),
    );
    // an object without a namespace is applied to that of kubectl's context, which may be this one
    if (declared.length === 0 || declared.some((each) => (each.namespace ?? namespace) === namespace)) return [];
    const [elsewhere] = declared;
    const cause = `${describeObject(elsewhere)} is in the namespace "${elsewhere.namespace}", but this object is in "${namespace}"`;
    return mistake('reference-namespace', path, cause, remedyFor(kind, namespace), { value: name });
  });
}

const keyOf = ({ kind, name }: Reference): string => `${kind} ${name}`;

function remedyFor(kind: string, namespace: string): string {
  const clusterKind = CLUSTER_KINDS.get(kind);
  if (clusterKind) return `declare it in "${namespace}", or use a ${clusterKind}, which all namespaces can use`;
  if (kind === 'PersistentVolumeClaim' || kind === 'DataVolume') {
    return `declare it in "${namespace}", or copy it with a DataVolume, which can read from another namespace`;
  }
  return `declare it in "${namespace}": a ${kind} must be in the namespace of the object that names it`;
}
