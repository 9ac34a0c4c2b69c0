import type { KubeObject, ObjectMeta } from '../../api/meta';

/** `namespace/name`, or `name` of a cluster-scoped object: the key of caches and queues. */
export const keyOf = (object: { metadata: ObjectMeta }): string =>
  object.metadata.namespace ? `${object.metadata.namespace}/${object.metadata.name}` : (object.metadata.name ?? '');

/** The parts of a key. */
export function splitKey(key: string): { namespace?: string; name: string } {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** Whether `a` was written before `b`. Versions are numbers by the API's contract since Kubernetes 1.35 (KEP-5504). */
export function olderVersion(a: string | undefined, b: string | undefined): boolean {
  if (!a || !b) return !a && Boolean(b);
  return a.length !== b.length ? a.length < b.length : a < b;
}

/** Values under which an index contains an object. */
export type Indexer<T> = (object: T) => readonly string[];

/** One change: without `before` an addition, without `after` a deletion. */
export interface Change<T> {
  readonly before?: T;
  readonly after?: T;
}

/** Objects by key, with indexes. Pure: no clock and no network. */
export class Cache<T extends KubeObject> {
  private readonly objects = new Map<string, T>();
  private readonly indexes = new Map<string, Map<string, Set<string>>>();

  public constructor(private readonly indexers: Readonly<Record<string, Indexer<T>>> = {}) {
    for (const name of Object.keys(indexers)) this.indexes.set(name, new Map());
  }

  public get size(): number {
    return this.objects.size;
  }

  public get(key: string): T | undefined {
    return this.objects.get(key);
  }

  public list(): T[] {
    return [...this.objects.values()];
  }

  public byIndex(index: string, value: string): T[] {
    const found = this.indexes.get(index);
    if (!found) throw new Error(`cache: index "${index}" does not exist (known: ${[...this.indexes.keys()]})`);
    return [...(found.get(value) ?? [])].map((key) => this.objects.get(key) as T);
  }

  public set(object: T): Change<T> {
    const key = keyOf(object);
    const before = this.objects.get(key);
    if (before) this.unindex(key, before);
    this.objects.set(key, object);
    for (const [name, indexer] of Object.entries(this.indexers)) {
      const index = this.indexes.get(name) as Map<string, Set<string>>;
      for (const value of indexer(object)) {
        const keys = index.get(value);
        if (keys) keys.add(key);
        else index.set(value, new Set([key]));
      }
    }
    return { before, after: object };
  }

  public delete(key: string): Change<T> {
    const before = this.objects.get(key);
    if (!before) return {};
    this.unindex(key, before);
    this.objects.delete(key);
    return { before };
  }

  /** Replaces all objects; returns the actual changes. */
  public replace(objects: readonly T[]): Change<T>[] {
    const removed = new Set(this.objects.keys());
    const changes: Change<T>[] = [];
    for (const object of objects) {
      removed.delete(keyOf(object));
      const change = this.set(object);
      if (!isSame(change.before, object)) changes.push(change);
    }
    return [...[...removed].map((key) => this.delete(key)), ...changes];
  }

  private unindex(key: string, object: T): void {
    for (const [name, indexer] of Object.entries(this.indexers)) {
      const index = this.indexes.get(name) as Map<string, Set<string>>;
      for (const value of indexer(object)) {
        const keys = index.get(value);
        keys?.delete(key);
        if (keys?.size === 0) index.delete(value);
      }
    }
  }
}

/** Whether both are the same version of the same object. */
export const isSame = (a: KubeObject | undefined, b: KubeObject | undefined): boolean =>
  a?.metadata.uid === b?.metadata.uid && a?.metadata.resourceVersion === b?.metadata.resourceVersion;
