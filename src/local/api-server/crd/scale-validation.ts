import { isMap, own } from '../json/values';
import { ScalePaths } from '../registry/kind';
import { Cause } from '../schema';
import { AnyObject } from '../types';

const MAX_REPLICAS = 2 ** 31 - 1;

/** Validates the replicas of an object with a scale subresource. An update of the status validates only those of the status. */
export function scaleCauses(object: AnyObject, paths: ScalePaths | undefined, statusOnly: boolean): Cause[] {
  if (!paths) return [];
  return [...(statusOnly ? [] : [paths.specReplicasPath]), paths.statusReplicasPath].flatMap((path) =>
    replicaCauses(object, path),
  );
}

function replicaCauses(object: AnyObject, path: string): Cause[] {
  const wrong = (value: number, why: string): Cause[] => [
    { reason: 'FieldValueInvalid', message: `Invalid value: ${value}: ${why}`, field: path },
  ];
  const steps = path.split('.').filter(Boolean);
  let at: unknown = object;
  for (const step of steps) {
    if (at === undefined) return [];
    if (!isMap(at)) return wrong(0, accessError(path, at, 'map[string]interface{}'));
    at = own(at, step);
  }
  if (at === undefined) return [];
  if (typeof at !== 'number' || !Number.isInteger(at)) return wrong(0, accessError(path, at, 'int64'));
  if (at < 0) return wrong(at, 'should be a non-negative integer');
  return at > MAX_REPLICAS ? wrong(at, `should be less than or equal to ${MAX_REPLICAS}`) : [];
}

/** Go's error of reading a field that has another type. */
function accessError(path: string, value: unknown, wanted: string): string {
  const type = { string: 'string', number: 'float64', boolean: 'bool' }[typeof value as string];
  const got = type ?? (Array.isArray(value) ? '[]interface {}' : value === null ? '<nil>' : 'map[string]interface {}');
  const shown = typeof value === 'object' ? (value === null ? '<nil>' : JSON.stringify(value)) : String(value);
  return `${path} accessor error: ${shown} is of the type ${got}, expected ${wanted}`;
}
