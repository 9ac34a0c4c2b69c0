import { promisify } from 'node:util';
import { constants, gzip as gzipWithCallback } from 'node:zlib';
import { Document, OpenApi, RemoteDocument } from '../discovery/openapi';
import { KindRegistry } from '../registry/registry';
import { Context } from './context';
import { Route } from './dispatcher';
import { clauses } from './negotiate';

const gzip = promisify(gzipWithCallback);

const PROTOBUF_V2 = /^application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf$/;
const JSON_TYPES = ['application/json', 'application/*', '*/*'];
const YEAR_MS = 31_536_000_000;

/**
 * /openapi/v2 and /openapi/v3, from documents that are rendered once until the kinds change. /openapi/v3 also has those of
 * the servers behind APIServices.
 */
export class OpenApiRoute implements Route {
  private readonly openapi: OpenApi;
  private readonly compressed = new WeakMap<Document, Promise<Buffer>>();

  public constructor(kinds: KindRegistry, remote?: () => readonly RemoteDocument[]) {
    this.openapi = new OpenApi(kinds, remote);
  }

  public async serve(context: Context): Promise<boolean> {
    const path = context.info.path.replace(/\/$/, '');
    if (path === '/openapi/v2') await this.serveV2(context);
    else if (path === '/openapi/v3') await this.send(context, this.openapi.v3Index(), 'text/plain; charset=utf-8');
    else if (path.startsWith('/openapi/v3/')) await this.serveV3(context, path.slice('/openapi/v3/'.length));
    else return false;
    return true;
  }

  private async serveV2(context: Context): Promise<void> {
    const { request, response } = context;
    response.setHeader('Vary', ['Accept-Encoding', 'Accept']);
    const accepted = clauses(request.headers.accept);
    const first = accepted.find(({ type }) => JSON_TYPES.includes(type) || PROTOBUF_V2.test(type));
    if (accepted.length && !first) return sendEmpty(context, 406);
    if (first && PROTOBUF_V2.test(first.type)) {
      const type = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
      return this.send(context, this.openapi.v2Protobuf(), type);
    }
    return this.send(context, this.openapi.v2(), 'application/json');
  }

  private async serveV3(context: Context, path: string): Promise<void> {
    const { request, response, info } = context;
    const document = this.openapi.v3(path);
    if (!document) return sendEmpty(context, 404);
    response.setHeader('Vary', 'Accept');
    const accepted = clauses(request.headers.accept);
    if (accepted.length && !accepted.some(({ type }) => JSON_TYPES.includes(type))) return sendEmpty(context, 406);
    const hash = info.query.get('hash');
    if (hash && hash !== document.hash) {
      response.setHeader('Location', `/openapi/v3/${path}?hash=${document.hash}`);
      response.setHeader('ETag', `"${document.hash}"`);
      return sendEmpty(context, 301);
    }
    if (hash) {
      // the URL names the content, which therefore never changes
      response.setHeader('Cache-Control', 'public, immutable');
      response.setHeader('Expires', new Date(Date.now() + YEAR_MS).toUTCString());
    }
    return this.send(context, document, 'application/json');
  }

  private async send({ request, response }: Context, document: Document, type: string): Promise<void> {
    const etag = `"${document.hash}"`;
    response.setHeader('ETag', etag);
    if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-cache, private');
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304).end();
      return;
    }
    const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    const body = zipped ? await this.gzipped(document) : document.body;
    if (zipped) response.setHeader('Content-Encoding', 'gzip');
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  /** The compressed document; compressed once, outside of the event loop. */
  private gzipped(document: Document): Promise<Buffer> {
    let zipped = this.compressed.get(document);
    if (!zipped) this.compressed.set(document, (zipped = gzip(document.body, { level: constants.Z_BEST_SPEED })));
    return zipped;
  }
}

function sendEmpty({ response }: Context, code: number): void {
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-cache, private');
  response.writeHead(code, { 'Content-Length': 0 });
  response.end();
}
