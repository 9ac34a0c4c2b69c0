/**
 * Generates src/api/cloud-init/generated/schemas.ts: what cloud-init accepts in cloud-config and in network configuration,
 * from its own JSON schemas in Debian's package (GPL-3 or Apache-2.0; used under Apache-2.0). Only what decides is kept: no
 * descriptions, titles, defaults or examples. A keyword that the interpreter in src/api/cloud-init does not know is an error.
 *
 *   tsx scripts/generate-cloud-init.ts [--source DIR] [--check]
 *
 * DIR is an unpacked package; without it, it comes from the cache or the Debian mirror. `--check` holds the output to the hash in its head, without a
 * download: neither it nor this generator was changed since the last run.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CLOUD_INIT_VERSION, cloudInitPackage } from './cloud-init-package';
import { checkout, settle } from './generated-files';

const OUTPUT = 'src/api/cloud-init/generated/schemas.ts';
const SCHEMAS = 'usr/lib/python3/dist-packages/cloudinit/config/schemas';

type Node = Record<string, unknown>;

/** Keywords that do not restrict values. Draft 4, which cloud-init uses, does not define `prefixItems` and `hidden`. */
const SILENT = new Set(
  `$schema description label title default examples changed changed_version changed_description deprecated
   deprecated_version deprecated_description prefixItems hidden`.split(/\s+/),
);
/** Keywords that the interpreter knows. */
const KNOWN = new Set(
  `$ref type properties patternProperties additionalProperties required items additionalItems minItems maxItems uniqueItems
   minProperties enum pattern format minimum maximum maxLength allOf anyOf oneOf`.split(/\s+/),
);
const NAMED = new Set(['properties', 'patternProperties', '$defs']);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

function compact(schema: Node): Node {
  const kept: Node = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (SILENT.has(keyword) || keyword === '$defs') continue;
    if (!KNOWN.has(keyword)) throw new Error(`the interpreter does not know ${keyword}`);
    if (NAMED.has(keyword)) kept[keyword] = compactEach(value as Node);
    else if (isNode(value)) kept[keyword] = compact(value);
    else if (Array.isArray(value)) kept[keyword] = value.map((each: unknown) => (isNode(each) ? compact(each) : each));
    else kept[keyword] = keyword === '$ref' ? String(value).replace('#/$defs/', '') : value;
  }
  // lists of item schemas are not used, so this keyword has no effect
  delete kept.additionalItems;
  return kept;
}

function compactEach(named: Node): Node {
  return Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, compact(schema as Node)]));
}

/** Joins the parts, one for each module of cloud-init, which only name their keys: a key is then found without trying all. */
function joinModules(root: Node, definitions: Node): Node {
  const properties: Record<string, Node> = {};
  for (const name of Object.keys(root.properties as Node)) properties[name] = {};
  for (const part of root.allOf as { $ref: string }[]) {
    const { type, properties: own, additionalProperties, ...rest } = definitions[part.$ref] as Node;
    if ((type ?? 'object') !== 'object' || additionalProperties === false || Object.keys(rest).length > 0) {
      throw new Error(`${part.$ref} says more than what its keys are`);
    }
    for (const [name, schema] of Object.entries(own as Record<string, Node>)) {
      const old = JSON.stringify(properties[name] ?? {});
      if (old !== '{}' && old !== JSON.stringify(schema)) throw new Error(`${name} is defined twice, and differently`);
      properties[name] = schema;
    }
    delete definitions[part.$ref];
  }
  return { type: 'object', properties, additionalProperties: root.additionalProperties };
}

const hash = (...texts: string[]): string => createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16);
const generator = hash(readFileSync(__filename, 'utf8'));

function generate(dir: string): string {
  const read = (name: string): Node => JSON.parse(readFileSync(join(dir, SCHEMAS, name), 'utf8')) as Node;
  const table = (name: string, root: (schema: Node, definitions: Node) => Node): string => {
    const schema = read(name);
    const definitions = compactEach(schema.$defs as Node);
    const joined = root(compact(schema), definitions);
    return JSON.stringify({ '': joined, ...definitions });
  };
  const tables = {
    cloudConfig: table('schema-cloud-config-v1.json', joinModules),
    networkV1: table('schema-network-config-v1.json', () => ({ $ref: 'network_config_version1' })),
    networkV2: table('schema-network-config-v2.json', () => ({ $ref: 'network_config_version2' })),
  };
  const body = `/** By name of the document: its definitions, as JSON; the document itself is ''. */
export const schemas = {
${Object.entries(tables)
  .map(
    ([name, text]) =>
      `  ${name}: ${JSON.stringify(text).replaceAll("'", "\\'").replace(/^"|"$/g, "'").replaceAll('\\"', '"')},`,
  )
  .join('\n')}
};
`;
  return `// Generated by scripts/generate-cloud-init.ts from cloud-init ${CLOUD_INIT_VERSION} of Debian, which is under GPL-3 or Apache-2.0
// (Canonical Ltd. and others); used under Apache-2.0. Content ${hash(body)}, generator ${generator}.
${body}`;
}

function main(): void {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, source: { type: 'string' } } });
  if (values.check && !values.source) {
    const text = readFileSync(join(checkout, OUTPUT), 'utf8');
    const body = text.split('\n').slice(2).join('\n');
    if (text.includes(`Content ${hash(body)}, generator ${generator}.`)) return;
    console.error(`stale: ${OUTPUT}; run "npx tsx scripts/generate-cloud-init.ts" and commit the result`);
    process.exitCode = 1;
    return;
  }
  settle(new Map([[OUTPUT, generate(values.source ?? cloudInitPackage())]]));
}

main();
