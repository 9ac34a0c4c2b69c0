import { ProtobufWriter } from './protobuf-writer';
import { Node } from './types';

/*
 * An OpenAPI v2 document as the message `openapi.v2.Document` of gnostic, which kubectl requests. Field numbers
 * are those of gnostic's OpenAPIv2.proto; fields that our documents do not have are left out.
 */

/** Encodes a document made by `openapiV2`. */
export function encodeV2(document: Node): Uint8Array {
  const info = document.info as Node;
  return new ProtobufWriter()
    .string(1, document.swagger)
    .message(2, (w) => w.string(1, info.title).string(2, info.version))
    .message(8, (w) => {
      for (const [path, item] of entries(document.paths))
        w.message(2, (named) => named.string(1, path).message(2, (value) => pathItem(value, item)));
    })
    .message(9, (w) => namedSchemas(w, document.definitions))
    .finish();
}

const entries = (value: unknown): [string, Node][] => Object.entries((value ?? {}) as Record<string, Node>);

const VERBS: Readonly<Record<string, number>> = { get: 2, put: 3, post: 4, delete: 5, patch: 8 };

function pathItem(w: ProtobufWriter, item: Node): void {
  for (const [verb, field] of Object.entries(VERBS)) {
    const operation = item[verb] as Node | undefined;
    if (operation) w.message(field, (o) => encodeOperation(o, operation));
  }
  for (const parameter of (item.parameters ?? []) as Node[]) encodeParameter(w, 9, parameter);
}

function encodeOperation(w: ProtobufWriter, operation: Node): void {
  w.string(5, operation.operationId).strings(6, operation.produces).strings(7, operation.consumes);
  for (const parameter of (operation.parameters ?? []) as Node[]) encodeParameter(w, 8, parameter);
  w.message(9, (responses) => {
    for (const [code, response] of entries(operation.responses))
      responses.message(1, (named) =>
        named.string(1, code).message(2, (value) =>
          value.message(1, (r) => {
            r.string(1, response.description);
            const schema = response.schema as Node | undefined;
            if (schema) r.message(2, (item) => item.message(1, (s) => encodeSchema(s, schema)));
          }),
        ),
      );
  });
  extensions(w, 13, operation);
}

function encodeParameter(w: ProtobufWriter, field: number, parameter: Node): void {
  const { name, type, required } = parameter;
  w.message(field, (item) =>
    item.message(1, (p) => {
      if (parameter.in === 'body')
        p.message(1, (b) =>
          b
            .string(2, name)
            .string(3, 'body')
            .bool(4, required)
            .message(5, (s) => encodeSchema(s, parameter.schema as Node)),
        );
      else if (parameter.in === 'query')
        p.message(2, (n) =>
          n.message(3, (q) => q.string(2, 'query').string(4, name).string(6, type).bool(20, parameter.uniqueItems)),
        );
      else
        p.message(2, (n) => n.message(4, (q) => q.bool(1, required).string(2, 'path').string(4, name).string(5, type)));
    }),
  );
}

function namedSchemas(w: ProtobufWriter, schemas: unknown): void {
  for (const [name, schema] of entries(schemas))
    w.message(1, (named) => named.string(1, name).message(2, (s) => encodeSchema(s, schema)));
}

function encodeSchema(w: ProtobufWriter, schema: Node): void {
  const any = (field: number, value: unknown) =>
    value === undefined ? w : w.message(field, (a) => a.string(2, `${JSON.stringify(value)}\n`));
  w.string(1, schema.$ref).string(2, schema.format).string(3, schema.title).string(4, schema.description);
  any(5, schema.default);
  w.double(6, schema.multipleOf)
    .double(7, schema.maximum)
    .bool(8, schema.exclusiveMaximum)
    .double(9, schema.minimum)
    .bool(10, schema.exclusiveMinimum)
    .int(11, schema.maxLength)
    .int(12, schema.minLength)
    .string(13, schema.pattern)
    .int(14, schema.maxItems)
    .int(15, schema.minItems)
    .bool(16, schema.uniqueItems)
    .int(17, schema.maxProperties)
    .int(18, schema.minProperties)
    .strings(19, schema.required);
  for (const value of (schema.enum ?? []) as unknown[]) any(20, value);
  const rest = schema.additionalProperties;
  if (typeof rest === 'boolean') w.message(21, (a) => a.bool(2, rest));
  else if (rest) w.message(21, (a) => a.message(1, (s) => encodeSchema(s, rest as Node)));
  if (schema.type) w.message(22, (t) => t.string(1, schema.type));
  if (schema.items) w.message(23, (i) => i.message(1, (s) => encodeSchema(s, schema.items as Node)));
  if (schema.properties) w.message(25, (p) => namedSchemas(p, schema.properties));
  extensions(w, 31, schema);
}

/** `x-…` fields, as YAML: JSON is that too. */
function extensions(w: ProtobufWriter, field: number, node: Node): void {
  for (const [name, value] of Object.entries(node))
    if (name.startsWith('x-'))
      w.message(field, (n) => n.string(1, name).message(2, (a) => a.string(2, `${JSON.stringify(value)}\n`)));
}
