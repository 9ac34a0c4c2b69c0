import { Yaml } from 'cdk8s';
import { plainYaml } from './plain-yaml';

/** Characters that YAML 1.1 has no place for, or takes for the end of a line; in quotes they can be escaped. */
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
/** Half of a character: no UTF-8 can hold it. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** A document for cloud-init's YAML 1.1 reader. Where a text has rare characters, it is JSON, which is YAML, too. */
export function yamlText(document: object): string {
  const plain = plainYaml(document);
  if (plain !== undefined) return plain;
  const text = Yaml.stringify(document);
  if (text.search(ESCAPED) < 0 && !LONE.test(text)) return text;
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(document, undefined, 2).replace(ESCAPED, escape)}\n`;
}
