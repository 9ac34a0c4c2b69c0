import type { IConstruct } from 'constructs';
import type { ConstructManifest } from './manifests';

/** Kinds that other objects take their content or identity from. They need nothing but their namespace. */
const SOURCES = new Set(['v1/Secret', 'v1/ConfigMap', 'v1/ServiceAccount']);

/**
 * Returns for each object the paths of the objects that must exist first: dependencies of its construct, its namespace,
 * the definition of its kind, and the Secrets, ConfigMaps and ServiceAccounts that it names.
 */
export function prerequisites(all: ReadonlyMap<string, ConstructManifest>): Map<string, string[]> {
  const objects = [...all].map(([path, manifest]) => ({ path, ...manifest }));
  const namespaces = objects.filter(({ manifest }) => typeOf(manifest) === 'v1/Namespace');
  const definitions = objects.filter(({ manifest }) => manifest.kind === 'CustomResourceDefinition');
  const sources = objects.filter(({ manifest }) => SOURCES.has(typeOf(manifest)));

  return new Map(
    objects.map((object) => {
      const { path, manifest, construct } = object;
      const first = new Set<string>();
      for (const it of namespaces) if (it.manifest.metadata.name === manifest.metadata.namespace) first.add(it.path);
      for (const it of definitions) if (defines(it.manifest, manifest)) first.add(it.path);
      if (!sources.includes(object) && !namespaces.includes(object)) {
        const words = wordsOf(manifest);
        for (const it of sources) if (words.has(it.manifest.metadata.name)) first.add(it.path);
      }
      for (const it of objects)
        if (dependencies(construct).some((on) => isWithin(it.construct, on))) first.add(it.path);
      first.delete(path);
      return [path, [...first]];
    }),
  );
}

const typeOf = ({ apiVersion, kind }: ConstructManifest['manifest']): string => `${apiVersion}/${kind}`;

function defines(
  definition: ConstructManifest['manifest'],
  { apiVersion, kind }: ConstructManifest['manifest'],
): boolean {
  const { group, names } = definition.spec as { group: string; names: { kind: string } };
  return apiVersion.startsWith(`${group}/`) && names.kind === kind;
}

/** Returns dependencies of the construct and of the constructs that contain it. */
function dependencies(construct: IConstruct): IConstruct[] {
  return construct.node.scopes
    .flatMap((scope) => scope.node.dependencies)
    .filter((on) => !construct.node.scopes.includes(on));
}

const isWithin = (construct: IConstruct, outer: IConstruct): boolean => construct.node.scopes.includes(outer);

/** Returns every string in a manifest's body. */
function wordsOf(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') found.add(value);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) wordsOf(item, found);
  return found;
}
