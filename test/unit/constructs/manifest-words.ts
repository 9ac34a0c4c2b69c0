/** Words of the manifest that no property of a construct is named by. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SIGNATURES } from '../../../src/constructs/generated/signatures';

const schema = join(__dirname, '../../../api/schema');

function* fieldsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'properties') yield* Object.keys(inner as object);
    yield* fieldsIn(inner);
  }
}

const { structs, classes } = JSON.parse(SIGNATURES) as {
  readonly structs: Record<string, readonly string[]>;
  readonly classes: Record<string, { readonly statics?: Record<string, unknown> }>;
};
const properties = new Set([
  ...Object.values(structs).flatMap((of) => of.map((each) => /^\w+/.exec(each)![0])),
  ...Object.values(classes).flatMap(({ statics = {} }) => Object.keys(statics)),
]);
const files = readdirSync(schema).filter((name) => name.endsWith('.json'));
const fields = new Set(files.flatMap((name) => [...fieldsIn(JSON.parse(readFileSync(join(schema, name), 'utf8')))]));

/** Returns the names of fields in a text that are not properties of constructs. Names in lower case may be plain words. */
export function manifestWords(text: string): string[] {
  const words = text.match(/\b(?:spec|metadata|domain)\.[\w.[\]]+|[A-Za-z]\w*/g) ?? [];
  return words.filter(
    (word) => /\./.test(word) || (/[a-z][A-Z]/.test(word) && fields.has(word) && !properties.has(word)),
  );
}
