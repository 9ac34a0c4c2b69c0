import { ServerResponse } from 'node:http';
import { stringify as yaml } from 'yaml';
import { errorText } from '../../../api/error-text';
import { KubeList } from '../../../api/meta';
import { StatusError, errors } from '../errors';
import { Kind } from '../registry/kind';
import { FullError } from '../store/store';
import { partialList, partialObject, tableOf } from '../table/table';
import { AnyObject } from '../types';
import { Wanted } from './negotiate';

/** Sends one answer. */
export function sendJson(response: ServerResponse, code: number, body: object, contentType = 'application/json'): void {
  sendBody(response, code, contentType.includes('yaml') ? yaml(body) : `${JSON.stringify(body)}\n`, contentType);
}

/** As `sendJson`, with the text of the body. */
export function sendBody(response: ServerResponse, code: number, text: string, contentType = 'application/json'): void {
  const body = Buffer.from(text);
  response.writeHead(code, {
    'Content-Type': contentType,
    'Cache-Control': 'no-cache, private',
    'Content-Length': body.length,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

export function sendText(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-cache, private',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

/** Sends an error. Errors other than StatusError are internal errors: 500. */
export function sendError(response: ServerResponse, error: unknown, log: (error: unknown) => void): number {
  let refusal = error;
  if (refusal instanceof FullError) refusal = errors.insufficientStorage(refusal.message);
  if (!(refusal instanceof StatusError)) {
    log(error);
    refusal = errors.internal(errorText(error));
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
      if (isList(value)) {
        throw notAcceptable(
          `you requested PartialObjectMetadata, but the requested object is a list (*${goListType(kind)})`,
        );
      }
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

/** Go type of a list: `core.PodList`. */
const goListType = (kind: Kind): string =>
  kind.custom ? 'unstructured.UnstructuredList' : `${kind.group.split('.')[0] || 'core'}.${kind.listKind}`;

export function notAcceptable(message: string, details?: object): StatusError {
  return new StatusError({ ...errors.notAcceptable([]).status, message, ...(details ? { details } : {}) });
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
