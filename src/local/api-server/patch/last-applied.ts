import { KubeObject } from '../../../api/meta';
import { TypeSchema } from '../schema/type-schema';
import { FieldSet } from './field-set';
import { parseJson } from '../json/parse';
import { clone, sortKeys } from '../json/values';
import { goJson } from './path-element';
import { compare, toFieldSet, validateTyped } from './typed';

/** Annotation in which `kubectl apply` without `--server-side` stores the applied object. */
const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** Maximum total size of annotations. */
const MAX_ANNOTATIONS = 256 * 1024;

type Annotated = Partial<KubeObject>;

/**
 * Fields that client-side apply set and that still have that value: kubectl may take them over without a conflict.
 * Undefined if the object lacks the annotation.
 */
export function allowedByLastApplied(live: unknown, apiVersion: string, schema: TypeSchema): FieldSet | undefined {
  const text = (live as Annotated).metadata?.annotations?.[ANNOTATION];
  if (!text) return undefined;
  try {
    const last = parseJson(text) as Annotated;
    if (last.apiVersion !== apiVersion || last.kind !== (live as Annotated).kind) return undefined;
    if (validateTyped(live, schema, false).length + validateTyped(last, schema, false).length > 0) return undefined;
    const { added, modified, removed } = compare(last, live, schema);
    return toFieldSet(last, schema).difference(modified).difference(added).difference(removed);
  } catch {
    return undefined;
  }
}

/** Keeps the annotation in step when kubectl applies on the server's side. Changes `object` in place. */
export function syncLastApplied(manager: string, object: unknown, config: unknown): void {
  const annotations = (object as Annotated).metadata?.annotations;
  if (manager !== 'kubectl' || !annotations?.[ANNOTATION]) return;
  const copy = clone(config) as Annotated;
  delete copy.metadata?.annotations?.[ANNOTATION];
  const text = `${goJson(sortKeys(copy))}\n`;
  const size = Object.entries({ ...annotations, [ANNOTATION]: text }).reduce((n, [k, v]) => n + k.length + v.length, 0);
  if (size > MAX_ANNOTATIONS) delete annotations[ANNOTATION];
  else annotations[ANNOTATION] = text;
}
