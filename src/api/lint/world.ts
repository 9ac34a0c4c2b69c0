import type { KubeObject } from '../meta';

/** An object that will be applied together with others. What is in it is made only when a rule asks. */
export interface Declared {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Undefined: the namespace that the objects are applied to, or none. */
  readonly namespace?: string;
  /** Where a person finds it: the construct's path, or file and line. */
  readonly where: string;
  object(): KubeObject;
}

/** Objects that will be applied together. What is not among them may be in the cluster already. */
export interface World {
  /** Namespaces that the objects name. */
  readonly namespaces: ReadonlySet<string>;
  /** Every object of a kind. */
  all(kind: string): readonly Declared[];
  /** Objects of this kind, namespace and name; more than one is a mistake. */
  named(kind: string, namespace: string | undefined, name: string): readonly Declared[];
  /** The object, when it is one of these. */
  find(kind: string, namespace: string | undefined, name: string): KubeObject | undefined;
}

/** Looks each object up by kind, namespace and name without making it. */
export function worldOf(objects: Iterable<Declared>): World {
  const kinds = new Map<string, Declared[]>();
  /** Of each kind, by name and namespace. */
  const names = new Map<string, Map<string, Declared[]>>();
  const key = (namespace: string | undefined, name: string): string =>
    namespace === undefined ? name : `${name} ${namespace}`;
  const namespaces = new Set<string>();
  for (const declared of objects) {
    const { kind, namespace, name } = declared;
    if (namespace !== undefined) namespaces.add(namespace);
    listIn(kinds, kind).push(declared);
    let ofKind = names.get(kind);
    if (!ofKind) names.set(kind, (ofKind = new Map<string, Declared[]>()));
    listIn(ofKind, key(namespace, name)).push(declared);
  }
  const named: World['named'] = (kind, namespace, name) => names.get(kind)?.get(key(namespace, name)) ?? none;
  return {
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

/** Nothing else is declared. */
export const emptyWorld: World = worldOf([]);
