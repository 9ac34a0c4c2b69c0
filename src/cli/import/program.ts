/** All objects -> the program that declares them. */
import { cleaned } from './clean';
import { declare, type Declared } from './convert';
import { type Expression, object, value, variable } from './expression';
import type { Manifest, Surroundings } from './kinds/kind';
import { Names } from './names';
import { chartId, type ChartOf, type Item, settle } from './settle';
import { textOf, type TextOptions } from './text';
import { CHART, helpers, type Libraries, type Stand } from './trial';

/** The objects of one file. */
export interface Source {
  /** As the user named it; `-` is standard input. */
  readonly file: string;
  readonly objects: readonly Manifest[];
  /** Said before the object of this place in the code. */
  readonly comments?: ReadonlyMap<number, readonly string[]>;
}

/** What became of one object. */
export interface ImportedObject extends Declared {
  readonly object: Manifest;
  readonly file: string;
  readonly stripped: readonly string[];
}

export interface Program {
  readonly text: string;
  readonly objects: readonly ImportedObject[];
}

/** Writes the program. It was run before it is answered: it makes these objects, in this order. */
export function programOf(libraries: Libraries, sources: readonly Source[], options: TextOptions): Program {
  const names = new Names();
  const charts = chartsOf(sources, names);
  const items = itemsOf(libraries, sources, names);
  settle(libraries, items, charts, names);
  const told = items.map(({ object: given, file, stripped, declared }) => ({
    ...declared,
    object: given,
    file,
    stripped,
  }));
  return { text: textOf(items, charts, names, options), objects: told };
}

function chartsOf(sources: readonly Source[], names: Names): ChartOf[] {
  const ids = new Names();
  if (sources.length === 1) return [{ name: names.identifier(CHART), id: chartId(baseName(sources[0]!.file)) }];
  return sources.map(({ file }) => {
    const id = ids.text(chartId(baseName(file)));
    return { id, name: names.identifier(`${id}-chart`) };
  });
}

/** `manifests/my_vm.yaml` -> `my_vm` */
const baseName = (file: string): string =>
  file === '-'
    ? 'app'
    : file
        .replace(/\/+$/, '')
        .replace(/^.*\//, '')
        .replace(/\.(ya?ml|json|xml)$/i, '');

function itemsOf(libraries: Libraries, sources: readonly Source[], names: Names): Item[] {
  const constants = new Map<string, string>();
  const stands = new Map<string, Stand>();
  const help = helpers(libraries, stands);
  const configured = sources.some(({ objects }) => objects.some(({ kind }) => kind === 'KubeVirt'));
  return sources.flatMap((source, chart) => {
    const ids = new Names();
    return source.objects.map((given, place): Item => {
      const { object: kept, stripped } = cleaned(given);
      const object = kept as Manifest;
      const { kind, apiVersion, metadata } = object;
      const called = String(metadata.name ?? metadata.generateName ?? kind).replace(/-+$/, '');
      const name = names.identifier(called, kind);
      const id = ids.text(idOf(called), idOf(`${called}-${kind.toLowerCase()}`));
      const namespace = typeof metadata.namespace === 'string' ? metadata.namespace : undefined;
      const around: Surroundings = {
        ...help,
        name,
        object: { name: String(metadata.name), namespace },
        reference: (kinds, wanted, inNamespace = namespace) => {
          const keys = [kinds].flat().map((each) => keyOf(each, inNamespace, wanted));
          const found = keys.map((key) => constants.get(key)).find((constant) => constant !== undefined);
          return found === undefined ? objectNamed(wanted) : variable(found);
        },
      };
      const declared = declare(libraries, object, { id, around, stands, configured });
      if (typeof metadata.name === 'string') {
        constants.set(keyOf(kind, namespace, metadata.name), name);
        stands.set(name, { name: metadata.name, kind, apiVersion, metadata: { namespace } });
      }
      const comment = source.comments?.get(place);
      return { object, file: source.file, stripped, chart, id, declared, around, stands, comment };
    });
  });
}

const keyOf = (kind: string, namespace: string | undefined, name: string): string =>
  `${kind}/${namespace ?? ''}/${name}`;

const objectNamed = (name: string): Expression => object({ name: value(name) });

/** A construct's id: `/` parts a path, and what every object has by its prototype is taken. */
const idOf = (name: string): string => (name in Object.prototype ? `${name}.` : name.replaceAll('/', '.') || 'object');
