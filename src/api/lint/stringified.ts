/** Texts that JavaScript makes of values that are missing: `registry.example/os:undefined`. */
import { mistake } from '../admission/rule';
import { type Finding, type Path } from '../findings';
import type { KubeObject } from '../meta';
import { inTexts, type TextRule } from './texts';

const WORD = /(^|[-./:@_=])(undefined|NaN)($|[-./:@_=])/;

/** Host of a URL in a script or a document. */
const HOST = /\b([a-z]+:\/\/)(undefined|NaN|null)(?=[:/\s'"]|$)/;

/** Free text, scripts and documents, which may contain such words. */
const free: ReadonlySet<string> = new Set(['annotations', 'data', 'stringData', 'description']);
const LONGEST = 512;

/**
 * Reports names, references and other short texts that contain a missing value, and objects and hosts without a value
 * in any text.
 */
export const textsHaveValues = (object: KubeObject): Finding[] => inTexts(object, rule);

function findingsIn(text: string, at: Path): Finding[] {
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

const rule: TextRule = { free, mayReport: (text) => /undefined|NaN|:\/\/null|\[object /.test(text), findingsIn };
