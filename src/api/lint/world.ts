import type { KubeObject } from '../meta';

/** An object that will be applied together with others. Its content is rendered only when a rule needs it. */
export interface Declared {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Undefined: the namespace that the objects are applied to, or the object is cluster-scoped. */
  readonly namespace?: string;
  /** Place of the object for its author: the construct's path, or file and line. */
  readonly where: string;
  object(): KubeObject;
}

/** Objects that will be applied together. Other objects may be in the cluster already. */
export interface World {
  /** Whether no two objects have the same kind, namespace and name. */
  readonly isUnique: boolean;
  /** Namespaces that the objects name. */
  readonly namespaces: ReadonlySet<string>;
  /** Every object of a kind. */
  all(kind: string): readonly Declared[];
  /** Objects of this kind, namespace and name; more than one is a mistake. */
  named(kind: string, namespace: string | undefined, name: string): readonly Declared[];
  /** The object, when it is one of these. */
  find(kind: string, namespace: string | undefined, name: string): KubeObject | undefined;
}

/** Indexes objects by kind, namespace and name without rendering them. */
export function worldOf(objects: Iterable<Declared>): World {
  const kinds = new Map<string, Declared[]>();
  /** Of each kind, by name and namespace. */
  const names = new Map<string, Map<string, Declared[]>>();
  const key = (namespace: string | undefined, name: string): string =>
    namespace === undefined ? name : `${name} ${namespace}`;
  const namespaces = new Set<string>();
  let isUnique = true;
  for (const declared of objects) {
    const { kind, namespace, name } = declared;
    if (namespace !== undefined) namespaces.add(namespace);
    listIn(kinds, kind).push(declared);
    let ofKind = names.get(kind);
    if (!ofKind) names.set(kind, (ofKind = new Map<string, Declared[]>()));
    if (listIn(ofKind, key(namespace, name)).push(declared) > 1) isUnique = false;
  }
  const named: World['named'] = (kind, namespace, name) => names.get(kind)?.get(key(namespace, name)) ?? none;
  return {
    isUnique,
    namespaces,
    all: (kind) => kinds.get(kind) ?? none,
    named,
    find: (kind, namespace, name) => named(kind, namespace, name)[0]?.object(),
  };
}

const none: readonly Declared[] = [];

function listIn(map: Map<string, Declared[]>, at: string): Declared[] {
  let list = map.get(at);
  if (!list) map.set(at, (list = []));
  return list;
}

/** A world without objects. */
export const emptyWorld: World = worldOf([]);
