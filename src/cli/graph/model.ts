/** Objects -> nodes and edges. Pure. */
import { type KubeObject, type Path } from '../../api';
import { kindKey, type Reference, referencesOf, selectableLabels, selectionsOf } from '../../api/references';
import { isClusterScoped } from '../../api/kinds/registry';
import { type Row, rowsOf, summaryOf } from './guest';

/** Origin of an object. `made`: an object of the files creates it. `elsewhere`: the cluster must have it already. */
export type Presence = 'declared' | 'made' | 'elsewhere';

export interface Node {
  /** Unique id: `VirtualMachine/default/web`. */
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly presence: Presence;
  /** Line below the name: `2 CPUs, 4Gi`. */
  readonly summary?: string;
  /** Disks and interfaces of a guest. */
  readonly rows: readonly Row[];
}

export interface Edge {
  readonly from: string;
  /** Row of `from` at which the edge starts. */
  readonly row?: string;
  readonly to: string;
  /** Role of the target: `instancetype`, `source`, `makes`, `selects`. Empty if the row names the role. */
  readonly role: string;
}

export interface Graph {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
}

/** Graph of objects that are applied together. Its order does not depend on the order of the objects. */
export function graphOf(objects: readonly KubeObject[]): Graph {
  const nodes = new Map<string, Node>();
  const ids = new Map<KubeObject, string>();
  for (const object of objects) {
    const node = declared(object);
    // of objects with the same name, the cluster keeps the last
    nodes.set(node.id, node);
    ids.set(object, node.id);
  }
  const edges: Edge[] = [];
  // created objects must be known before references to them are resolved
  const links = objects.flatMap((object) => referencesOf(object).map((reference) => ({ object, reference })));
  for (const { object, reference } of links) {
    if (!reference.isMade) continue;
    const id = idOf(placeOf(object, reference));
    if (!nodes.has(id)) nodes.set(id, other(object, reference, 'made'));
  }
  for (const { object, reference } of links) {
    const to = resolve(object, reference, nodes);
    if (!nodes.has(to)) nodes.set(to, other(object, reference, 'elsewhere'));
    const from = ids.get(object)!;
    const row = rowAt(reference.path, nodes.get(from)!);
    edges.push({ from, to, ...(row ? { row, role: '' } : { role: roleOf(reference) }) });
  }
  const selectable = [...ids].flatMap(([object, id]) => {
    const labels = selectableLabels(object);
    const isGuest = object.kind.startsWith('VirtualMachine');
    return labels ? [{ id, labels, isGuest, namespace: object.metadata.namespace }] : [];
  });
  for (const object of objects) {
    for (const { matches, of } of selectionsOf(object)) {
      const isOfGuests = of === 'VirtualMachineInstance';
      for (const { id, labels, isGuest, namespace } of selectable) {
        const isReached = isOfGuests ? isGuest : namespace === object.metadata.namespace;
        if (isReached && matches(labels)) edges.push({ from: ids.get(object)!, to: id, role: 'selects' });
      }
    }
  }
  const unique = new Map(edges.map((edge) => [JSON.stringify([edge.from, edge.row, edge.to, edge.role]), edge]));
  return {
    nodes: [...nodes.values()].sort((a, b) => compare(a.id, b.id)),
    edges: [...unique].sort(([a], [b]) => compare(a, b)).map(([, edge]) => edge),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface ObjectKey {
  readonly kind: string;
  readonly group: string;
  readonly name: string;
  readonly namespace?: string;
}

/** Unique id. A kind of an unexpected group has the group in it: `Ingress.example.com/default/web`. */
function idOf({ kind, group, name, namespace }: ObjectKey): string {
  const known = group === '' || /(^|\.)(k8s\.io|kubevirt\.io|cncf\.io)$/.test(group) || !group.includes('.');
  return [known ? kind : `${kind}.${group}`, ...(namespace === undefined ? [] : [namespace]), name].join('/');
}

const placeOf = ({ metadata }: KubeObject, { kind, group, name, namespace }: Reference): ObjectKey => ({
  kind,
  group,
  name,
  ...(isClusterScoped(kind) ? {} : { namespace: namespace ?? metadata.namespace }),
});

function declared(object: KubeObject): Node {
  const { apiVersion, kind, metadata } = object;
  const name = String(metadata.name ?? `${metadata.generateName ?? ''}…`);
  const group = kindKey(apiVersion, kind).slice(kind.length + 1);
  const namespace = isClusterScoped(kind) ? undefined : metadata.namespace;
  const id = idOf({ kind, group, name, namespace });
  return { id, kind, name, namespace, presence: 'declared', summary: summaryOf(object), rows: rowsOf(object) };
}

function other(object: KubeObject, reference: Reference, presence: Presence): Node {
  const place = placeOf(object, reference);
  return { id: idOf(place), kind: place.kind, name: place.name, namespace: place.namespace, presence, rows: [] };
}

/** Objects that have the name of their owner: the claim of a DataVolume, the instance of a VM. */
const SAME_NAME: Readonly<Record<string, Pick<ObjectKey, 'kind' | 'group'>>> = {
  PersistentVolumeClaim: { kind: 'DataVolume', group: 'cdi.kubevirt.io' },
  VirtualMachineInstance: { kind: 'VirtualMachine', group: 'kubevirt.io' },
};

function resolve(object: KubeObject, reference: Reference, nodes: ReadonlyMap<string, Node>): string {
  const place = placeOf(object, reference);
  const id = idOf(place);
  const twin = SAME_NAME[place.kind];
  if (nodes.has(id) || !twin) return id;
  const maker = idOf({ ...place, ...twin });
  return nodes.has(maker) ? maker : id;
}

/** Row of the guest that contains a field: `volumes[2].…` belongs to the row of the third volume. */
function rowAt({ parts }: Path, { rows }: Node): string | undefined {
  const at = parts.findIndex((part) => part === 'volumes' || part === 'networks');
  const id = `${parts[at]}${parts[at + 1]}`;
  return at >= 0 && rows.some((row) => row.id === id) ? id : undefined;
}

const BORING = new Set([
  'spec',
  'template',
  'virtualMachineTemplate',
  'jobTemplate',
  'domain',
  'containers',
  'initContainers',
]);

function roleOf({ path, isMade }: Reference): string {
  if (isMade) return 'makes';
  const words = path.parts.filter((part): part is string => typeof part === 'string' && !BORING.has(part));
  return words[0] ?? '';
}
