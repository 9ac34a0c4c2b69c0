/** What `kubectl apply` would leave of an object in the cluster. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { hasSchema, type KubeObject } from '../../api';
import { isObject, type Json } from '../../api/lint/read';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The live object with the manifest written over it: fields that were applied before and are not in the manifest any
 * more go, fields that others set stay.
 */
export function applied(manifest: KubeObject, live: KubeObject): KubeObject {
  // custom resources have their lists replaced; Kubernetes' own merge by name, and fill in what is left out
  const keepsItems = !hasSchema(manifest.apiVersion, manifest.kind);
  return merged(manifest, live, ownedFields(live), keepsItems) as KubeObject;
}

/** The fields that whoever applied the object before has set, as an object of the same shape. */
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

/** `f:spec: {f:x: {}}` -> `spec: {x: {}}`; keys of lists are left out, since lists are compared whole. */
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
 * The place in the live list that each item stands for: that of its name or port, else its own when nobody else has it.
 * An item whose key changes is filled in by the API server as the one before was.
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
