/** Texts that JavaScript makes of values that are missing: `registry.example/os:undefined`. */
import { mistake } from '../admission/rule';
import { type Finding, type Path, root } from '../findings';
import type { KubeObject } from '../meta';
import { isObject, type Json } from './read';

const WORD = /(^|[-./:@_=])(undefined|NaN)($|[-./:@_=])|\[object \w+\]/;

/** Free text, scripts and documents, which may contain such words. */
const FREE: ReadonlySet<string> = new Set(['annotations', 'data', 'stringData', 'description']);
const LONGEST = 512;

/** Reports names, references and other short texts without spaces that contain a missing value. */
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
  if (text.length > LONGEST || /\n/.test(text) || (/\s/.test(text) && !text.includes('[object '))) return [];
  const found = WORD.exec(text);
  if (!found) return [];
  const cause = `"${text}" contains ${found[2] ?? found[0]}: a variable of the program has no value`;
  return mistake(
    'text-undefined',
    at,
    cause,
    'set the variable, such as one of the environment, or give it a default',
    {
      value: text,
    },
  );
}
