import { TypeSchema } from '../schema';
import { fieldDescription, typeDescription } from './descriptions';
import { Node, Spec } from './types';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** Scalars that have a definition of their own, so that `kubectl explain` can name them. */
const SCALAR_DEFINITIONS: Readonly<Record<string, string>> = {
  'int-or-string': 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  'date-time': `${META}.Time`,
};

/** Type of the fields of a manager: an object of any fields that has a name of its own. */
const FIELDS_V1: TypeSchema = { kind: 'map', name: `${META}.FieldsV1` };

/** Schema of any value. It is not empty, because kubectl explain treats an empty schema as missing. */
const ANY: Node = { description: 'Any JSON value.' };

/** Collects the definitions of references, recursively. */
export class Definitions {
  public readonly all: Record<string, Node> = {};

  public constructor(private readonly spec: Spec) {}

  /** A reference to a built-in type, whose definition is added. */
  public refTo(type: TypeSchema & { readonly name?: string }): Node {
    const { name } = type;
    if (name === undefined) return this.render(type);
    if (!Object.hasOwn(this.all, name)) {
      this.all[name] = {}; // types may contain themselves
      this.all[name] = this.structure(type);
    }
    return { $ref: this.prefix + name };
  }

  private get prefix(): string {
    return this.spec === 'v2' ? '#/definitions/' : '#/components/schemas/';
  }

  /** Marks the definition of a kind. */
  public markKind(name: string, gvk: Node): void {
    const node = this.all[name];
    if (node) node['x-kubernetes-group-version-kind'] = [gvk];
  }

  private structure(type: TypeSchema & { readonly name?: string }): Node {
    const properties = Object.fromEntries(
      Object.entries(type.fields ?? {})
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([field, child]) => [
          field,
          this.field(field === 'fieldsV1' ? FIELDS_V1 : child, fieldDescription(type.name, field)),
        ]),
    );
    const description = typeDescription(type.name);
    return {
      ...(description ? { description } : {}),
      type: 'object',
      ...(type.required?.length ? { required: [...type.required] } : {}),
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(type.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    };
  }

  /** A field: its description and type, and how patches merge it. */
  private field(type: TypeSchema, description?: string): Node {
    const extras = {
      ...(description ? { description } : {}),
      ...(type.default === undefined ? {} : { default: type.default }),
      ...(type.patchStrategy ? { 'x-kubernetes-patch-strategy': type.patchStrategy } : {}),
      ...(type.patchMergeKey ? { 'x-kubernetes-patch-merge-key': type.patchMergeKey } : {}),
    };
    return this.described(this.render(type), extras);
  }

  /** Adds keywords to a type. Version 3 allows no other keys next to a reference. */
  public described(node: Node, extras: Node): Node {
    if (Object.keys(extras).length === 0) return node;
    return node.$ref && this.spec === 'v3' ? { allOf: [node], ...extras } : { ...node, ...extras };
  }

  private render(type: TypeSchema): Node {
    switch (type.kind) {
      case 'scalar':
        return this.scalar(type);
      case 'list':
        return {
          type: 'array',
          items: this.render(type.items ?? { kind: 'any' }),
          'x-kubernetes-list-type': type.listType ?? 'atomic',
          ...(type.listKeys ? { 'x-kubernetes-list-map-keys': [...type.listKeys] } : {}),
        };
      case 'map':
        if (type.name !== undefined) return this.refTo(type);
        return {
          type: 'object',
          ...(type.values ? { additionalProperties: this.render(type.values) } : {}),
          ...(type.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
        };
      default:
        return { ...ANY };
    }
  }

  private scalar({ scalar, format }: TypeSchema): Node {
    const name = SCALAR_DEFINITIONS[format === 'date-time' ? format : (scalar ?? '')];
    if (name === undefined) return { type: scalar, ...(format ? { format } : {}) };
    this.all[name] ??= scalarDefinition(name, this.spec);
    return { $ref: this.prefix + name };
  }
}

function scalarDefinition(name: string, spec: Spec): Node {
  if (name.endsWith('.Time')) return { type: 'string', format: 'date-time' };
  if (spec === 'v2')
    return name.endsWith('.Quantity') ? { type: 'string' } : { type: 'string', format: 'int-or-string' };
  return name.endsWith('.Quantity')
    ? { oneOf: [{ type: 'string' }, { type: 'number' }] }
    : { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] };
}
