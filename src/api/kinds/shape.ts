import { isDeepStrictEqual } from 'node:util';
import { FieldError, root } from '../field-error';
import type { KubeObject } from '../meta';
import { validateSchema, withoutNulls } from '../schema';
import type { KindAdmission } from './kind';
import { refusal } from './refusal';

/**
 * The rules of a kind behind its schema: they see an object of the right shape and without nulls. A misspelt field or
 * a bad value does not hide what the rules say; a wrong type or a missing field does.
 * What is stored already never keeps anybody from changing labels, or from taking a finalizer off.
 */
export function shaped<T extends KubeObject>(rules: KindAdmission<T>): KindAdmission<T> {
  const { mutate, update, warnings } = rules;
  return {
    ...rules,
    create: (object, context) => behind(object, (shape) => rules.create(shape, context)),
    ...(mutate && { mutate: (object, context) => (fits(object) ? mutate(withoutNulls(object), context) : object) }),
    ...(update && {
      update: (object, old, context) =>
        sameMeaning(specOf(object), specOf(old))
          ? []
          : // there is no comparing with what has no shape
            behind(object, (shape) => (fits(old) ? update(shape, withoutNulls(old), context) : [])),
    }),
    ...(warnings && {
      warnings: (object, context, old) => (fits(object) ? warnings(withoutNulls(object), context, old) : []),
    }),
  };
}

/** Rules read fields without asking for their types. */
function breaksRules({ rule }: FieldError): boolean {
  return rule === 'schema-type' || rule === 'schema-required';
}

/** What users write; the status is the platform's own, and the API server's schema checks it. */
function shapeErrors(object: KubeObject): FieldError[] {
  if (typeof object.metadata !== 'object' || object.metadata === null || Array.isArray(object.metadata)) {
    return [
      refusal('schema-type', root.at('metadata'), 'must be of type object', 'write metadata with a name', {
        got: object.metadata,
      }),
    ];
  }
  return validateSchema(object).filter(({ path }) => !/^status\b/.test(`${path}`));
}

function fits(object: KubeObject): boolean {
  return !shapeErrors(withoutNulls(object)).some(breaksRules);
}

function behind<T extends KubeObject>(given: T, rules: (shape: T) => FieldError[]): FieldError[] {
  const object = withoutNulls(given);
  const shape = shapeErrors(object);
  if (shape.some(breaksRules)) return shape;
  const mistakes = rules(object);
  // a rule knows more about a field than its schema
  const told = new Set(mistakes.map(({ path }) => `${path}`));
  return [...shape.filter(({ path }) => !told.has(`${path}`)), ...mistakes];
}

/** Kubernetes' equality: a list that is empty is one that is not there. */
export function sameMeaning(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(meaning(a), meaning(b));
}

function meaning(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(meaning);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const fields = Object.entries(value).map(([key, inner]) => [key, meaning(inner)] as const);
  return Object.fromEntries(fields.filter(([, inner]) => inner !== undefined));
}

const specOf = (of: KubeObject): unknown => (of as { spec?: unknown }).spec;

/** A spec that stays as it was created. */
export function immutableSpec(object: KubeObject, old: KubeObject): FieldError[] {
  if (sameMeaning(specOf(object), specOf(old))) return [];
  return [
    refusal('spec-immutable', root.at('spec'), 'spec in immutable after creation', 'create another object instead'),
  ];
}
