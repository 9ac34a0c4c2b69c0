/** Texts that JavaScript makes of values that are missing: `registry.example/os:undefined`. */
import { mistake } from '../admission/rule';
import { type Finding, type Path, root } from '../findings';
import type { KubeObject } from '../meta';
import { isObject, type Json } from './read';

const WORD = /(^|[-./:@_=])(undefined|NaN)($|[-./:@_=])/;

/** Host of a URL in a script or a document. */
const HOST = /\b([a-z]+:\/\/)(undefined|NaN|null)(?=[:/\s'"]|$)/;

/** Free text, scripts and documents, which may contain such words. */
const FREE: ReadonlySet<string> = new Set(['annotations', 'data', 'stringData', 'description']);
const LONGEST = 512;

/**
 * Reports names, references and other short texts that contain a missing value, and objects and hosts without a value
 * in any text.
 */
export function textsHaveValues({ metadata, ...rest }: KubeObject): Finding[] {
  const { spec } = rest as { readonly spec?: unknown };
  const { name, namespace, labels } = metadata ?? {};
  const own = { name, namespace, labels };
  // paths of all fields would cost more than the rule
  if (!mayMiss(own) && !mayMiss(spec)) return [];
  return [...inValue(own, root.at('metadata')), ...inValue(spec, root.at('spec'))];
}

/** Whether a text at any depth contains one of the words, with or without a finding. */
function mayMiss(value: unknown): boolean {
  if (typeof value === 'string') return /undefined|NaN|\[object /.test(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(mayMiss);
  for (const key in value) if (!FREE.has(key) && mayMiss((value as Json)[key])) return true;
  return false;
}

function inValue(value: unknown, at: Path): Finding[] {
  if (typeof value === 'string') return inText(value, at);
  if (Array.isArray(value)) return value.flatMap((each, i) => inValue(each, at.at(i)));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => (FREE.has(key) ? [] : inValue(each, at.at(key))));
}

function inText(text: string, at: Path): Finding[] {
  const object = objectIn(text);
  if (object) {
    return mistake(
      'text-undefined',
      at,
      `${object} is in the text: ${CAUSES[object] ?? CAUSE}`,
      REMEDIES[object] ?? REMEDY,
    );
  }
  const isDocument = text.length > LONGEST || /\s/.test(text);
  const found = (isDocument ? HOST : WORD).exec(text);
  if (!found) return [];
  const [part, , word] = found;
  const cause = `"${isDocument ? part : text}" contains ${word}: a variable of the program has no value`;
  const remedy = 'set the variable, such as one of the environment, or give it a default';
  return mistake('text-undefined', at, cause, remedy, { value: isDocument ? part : text });
}

/**
 * Returns the text that JavaScript makes of an object, such as `[object Object]`. Scripts may compare with it: they
 * write it in quotes, or call `toString`.
 */
function objectIn(text: string): string | undefined {
  if (!text.includes('[object ') || text.includes('toString')) return undefined;
  return /(?:^|[^'"`\\])(\[object [A-Z]\w*\])/.exec(text)?.[1];
}

const CAUSE = 'a variable of the program is an object';
const REMEDY = 'insert one of its fields, or JSON.stringify(…)';
const CAUSES: Readonly<Record<string, string>> = {
  '[object Promise]': 'a variable of the program is a Promise',
};
const REMEDIES: Readonly<Record<string, string>> = { '[object Promise]': 'await it before it is inserted' };
