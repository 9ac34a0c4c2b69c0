import { Cause, invalid } from '../../schema/cause';
import { compileRules } from './rules';
import { applyDefaults, dropNulls } from './defaults';
import { validateEmbedded } from './embedded';
import { validateLists } from './lists';
import { prune } from './prune';
import { crdTypeSchema } from './types';
import { validateValue } from './values';
import { JsonSchema } from '../../schema/json-schema';
import { StatusCause } from '../../../../api/meta';
import { TypeSchema } from '../../schema/type-schema';
import { isMap } from '../../json/values';

/** Findings beside those of the schema. */
export interface MoreCauses {
  /** Findings about the object's metadata: no rule is run after some of them. */
  readonly earlier?: readonly StatusCause[];
  /** Findings about the scale subresource. */
  readonly scale?: readonly Cause[];
}

/** A compiled `openAPIV3Schema` of one CRD version. */
export interface CrdSchema {
  /**
   * Schema, list-type and CEL rules. `old` is the stored object of an update (transition rules, ratcheting). With the
   * subresource `status`, only the status is looked at.
   */
  validate(obj: unknown, old?: unknown, subresource?: 'status', more?: MoreCauses): Cause[];
  /**
   * Removes unknown fields, and nulls where none are allowed, in place; returns the paths of the fields
   * (`spec.x[0].y`). Called first for the object that a client sent, and again for the result, before it is stored.
   */
  prune(obj: unknown): string[];
  /** Fills in defaults in place. After `prune`; on what server-side apply made, without it. */
  applyDefaults(obj: unknown): void;
  readonly typeSchema: TypeSchema;
}

/** Mistakes after which CEL rules would get values of the wrong shape. */
const BLOCKING = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** Compiles one version's `openAPIV3Schema`. */
export function compileCrdSchema(given: JsonSchema | undefined): CrdSchema {
  // without a schema, a version preserves all fields
  const schema: JsonSchema = given ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const rules = compileRules(schema);
  let typeSchema: TypeSchema | undefined;

  const validate = (obj: unknown, old?: unknown, subresource?: 'status', more: MoreCauses = {}): Cause[] => {
    const causes =
      subresource === 'status'
        ? validateStatus(obj, old, schema)
        : validateValue(obj, schema, old === undefined ? undefined : { value: old });
    causes.push(...(more.scale ?? []), ...validateEmbedded(obj, schema));
    // mistakes in unchanged lists are accepted
    if (old === undefined || validateLists(old, schema).length === 0) causes.push(...validateLists(obj, schema));
    if (!rules) return causes;
    if ([...(more.earlier ?? []), ...causes].some(({ reason = '' }) => BLOCKING.has(reason)))
      causes.push(
        invalid(
          '<nil>',
          null,
          'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
        ),
      );
    else causes.push(...rules(obj, old));
    return causes;
  };

  return {
    validate,
    prune: (obj) => {
      const unknown = prune(obj, schema);
      dropNulls(obj, schema);
      return unknown;
    },
    applyDefaults: (obj) => applyDefaults(obj, schema),
    get typeSchema() {
      return (typeSchema ??= crdTypeSchema(schema));
    },
  };
}

function validateStatus(obj: unknown, old: unknown, schema: JsonSchema): Cause[] {
  const type = schema.properties?.status;
  if (!type || !isMap(obj) || obj.status === undefined) return [];
  const before = isMap(old) && old.status !== undefined ? { value: old.status } : undefined;
  return validateValue(obj.status, type, before, 'status');
}
