import { Kind, PartStrategy, Printer } from '../registry/kind';
import { builtinSchema } from '../schema';
import { clone, deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { subdomainName } from '../validation/names';
import { genericPrinter } from '../table/generic';
import { goType } from '../protobuf/messages';
import { emptyGoForm, toGoForm } from './go-form';
import { shapeBuiltin } from './shape';

/** Description of a built-in kind; other properties have defaults. */
export type KindSpec = Pick<Kind, 'group' | 'version' | 'kind' | 'plural' | 'namespaced'> &
  Partial<Omit<Kind, 'decode'>> & {
    /** Sets defaults in place, as Kubernetes does when decoding. */
    defaults?(object: AnyObject): void;
    printer?: Printer;
    /** Whether a create may set the status. */
    createsStatus?: boolean;
  };

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** Error of the kinds with selectable fields of their own. */
export const fieldLabelNotSupported = (field: string): string => `field label not supported: ${field}`;

/** Completes the description of a built-in kind with what most kinds share. */
export function define(spec: KindSpec): Kind {
  const status = spec.status ?? false;
  const generation = spec.generation ?? false;
  const schema = builtinSchema(spec.group, spec.version, spec.kind);
  const { defaults, createsStatus, ...given } = spec;
  const go = goType(spec.group, spec.version, spec.kind);
  const finish = (object: AnyObject, old: AnyObject): void => {
    if (generation && !deepEqual(object.spec, old.spec)) {
      object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
    if (go) toGoForm(object, go);
  };
  return {
    listKind: `${spec.kind}List`,
    singular: spec.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    verbs: ALL_VERBS,
    storage: `${spec.group}/${spec.plural}`,
    nameRule: subdomainName,
    custom: false,
    unconditionalUpdate: true,
    createOnUpdate: false,
    returnsDeleted: false,
    selectableFields: [],
    printer: genericPrinter,
    schema,
    empty: () => (go ? (emptyGoForm(go) as AnyObject) : undefined),
    fields: () => ({}),
    decode(object) {
      const unknown = schema ? shapeBuiltin(object, schema, spec.kind, spec.version) : [];
      defaults?.(object);
      if (go) toGoForm(object, go);
      return unknown;
    },
    fromStorage: (object) => object,
    verbatim: !spec.fromStorage,
    toStorage: (object) => object,
    validate: () => {},
    validateUpdate(object, _old, fields) {
      this.validate(object, fields);
    },
    validateStatus: () => {},
    schemaCauses: () => [],
    resetFields: (subresource) => {
      if (!status) return [];
      return subresource === 'status' ? ['spec'] : ['status'];
    },
    ...given,
    status,
    generation,
    ...(spec.parts ? { parts: completed(spec.parts, finish) } : {}),
    prepareForCreate(object, context) {
      if (status && !createsStatus) delete object.status;
      if (generation) object.metadata.generation = 1;
      spec.prepareForCreate?.(object, context);
      if (go) toGoForm(object, go);
    },
    prepareForUpdate(object, old, context) {
      if (status) keep(object, old, 'status');
      spec.prepareForUpdate?.(object, old, context);
      finish(object, old);
    },
    prepareStatus(object, old, context) {
      keep(object, old, 'spec');
      spec.prepareStatus?.(object, old, context);
      if (go) toGoForm(object, go);
    },
  };
}

function completed(
  parts: Readonly<Record<string, PartStrategy>>,
  finish: (object: AnyObject, old: AnyObject) => void,
): Readonly<Record<string, PartStrategy>> {
  const complete = (part: PartStrategy): PartStrategy => ({
    ...part,
    prepare(object, old, context) {
      part.prepare(object, old, context);
      finish(object, old);
    },
  });
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, complete(part)]));
}

/** A write through this endpoint cannot change `field`. */
export function keep(object: AnyObject, old: AnyObject, field: string): void {
  if (old[field] === undefined) delete object[field];
  else object[field] = clone(old[field]);
}
