import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import { errorText } from '../../api/error-text';
import { vmFields } from '../../api/log-fields';
import { ApiError, readAsStreams } from '../kube';
import type { KubeClient, ServingTls, UploadTarget } from '../kube';
import { parseReview, review } from './admission/review';
import type { Admit } from './admission/review';
import { authenticate, distinctHeaders, mayCallWebhooks, peerOf } from './authn';
import type { UserInfo } from './authn';
import { authorize, requirePermission, tokenAttributes } from './authz';
import { Bodies } from './body';
import { Unidentified } from './connections';
import { apiGroup, apiGroupList, apiResourceList } from './discovery';
import type { Connections } from './metrics/connections';
import { openApiV2, openApiV3, openApiV3Index } from './openapi';
import { route } from './routes';
import type { Route } from './routes';
import { badRequest, internalError, notImplemented, Refusal } from './status';
import type { ClusterConfig } from '../../api/cluster-config';
import type { HandlerClient } from './subresources/handler';
import { findStream, serveAction } from './subresources/serve';
import { acceptUpgrade, handshakeOf, join, rejectUpgrade } from './subresources/stream';
import { uploadGroup, uploadResourceList } from './uploads/routes';
import { answerTokenRequest } from './uploads/token-request';

/** Dependencies of the server; every side effect is in one of them. */
export interface Parts {
  readonly client: KubeClient;
  readonly handler: HandlerClient;
  /** Returns the platform's current configuration. */
  readonly config: () => ClusterConfig;
  /** Webhooks by path: `/virtualmachines-mutate` … */
  readonly webhooks: ReadonlyMap<string, Admit>;
  /** Signs a token for an upload. */
  readonly uploadToken: (target: UploadTarget) => string;
  /** Reason why the webhooks cannot answer yet; undefined if they can. */
  readonly unready: () => string | undefined;
  readonly version: object;
  /** Counts open streams. */
  readonly connections: Connections;
  readonly log: Logger;
}

export interface ServerOptions {
  /** The only accepted client authority is the aggregating API server's; webhook calls may come without a certificate. */
  readonly tls: ServingTls;
  /** Current names that the aggregating API server's client certificate may have. */
  readonly requestHeaderAllowedNames: () => readonly string[];
  /** Certificate names of webhook callers, signed by that authority. Default: every client may call. */
  readonly webhookAllowedNames?: readonly string[];
}

/**
 * An AdmissionReview contains the object twice. Even where etcd is configured to accept more than 1.5 MiB, it must remain
 * possible to remove the finalizers of stored objects.
 */
const MAX_REVIEW_BYTES = 8 * 1024 * 1024;
const MAX_OPTIONS_BYTES = 64 * 1024;
/** Kubernetes' limit. */
const MAX_OBJECT_BYTES = 3 * 1024 * 1024;
/** Timeout with which the webhooks are registered (api/platform). */
const REQUEST_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 120_000;
/** Interval at which requests that take longer to arrive are checked. */
const CHECK_MS = 1000;

/** virt-api as an HTTPS server that does not listen yet. HTTP/1.1 only: no rapid-reset attack, and it supports websockets. */
export function createApiServer(options: ServerOptions, parts: Parts): Server {
  const server = createServer(
    {
      ...options.tls.options,
      requestCert: true,
      rejectUnauthorized: false,
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
      handshakeTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_MS,
      // longer than the API server keeps idle connections: it must never write to one that this server is closing
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => void serve(request, response),
  );
  options.tls.follow(server);
  readAsStreams(server);
  server.on('upgrade', (request, socket, head) => void serveUpgrade(request, socket, head));
  server.on('tlsClientError', (error) => parts.log.debug({ err: error.message }, 'TLS handshake failed'));

  const unidentified = new Unidentified();
  server.on('secureConnection', (socket: TLSSocket) => {
    if (!socket.authorized) unidentified.add(socket);
  });
  const bodies = new Bodies();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const started = performance.now();
    const { socket } = request;
    unidentified.request(socket, 1);
    response.once('close', () => unidentified.request(socket, -1));
    try {
      await dispatch(request, response);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.code >= 500) parts.log.error({ path: request.url, err: refusal.message }, 'request failed');
      // the rest of a rejected request is not read
      if (!request.complete && !response.headersSent) response.setHeader('Connection', 'close');
      sendJson(response, refusal.code, refusal.toStatus());
    } finally {
      const ms = Math.round(performance.now() - started);
      parts.log.debug({ method: request.method, path: request.url, code: response.statusCode, ms }, 'request');
    }
  };

  const dispatch = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = pathOf(request);
    const admit = parts.webhooks.get(path);
    if (admit) {
      if (!mayCallWebhooks(peerOf(request.socket as TLSSocket, options.tls), options.webhookAllowedNames))
        throw notTheApiServer();
      if (request.method !== 'POST') throw wrongMethod(request, 'POST');
      throwIfUnready();
      const given = new AbortController();
      response.once('close', () => given.abort(new Error('the request was given up')));
      const answer = await bodies.read(request, MAX_REVIEW_BYTES, (body) =>
        review(parseReview(body), admit, given.signal),
      );
      return sendJson(response, 200, answer);
    }
    const to = route(request.method ?? '', path);
    if (to.to === 'upload-token') {
      const attributes = tokenAttributes(to.version, to.namespace);
      await requirePermission(
        parts.client,
        userOf(request),
        attributes,
        'cdi.kubevirt.io:admin and cdi.kubevirt.io:edit',
      );
      const issuer = { client: parts.client, sign: parts.uploadToken };
      const answer = await bodies.read(request, MAX_OPTIONS_BYTES, (body) =>
        answerTokenRequest(issuer, to, body.toString('utf8')),
      );
      return sendJson(response, 201, answer);
    }
    if (to.to !== 'subresource') return sendJson(response, 200, document(to, request));
    await permit(request, to);
    if (to.subresource.stream) {
      handshakeOf(request);
      throw badRequest('this subresource is a websocket');
    }
    const limit = to.subresource.owner === 'expand-vm-spec' ? MAX_OBJECT_BYTES : MAX_OPTIONS_BYTES;
    const answer = await bodies.read(request, limit, (body) =>
      serveAction(parts.client, parts.handler, to, body.toString('utf8'), parts.config),
    );
    response.writeHead(answer.code, { 'Content-Type': 'application/json' });
    response.end(answer.json ?? '');
  };

  const throwIfUnready = (): void => {
    const cause = parts.unready();
    if (cause) throw new Refusal(503, 'ServiceUnavailable', `virt-api is not ready: ${cause}`, {}, 'try again');
  };

  const document = (to: Route, request: IncomingMessage): object => {
    switch (to.to) {
      case 'groups':
        return apiGroupList;
      case 'group':
        return apiGroup;
      case 'resources':
        return apiResourceList(to.version);
      case 'upload-group':
        return uploadGroup;
      case 'upload-resources':
        return uploadResourceList(to.version);
      case 'version':
        return parts.version;
      case 'health':
        return { apiserver: { connectivity: 'ok' } };
      case 'ready':
        throwIfUnready();
        return { status: 'ok' };
      case 'openapi-v2':
        return openApiV2();
      case 'openapi-v3':
        return openApiV3Index();
      case 'openapi-v3-group':
        return openApiV3(to.version);
      case 'unserved':
        throw notImplemented(to.what, to.remedy);
      case 'wrong-method':
        throw wrongMethod(request, to.allowed);
      default:
        throw new Refusal(404, 'NotFound', 'the server could not find the requested resource');
    }
  };

  const userOf = (request: IncomingMessage): UserInfo => {
    const headers = distinctHeaders(request.rawHeaders);
    const peer = peerOf(request.socket as TLSSocket, options.tls);
    const user = authenticate(peer, headers, options.requestHeaderAllowedNames());
    if (user) return user;
    throw new Refusal(
      401,
      'Unauthorized',
      'request is not authenticated: it must come through the Kubernetes API server',
    );
  };

  const permit = async (request: IncomingMessage, to: Extract<Route, { to: 'subresource' }>): Promise<void> =>
    authorize(parts.client, userOf(request), to);

  const serveUpgrade = async (request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> => {
    client.on('error', () => client.destroy());
    try {
      const to = route(request.method ?? '', pathOf(request));
      if (to.to !== 'subresource') {
        document(to, request);
        throw badRequest('this path is not a websocket');
      }
      await permit(request, to);
      if (!to.subresource.stream) throw badRequest(`${to.subresource.name} is not a websocket`);
      const handshake = handshakeOf(request);
      const { vmi, action } = await findStream(parts.client, to);
      const { response, socket, head: handlerHead } = await parts.handler.upgrade(vmi, action, handshake);
      if (client.destroyed) return void socket.destroy();
      acceptUpgrade(client, response);
      join(client, socket, head, handlerHead);
      const { namespace, name, subresource } = to;
      const end = parts.connections.add({ subresource: subresource.name, namespace, name });
      const about = { ...vmFields(vmi.metadata), stream: action };
      parts.log.info(about, 'stream opened');
      client.once('close', () => {
        end();
        parts.log.info(about, 'stream closed');
      });
      // it may have been closed before anyone listened
      if (client.destroyed) end();
    } catch (error) {
      rejectUpgrade(client, refusalOf(error).toStatus());
    }
  };

  return server;
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0];

const wrongMethod = (request: IncomingMessage, allowed: string): Refusal =>
  new Refusal(405, 'MethodNotAllowed', `the server does not allow ${request.method} here (allowed: ${allowed})`);

const notTheApiServer = (): Refusal =>
  new Refusal(
    401,
    'Unauthorized',
    'webhooks answer the Kubernetes API server only',
    {},
    'make the API server present its client certificate to webhooks (AdmissionConfiguration)',
  );

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  // an error that the API server returned to us
  if (error instanceof ApiError && error.code >= 400 && error.code < 500) {
    return new Refusal(error.code, error.reason, error.message, error.status?.details ?? {});
  }
  return internalError(errorText(error));
}

function sendJson(response: ServerResponse, code: number, body: object): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(code, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}
