/** Creates the program that declares all objects. */
import { cleaned } from './clean';
import { declare, type Declared } from './convert';
import { type Expression, object, value, variable } from './expression';
import type { Manifest, Surroundings } from './kinds/kind';
import { Names } from './names';
import { chartId, type ChartOf, type Item, settle } from './settle';
import { textOf, type TextOptions } from './text';
import { CHART, helpers, type Libraries, type Constant } from './trial';

/** Objects of one file. */
export interface Source {
  /** Path that the user passed; `-` is standard input. */
  readonly file: string;
  readonly objects: readonly Manifest[];
  /** Comments before the objects, by index. */
  readonly comments?: ReadonlyMap<number, readonly string[]>;
}

/** Result for one object. */
export interface ImportedObject extends Declared {
  readonly object: Manifest;
  readonly file: string;
  readonly stripped: readonly string[];
}

export interface Program {
  readonly text: string;
  readonly objects: readonly ImportedObject[];
}

/** Writes the program and runs it: it renders exactly these objects, in this order. */
export function programOf(libraries: Libraries, sources: readonly Source[], options: TextOptions): Program {
  const names = new Names();
  const charts = chartsOf(sources, names);
  const items = itemsOf(libraries, sources, names);
  settle(libraries, items, charts, names);
  const objects = items.map(({ object: given, file, stripped, declared }) => ({
    ...declared,
    object: given,
    file,
    stripped,
  }));
  return { text: textOf(items, charts, names, options), objects };
}

function chartsOf(sources: readonly Source[], names: Names): ChartOf[] {
  const ids = new Names();
  if (sources.length === 1) return [{ name: names.identifier(CHART), id: chartId(baseName(sources[0]!.file)) }];
  return sources.map(({ file }) => {
    const id = ids.text(chartId(baseName(file)));
    return { id, name: names.identifier(`${id}-chart`) };
  });
}

/** File name without folder and extension: `my_vm` for `manifests/my_vm.yaml`. */
const baseName = (file: string): string =>
  file === '-'
    ? 'app'
    : file
        .replace(/\/+$/, '')
        .replace(/^.*\//, '')
        .replace(/\.(ya?ml|json|xml)$/i, '');

function itemsOf(libraries: Libraries, sources: readonly Source[], names: Names): Item[] {
  const constants = new Map<string, string>();
  const declarations = new Map<string, Constant>();
  const help = helpers(libraries, declarations);
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
      const declared = declare(libraries, object, { id, around, constants: declarations, configured });
      if (typeof metadata.name === 'string') {
        constants.set(keyOf(kind, namespace, metadata.name), name);
        declarations.set(name, { name: metadata.name, kind, apiVersion, metadata: { namespace } });
      }
      const comment = source.comments?.get(place);
      return { object, file: source.file, stripped, chart, id, declared, around, constants: declarations, comment };
    });
  });
}

const keyOf = (kind: string, namespace: string | undefined, name: string): string =>
  `${kind}/${namespace ?? ''}/${name}`;

const objectNamed = (name: string): Expression => object({ name: value(name) });

/** Id of a construct: `/` would separate a path, and names of `Object.prototype` are not allowed. */
const idOf = (name: string): string => (name in Object.prototype ? `${name}.` : name.replaceAll('/', '.') || 'object');
