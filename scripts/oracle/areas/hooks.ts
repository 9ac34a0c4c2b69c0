import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Pair } from '../../../test/support/pki';

export interface Hooks {
  readonly port: number;
  close(): void;
}

type Json = Record<string, unknown>;

const jsonPatch = (operations: unknown[]): Json => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

/** Facts of a review that both servers must send. */
function factsOf(review: Json): string {
  const { uid: _, object, oldObject, userInfo, ...rest } = review as Record<string, Json | undefined>;
  return JSON.stringify({
    ...rest,
    userInfo: userInfo && { username: userInfo.username, groups: userInfo.groups },
    object: object === null ? null : object && Object.keys(object).sort(),
    oldObject: oldObject === null ? null : oldObject && Object.keys(oldObject).sort(),
  });
}

function respond(path: string, request: Json): Json | string | number | undefined {
  const annotation = (key: string, value: string): Json => {
    const annotations = ((request.object as Json | null)?.metadata as Json | undefined)?.annotations;
    return jsonPatch(
      annotations
        ? [{ op: 'add', path: `/metadata/annotations/${key}`, value }]
        : [{ op: 'add', path: '/metadata/annotations', value: { [key]: value } }],
    );
  };
  switch (path) {
    case '/allow':
      return { allowed: true };
    case '/deny':
      return { allowed: false };
    case '/deny-message':
      return { allowed: false, status: { message: 'not today' } };
    case '/deny-code':
      return { allowed: false, status: { message: 'too many', code: 429, reason: 'TooManyRequests' } };
    case '/deny-reason':
      return { allowed: false, status: { reason: 'because' } };
    case '/deny-200':
      return { allowed: false, status: { message: 'ok?', code: 200 } };
    case '/deny-details':
      return {
        allowed: false,
        status: {
          message: 'wrong',
          code: 422,
          reason: 'Invalid',
          details: { causes: [{ reason: 'FieldValueInvalid', message: 'm', field: 'data.a' }] },
        },
      };
    case '/deny-warn':
      return { allowed: false, status: { message: 'no' }, warnings: ['careful'] };
    case '/warn':
      return { allowed: true, warnings: ['first warning', 'second "quoted" warning'] };
    case '/warn-long':
      return { allowed: true, warnings: ['x'.repeat(300), 'y'.repeat(4100)] };
    case '/warn-bad':
      return { allowed: true, warnings: ['tab\there', 'ünï', ''] };
    case '/audit':
      return { allowed: true, auditAnnotations: { key: 'value', 'bad key/x y': 'v' } };
    case '/echo':
      return { allowed: true, ...annotation('seen', factsOf(request)) };
    case '/facts':
      return { allowed: false, status: { message: factsOf(request) } };
    case '/label':
      return { allowed: true, ...jsonPatch([{ op: 'add', path: '/metadata/labels', value: { hooked: 'yes' } }]) };
    case '/count': {
      const annotations = ((request.object as Json).metadata as { annotations?: Record<string, string> }).annotations;
      return { allowed: true, ...annotation('count', String(Number(annotations?.count ?? 0) + 1)) };
    }
    case '/second':
      return { allowed: true, ...annotation('second', 'x') };
    case '/patch-bad':
      return { allowed: true, ...jsonPatch([{ op: 'remove', path: '/nope/nope' }]) };
    case '/patch-syntax':
      return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from('{').toString('base64') };
    case '/patch-type':
      return { allowed: true, patchType: 'Merge', patch: Buffer.from('[]').toString('base64') };
    case '/patch-no-type':
      return { allowed: true, patch: Buffer.from('[]').toString('base64') };
    case '/patch-invalid':
      return { allowed: true, ...jsonPatch([{ op: 'add', path: '/metadata/labels', value: { 'a b': 'c' } }]) };
    case '/patch-shape':
      return { allowed: true, ...jsonPatch([{ op: 'add', path: '/data', value: 5 }]) };
    case '/patch-name':
      return { allowed: true, ...jsonPatch([{ op: 'replace', path: '/metadata/name', value: 'other' }]) };
    case '/patch-unknown':
      return { allowed: true, ...jsonPatch([{ op: 'add', path: '/nope', value: 1 }]) };
    case '/500':
      return 500;
    case '/404':
      return 404;
    case '/garbage':
      return 'not json';
    case '/empty':
      return '{}';
    case '/no-response':
      return '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}';
    case '/wrong-kind':
      return `{"apiVersion":"admission.k8s.io/v1","kind":"Other","response":{"uid":"${request.uid}","allowed":true}}`;
    case '/wrong-version':
      return `{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview","response":{"uid":"${request.uid}","allowed":true}}`;
    case '/wrong-uid':
      return '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"x","allowed":true}}';
    case '/no-uid':
      return '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"allowed":true}}';
    case '/silent':
      return undefined;
    default:
      return 404;
  }
}

/** A webhook that decides by the path of its URL. */
export async function startHooks(tls: Pair): Promise<Hooks> {
  const server = createServer(tls, (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { pathname } = new URL(incoming.url ?? '/', 'https://hooks');
      const text = Buffer.concat(chunks).toString('utf8');
      if (incoming.method !== 'POST' || !text) {
        outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        return;
      }
      const { request = {} } = JSON.parse(text) as { request?: Json };
      const response = respond(pathname, request);
      if (response === undefined) return;
      if (typeof response === 'number') {
        outgoing.writeHead(response).end(`answer ${response}`);
      } else if (typeof response === 'string') {
        outgoing.writeHead(200, { 'content-type': 'application/json' }).end(response);
      } else {
        const review = {
          apiVersion: 'admission.k8s.io/v1',
          kind: 'AdmissionReview',
          response: { uid: request.uid, ...response },
        };
        outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(review));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
