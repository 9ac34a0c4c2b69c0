import { createServer, Server } from 'node:https';
import { IncomingMessage, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { Pair } from '../../../support/pki';

export interface Review {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly request: any;
  readonly path: string;
  /** Port of the caller: one per connection. */
  readonly port: number | undefined;
}

export interface Verdict {
  readonly allowed?: boolean;
  readonly message?: string;
  readonly code?: number;
  readonly warnings?: string[];
  readonly auditAnnotations?: Record<string, string>;
  readonly patch?: object[];
}

export interface WebhookServer {
  readonly port: number;
  /** Requests, in order. */
  readonly reviews: Review[];
  /** Decides by path. */
  answer: (review: Review) => Verdict | undefined;
  /** Body of the response to a ConversionReview. */
  convert: (request: Review['request']) => object | string;
  close(): void;
}

/** An admission webhook over HTTPS. Without a verdict it never answers. */
export async function startWebhookServer(tls: Pair): Promise<WebhookServer> {
  const reviews: Review[] = [];
  const result: Pick<WebhookServer, 'answer' | 'convert'> = { answer: () => ({}), convert: () => ({}) };
  const server: Server = createServer(tls, (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { kind, request: asked } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const review = { request: asked, path: (request.url ?? '').split('?')[0], port: request.socket.remotePort };
      reviews.push(review);
      if (kind === 'ConversionReview') {
        const converted = result.convert(asked);
        response.setHeader('Content-Type', 'application/json');
        return void response.end(typeof converted === 'string' ? converted : JSON.stringify(converted));
      }
      const verdict = result.answer(review);
      if (!verdict) return;
      const { allowed = true, message, code, warnings, patch, auditAnnotations } = verdict;
      response.setHeader('Content-Type', 'application/json');
      response.end(
        JSON.stringify({
          kind: 'AdmissionReview',
          apiVersion: 'admission.k8s.io/v1',
          response: {
            uid: asked.uid,
            allowed,
            ...(message ? { status: { message, code } } : {}),
            ...(warnings ? { warnings } : {}),
            ...(auditAnnotations ? { auditAnnotations } : {}),
            ...(patch ? { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') } : {}),
          },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(result, {
    port: (server.address() as AddressInfo).port,
    reviews,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
}
