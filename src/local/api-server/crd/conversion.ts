import { randomUUID } from 'node:crypto';
import { errors, StatusError } from '../errors';
import { clone, isMap } from '../json/values';
import { CallError, WebhookAddress, WebhookTransport } from '../network/webhook-transport';
import { Conversion } from '../registry/kind';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { validateAnnotations, validateLabels } from '../validation/object-meta';

/** Time limit of one call, as in Kubernetes. */
const SECONDS = 30;
/** Limits of the objects in one call. */
const BATCH = { objects: 500, characters: 8 << 20 };

/** `spec.conversion.webhook` of a definition. */
export interface ConversionWebhook {
  readonly clientConfig: WebhookAddress;
  readonly conversionReviewVersions: readonly string[];
}

/** Object that a webhook did not convert as required. */
class InvalidConversion extends Error {}

const gvkOf = ({ apiVersion, kind }: AnyObject): string => `${apiVersion}, Kind=${kind}`;

/**
 * The converted objects in the body of a response. Their metadata is that of the originals, but for labels and
 * annotations. @throws Error with the message of Kubernetes, which continues the name of the object's kind
 */
export function convertedIn(
  body: Record<string, unknown>,
  uid: string,
  reviewVersion: string,
  originals: readonly AnyObject[],
  apiVersion: string,
): AnyObject[] {
  const review = `apiextensions.k8s.io/${reviewVersion}`;
  if (reviewVersion === 'v1' && (body.kind !== 'ConversionReview' || body.apiVersion !== review)) {
    const got = `${String(body.apiVersion ?? '') || '/'}, Kind=${String(body.kind ?? '')}`;
    throw new Error(`failed: expected webhook response of ${review}, Kind=ConversionReview, got ${got}`);
  }
  const { response } = body as { response?: Record<string, unknown> };
  if (!isMap(response)) throw new Error('failed: no response provided');
  if (reviewVersion === 'v1' && response.uid !== uid) {
    const got = JSON.stringify(response.uid ?? '');
    throw new Error(`failed: expected response.uid=${JSON.stringify(uid)}, got ${got}`);
  }
  const result = (isMap(response.result) ? response.result : {}) as { status?: string; message?: string };
  if (result.status !== 'Success') {
    const shown = result.message || `response.result.status was '${result.status ?? ''}', not 'Success'`;
    throw new Error(`failed: ${shown}`);
  }
  const objects: unknown[] = Array.isArray(response.convertedObjects) ? response.convertedObjects : [];
  if (objects.length !== originals.length) {
    throw new Error(`returned ${objects.length} objects, expected ${originals.length}`);
  }
  return objects.map((object, i) => {
    try {
      return restored(object, originals[i], apiVersion);
    } catch (error) {
      if (error instanceof InvalidConversion) throw new Error(`returned invalid ${error.message}`);
      throw error;
    }
  });
}

function restored(converted: unknown, original: AnyObject, apiVersion: string): AnyObject {
  if (!isMap(converted)) throw new InvalidConversion('object at index 0: it is not an object');
  if (converted.apiVersion !== apiVersion) {
    const got = String(converted.apiVersion ?? '');
    throw new InvalidConversion(
      `object at index 0: invalid groupVersion (expected ${apiVersion}, received ${got || '/'})`,
    );
  }
  if (converted.kind !== original.kind) {
    const got = String(converted.kind ?? '');
    throw new InvalidConversion(`object at index 0: invalid kind (expected ${original.kind}, received ${got})`);
  }
  const given = isMap(converted.metadata) ? converted.metadata : {};
  for (const [field, shown] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [was, is] = [original.metadata[field] ?? '', given[field] ?? ''];
    if (was !== is) throw new InvalidConversion(`object: must have the same ${shown}: ${was} != ${String(is)}`);
  }
  return { ...converted, metadata: restoredMetadata(converted, original) } as AnyObject;
}

function restoredMetadata({ metadata: given }: Record<string, unknown>, { metadata }: AnyObject) {
  if (given === undefined) throw new InvalidConversion('metadata: missing metadata in converted object');
  if (!isMap(given))
    throw new InvalidConversion(`metadata: invalid metadata of type ${goType(given)} in converted object`);
  const result = clone(metadata) as AnyObject['metadata'];
  for (const field of ['labels', 'annotations'] as const) {
    const next = given[field];
    if (next === undefined || next === null) {
      delete result[field];
      continue;
    }
    if (!isMap(next)) {
      throw new InvalidConversion(`metadata: invalid metadata.${field} of type ${goType(next)} in converted object`);
    }
    for (const [key, value] of Object.entries(next)) {
      if (typeof value === 'string') continue;
      throw new InvalidConversion(
        `metadata: metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`,
      );
    }
    const texts = next as Record<string, string>;
    const fields = Fields.root('metadata').child(field === 'labels' ? 'labels' : 'annotation');
    (field === 'labels' ? validateLabels : validateAnnotations)(texts, fields);
    const wrong = [...new Set(fields.causes.map((cause) => `${cause.field}: ${cause.message}`))];
    if (wrong.length) {
      throw new InvalidConversion(`metadata: ${wrong.length === 1 ? wrong[0] : `[${wrong.join(', ')}]`}`);
    }
    result[field] = texts;
  }
  return result;
}

/** Type of a decoded value in Go. */
function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isMap(value)) return 'map[string]interface {}';
  if (value === null) return '<nil>';
  return { string: 'string', boolean: 'bool', number: Number.isInteger(value) ? 'int64' : 'float64' }[
    typeof value as 'string'
  ];
}

/** Objects in groups of at most the limits of one call. */
function batches(objects: readonly AnyObject[]): AnyObject[][] {
  const result: AnyObject[][] = [];
  let characters = Infinity;
  for (const object of objects) {
    const size = JSON.stringify(object).length;
    if (characters + size > BATCH.characters || result[result.length - 1].length === BATCH.objects) {
      result.push([]);
      characters = 0;
    }
    result[result.length - 1].push(object);
    characters += size;
  }
  return result;
}

/** Converts the custom resources of a definition between its versions with the definition's webhook. */
export class WebhookConversion implements Conversion {
  public constructor(
    private readonly transport: WebhookTransport,
    private readonly webhook: ConversionWebhook,
    /** Versions of the definition, with the group. */
    private readonly known: readonly string[],
    /** Version of stored objects. */
    public readonly storageVersion: string,
  ) {}

  /** @throws StatusError 500 with the message of Kubernetes */
  public async convert(objects: readonly AnyObject[], apiVersion: string): Promise<AnyObject[]> {
    const unknown = objects.find((object) => !this.known.includes(object.apiVersion));
    if (unknown) throw errors.unknown(`request to convert CR from an invalid group/version: ${unknown.apiVersion}`);
    const foreign = objects.filter((object) => object.apiVersion !== apiVersion);
    const converted = new Map<AnyObject, AnyObject>();
    for (const batch of batches(foreign)) {
      const found = await this.call(batch, apiVersion);
      batch.forEach((object, i) => converted.set(object, found[i]));
    }
    return objects.map((object) => converted.get(object) ?? object);
  }

  private async call(objects: readonly AnyObject[], desiredAPIVersion: string): Promise<AnyObject[]> {
    const failed = (why: string): StatusError => errors.unknown(`conversion webhook for ${gvkOf(objects[0])} ${why}`);
    const version = this.webhook.conversionReviewVersions.find((item) => item === 'v1' || item === 'v1beta1');
    if (!version) throw errors.unknown('no supported conversion review versions');
    const uid = randomUUID();
    const request = { uid, desiredAPIVersion, objects };
    const review = {
      kind: 'ConversionReview',
      apiVersion: `apiextensions.k8s.io/${version}`,
      request,
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    };
    let body: Record<string, unknown>;
    try {
      body = await this.transport.post(this.webhook.clientConfig, review, SECONDS);
    } catch (error) {
      throw error instanceof CallError ? failed(`failed: ${error.message}`) : error;
    }
    try {
      return convertedIn(body, uid, version, objects, desiredAPIVersion);
    } catch (error) {
      throw failed((error as Error).message);
    }
  }
}
