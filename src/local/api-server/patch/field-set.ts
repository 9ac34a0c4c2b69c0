import { own } from '../json/values';
import { TypeSchema } from '../schema/type-schema';
import { compareElements, fieldName, parseElement, PathElement, printElement } from './path-element';

/**
 * A set of field paths, as a tree. `members` are the paths that end here, `children` the longer ones.
 * Only `insert` changes a set.
 */
export class FieldSet {
  public readonly members = new Set<PathElement>();
  public readonly children = new Map<PathElement, FieldSet>();

  public static of(...paths: PathElement[][]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  /** Parses `fieldsV1`. Throws on invalid elements. */
  public static fromFieldsV1(fields: unknown): FieldSet {
    const set = new FieldSet();
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      throw new Error('fieldsV1 is not an object');
    for (const [text, below] of Object.entries(fields)) {
      if (text === '.') continue;
      const element = parseElement(text);
      if (element === undefined) throw new Error(`"${text}" is not a path element`);
      const child = FieldSet.fromFieldsV1(below ?? {});
      const selfIncluded = Object.keys((below as object) ?? {}).includes('.');
      if (selfIncluded || child.empty) set.members.add(element);
      if (!child.empty) set.children.set(element, child);
    }
    return set;
  }

  public get empty(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  public insert(path: readonly PathElement[]): void {
    const [first, ...rest] = path;
    if (first === undefined) return; // nobody owns the whole object
    if (rest.length === 0) return void this.members.add(first);
    let child = this.children.get(first);
    if (!child) this.children.set(first, (child = new FieldSet()));
    child.insert(rest);
  }

  public has(path: readonly PathElement[]): boolean {
    const [first, ...rest] = path;
    if (first === undefined) return false;
    return rest.length === 0 ? this.members.has(first) : (this.children.get(first)?.has(rest) ?? false);
  }

  public union(other: FieldSet): FieldSet {
    const set = new FieldSet();
    for (const m of this.members) set.members.add(m);
    for (const m of other.members) set.members.add(m);
    for (const [e, child] of this.children) {
      const theirs = other.children.get(e);
      set.children.set(e, theirs ? child.union(theirs) : child);
    }
    for (const [e, child] of other.children) if (!this.children.has(e)) set.children.set(e, child);
    return set;
  }

  public intersection(other: FieldSet): FieldSet {
    const set = new FieldSet();
    for (const m of this.members) if (other.members.has(m)) set.members.add(m);
    for (const [e, child] of this.children) {
      const theirs = other.children.get(e);
      if (theirs) set.adopt(e, child.intersection(theirs));
    }
    return set;
  }

  /** Paths of this set that are not in `other`; paths below a path of `other` are kept. */
  public difference(other: FieldSet): FieldSet {
    const set = new FieldSet();
    for (const m of this.members) if (!other.members.has(m)) set.members.add(m);
    for (const [e, child] of this.children) {
      const theirs = other.children.get(e);
      set.adopt(e, theirs ? child.difference(theirs) : child);
    }
    return set;
  }

  /** Paths of this set that are neither in `other` nor below one of its paths. */
  public recursiveDifference(other: FieldSet): FieldSet {
    const set = new FieldSet();
    for (const m of this.members) if (!other.members.has(m)) set.members.add(m);
    for (const [e, child] of this.children) {
      if (other.members.has(e)) continue;
      const theirs = other.children.get(e);
      set.adopt(e, theirs ? child.recursiveDifference(theirs) : child);
    }
    return set;
  }

  /** Adds declared fields that are on the way to a path: `spec` of `spec.x`, but not `labels` of `labels.x`. */
  public withNamedFields(schema: TypeSchema | undefined): FieldSet {
    const set = new FieldSet();
    for (const m of this.members) set.members.add(m);
    for (const [e, child] of this.children) {
      const name = fieldName(e);
      const declared = name === undefined ? undefined : own(schema?.fields, name);
      if (declared) set.members.add(e);
      const below = name === undefined ? schema?.items : (declared ?? schema?.values);
      set.children.set(e, child.withNamedFields(below));
    }
    return set;
  }

  /** Calls `visit` for each path: those that end here before those below, in FieldsV1's order. */
  public forEach(visit: (path: PathElement[]) => void, prefix: PathElement[] = []): void {
    for (const m of [...this.members].sort(compareElements)) visit([...prefix, m]);
    for (const e of [...this.children.keys()].sort(compareElements))
      this.children.get(e)?.forEach(visit, [...prefix, e]);
  }

  public toFieldsV1(): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    const all = [...new Set([...this.members, ...this.children.keys()])].sort(compareElements);
    for (const e of all) {
      const below = this.children.get(e)?.toFieldsV1() ?? {};
      const both = this.members.has(e) && Object.keys(below).length > 0;
      out[e] = both ? { '.': {}, ...below } : below;
    }
    return out;
  }

  private adopt(element: PathElement, child: FieldSet): void {
    if (!child.empty) this.children.set(element, child);
  }
}

/** `.spec.disks[name="a"].bus` */
export const printPath = (path: readonly PathElement[]): string => path.map(printElement).join('');
