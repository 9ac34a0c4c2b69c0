import { Path } from './path';

/** A text that names fields of the manifest. */
export interface Message {
  readonly text: string;
  /** Fields by the names that the text uses, so that a construct's mistake can name its properties instead. */
  readonly fields: Readonly<Record<string, Path>>;
}

/** A field of the manifest and a short name: `cpu.dedicatedCpuPlacement`. */
export interface Named {
  readonly path: Path;
  readonly name: string;
}

/** Returns a field with the name that a text uses: the name itself, or this number of last parts of the path. */
export const named = (path: Path, name: string | number): Named => ({
  path,
  name: typeof name === 'string' ? name : `${Path.of(...path.parts.slice(-name))}`,
});

/** Returns a text that remembers which fields it names: text`set ${named(path, 'cpu.cores')}`. */
export function text(
  strings: TemplateStringsArray,
  ...values: (string | number | undefined | Path | Named | Message)[]
): Message {
  const fields: Record<string, Path> = {};
  const words = values.map((value) => {
    if (typeof value !== 'object') return value;
    if (!(value instanceof Path) && 'text' in value) {
      Object.assign(fields, value.fields);
      return value.text;
    }
    const { path, name } = value instanceof Path ? { path: value, name: `${value}` } : value;
    fields[name] = path;
    return name;
  });
  return { text: String.raw({ raw: strings }, ...words), fields };
}

/** Returns the cause and the remedy of a finding, and the fields that they name. */
export function wordsOf(
  cause: string | Message,
  remedy: string | Message,
): { cause: string; remedy: string; fields?: Readonly<Record<string, Path>> } {
  const words = { cause: textIn(cause), remedy: textIn(remedy) };
  if (typeof cause === 'string' && typeof remedy === 'string') return words;
  return { ...words, fields: { ...fieldsIn(cause), ...fieldsIn(remedy) } };
}

const textIn = (message: string | Message): string => (typeof message === 'string' ? message : message.text);
const fieldsIn = (message: string | Message): Message['fields'] => (typeof message === 'string' ? {} : message.fields);

/** Field of the KubeVirt object's configuration, for findings about other objects. */
export const ofKubeVirt = (...parts: string[]): Named => ({
  path: Path.of(KUBEVIRT, 'spec', 'configuration', ...parts),
  name: ['spec', 'configuration', ...parts].join('.'),
});

/** First part of the path of a field of the KubeVirt object. */
export const KUBEVIRT = 'KubeVirt';
