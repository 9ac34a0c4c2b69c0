import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request as connect, type Server as HttpsServer } from 'node:https';
import type { Logger } from 'pino';
import { exportOfPath } from '../../api/export/external-path';
import { UPLOAD_PORT, uploadFormOf, uploadHeaders } from '../../api/cdi/upload';
import { errorText } from '../../api/error-text';
import { answerText, endAfterBody } from '../host/early-answer';
import { readAsStreams, resources, verifyUploadToken } from '../kube';
import type { KubeClient, ServingTls, VirtApiTrust } from '../kube';
import { download, exporterOf } from './downloads';
import { only, passHead } from './head';
import { podNameOf, targetOf, type Claim, type Pod, type Server, type Target } from './target';

type Permission = NonNullable<ReturnType<typeof verifyUploadToken>>;

export interface ProxyOptions {
  readonly tls: ServingTls;
  readonly client: KubeClient;
  readonly trust: () => VirtApiTrust;
  /** Certificate and key for connections to upload servers, in PEM. */
  readonly identity: () => { readonly cert: string; readonly key: string };
  readonly log: Logger;
  readonly limits?: Partial<Limits>;
}

export interface Limits {
  /** Uploads and downloads at a time. Default: 64. */
  readonly transfers: number;
  /** Those of one namespace, whose users decide how long they take. Default: 16. */
  readonly ofNamespace: number;
  /** Time for which a request waits until the server of its claim is ready. Default: 10 s, as in CDI. */
  readonly readyMs: number;
}

const LIMITS: Limits = { transfers: 64, ofNamespace: 16, readyMs: 10_000 };
const MOST_CONNECTIONS = 256;
const HEADERS_MS = 10_000;
/** Time without a byte after which a connection is closed. */
const IDLE_MS = 120_000;
const RECHECK_MS = 500;
const CONNECT_MS = 10_000;

/** Headers of a request that the upload server needs. */
const FORWARDED = [
  ...['content-type', 'content-length', 'transfer-encoding'],
  ...[uploadHeaders.offset, uploadHeaders.length, uploadHeaders.key],
];
const RETURNED = ['content-type', 'content-length', uploadHeaders.offset];
/** Web pages may upload: the token is in a header, which a page of others does not have. */
const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'HEAD, POST, PUT',
  'access-control-allow-headers': '*, Authorization',
  'access-control-expose-headers': uploadHeaders.offset,
};

/** The proxy of uploads and downloads, which does not listen yet. It passes bytes on as fast as their receiver takes them. */
export function createProxy(options: ProxyOptions): HttpsServer {
  const { tls, log } = options;
  const limits = { ...LIMITS, ...options.limits };
  const server = createServer(
    { ...tls.options, headersTimeout: HEADERS_MS, handshakeTimeout: HEADERS_MS, requestTimeout: 0 },
    (request, response) => void serve(request, response),
  );
  tls.follow(server);
  readAsStreams(server);
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(IDLE_MS);
  server.on('tlsClientError', (error) => log.debug({ err: error.message }, 'TLS handshake failed'));
  const open: string[] = [];

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').split('?', 1)[0]!;
    if (path === '/healthz') return answer(request, response, 200, 'OK');
    const exported = exportOfPath(path);
    if (exported) return limited(exported, request, response, () => send(options, exported, request, response));
    if (!uploadFormOf(path)) return answer(request, response, 404, 'the server does not serve this path');
    if (request.method === 'OPTIONS') return answer(request, response, 204);
    if (!['POST', 'PUT', 'HEAD'].includes(request.method ?? '')) {
      return answer(request, response, 405, `${request.method} is not allowed (allowed: POST, PUT, HEAD)`);
    }
    const [, token] = /^Bearer ([\w.-]+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (!token) {
      const text = 'the header Authorization has no token; send Authorization: Bearer TOKEN of an UploadTokenRequest';
      return answer(request, response, 400, text);
    }
    const permission = verifyUploadToken(token, options.trust(), Date.now());
    if (!permission) {
      const text = 'the token is not valid, or has expired; request another UploadTokenRequest';
      return answer(request, response, 401, text);
    }
    return limited(permission, request, response, () => forward(options, limits, permission, request, response));
  };
  const limited = async (
    { namespace }: { readonly namespace: string },
    request: IncomingMessage,
    response: ServerResponse,
    act: () => Promise<void>,
  ): Promise<void> => {
    const reached = reachedLimit(open, namespace, limits);
    if (reached) {
      response.setHeader('retry-after', '10');
      return answer(request, response, 503, reached);
    }
    open.push(namespace);
    try {
      await act();
    } catch (error) {
      log.error({ path: request.url?.split('?', 1)[0], err: errorText(error) }, 'a transfer failed');
      answer(request, response, 500, 'the proxy failed; its log has the cause');
    } finally {
      open.splice(open.indexOf(namespace), 1);
    }
  };
  return server;
}

/** Cause for which another transfer of the namespace must wait; undefined if it need not. `open`: the namespaces of the transfers. */
function reachedLimit(open: readonly string[], namespace: string, limits: Limits): string | undefined {
  const { transfers, ofNamespace } = limits;
  if (open.length >= transfers) return `${transfers} uploads and downloads are in progress; try again`;
  if (open.filter((each) => each === namespace).length < ofNamespace) return undefined;
  return `${ofNamespace} uploads and downloads of namespace ${namespace} are in progress; try again`;
}

/** Sends a part of an export. */
async function send(
  { client, log }: ProxyOptions,
  { namespace, name, rest }: NonNullable<ReturnType<typeof exportOfPath>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return answer(request, response, 405, `${request.method} is not allowed (allowed: GET, HEAD)`);
  const found = await exporterOf(client, { namespace, name }).catch((error: unknown) => unreadable(error, log));
  if ('problem' in found) return answer(request, response, 503, found.problem);
  const [, query] = (request.url ?? '').split('?', 2);
  const failure = await download(request, response, found, query === undefined ? rest : `${rest}?${query}`);
  log.info({ namespace, name, code: response.statusCode, ...(failure && { err: failure.message }) }, 'download ended');
  if (failure) answer(request, response, 502, 'the connection to the exporter broke; continue the download');
}

async function forward(
  { client, identity, log }: ProxyOptions,
  { readyMs }: Limits,
  permission: Permission,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { namespace, name } = permission;
  const find = (): Promise<Target> => findTarget(client, permission).catch((error: unknown) => unreadable(error, log));
  const target = await waitFor(find, readyMs, () => response.destroyed);
  if (response.destroyed) return;
  if (!('server' in target)) return answer(request, response, target.code, target.problem);
  log.info({ namespace, name, method: request.method, path: request.url }, 'upload begins');
  const failure = await pass(request, response, { ...target.server, ...identity(), token: permission.id });
  log.info({ namespace, name, code: response.statusCode, ...(failure && { err: failure.message }) }, 'upload ended');
  if (failure) answer(request, response, 502, 'the connection to the upload server broke; continue the upload');
}

/** The API server may be restarting: the client tries again. */
function unreadable(error: unknown, log: Logger): Extract<Target, { readonly problem: string }> {
  log.warn({ err: errorText(error) }, 'a transfer waits for the API server');
  return { code: 503, problem: 'the API server does not answer the proxy; try again', isPassing: true };
}

async function findTarget(client: KubeClient, { namespace, name, uid }: Permission): Promise<Target> {
  const claim = await client.find<Claim>(resources.persistentVolumeClaims, { namespace, name });
  const podName = podNameOf(claim);
  const pod = podName ? await client.find<Pod>(resources.pods, { namespace, name: podName }) : undefined;
  return targetOf(uid, claim, pod);
}

/** Waits until the server of the claim is ready. */
async function waitFor(find: () => Promise<Target>, readyMs: number, isGivenUp: () => boolean): Promise<Target> {
  for (const until = Date.now() + readyMs; ;) {
    const target = await find();
    if ('server' in target || !target.isPassing || Date.now() > until || isGivenUp()) return target;
    await new Promise((resolve) => setTimeout(resolve, RECHECK_MS));
  }
}

interface Connection extends Server {
  readonly cert: string;
  readonly key: string;
  readonly token: string;
}

/** Passes the request on, and the answer back. Resolves with the cause if the upload server did not answer. */
function pass(
  request: IncomingMessage,
  response: ServerResponse,
  { address, certificate, cert, key, token }: Connection,
): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const upstream = connect({
      ...{ host: address, port: UPLOAD_PORT, servername: 'upload-server', agent: false },
      ...{ ca: certificate, cert, key, minVersion: 'TLSv1.3' as const },
      ...{ method: request.method, path: request.url?.split('?', 1)[0] },
      headers: { ...only(FORWARDED, request.headers), [uploadHeaders.token]: token },
    });
    limitConnecting(upstream);
    let hasAnswer = false;
    upstream.on('response', (from) => {
      const problem = passHead(response, from, RETURNED, CROSS_ORIGIN);
      if (problem) return void upstream.destroy(problem);
      hasAnswer = true;
      relay(request, response, from);
    });
    upstream.on('error', (error) => {
      if (!hasAnswer) resolve(error);
    });
    // also if the client is gone: the server keeps what has arrived
    response.once('close', () => {
      upstream.destroy();
      resolve(undefined);
    });
    request.once('error', () => upstream.destroy());
    // the client waits while the image is converted
    request.once('end', () => request.socket.setTimeout(0));
    request.pipe(upstream);
  });
}

/** An answer may arrive before the end of the body, the rest of which is then discarded. */
function relay(request: IncomingMessage, response: ServerResponse, from: IncomingMessage): void {
  from.pipe(response, { end: false });
  from.once('end', () => endAfterBody(request, response));
  from.once('error', () => response.destroy());
}

function limitConnecting(upstream: ClientRequest): void {
  const timer = setTimeout(
    () => upstream.destroy(new Error(`no connection within ${CONNECT_MS / 1000} s`)),
    CONNECT_MS,
  );
  upstream.once('socket', (socket) => socket.once('secureConnect', () => clearTimeout(timer)));
  upstream.once('close', () => clearTimeout(timer));
}

function answer(request: IncomingMessage, response: ServerResponse, code: number, text = ''): void {
  if (response.headersSent || response.destroyed) return;
  for (const [name, value] of Object.entries(CROSS_ORIGIN)) response.setHeader(name, value);
  answerText(request, response, code, text);
}
