import { ServerResponse } from 'node:http';
import { stringify as yaml } from 'yaml';
import { KubeList } from '../../../api/meta';
import { StatusError, errors } from '../errors';
import { Kind } from '../registry/kind';
import { partialList, partialObject, tableOf } from '../table/table';
import { AnyObject } from '../types';
import { Wanted } from './negotiate';

/** Sends one answer. */
export function sendJson(response: ServerResponse, code: number, body: object, contentType = 'application/json'): void {
  const text = contentType.includes('yaml') ? yaml(body) : `${JSON.stringify(body)}\n`;
  response.writeHead(code, {
    'Content-Type': contentType,
    'Cache-Control': 'no-cache, private',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

export function sendText(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' });
  response.end(text);
}

/** Sends an error. Errors other than StatusError are internal errors: 500. */
export function sendError(response: ServerResponse, error: unknown, log: (error: unknown) => void): number {
  let refusal = error;
  if (!(refusal instanceof StatusError)) {
    log(error);
    refusal = errors.internal(error instanceof Error ? error.message : String(error));
  }
  const { status, code } = refusal as StatusError;
  if (response.headersSent) {
    response.destroy();
    return code;
  }
  if (status.details?.retryAfterSeconds) response.setHeader('Retry-After', status.details.retryAfterSeconds);
  sendJson(response, code, status);
  return code;
}

const isList = (value: object): value is KubeList<AnyObject> => Array.isArray((value as { items?: unknown }).items);

/** Returns an object or list in the form that the client requested. */
export function shape(value: object, kind: Kind, wanted: Wanted, query: URLSearchParams): object {
  if ((value as { kind?: string }).kind === 'Status') return value;
  switch (wanted.as) {
    case 'Table':
      return tableOf(value as AnyObject, kind, wanted.metaVersion, {
        includeObject: query.get('includeObject') ?? 'Metadata',
        headers: true,
      });
    case 'PartialObjectMetadata':
      if (isList(value)) throw notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list`);
      return partialObject(value as AnyObject, wanted.metaVersion);
    case 'PartialObjectMetadataList':
      if (!isList(value)) {
        throw notAcceptable(`you requested PartialObjectMetadataList, but the requested object is not a list`);
      }
      return partialList(value, wanted.metaVersion);
    default:
      if (!isList(value) || kind.custom) return value;
      return {
        ...value,
        items: value.items.map(({ apiVersion: _a, kind: _k, ...item }) => item),
      };
  }
}

function notAcceptable(message: string): StatusError {
  return new StatusError({ ...errors.notAcceptable([]).status, message });
}

/** Returns the object of a watch event in the form that the client requested. */
export function shapeEvent(
  object: AnyObject,
  kind: Kind,
  wanted: Wanted,
  query: URLSearchParams,
  first: boolean,
): object {
  if (wanted.as === 'Table') {
    return tableOf(object, kind, wanted.metaVersion, {
      includeObject: query.get('includeObject') ?? 'Metadata',
      headers: first,
    });
  }
  return wanted.as === 'object' ? object : partialObject(object, wanted.metaVersion);
}

/** `Warning: 299 - "…"`, once per message. */
export function warningHeader(text: string): string {
  return `299 - "${text.replace(/[\r\n\t]+/g, ' ').replace(/["\\]/g, '\\$&')}"`;
}
