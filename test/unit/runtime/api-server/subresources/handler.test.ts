import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { VirtualMachineInstance } from '../../../../../src/api';
import { certificateNames } from '../../../../../src/api/certificates';
import {
  HandlerClient,
  handlerProblem,
  parseEndpoint,
} from '../../../../../src/runtime/api-server/subresources/handler';
import type { KubeClient } from '../../../../../src/runtime/kube';
import { TestCa } from '../../../../support/pki';

const vmi = { metadata: { namespace: 'shop', name: 'web' }, status: { nodeName: 'n1' } } as VirtualMachineInstance;

let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let client: HandlerClient;
let endpoint: string | undefined;
const looked: unknown[] = [];

beforeAll(async () => {
  const ca = await TestCa.create('handlers');
  // as the platform's certificates, it has no address of a node
  const own = await ca.issue([{ CN: [certificateNames.handlerServer] }], ['virt-handler']);
  server = createServer({ ...own, ca: ca.pem, requestCert: true }, (request, response) => answer(request, response));
  server.on('upgrade', (request: IncomingMessage, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.end(JSON.stringify([request.method, request.url, request.headers.upgrade, request.headers['x-handshake']]));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const tls = { ...(await ca.issue([{ CN: ['virt-api'] }])), ca: ca.pem };
  const find = async ({ plural }: { plural: string }, target: object) => {
    looked.push([plural, target]);
    return { metadata: { annotations: endpoint ? { 'virt8s.io/handler-endpoint': endpoint } : {} } };
  };
  client = new HandlerClient({ find } as unknown as KubeClient, { get: () => tls });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  endpoint = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  looked.length = 0;
  answer = (_, response) => response.end();
});

test.each<[string, string | string[] | undefined, boolean]>([
  ['of a handler', certificateNames.handlerServer, true],
  ['of virt-api', certificateNames.handlerClient, false],
  ['with a name that only begins like it', `${certificateNames.handlerServer}2`, false],
  ['with two names', [certificateNames.handlerServer, 'x'], false],
  ['without a name', undefined, false],
])('a certificate %s is accepted: %3$s', (_, name, accepted) => {
  const subject = { CN: name } as never;
  expect(handlerProblem({ subject }) === undefined).toBe(accepted);
});

describe('an action', () => {
  test.each<[string, VirtualMachineInstance, 'GET' | 'PUT', string | undefined, unknown]>([
    [
      'with its body',
      vmi,
      'PUT',
      '{"dryRun":["ä"]}',
      ['PUT', 'shop/virtualmachineinstances/web', 'application/json', '17'],
    ],
    ['without a body', vmi, 'GET', undefined, ['GET', 'shop/virtualmachineinstances/web', undefined, undefined]],
    [
      'under a name that is not a path',
      { ...vmi, metadata: { namespace: '..', name: 'a/b?c' } } as VirtualMachineInstance,
      'GET',
      undefined,
      ['GET', '../virtualmachineinstances/a%2Fb%3Fc', undefined, undefined],
    ],
  ])('reaches the handler of the guest’s node %s', async (_, of, method, body, want) => {
    let seen: unknown;
    answer = ({ method: how, url = '', headers }, response) => {
      const path = url.replace('/v1/namespaces/', '').replace('/act', '');
      seen = [how, path, headers['content-type'], headers['content-length']];
      response.end('done');
    };
    expect(await client.call(method, of, 'act', body)).toBe('done');
    expect(seen).toEqual(want);
    expect(looked).toEqual([['nodes', { name: 'n1' }]]);
  });

  const status = (more: object) => JSON.stringify({ kind: 'Status', message: 'no agent', ...more });
  test.each<[string, number, string, object]>([
    [
      'a refusal of the handler is its own',
      409,
      status({ code: 422, reason: 'Invalid' }),
      { code: 422, reason: 'Invalid', message: 'no agent' },
    ],
    ['an error may have fewer fields', 409, status({}), { code: 409, reason: 'InternalError', message: 'no agent' }],
    [
      'an object of another kind is text',
      500,
      status({ kind: 'Pod' }),
      { code: 500, message: expect.stringContaining('"kind":"Pod"') },
    ],
    [
      'a Status without a message is text',
      500,
      '{"kind":"Status"}',
      { code: 500, message: expect.stringContaining('{"kind":"Status"}') },
    ],
    [
      'text is reported with the node',
      500,
      ' broken \n',
      { code: 500, message: 'Internal error occurred: virt-handler on node "n1": broken' },
    ],
    [
      'an empty body is reported with the code',
      502,
      '',
      { code: 500, message: 'Internal error occurred: virt-handler on node "n1": HTTP 502' },
    ],
    [
      'long text is cut',
      500,
      'x'.repeat(501),
      { message: `Internal error occurred: virt-handler on node "n1": ${'x'.repeat(500)}` },
    ],
    [
      'the handler’s own 404 is not the object’s',
      404,
      'no such guest',
      { code: 503, reason: 'ServiceUnavailable', message: 'virt-handler on node "n1": no such guest' },
    ],
    ['another success is not one', 204, '', { code: 500 }],
  ])('%s', async (_, code, body, want) => {
    answer = (_request, response) => response.writeHead(code).end(body);
    await expect(client.call('PUT', vmi, 'pause')).rejects.toMatchObject(want);
  });

  test('succeeds if the handler accepts it for later', async () => {
    answer = (_, response) => response.writeHead(202).end('later');
    expect(await client.call('PUT', vmi, 'reset')).toBe('later');
  });

  test('reports a handler that does not answer, and what to check', async () => {
    answer = ({ socket }) => socket.destroy();
    await expect(client.call('PUT', vmi, 'pause')).rejects.toMatchObject({
      code: 503,
      reason: 'ServiceUnavailable',
      message: expect.stringContaining('cannot reach virt-handler on node "n1": '),
      remedy: 'check that virt-handler runs on that node and that its certificate is valid',
    });
  });

  test.each([
    ['is not on a node', { ...vmi, status: {} }, undefined, 'VirtualMachineInstance "web" is not on a node'],
    [
      'is on a node without the handler’s address',
      vmi,
      undefined,
      'node "n1" does not publish the address of its virt-handler',
    ],
    [
      'is on a node with an invalid address',
      vmi,
      'http://evil/',
      'node "n1" does not publish the address of its virt-handler',
    ],
  ])('on a guest that %s is refused', async (_, of, where, message) => {
    endpoint = where;
    await expect(client.call('PUT', of as VirtualMachineInstance, 'pause')).rejects.toMatchObject({
      code: 500,
      message: expect.stringContaining(message),
    });
  });
});

describe('a stream', () => {
  test('is opened with the user’s handshake', async () => {
    const { response, socket, head } = await client.upgrade(vmi, 'console', { 'x-handshake': 'a' });
    expect(response.statusCode).toBe(101);
    expect(JSON.parse(head.toString() + (await text(socket)))).toEqual([
      'GET',
      '/v1/namespaces/shop/virtualmachineinstances/web/console',
      'websocket',
      'a',
    ]);
  });

  test('that cannot be reached is rejected', async () => {
    endpoint = '127.0.0.1:1';
    await expect(client.upgrade(vmi, 'console', {})).rejects.toMatchObject({ code: 503, reason: 'ServiceUnavailable' });
  });
});

test.each([
  ['host:1', 1],
  ['host:65535', 65535],
  ['host:65536', undefined],
  ['host:0', undefined],
  ['host:', undefined],
  [':80', undefined],
])('the port of %s is %s', (given, port) => expect(parseEndpoint(given)?.port).toBe(port));
