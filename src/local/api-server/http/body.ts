import { IncomingMessage } from 'node:http';
import { errors, StatusError } from '../errors';
import { decodeProtobuf, isProtobuf } from '../protobuf/decode';
import { TOO_DEEP } from '../json/depth';
import { duplicateFields, syntaxError } from '../json/go-json';
import { parseJson, parseYaml, yamlError } from '../json/parse';
import { Permit } from './flow-control';
import { ACCEPTED } from './negotiate';

/** Limit of Kubernetes' API server. */
const LIMIT = 3 * 1024 * 1024;

/** Time to receive a body, for requests without a permit (tests of single functions). */
const BODY_MS = 30_000;

/**
 * Reads a body, within the limits of its request. Resolves when the request may process it.
 * @throws StatusError 413 over the limit of size, 429 over the limit of bytes in flight, 504 if it is too slow
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const permit = Permit.of(request);
  if (Number(request.headers['content-length'] ?? 0) > LIMIT) throw tooLarge();
  const body = await receive(request, permit?.bodyMs ?? BODY_MS, (bytes) => permit?.receive(bytes));
  if (body.length) await permit?.turn();
  return body;
}

const tooLarge = () => errors.tooLarge(`limit is ${LIMIT}`);

function receive(request: IncomingMessage, withinMs: number, count: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (finish: () => void) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      finish();
    };
    const onData = (chunk: Buffer) => {
      try {
        size += chunk.length;
        if (size > LIMIT) throw tooLarge();
        count(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        done(() => reject(error as Error));
      }
    };
    const onEnd = () => done(() => resolve(Buffer.concat(chunks)));
    const onClose = () => done(() => reject(errors.badRequest('unexpected EOF')));
    const onTimeout = () => done(() => reject(errors.timeout('request did not complete within the allotted timeout')));
    const timer = setTimeout(onTimeout, withinMs);
    request.on('data', onData).once('end', onEnd).once('close', onClose).once('error', onClose);
  });
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
    value = yaml ? parseYaml(text) : parseJson(text);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    if (yaml)
      throw errors.badRequest(
        `the object provided is unrecognized (must be of type ${into}): ${yamlError(error)} (${summary(body)})`,
      );
    throw errors.badRequest(
      `the object provided is unrecognized (must be of type ${into}): couldn't get version/kind; json parse error: ${isDepth(error) ? String((error as Error).message) : syntaxError(text, error)} (${summary(body)})`,
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

const isDepth = (error: unknown) => error instanceof Error && error.message === TOO_DEEP;

/** First bytes in hex, as Kubernetes prints a body that it cannot read. */
function summary(body: Buffer): string {
  if (!body.length) return 'empty body';
  const first = body.subarray(0, 30);
  const shown = body[0] === 0x7b ? first.toString('utf8') : first.toString('hex');
  return body.length > 30 ? `${shown} ...` : shown;
}

/** Duplicate keys in a JSON body, which strict decoding rejects. */
export function duplicatesIn(body: Buffer, type: string): string[] {
  return type === '' || type === 'application/json' || type === 'text/json'
    ? duplicateFields(body.toString('utf8'))
    : [];
}
