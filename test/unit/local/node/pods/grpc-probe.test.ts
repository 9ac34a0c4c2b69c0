import { createServer } from 'node:http2';
import type { Http2Server } from 'node:http2';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { grpcProbe, servingStatus } from '../../../../../src/local/node/pods/grpc-probe';

const servers: (Http2Server | Server)[] = [];
afterAll(() => servers.forEach((server) => server.close()));

/** A health server: answers with a status per service. */
async function healthServer(
  answer: (service: string) => { status?: number; code?: number; text?: string } | undefined,
) {
  const server = createServer();
  server.on('stream', (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      expect(headers[':path']).toBe('/grpc.health.v1.Health/Check');
      const body = Buffer.concat(chunks).subarray(5);
      const given = answer(body.subarray(body.length > 130 ? 3 : 2).toString());
      if (!given) return;
      const { status, code = 0, text = '' } = given;
      const trailers = { 'grpc-status': String(code), 'grpc-message': text };
      if (code) return void stream.respond({ 'content-type': 'application/grpc', ...trailers }, { endStream: true });
      stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      stream.end(Buffer.from(status ? [0, 0, 0, 0, 2, 8, status] : [0, 0, 0, 0, 0]));
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

const long = 'x'.repeat(200);
test.each<[string, string, { status?: number; code?: number; text?: string } | undefined, boolean, string]>([
  ['a server that serves', '', { status: 1 }, true, 'service healthy'],
  ['a named service', 'db', { status: 1 }, true, 'service healthy'],
  ['a long name', long, { status: 1 }, true, 'service healthy'],
  ['a server that does not serve', '', { status: 2 }, false, 'service unhealthy (responded with "NOT_SERVING")'],
  ['an unknown status', '', {}, false, 'service unhealthy (responded with "UNKNOWN")'],
  [
    'an unknown service',
    'none',
    { code: 5, text: 'unknown service' },
    false,
    'error: health rpc probe failed: rpc error: code = NotFound desc = unknown service',
  ],
  [
    'a server without health service',
    '',
    { code: 12, text: 'unknown' },
    false,
    'error: this server does not implement the grpc health protocol (grpc.health.v1.Health): unknown',
  ],
  ['a server that does not answer', '', undefined, false, 'timeout: health rpc did not complete within 0.3s'],
])('%s', async (_, service, answer, ok, message) => {
  const asked: string[] = [];
  const port = await healthServer((name) => {
    asked.push(name);
    return answer;
  });
  expect(await grpcProbe('127.0.0.1', port, service, answer ? 5000 : 300)).toEqual({ ok, message });
  expect(asked).toEqual([service]);
});

test('a closed port is reported', async () => {
  const server = createTcpServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  const { ok, message } = await grpcProbe('127.0.0.1', port, '', 1000);
  expect([ok, message]).toEqual([
    false,
    expect.stringContaining(`error: failed to connect service at "127.0.0.1:${port}"`),
  ]);
});

test('a response that is cut off has no status', () => {
  expect(
    [Buffer.alloc(0), Buffer.from([0, 0, 0, 0, 2]), Buffer.from([1, 0, 0, 0, 2, 8, 1])].map(servingStatus),
  ).toEqual([0, 0, 0]);
});
