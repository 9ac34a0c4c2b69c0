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
  const names = new Map<string, Declared[]>();
  const key = (kind: string, namespace: string | undefined, name: string): string =>
    `${kind} ${namespace ?? ''} ${name}`;
  const add = (map: Map<string, Declared[]>, at: string, declared: Declared): void => {
    const list = map.get(at);
    if (list) list.push(declared);
    else map.set(at, [declared]);
  };
  for (const declared of objects) {
    add(kinds, declared.kind, declared);
    add(names, key(declared.kind, declared.namespace, declared.name), declared);
  }
  return {
    all: (kind) => kinds.get(kind) ?? [],
    named: (kind, namespace, name) => names.get(key(kind, namespace, name)) ?? [],
    find: (kind, namespace, name) => names.get(key(kind, namespace, name))?.[0]?.object(),
  };
}

/** Nothing else is declared. */
export const emptyWorld: World = worldOf([]);
