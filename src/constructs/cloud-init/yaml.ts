import { Yaml } from 'cdk8s';
import { plainYaml } from './plain-yaml';

/** Characters that YAML 1.1 does not allow or treats as line breaks. In quotes they can be escaped. */
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
/** Unpaired surrogates, which UTF-8 cannot represent. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/**
 * Writes a document for cloud-init's YAML 1.1 reader. If a string contains rare characters, the result is JSON, which
 * is also valid YAML.
 */
export function yamlText(document: object): string {
  const plain = plainYaml(document);
  if (plain !== undefined) return plain;
  const text = Yaml.stringify(document);
  if (text.search(ESCAPED) < 0 && !LONE.test(text)) return text;
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(document, undefined, 2).replace(ESCAPED, escape)}\n`;
}
