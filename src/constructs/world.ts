import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { type Declared, type World, worldOf } from '../api/lint';
import type { KubeObject } from '../api/meta';
import { isSame } from './same';

/** Objects of an app. */
interface AppWorld {
  readonly world: World;
  readonly declared: ReadonlyMap<ApiObject, DeclaredApiObject>;
  /** Objects that other libraries created. */
  readonly undeclared: readonly ApiObject[];
}

/** Renders an object of this library without the parts that only the manifest needs. */
export interface Renderer {
  object(): KubeObject;
}

/** Field of an ApiObject. Not a WeakMap: with thousands of objects, the garbage collector spends its time on one. */
const RENDERER = Symbol('virt8s.renderer');

const rendererOf = (apiObject: ApiObject): Renderer | undefined =>
  (apiObject as { readonly [RENDERER]?: Renderer })[RENDERER];

const worlds = new WeakMap<IConstruct, AppWorld>();
/** Apps that may have changed since their world was made. */
const stale = new WeakSet<IConstruct>();
const watched = new WeakSet<IConstruct>();

/** Makes this object visible to the rules of other constructs in the app. */
export function declare(apiObject: ApiObject, renderer: Renderer): void {
  Object.defineProperty(apiObject, RENDERER, { value: renderer });
  const { root } = apiObject.node;
  if (watched.has(root)) return;
  watched.add(root);
  // cdk8s validates the app once, and once more for each chart; the root is always first
  root.node.addValidation({
    validate: () => {
      stale.add(root);
      return [];
    },
  });
}

/** Returns the app's objects that other libraries created. */
export const undeclared = (scope: IConstruct): readonly ApiObject[] => appWorld(scope).undeclared;

/** Returns everything that the app declares, with any library. Until an object changes, it is the same world. */
export const worldAt = (scope: IConstruct): World => appWorld(scope).world;

/** Returns an object as the rules of this world see it. */
export function objectOf(apiObject: ApiObject): KubeObject {
  const { declared } = appWorld(apiObject);
  return (declared.get(apiObject) ?? new DeclaredApiObject(apiObject)).object();
}

function appWorld({ node: { root } }: IConstruct): AppWorld {
  const found = worlds.get(root);
  if (found && !stale.has(root)) return found;
  stale.delete(root);
  const objects = root.node.findAll().filter(isApiObject);
  if (found && isUnchanged(found, objects)) return found;
  const declared = new Map(objects.map((each) => [each, new DeclaredApiObject(each)]));
  const foreign = objects.filter((each) => !rendererOf(each));
  const current = { declared, undeclared: foreign, world: worldOf(declared.values()) };
  worlds.set(root, current);
  return current;
}

function isUnchanged({ declared }: AppWorld, objects: readonly ApiObject[]): boolean {
  return declared.size === objects.length && objects.every((each) => declared.get(each)?.isUnchanged());
}

// objects of another copy of cdk8s count as well
const isApiObject = (construct: IConstruct): construct is ApiObject => ApiObject.isApiObject(construct);

/** A class, whose getters all objects share: an app may have thousands. */
class DeclaredApiObject implements Declared {
  public readonly apiVersion: string;
  public readonly kind: string;
  public readonly name: string;
  public readonly namespace?: string;
  private seen?: KubeObject;

  constructor(private readonly apiObject: ApiObject) {
    const { apiVersion, kind, name, metadata } = apiObject;
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.name = name;
    this.namespace = metadata.namespace;
  }

  /** Whether the object is as the rules saw it, or no rule saw it. */
  public isUnchanged(): boolean {
    return this.seen === undefined || isSame(this.seen, this.render());
  }

  public get where(): string {
    const { node } = this.apiObject;
    // users know the construct that they wrote
    return node.id === 'Resource' && node.scope ? node.scope.node.path : node.path;
  }

  /** Bound, because rules take it from the object. */
  public readonly object = (): KubeObject => (this.seen ??= this.render());

  private render(): KubeObject {
    return rendererOf(this.apiObject)?.object() ?? (this.apiObject.toJson() as KubeObject);
  }
}
