/**
 * Generates src/api/cloud-init/generated/schemas.ts: what cloud-init accepts in cloud-config and in network configuration,
 * from its own JSON schemas in Debian's package (GPL-3 or Apache-2.0; used under Apache-2.0). Only what decides is kept: no
 * descriptions, titles, defaults or examples. A keyword that the interpreter in src/api/cloud-init does not know is an error.
 *
 *   tsx scripts/generate-cloud-init.ts [--source DIR|DEB] [--check]
 *
 * Without --source the package comes from the Debian mirror. `--check` holds the output to the hash in its head, without a
 * download: neither it nor this generator was changed since the last run.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkout, settle } from './generated-files';

const OUTPUT = 'src/api/cloud-init/generated/schemas.ts';
const SCHEMAS = 'usr/lib/python3/dist-packages/cloudinit/config/schemas';
/** That of Debian 13: its schemas know the keys of older versions, too. */
const VERSION = '25.1.4-1+deb13u1';

type Node = Record<string, unknown>;

/** Keywords that say nothing about what is valid. `prefixItems` and `hidden` are none of draft 4, which cloud-init uses. */
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
  // a list of item schemas is not used, so this says nothing
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

function unpack(source: string | undefined): { dir: string; done: () => void } {
  if (source && statSync(source).isDirectory()) return { dir: source, done: () => {} };
  const dir = mkdtempSync(join(tmpdir(), 'cloud-init-'));
  let file = source;
  if (!file) {
    const mirror = execFileSync('sh', ['-c', '. guests/lib/common.sh && mirror'], { cwd: checkout, encoding: 'utf8' });
    file = join(dir, 'cloud-init.deb');
    const pool = `${mirror.trim()}pool/main/c/cloud-init/cloud-init_${VERSION}_all.deb`;
    execFileSync('curl', ['-sSfL', '-o', file, pool]);
  }
  execFileSync('dpkg-deb', ['-x', file, dir]);
  return { dir, done: () => rmSync(dir, { recursive: true }) };
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
  return `// Generated by scripts/generate-cloud-init.ts from cloud-init ${VERSION} of Debian, which is under GPL-3 or Apache-2.0
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
  const { dir, done } = unpack(values.source);
  try {
    settle(new Map([[OUTPUT, generate(dir)]]));
  } finally {
    done();
  }
}

main();
