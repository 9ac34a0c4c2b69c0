import { loadSchemas, type Schema } from '../../../scripts/schema/schemas';

interface Described {
  path: string;
  type: string | undefined;
  text: string;
}

const descriptions = loadSchemas().flatMap((file) =>
  Object.entries(file.definitions).flatMap(([name, schema]) => described(`${file.name}/${name}`, schema)),
);

/** The description of a type or field and of everything below. A kind's common fields are described by Kubernetes. */
function described(path: string, schema: Schema): Described[] {
  const common = schema['x-kubernetes-kind'] ? ['apiVersion', 'kind', 'metadata'] : [];
  const below = Object.entries(schema.properties ?? {})
    .filter(([name]) => !common.includes(name))
    .flatMap(([name, field]) => described(`${path}.${name}`, field));
  return [{ path, type: schema.type, text: schema.description ?? '' }, ...below];
}

const offending = (wrong: (description: Described) => boolean): string[] =>
  descriptions.filter(wrong).map(({ path, text }) => `${path}: ${text}`);

test('describes every type and field in sentences', () => {
  expect(descriptions.length).toBeGreaterThan(2000);
  expect(offending(({ text }) => !/^\p{Lu}/u.test(text) || !text.endsWith('.'))).toEqual([]);
});

test('begins the description of each boolean with "Whether"', () => {
  const condition = /^(Deprecated[^.]*\. )?Whether /;
  const replaced = /^Deprecated: use [^.]+/;
  expect(offending(({ type, text }) => type === 'boolean' && !condition.test(text) && !replaced.test(text))).toEqual(
    [],
  );
});

test('names the subject of each description', () => {
  const clipped = /^(A|An|What|That|Where|How|Near|Away|Default:) |\b(what|borne|whoever|whatever|anew|somebody)\b/;
  expect(offending(({ text }) => clipped.test(text))).toEqual([]);
});

test('keeps descriptions short enough for a tooltip', () => {
  expect(offending(({ text }) => text.length > 360)).toEqual([]);
});
