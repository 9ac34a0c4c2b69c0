/** Metadata of an object as the property that every construct takes. Pure. */
import { isFields } from './difference';
import { type Expression, value } from './expression';
import { literal } from './literal';

const isText = (given: unknown): boolean => typeof given === 'string';
const isTexts = (given: unknown): boolean =>
  isFields(given) && Object.keys(given).length > 0 && Object.values(given).every(isText);
const isOwner = (given: unknown): boolean =>
  isFields(given) && ['apiVersion', 'kind', 'name', 'uid'].every((key) => isText(given[key]));

/** What cdk8s types; anything else of metadata it passes on. */
const TYPED: Readonly<Record<string, (given: unknown) => boolean>> = {
  name: isText,
  namespace: isText,
  labels: isTexts,
  annotations: isTexts,
  finalizers: (given) => Array.isArray(given) && given.length > 0 && given.every(isText),
  ownerReferences: (given) => Array.isArray(given) && given.length > 0 && given.every(isOwner),
};

/** What of metadata can be given as cdk8s types it; the rest is to be patched. */
export function metadataOf(metadata: unknown, name: string): Expression | undefined {
  if (!isFields(metadata)) return undefined;
  const order = ['name', 'namespace', ...Object.keys(metadata).filter((key) => key !== 'name' && key !== 'namespace')];
  const entries = order.flatMap((key): [string, Expression][] => {
    const given = metadata[key];
    if (given === undefined || given === null || key === '__proto__' || key === 'constructor') return [];
    const fits = Object.hasOwn(TYPED, key) ? TYPED[key]! : isPlain;
    return fits(given) && isSafe(given) ? [[key, key === 'annotations' ? literal(given, name) : value(given)]] : [];
  });
  return entries.length > 0 ? { type: 'object', entries } : undefined;
}

const isPlain = (given: unknown): boolean => typeof given !== 'object';

/** cdk8s takes objects with these keys for something else. */
const isSafe = (given: unknown): boolean =>
  !isFields(given) || !['constructor', '__proto__'].some((key) => Object.hasOwn(given, key));
