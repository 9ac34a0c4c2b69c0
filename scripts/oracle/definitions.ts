import { isDeepStrictEqual } from 'node:util';
import { JsonSchema } from '../../src/local/api-server/schema';
import { validateCrd } from '../../src/local/api-server/crd/definition/rules';
import { normal } from './normal';
import { crdOf, GROUP } from './resource';
import { Oracle } from './server';

type Crd = ReturnType<typeof crdOf> & {
  metadata: { name: string };
  spec: {
    group: string;
    scope: string;
    names: Record<string, unknown>;
    versions: Record<string, unknown>[];
    conversion?: object;
  };
};

/** A definition that is right but for one change. */
const changes: Record<string, (crd: Crd) => void> = {
  'nothing': () => {},
  'wrong name': (c) => (c.metadata.name = `others.${GROUP}`),
  'group without a dot': (c) => ((c.spec.group = 'nodot'), (c.metadata.name = `${c.spec.names.plural as string}.nodot`)),
  'no scope': (c) => (c.spec.scope = ''),
  'wrong scope': (c) => (c.spec.scope = 'Everywhere'),
  'kind with an underscore': (c) => (c.spec.names.kind = 'A_b'),
  'listKind like kind': (c) => (c.spec.names.listKind = c.spec.names.kind),
  'wrong short name': (c) => (c.spec.names.shortNames = ['Ab']),
  'wrong category': (c) => (c.spec.names.categories = ['a.b']),
  'no storage version': (c) => (c.spec.versions[0]!.storage = false),
  'wrong version name': (c) => (c.spec.versions[0]!.name = '1v'),
  'same version twice': (c) => c.spec.versions.push({ ...c.spec.versions[0], storage: false }),
  'no schema': (c) => delete c.spec.versions[0]!.schema,
  'two versions, one without a schema': (c) => c.spec.versions.push({ name: 'v2', served: true, storage: false }),
  'deprecation warning only': (c) => (c.spec.versions[0]!.deprecationWarning = 'old'),
  'wrong column': (c) => (c.spec.versions[0]!.additionalPrinterColumns = [{ name: 'a', type: 'text', jsonPath: '.spec.a', format: 'x' }, { name: '', type: 'string', jsonPath: 'spec' }]),
  'wrong scale': (c) => (c.spec.versions[0]!.subresources = { scale: { specReplicasPath: '.status.a', statusReplicasPath: 'x', labelSelectorPath: '.metadata.x' } }),
  'wrong selectable field': (c) => (c.spec.versions[0]!.selectableFields = [{ jsonPath: '.spec.nope' }, { jsonPath: '.spec' }]),
  'webhook conversion without a webhook': (c) => (c.spec.conversion = { strategy: 'Webhook' }),
  'preserve unknown fields': (c) => ((c.spec as Record<string, unknown>).preserveUnknownFields = true),
}; // prettier-ignore

/** A schema's `spec`, with one thing wrong. */
const schemas: Record<string, JsonSchema> = {
  'no type': {},
  'unknown type': { type: 'text' },
  'field without a type': { type: 'object', properties: { a: {} } },
  'array without items': { type: 'object', properties: { a: { type: 'array' } } },
  'items without a type': { type: 'array', items: {} },
  'bad pattern': { type: 'string', pattern: '(' },
  'type in anyOf': { type: 'string', anyOf: [{ type: 'string', pattern: 'a' }] },
  'unknown property in anyOf': { type: 'object', anyOf: [{ required: ['a'], properties: { a: { minimum: 1 } } }] },
  'items in allOf': { type: 'object', allOf: [{ items: { minimum: 1 } }] },
  'default in not': { type: 'string', not: { default: 'x', description: 'd', title: 't', nullable: true } },
  'properties and additionalProperties': { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
  'additionalProperties false': { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
  'unique items': { type: 'array', uniqueItems: true, items: { type: 'string' } },
  'list type on an object': { type: 'object', 'x-kubernetes-list-type': 'set' },
  'unknown list type': { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'bag' as 'set' },
  'map list without keys': { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' },
  'keys without map': { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-map-keys': ['a'] },
  'keys of a set': { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', 'x-kubernetes-list-map-keys': ['a'] },
  'unknown key': { type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
  'optional key': { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
  'nullable key and items': { type: 'array', items: { type: 'object', nullable: true, required: ['a'], properties: { a: { type: 'string', nullable: true } } }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
  'composite key': { type: 'array', items: { type: 'object', required: ['a'], properties: { a: { type: 'object' } } }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
  'map list of strings': { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
  'set of granular objects': { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' },
  'map type on a string': { type: 'string', 'x-kubernetes-map-type': 'atomic' },
  'unknown map type': { type: 'object', 'x-kubernetes-map-type': 'hash' as 'atomic' },
  'preserve false': { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
  'embedded string': { type: 'string', 'x-kubernetes-embedded-resource': true },
  'embedded without properties': { type: 'object', 'x-kubernetes-embedded-resource': true },
  'int or string that preserves': { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
  'default of a wrong type': { type: 'object', properties: { a: { type: 'string', default: 1 } } },
  'default with unknown fields': { type: 'object', default: { b: 1 }, properties: { a: { type: 'string' } } },
  'default against the enum': { type: 'string', enum: ['a'], default: 'b' },
  'empty rule': { type: 'string', 'x-kubernetes-validations': [{ rule: ' ' }] },
  'rule with line breaks': { type: 'string', 'x-kubernetes-validations': [{ rule: 'true\n&& true' }, { rule: 'true', message: 'a\nb' }, { rule: 'true', reason: 'Odd', message: ' ' }] },
  '$ref': { type: 'object', $ref: '#/definitions/a' },
}; // prettier-ignore

/** Sends each definition as a dry run and compares the mistakes that are found. */
export async function compareDefinitions(
  oracle: Oracle,
  verbose: boolean,
): Promise<{ compared: number; failed: number }> {
  const good: JsonSchema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
  };
  const all = {
    ...Object.fromEntries(Object.entries(changes).map(([title, change]) => {
      const crd = structuredClone(crdOf('defined', good)) as Crd;
      change(crd);
      return [title, crd];
    })),
    ...Object.fromEntries(Object.entries(schemas).map(([title, spec]) => [title, crdOf('defined', { type: 'object', properties: { spec } })])),
    'root that is not an object': crdOf('defined', { type: 'string' }),
    'root with additionalProperties': crdOf('defined', { type: 'object', additionalProperties: { type: 'string' } }),
    'nullable root': crdOf('defined', { ...good, nullable: true }),
    'metadata with labels': crdOf('defined', { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } }),
    'metadata with a default': crdOf('defined', { type: 'object', properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } } } }),
    'kind as an integer': crdOf('defined', { type: 'object', properties: { kind: { type: 'integer' } } }),
  }; // prettier-ignore
  let failed = 0;
  for (const [title, crd] of Object.entries(all)) {
    const answer = await oracle.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All', crd);
    const theirs = answer.code < 400 ? [] : (normal(answer) as { causes?: string[] }).causes;
    const ours = validateCrd(crd)
      .map((c) => `${c.field}: ${c.message} [${c.reason}]`)
      .sort();
    const same = isDeepStrictEqual(theirs, ours);
    if (!same) failed++;
    if (!same || verbose) {
      console.log(`${same ? 'same' : 'DIFFERS'}: definitions / ${title}`);
      if (answer.code >= 400 && answer.code !== 422) console.log(`  ${answer.code} ${String(answer.body.message)}`);
      for (const c of theirs ?? []) if (!ours.includes(c)) console.log(`  theirs ${c}`);
      for (const c of ours) if (!theirs?.includes(c)) console.log(`  ours   ${c}`);
    }
  }
  const compared = Object.keys(all).length;
  console.log(`definitions: ${compared} answers compared, ${failed} differ`);
  return { compared, failed };
}
