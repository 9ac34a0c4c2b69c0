import { clone } from '../json/values';
import { JsonSchema } from '../schema';
import { objectMetaSchema } from '../schema/builtin';
import { Definitions } from './builtin-definitions';
import { objectDescription } from './descriptions';
import { Node, OpenApiResource, Spec } from './types';

/** `kubevirt.io`, `v1`, `VirtualMachine` -> `io.kubevirt.v1.VirtualMachine` */
export const customName = ({ group, version, kind }: OpenApiResource): string =>
  [...group.split('.').reverse(), version, kind].join('.');

/** The definition of a custom resource, with what Kubernetes adds to every object. */
export function customDefinition(schema: JsonSchema, definitions: Definitions, spec: Spec): Node {
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  // old kubectl rejects properties that are not listed
  if (spec === 'v2' && preserves) return { type: 'object' };
  const node = spec === 'v2' ? toV2(schema) : (clone(schema) as Node);
  return withMeta({ ...node, type: 'object' }, definitions, spec);
}

function withMeta(node: Node, definitions: Definitions, spec: Spec): Node {
  const properties = embed((node.properties ?? {}) as Node, definitions, spec);
  const text = (field: 'apiVersion' | 'kind'): Node => ({ type: 'string', description: objectDescription(field) });
  const metadata = definitions.described(definitions.refTo(objectMetaSchema()), {
    description: objectDescription('metadata'),
  });
  return { ...node, properties: { ...properties, apiVersion: text('apiVersion'), kind: text('kind'), metadata } };
}

/** Embedded resources have apiVersion, kind and metadata too. */
function embed(properties: Node, definitions: Definitions, spec: Spec): Node {
  const visit = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const node = { ...(value as Node) };
    if (node.properties) node.properties = embed(node.properties as Node, definitions, spec);
    if (node.items) node.items = visit(node.items);
    if (node.additionalProperties) node.additionalProperties = visit(node.additionalProperties);
    const free = spec === 'v2' && node['x-kubernetes-preserve-unknown-fields'];
    if (!node['x-kubernetes-embedded-resource'] || free) return node;
    const required = new Set([...((node.required ?? []) as string[]), 'kind', 'apiVersion']);
    return { ...withMeta(node, definitions, spec), required: [...required] };
  };
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, visit(value)]));
}

/** Removes keywords that version 2 does not support. */
function toV2(schema: JsonSchema): Node {
  const {
    allOf: _a,
    anyOf: _b,
    oneOf: _c,
    not: _d,
    nullable,
    properties,
    items,
    additionalProperties,
    ...rest
  } = schema;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const untyped = nullable || preserves || schema['x-kubernetes-int-or-string'] || (schema.type === 'array' && !items);
  const node: Node = { ...rest };
  if (untyped) delete node.type;
  if (nullable || preserves) return node;
  if (properties) {
    node.properties = Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, toV2(child)]));
    const required = (schema.required ?? []).filter((name) => !properties[name]?.nullable);
    if (required.length > 0) node.required = required;
    else delete node.required;
  }
  if (items) node.items = toV2(items);
  if (typeof additionalProperties === 'object') node.additionalProperties = toV2(additionalProperties);
  else if (additionalProperties !== undefined) node.additionalProperties = additionalProperties;
  return node;
}
