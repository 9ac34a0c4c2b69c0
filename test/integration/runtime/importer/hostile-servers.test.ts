import type { ServerResponse } from 'node:http';
import {
  CAPACITY,
  expectClear,
  failureOf,
  HASTY,
  HostileServer,
  MIB,
  PACED,
  rangeOf,
  ranges,
  sendForever,
  type Answer,
} from './hostile-server';

const QCOW2 = Buffer.alloc(64 << 10);
QCOW2.write('QFI\xfb\0\0\0\x03', 'latin1');
const RAW = Buffer.alloc(4 * MIB, 'raw');

/** Sends text to the client as it is. */
const speak =
  (...texts: string[]): Answer =>
  (request) => {
    for (const text of texts) request.socket.write(text);
    request.socket.end();
  };

const redirect =
  (to: string): Answer =>
  (_, response) =>
    void response.writeHead(302, { location: to }).end();

const bodyOf =
  (send: (response: ServerResponse) => void, headers: Record<string, string | number> = {}): Answer =>
  (_, response) => {
    response.writeHead(200, headers);
    send(response);
  };

/** Sends a byte from time to time, until the client ends. */
function drip(write: (text: string) => boolean, closed: { on(event: 'close', done: () => void): unknown }): void {
  const timer = setInterval(() => write('x'), 20);
  closed.on('close', () => clearInterval(timer));
}

describe('servers that lie', () => {
  let server: HostileServer;
  beforeAll(async () => {
    server = await HostileServer.start();
  });
  afterAll(() => server?.stop());
  beforeEach(() => server.reset());

  const fails = async (answer: Answer, problem: string, message: RegExp, checksum?: string): Promise<void> => {
    server.answers.set('/disk', answer);
    const url = `http://${server.host}/disk`;
    expectClear(
      await failureOf(
        { kind: 'http', url, ...(checksum && { checksum }) },
        message.source.includes('within') ? HASTY : message.source.includes('bytes in') ? PACED : undefined,
      ),
      problem,
      message,
    );
  };

  test('an HTTP server at an HTTPS URL is reported as one', async () => {
    const { error } = await failureOf({ kind: 'http', url: `https://${server.host}/disk` }, HASTY);
    expect(error).toMatchObject({
      problem: 'SourceUnreachable',
      remedy: expect.stringContaining(`add ${server.host} to insecureRegistries`),
    });
  });

  test.each<[string, Answer, string, RegExp]>([
    [
      'sends less than it declares',
      bodyOf((response) => response.write(RAW, () => response.destroy()), { 'content-length': 5 * MIB, etag: '"1"' }),
      'SourceUnreachable',
      /aborted|ended/,
    ],
    [
      'sends less and has no version',
      bodyOf((response) => response.write(RAW, () => response.destroy()), { 'content-length': 5 * MIB }),
      'SourceUnreachable',
      /aborted|ended/,
    ],
    [
      'sends a part of every range',
      (request, response) => {
        const [from, end] = rangeOf(request, RAW.length);
        response.writeHead(206, { 'content-range': `bytes ${from}-${end - 1}/${RAW.length}`, etag: '"1"' });
        response.end();
      },
      'SourceUnreachable',
      /0 of 512 bytes/,
    ],
    ['declares a size of 1 EiB in ranges', ranges(RAW, {}, 2 ** 60), 'ImageTooLarge', /9007199254740991/],
    ['declares a size of 4 PiB in ranges', ranges(RAW, {}, 2 ** 52), 'ImageTooLarge', /4503599627370496/],
    [
      'declares a size that is not a number',
      speak('HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n'),
      'SourceUnreachable',
      /Parse Error/,
    ],
    [
      'declares a negative size',
      speak('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'),
      'SourceUnreachable',
      /Parse Error/,
    ],
    [
      'declares two sizes',
      speak('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'),
      'SourceUnreachable',
      /Parse Error/,
    ],
    [
      'sends chunks and declares a size',
      speak('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'),
      'SourceUnreachable',
      /Parse Error/,
    ],
    [
      'sends a chunk whose size is not a number',
      speak('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1x\r\nx\r\n'),
      'SourceUnreachable',
      /aborted/,
    ],
    ['does not speak HTTP', speak('220 ftp.example.com ready\r\n'), 'SourceUnreachable', /Parse Error/],
    ['closes every connection', (request) => void request.socket.destroy(), 'SourceUnreachable', /hang up|ECONNRESET/],
    [
      'changes its ETag between ranges',
      (request, response) => ranges(RAW, { etag: `"${server.requests.length}"` })(request, response),
      'SourceChanged',
      /changed/,
    ],
    [
      'changes its size between ranges',
      (request, response) => ranges(RAW, {}, RAW.length + server.requests.length)(request, response),
      'SourceChanged',
      /changed/,
    ],
    [
      'removes its ETag after the first range',
      (request, response) => ranges(RAW, server.requests.length > 1 ? { etag: 'W/"1"' } : {})(request, response),
      'SourceChanged',
      /changed/,
    ],
    [
      'answers ranges with other ranges',
      (_, response) => {
        response.writeHead(206, { 'content-range': `bytes 512-1023/${RAW.length}`, etag: '"1"' });
        response.end(RAW.subarray(512, 1024));
      },
      'SourceRejected',
      /another range/,
    ],
    [
      'answers ranges with 206 and no range',
      (_, response) => void response.writeHead(206, { etag: '"1"' }).end(RAW),
      'SourceRejected',
      /another range/,
    ],
    [
      'sends more than the range',
      (request, response) => {
        const [from] = rangeOf(request, RAW.length);
        response.writeHead(206, { 'content-range': `bytes ${from}-${from}/${MIB}`, etag: '"1"' });
        sendForever(response);
      },
      'SourceRejected',
      /more than/,
    ],
    ['sends a body without an end', bodyOf((response) => sendForever(response)), 'ImageTooLarge', /larger than/],
    [
      'sends a qcow2 without an end',
      bodyOf((response) => {
        response.write(QCOW2);
        sendForever(response);
      }),
      'ImageTooLarge',
      /from begin to end/,
    ],
    [
      'sends one byte at a time',
      bodyOf((response) => drip((text) => response.write(text), response)),
      'SourceStalled',
      /bytes in/,
    ],
    [
      'sends headers and no body',
      bodyOf((response) => response.flushHeaders(), { 'content-length': MIB }),
      'SourceUnreachable',
      /no bytes within/,
    ],
    ['does not answer', () => undefined, 'SourceUnreachable', /no response within/],
    [
      'sends headers without an end, slowly',
      ({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\nx: ');
        drip((text) => socket.write(text), socket);
      },
      'SourceUnreachable',
      /no response within/,
    ],
    [
      'sends headers without an end',
      ({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        socket.write(`x: ${'x'.repeat(MIB)}`);
      },
      'SourceUnreachable',
      /Header overflow/,
    ],
    [
      'sends a million headers',
      ({ socket }) => void socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(1_000_000)}\r\n`),
      'SourceUnreachable',
      /Header overflow/,
    ],
    ['redirects to itself', redirect('/disk'), 'SourceRejected', /more than 10 times/],
    [
      'redirects without an end',
      (request, response) => {
        server.answers.set(`/${server.requests.length}`, server.answers.get('/disk')!);
        redirect(`/${server.requests.length}`)(request, response);
      },
      'SourceRejected',
      /more than 10 times/,
    ],
    [
      'redirects to the metadata of its cloud',
      redirect('http://169.254.169.254/latest/meta-data'),
      'SourceRejected',
      /link-local/,
    ],
    [
      'redirects to a number that is the address of metadata',
      redirect('http://2852039166/'),
      'SourceRejected',
      /link-local/,
    ],
    ['redirects to metadata as IPv6', redirect('http://[::ffff:169.254.169.254]/'), 'SourceRejected', /link-local/],
    ['redirects to a link-local address of IPv6', redirect('http://[fe80::1]/'), 'SourceRejected', /link-local/],
    ['redirects to the metadata of Alibaba', redirect('http://100.100.100.200/latest'), 'SourceRejected', /link-local/],
    ['redirects to a file', redirect('file:///etc/passwd'), 'SourceRejected', /file:/],
    ['redirects to another protocol', redirect('gopher://127.0.0.1/x'), 'SourceRejected', /gopher:/],
    ['redirects to no URL', redirect('http://['), 'SourceRejected', /not valid/],
    ['redirects to a long URL', redirect(`/${'x'.repeat(10_000)}`), 'SourceRejected', /404/],
    ['redirects without a location', (_, response) => void response.writeHead(302).end(), 'SourceRejected', /302/],
    ['has no content', (_, response) => void response.writeHead(204).end(), 'SourceRejected', /204/],
    ['always fails', (_, response) => void response.writeHead(503, 'x'.repeat(5000)).end(), 'SourceRejected', /503/],
    [
      'asks for a login again and again',
      (_, response) => void response.writeHead(401, { 'www-authenticate': 'Basic' }).end(),
      'SourceRejected',
      /401/,
    ],
    ['has an empty file', (_, response) => void response.writeHead(416).end(), 'ImageInvalid', /empty/],
  ])('%s', (_, answer, problem, message) => fails(answer, problem, message));

  test('a checksum of an image of 4 PiB is refused before memory for it is reserved', () =>
    fails(
      ranges(QCOW2, {}, 2 ** 52),
      'ImageTooLarge',
      /a checksum is verified of at most/,
      `sha256:${'0'.repeat(64)}`,
    ));

  test('a wrong checksum leaves no disk', async () => {
    server.answers.set('/disk', ranges(RAW));
    const failure = await failureOf({
      kind: 'http',
      url: `http://${server.host}/disk`,
      checksum: `md5:${'0'.repeat(32)}`,
    });
    expectClear(failure, 'ChecksumMismatch', /the md5 digest/);
    expect(failure.occupied).toBeLessThan(64 << 10);
  });

  test('credentials are not sent to the target of a redirect', async () => {
    const other = await HostileServer.start();
    try {
      server.answers.set('/disk', redirect(`http://${other.host}/disk`));
      const url = `http://user:password@${server.host}/disk`;
      const failure = await failureOf({ kind: 'http', url, headers: ['x-token: secret'] });
      expectClear(failure, 'SourceRejected', /404/);
      expect((failure.error as Error).message).not.toContain('password');
      expect(server.requests[0]!.headers).toMatchObject({
        authorization: expect.anything() as string,
        'x-token': 'secret',
      });
      expect(other.requests[0]!.headers).not.toHaveProperty('authorization');
      expect(other.requests[0]!.headers).not.toHaveProperty('x-token');
    } finally {
      await other.stop();
    }
  });

  test('an endless body is read no further than the claim', async () => {
    server.answers.set(
      '/disk',
      bodyOf((response) => sendForever(response)),
    );
    const { received } = await failureOf({ kind: 'http', url: `http://${server.host}/disk` });
    expect(received).toBeLessThanOrEqual(CAPACITY + MIB);
  });
});
