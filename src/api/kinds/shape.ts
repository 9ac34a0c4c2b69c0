import { breaksRules, numbersAndNulls, shapeErrors } from '../admission/shape';
import { Finding, root, unreported } from '../findings';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { KubeObject } from '../meta';
import { validateSchema, withoutNulls } from '../schema';
import type { KindAdmission } from './kind';
import { refusal } from './refusal';

/** Strictness with which a kind's webhook validates the shape. */
export type Strictness =
  /** The whole schema, as for a VM: unknown fields are rejected. */
  | 'strict'
  /** Types only. Missing fields count as empty, and the API server has already dropped unknown ones. */
  | 'lenient'
  /** The schema of its CRD. */
  | 'whole';

/**
 * Wraps the rules of a kind with its schema: the rules get an object of the right shape and without nulls. A mistake that is
 * stored already never prevents a change of labels or finalizers.
 */
export function shaped<T extends KubeObject>(
  rules: KindAdmission<T>,
  strictness: Strictness = 'whole',
): KindAdmission<T> {
  const { mutate, update, warnings } = rules;
  const fits = (object: KubeObject): boolean => !checkShape(object, strictness).isBroken;
  const behind = (given: T, mistakesOf: (shape: T) => Finding[]): Finding[] => {
    const { errors, isBroken } = checkShape(given, strictness);
    if (isBroken) return errors;
    const mistakes = mistakesOf(withoutNulls(given));
    // the rule's finding about a field replaces that of the schema
    return [...unreported(mistakes, errors), ...mistakes];
  };
  return {
    ...rules,
    create: (object, context) => behind(object, (shape) => rules.create(shape, context)),
    ...(mutate && { mutate: (object, context) => (fits(object) ? mutate(withoutNulls(object), context) : object) }),
    ...(update && {
      update: (object, old, context) =>
        semanticDeepEqual(specOf(object), specOf(old))
          ? []
          : // an old object of the wrong shape cannot be compared
            behind(object, (shape) => (fits(old) ? update(shape, withoutNulls(old), context) : [])),
    }),
    warnings: (object, context, old) =>
      fits(object)
        ? [
            ...(strictness === 'lenient' ? unknownFields(object) : []),
            ...(warnings?.(withoutNulls(object), context, old) ?? []),
          ]
        : [],
  };
}

/** Returns the mistakes in the shape, and whether rules, which rely on the types, may read the object. */
function checkShape(given: KubeObject, strictness: Strictness): { errors: Finding[]; isBroken: boolean } {
  const { metadata } = given;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    const remedy = 'add metadata with a name';
    const error = refusal('schema-type', root.at('metadata'), 'must be of type object', remedy, { value: metadata });
    return { errors: [error], isBroken: true };
  }
  if (strictness === 'strict') {
    const errors = shapeErrors(given as VirtualMachine);
    return { errors, isBroken: errors.some(breaksRules) };
  }
  const object = withoutStatus(withoutNulls(given));
  const counts = numbersAndNulls(specOf(object), root.at('spec'));
  const reported =
    strictness === 'whole' || specOf(object) === undefined
      ? validateSchema(object, ({ rule, path }) => strictness === 'whole' || !LENIENT.has(rule) || isSpec(path))
      : validateSchema(object, undefined, LENIENT);
  const errors = [...counts, ...reported];
  return { errors, isBroken: errors.some(({ rule }) => broken.has(rule)) };
}

const broken = new Set([
  'schema-type',
  'schema-required',
  'schema-range',
  'schema-quantity',
  'schema-items',
  'schema-more',
]);

/** Whether the path is outside of the status: its mistakes are reported when the platform writes the status. */
function withoutStatus(object: KubeObject): KubeObject {
  const { status: _platforms, ...rest } = object as KubeObject & { status?: unknown };
  return rest;
}

const REQUIRED = new Set(['schema-required']);
const LENIENT = new Set([...REQUIRED, 'schema-unknown-field']);
const isSpec = ({ parts }: Finding['path']): boolean => parts.length === 1 && parts[0] === 'spec';

/** Returns warnings of unknown fields, in the API server's wording. */
function unknownFields(object: KubeObject): string[] {
  const unknown = 'schema-unknown-field';
  return validateSchema(withoutStatus(withoutNulls(object)), ({ rule }) => rule === unknown, REQUIRED)
    .filter(({ rule }) => rule === unknown)
    .map(({ path }) => `unknown field "${path}"`);
}

/** Whether two values are equal as Kubernetes compares them: empty lists and null fields count as absent. */
export function semanticDeepEqual(a: unknown, b: unknown): boolean {
  const [left, right] = [isNothing(a) ? undefined : a, isNothing(b) ? undefined : b];
  if (typeof left !== 'object' || typeof right !== 'object') return Object.is(left, right);
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    for (let i = 0; i < left.length; i++) if (!semanticDeepEqual(left[i], right[i])) return false;
    return true;
  }
  const [before, after] = [left as Record<string, unknown>, right as Record<string, unknown>];
  for (const key of Object.keys(before)) {
    if (!semanticDeepEqual(before[key], Object.hasOwn(after, key) ? after[key] : undefined)) return false;
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key) && !isNothing(after[key])) return false;
  }
  return true;
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const specOf = (of: KubeObject): unknown => (of as { spec?: unknown }).spec;

/** Rejects changes of an immutable spec. */
export function immutableSpec(object: KubeObject, old: KubeObject): Finding[] {
  if (semanticDeepEqual(specOf(object), specOf(old))) return [];
  return [
    refusal('spec-immutable', root.at('spec'), 'spec in immutable after creation', 'create another object instead'),
  ];
}
