import { IncomingMessage } from 'node:http';
import { parse as parseYaml } from 'yaml';
import { errors } from '../errors';
import { decodeProtobuf, isProtobuf } from '../protobuf/decode';
import { duplicateFields, goSyntaxError } from './go-json';
import { ACCEPTED } from './negotiate';

/** Limit of Kubernetes' API server. */
const LIMIT = 3 * 1024 * 1024;

/** @throws StatusError 413 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > LIMIT) throw errors.tooLarge(`limit is ${LIMIT}`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

export function contentType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();
}

/**
 * Decodes a body that must be an object in JSON, YAML or protobuf (built-in kinds).
 * @throws StatusError 415 for other media types, 400 for bad syntax
 */
export function decodeBody(body: Buffer, type: string, into: string): Record<string, unknown> {
  if (type === 'application/vnd.kubernetes.protobuf') {
    if (isProtobuf(body)) return decodeProtobuf(body);
    throw errors.badRequest('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  const yaml = type === 'application/yaml' || type === 'text/yaml' || type === 'application/x-yaml';
  if (!yaml && type !== '' && type !== 'application/json' && type !== 'text/json') {
    throw errors.unsupportedMediaType(ACCEPTED);
  }
  const text = body.toString('utf8');
  let value: unknown;
  try {
    value = yaml ? parseYaml(text) : JSON.parse(text);
  } catch (error) {
    throw errors.badRequest(
      `the object provided is unrecognized (must be of type ${into}): couldn't get version/kind; json parse error: ${yaml ? String((error as Error).message) : syntaxError(text, error)} (${summary(body)})`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const what = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
    throw errors.badRequest(
      `the object provided is unrecognized (must be of type ${into}): couldn't get version/kind; json parse error: json: cannot unmarshal ${what} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (${summary(body)})`,
    );
  }
  return value as Record<string, unknown>;
}

/** First bytes in hex, as Kubernetes prints a body that it cannot read. */
function summary(body: Buffer): string {
  if (!body.length) return 'empty body';
  const first = body.subarray(0, 30);
  const shown = body[0] === 0x7b ? first.toString('utf8') : first.toString('hex');
  return body.length > 30 ? `${shown} ...` : shown;
}

/** Go's message for an `error` of parsing `text`. */
export function syntaxError(text: string, error: unknown): string {
  return goSyntaxError(text) ?? (error instanceof Error ? error.message : String(error));
}

/** Duplicate keys in a JSON body, which strict decoding rejects. */
export function duplicatesIn(body: Buffer, type: string): string[] {
  return type === '' || type === 'application/json' || type === 'text/json'
    ? duplicateFields(body.toString('utf8'))
    : [];
}
