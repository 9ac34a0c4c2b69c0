import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { type Declared, type World, worldOf } from '../api/lint';
import type { KubeObject } from '../api/meta';

/** A world, and whose objects are in it. */
interface AppWorld {
  readonly world: World;
  readonly made: ReadonlyMap<ApiObject, Declared>;
}

/** How the constructs of this library make their objects: without what only the manifest needs. */
const makers = new WeakMap<ApiObject, () => KubeObject>();
const worlds = new WeakMap<IConstruct, AppWorld>();
const watched = new WeakSet<IConstruct>();

/** Other constructs of the app may look at this object. */
export function declare(apiObject: ApiObject, object: () => KubeObject): void {
  makers.set(apiObject, object);
  const { root } = apiObject.node;
  if (watched.has(root)) return;
  watched.add(root);
  // the root is asked first: each synth sees the app as it is then
  root.node.addValidation({
    validate: () => {
      worlds.delete(root);
      return [];
    },
  });
}

/** The objects of the app that other libraries make. */
export function undeclared(scope: IConstruct): ApiObject[] {
  return [...appWorld(scope).made.keys()].filter((apiObject) => !makers.has(apiObject));
}

/** Everything that the app declares, by whatever library. */
export const worldAt = (scope: IConstruct): World => appWorld(scope).world;

/** An object as the others see it: made once for each synth. */
export function objectOf(apiObject: ApiObject): KubeObject {
  const { made } = appWorld(apiObject);
  return (made.get(apiObject) ?? declared(apiObject)).object();
}

function appWorld({ node: { root } }: IConstruct): AppWorld {
  let found = worlds.get(root);
  if (!found) {
    const made = new Map(
      root.node
        .findAll()
        .filter(isApiObject)
        .map((each) => [each, declared(each)] as const),
    );
    worlds.set(root, (found = { made, world: worldOf(made.values()) }));
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
