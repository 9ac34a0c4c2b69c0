import { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { ServiceAccountTokens } from '../authentication/tokens';
import { Access, Authorizer, forbiddenMessage } from '../authorization/authorizer';
import { accessOf } from '../authorization/request-access';
import { errors, StatusError } from '../errors';
import { UserInfo } from '../types';
import { AuditLog } from './audit';
import { authenticate } from './authn';
import { Context, Upgrade } from './context';
import { FlowControl, Permit } from './flow-control';
import { impersonate } from './impersonation';
import { hasOddSegments, parseRequest, RequestInfo } from './request-info';
import { sendError, sendText } from './responder';

/** Handler of requests: objects, discovery or aggregated servers. Returns false for requests of other handlers. */
export interface Route {
  serve(context: Context): Promise<boolean>;
  /** Takes over the connection. */
  upgrade?(upgrade: Upgrade): Promise<boolean>;
}

/** Passes each request through authentication and authorization to the first matching route. */
export class Dispatcher {
  public constructor(
    private readonly routes: readonly Route[],
    private readonly tokens: ServiceAccountTokens,
    private readonly authorizer: Authorizer,
    private readonly audit: AuditLog,
    private readonly flow: FlowControl,
    private readonly log: (message: string, details?: object) => void,
  ) {}

  public async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    let info: RequestInfo | undefined;
    let user: UserInfo | undefined;
    let permit: Permit | undefined;
    let context: Context | undefined;
    request.on('error', () => {});
    response.on('error', () => {});
    try {
      info = parseRequest(request.method ?? 'GET', request.url ?? '/');
      const access = accessOf(info);
      user = authenticate(request, this.tokens);
      user = impersonate(user, request.headersDistinct, access, this.authorizer);
      this.authorize(user, access);
      permit = this.flow.enter(request, user, info);
      await permit.turn();
      context = new Context(request, response, info, user);
      if (!(await this.route(context))) sendText(response, 404, '404 page not found\n');
    } catch (error) {
      sendError(response, error, (cause) => this.logFault(cause, request));
    }
    permit?.endAfter(response);
    if (info) this.record(request, info, user, response.statusCode, started, context?.annotations);
  }

  public async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const started = performance.now();
    let info: RequestInfo | undefined;
    let user: UserInfo | undefined;
    socket.on('error', () => socket.destroy());
    try {
      info = parseRequest(request.method ?? 'GET', request.url ?? '/');
      const access = accessOf(info);
      user = authenticate(request, this.tokens);
      user = impersonate(user, request.headersDistinct, access, this.authorizer);
      this.authorize(user, access);
      const permit = this.flow.enter(request, user, info);
      socket.once('close', () => permit.end());
      if (hasOddSegments(info.path)) throw errors.noSuchResource();
      const upgrade: Upgrade = { request, socket, head, info, user };
      for (const route of this.routes) {
        if (!(await route.upgrade?.(upgrade))) continue;
        this.record(request, info, user, 101, started);
        return;
      }
      throw errors.noSuchResource();
    } catch (error) {
      if (!(error instanceof StatusError)) this.logFault(error, request);
      const refusal = error instanceof StatusError ? error : errors.internal(String(error));
      refuseUpgrade(socket, refusal);
      if (info) this.record(request, info, user, refusal.code, started);
    }
  }

  private async route(context: Context): Promise<boolean> {
    const { path } = context.info;
    if (hasOddSegments(path)) {
      if (/^\/apis?\//.test(path)) throw errors.noSuchResource();
      return false;
    }
    for (const route of this.routes) if (await route.serve(context)) return true;
    return false;
  }

  private authorize(user: UserInfo, access: Access): void {
    const decision = this.authorizer.authorize(user, access);
    if (decision.allowed) return;
    // Anonymous users also get 403 and are not asked to authenticate.
    throw errors.forbidden(
      { group: access.isResource ? access.group : '', resource: access.resource },
      access.name,
      forbiddenMessage(user, access) + (decision.reason ? `: ${decision.reason}` : ''),
    );
  }

  private record(
    request: IncomingMessage,
    info: RequestInfo,
    user: UserInfo | undefined,
    code: number,
    from: number,
    annotations?: Record<string, string>,
  ) {
    if (!info.isResource) return;
    this.audit.write({
      ts: new Date().toISOString(),
      user: user?.username ?? '',
      userAgent: request.headers['user-agent'] ?? '',
      verb: info.verb,
      resource: info.group ? `${info.resource}.${info.group}` : info.resource,
      subresource: info.subresource,
      ns: info.namespace,
      name: info.name,
      code,
      ms: Math.round((performance.now() - from) * 10) / 10,
      ...(annotations ? { annotations } : {}),
    });
  }

  private logFault(error: unknown, request: IncomingMessage): void {
    this.log('request failed', {
      method: request.method,
      url: request.url,
      error: error instanceof Error ? error.stack : String(error),
    });
  }
}

/** Responds to a rejected upgrade request. */
export function refuseUpgrade(socket: Duplex, error: StatusError): void {
  const body = `${JSON.stringify(error.status)}\n`;
  socket.end(
    `HTTP/1.1 ${error.code} ${error.status.reason ?? 'Error'}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
