/** Computes the result of `kubectl apply` for an object of the cluster. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { hasSchema, type KubeObject } from '../../api';
import { isObject, type Json } from '../../api/lint/read';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Merges the manifest into the live object: fields that were applied before and are missing from the manifest are
 * removed, fields that others set are kept.
 */
export function applied(manifest: KubeObject, live: KubeObject): KubeObject {
  // lists of custom resources are replaced; those of Kubernetes' own kinds are merged by name and defaulted
  const keepsItems = !hasSchema(manifest.apiVersion, manifest.kind);
  return merged(manifest, live, ownedFields(live), keepsItems) as KubeObject;
}

/** Fields that earlier applies have set, as an object of the same shape. */
function ownedFields({ metadata }: KubeObject): unknown {
  const text = metadata.annotations?.[LAST_APPLIED];
  if (text !== undefined) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  const entries = (metadata.managedFields ?? []).filter(
    ({ operation, subresource }) => operation === 'Apply' && !subresource,
  );
  return entries.map(({ fieldsV1 }) => fieldsOf(fieldsV1)).reduce<unknown>(union, undefined);
}

/** Converts `f:spec: {f:x: {}}` to `spec: {x: {}}`; keys of lists are omitted, because lists are compared as a whole. */
function fieldsOf(fields: unknown): Json {
  const entries = Object.entries(isObject(fields) ? fields : {}).filter(([key]) => key.startsWith('f:'));
  return Object.fromEntries(entries.map(([key, inner]) => [key.slice(2), fieldsOf(inner)]));
}

function union(one: unknown, two: unknown): unknown {
  if (!isObject(one) || !isObject(two)) return one ?? two;
  const keys = [...new Set([...Object.keys(one), ...Object.keys(two)])];
  return Object.fromEntries(keys.map((key) => [key, union(one[key], two[key])]));
}

function merged(wanted: unknown, live: unknown, owned: unknown, keepsItems: boolean): unknown {
  if (Array.isArray(wanted) && Array.isArray(live)) {
    if (!keepsItems) return wanted;
    const places = placesOf(wanted, live);
    return wanted.map((item: unknown, i) => {
      const at = places[i];
      return at === undefined ? item : merged(item, live[at], undefined, keepsItems);
    });
  }
  if (!isObject(wanted) || !isObject(live)) return wanted;
  const mine = isObject(owned) ? owned : {};
  const kept = Object.entries(live).filter(([key]) => Object.hasOwn(wanted, key) || !Object.hasOwn(mine, key));
  const written = Object.entries(wanted).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(written.map(([key, value]) => [key, merged(value, live[key], mine[key], keepsItems)])),
  };
}

/**
 * Index of each item in the live list: by name or port, or its own index if no other item has it.
 * An item whose key changes gets the same defaults from the API server as before.
 */
function placesOf(wanted: readonly unknown[], live: readonly unknown[]): (number | undefined)[] {
  const isTaken = new Set<number>();
  const take = (at: number): number | undefined => {
    if (at < 0 || at >= live.length || isTaken.has(at)) return undefined;
    isTaken.add(at);
    return at;
  };
  const places = wanted.map((item) => {
    const key = isObject(item) ? KEYS.find((each) => item[each] !== undefined) : undefined;
    if (key === undefined) return undefined;
    return take(
      live.findIndex(
        (each, at) => !isTaken.has(at) && isObject(each) && isDeepStrictEqual(each[key], (item as Json)[key]),
      ),
    );
  });
  return places.map((at, i) => at ?? take(i));
}

const KEYS = ['name', 'port', 'containerPort', 'mountPath', 'key'];
