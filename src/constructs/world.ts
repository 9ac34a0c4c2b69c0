import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { type Declared, type World, worldOf } from '../api/lint';
import type { KubeObject } from '../api/meta';

/** Objects of an app. */
interface AppWorld {
  readonly world: World;
  readonly made: ReadonlyMap<ApiObject, Declared>;
  /** Objects that other libraries created. */
  readonly undeclared: readonly ApiObject[];
}

/** Functions that render the objects of this library, without the parts that only the manifest needs. */
const makers = new WeakMap<ApiObject, () => KubeObject>();
const worlds = new WeakMap<IConstruct, AppWorld>();
const watched = new WeakSet<IConstruct>();

/** Makes this object visible to the rules of other constructs in the app. */
export function declare(apiObject: ApiObject, object: () => KubeObject): void {
  makers.set(apiObject, object);
  const { root } = apiObject.node;
  if (watched.has(root)) return;
  watched.add(root);
  // cdk8s validates the root first, so each synth sees the current state of the app
  root.node.addValidation({
    validate: () => {
      worlds.delete(root);
      return [];
    },
  });
}

/** Returns the app's objects that other libraries created. */
export const undeclared = (scope: IConstruct): readonly ApiObject[] => appWorld(scope).undeclared;

/** Returns everything that the app declares, with any library. */
export const worldAt = (scope: IConstruct): World => appWorld(scope).world;

/** Returns an object as other objects' rules see it. It is rendered once for each synth. */
export function objectOf(apiObject: ApiObject): KubeObject {
  const { made } = appWorld(apiObject);
  return (made.get(apiObject) ?? declared(apiObject)).object();
}

function appWorld({ node: { root } }: IConstruct): AppWorld {
  let found = worlds.get(root);
  if (!found) {
    const made = new Map<ApiObject, Declared>();
    const foreign: ApiObject[] = [];
    for (const each of root.node.findAll()) {
      if (!isApiObject(each)) continue;
      made.set(each, declared(each));
      if (!makers.has(each)) foreign.push(each);
    }
    worlds.set(root, (found = { made, undeclared: foreign, world: worldOf(made.values()) }));
  }
  return found;
}

// objects of another copy of cdk8s count as well
const isApiObject = (construct: IConstruct): construct is ApiObject => ApiObject.isApiObject(construct);

function declared(apiObject: ApiObject): Declared {
  const { apiVersion, kind, name, metadata, node } = apiObject;
  const make = makers.get(apiObject);
  let object: KubeObject | undefined;
  return {
    apiVersion,
    kind,
    name,
    namespace: metadata.namespace,
    // users know the construct that they wrote
    where: node.id === 'Resource' && node.scope ? node.scope.node.path : node.path,
    object: () => (object ??= make ? make() : (apiObject.toJson() as KubeObject)),
  };
}
