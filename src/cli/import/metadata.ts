/** Maps metadata to the property that all constructs share. Pure. */
import { isFields } from './difference';
import { type Expression, value } from './expression';
import { literal } from './literal';

const isText = (given: unknown): boolean => typeof given === 'string';
const isTexts = (given: unknown): boolean =>
  isFields(given) && Object.keys(given).length > 0 && Object.values(given).every(isText);
const isOwner = (given: unknown): boolean =>
  isFields(given) && ['apiVersion', 'kind', 'name', 'uid'].every((key) => isText(given[key]));

/** Fields that cdk8s declares; it passes others through. */
const TYPED: Readonly<Record<string, (given: unknown) => boolean>> = {
  name: isText,
  namespace: isText,
  labels: isTexts,
  annotations: isTexts,
  finalizers: (given) => Array.isArray(given) && given.length > 0 && given.every(isText),
  ownerReferences: (given) => Array.isArray(given) && given.length > 0 && given.every(isOwner),
};

/** Fields of metadata that fit the types of cdk8s; the others are patched. */
export function metadataOf(metadata: unknown, name: string): Expression | undefined {
  if (!isFields(metadata)) return undefined;
  const order = ['name', 'namespace', ...Object.keys(metadata).filter((key) => key !== 'name' && key !== 'namespace')];
  const entries = order.flatMap((key): [string, Expression][] => {
    const given = metadata[key];
    if (given === undefined || given === null || key === '__proto__' || key === 'constructor') return [];
    const fits = Object.hasOwn(TYPED, key) ? TYPED[key]! : isScalar;
    return fits(given) && isSafe(given) ? [[key, key === 'annotations' ? literal(given, name) : value(given)]] : [];
  });
  return entries.length > 0 ? { type: 'object', entries } : undefined;
}

const isScalar = (given: unknown): boolean => typeof given !== 'object';

/** Keys by which cdk8s would mistake an object for a token. */
const isSafe = (given: unknown): boolean =>
  !isFields(given) || !['constructor', '__proto__'].some((key) => Object.hasOwn(given, key));
