import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { certificateNames } from '../../../api/certificates';
import { uploadFormOf, uploadHeaders, type UploadForm } from '../../../api/cdi/upload';
import { answerText } from '../../host/early-answer';
import { ImportError } from '../import-error';
import { identityFiles } from './identity-files';
import { boundaryOf, fileOfForm } from './multipart';
import { failed, type Upload } from './upload';

export interface UploadServerOptions {
  readonly port: number;
  /** Folder with the key and certificate of the server. */
  readonly identity: string;
  /** Authority of the proxy's certificate, in PEM. */
  readonly authority: string;
  readonly upload: Upload;
}

const HEADERS_MS = 10_000;
/** Time without a byte after which a connection is closed. */
const IDLE_MS = 120_000;
/** The proxy uses a connection for each upload. */
const MOST_CONNECTIONS = 16;
const LONGEST_KEY = 128;

/** Starts the upload server, whose only client is the upload proxy. */
export function serveUpload({ port, identity, authority, upload }: UploadServerOptions): Server {
  // without an authority, Node would trust those of the system
  if (!authority.includes('BEGIN CERTIFICATE')) {
    const remedy = 'start virt-controller with --api-authority-file';
    throw new ImportError('RequestInvalid', 'the authority of the upload proxy is not known', remedy);
  }
  const server = createServer(
    {
      key: readFileSync(join(identity, identityFiles.key)),
      cert: readFileSync(join(identity, identityFiles.certificate)),
      ca: authority,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.3',
      headersTimeout: HEADERS_MS,
      requestTimeout: 0,
    },
    (request, response) => void handle(upload, request, response),
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(IDLE_MS);
  return server.listen(port);
}

async function handle(upload: Upload, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { headers, method = '' } = request;
  const key = headerOf(request, uploadHeaders.key)?.slice(0, LONGEST_KEY);
  const end = (code: number, text = ''): void => {
    if (response.destroyed) return;
    response.setHeader(uploadHeaders.offset, upload.offsetFor(key));
    answerText(request, response, code, text);
  };
  const form = uploadFormOf((request.url ?? '').split('?', 1)[0]!);
  if (!form || !['POST', 'PUT', 'HEAD'].includes(method)) return end(404);
  if (!isProxy(request.socket as TLSSocket)) return end(401, 'only the upload proxy may call this server');
  if (method === 'HEAD') return end(200);
  const token = headerOf(request, uploadHeaders.token);
  if (!token) return end(400, `the header ${uploadHeaders.token} is missing`);
  // the client waits while the image is converted
  request.once('end', () => request.socket.setTimeout(0));
  try {
    const { code, text } = await upload.receive({
      ...{ form, token, key, offset: numberOf(request, uploadHeaders.offset) },
      length: numberOf(request, uploadHeaders.length) ?? lengthOf(headers['content-length'], form),
      body: form.isForm
        ? fileOfForm(bodyOf(request), boundaryOf(headers['content-type']))
        : (bodyOf(request) as AsyncIterable<Buffer>),
      abort: () => request.destroy(),
    });
    end(code, text);
  } catch (error) {
    if (!(error instanceof ImportError)) console.error(error);
    const { code, text } = failed(error);
    end(code, text);
  }
}

/** A request that ends with an error can still be answered. */
const bodyOf = (request: IncomingMessage): AsyncIterable<Buffer> =>
  request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;

const isProxy = (socket: TLSSocket): boolean =>
  socket.authorized && socket.getPeerCertificate()?.subject?.CN === certificateNames.uploadClient;

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** @throws ImportError if it is not a number of bytes */
function numberOf(request: IncomingMessage, name: string): number | undefined {
  const text = headerOf(request, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new ImportError('RequestInvalid', `the header ${name} is not a number of bytes`, 'send a whole number');
}

/** The body of a form is longer than its file. */
const lengthOf = (text: string | undefined, { isForm }: UploadForm): number | undefined =>
  text === undefined || isForm ? undefined : Number(text);
