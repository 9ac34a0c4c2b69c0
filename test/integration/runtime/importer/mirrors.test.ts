import {
  expectClear,
  failureOf,
  HostileServer,
  MIB,
  PACED,
  rangeOf,
  ranges,
  type Answer,
  type Failure,
} from './hostile-server';

const RAW = Buffer.alloc(4 * MIB, 'raw');

describe('a server that redirects to mirrors', () => {
  let server: HostileServer;
  let mirrors: HostileServer[];
  /** Index of the mirror of each redirect. */
  let redirects: number[];
  beforeAll(async () => {
    server = await HostileServer.start();
    mirrors = [await HostileServer.start(), await HostileServer.start()];
  });
  afterAll(() => Promise.all([server, ...mirrors].map((each) => each.stop())));
  beforeEach(() => {
    for (const each of [server, ...mirrors]) each.reset();
    redirects = [];
    // each request leads to the next mirror
    server.answers.set('/disk', (_, response) => {
      const mirror = redirects.length % mirrors.length;
      redirects.push(mirror);
      response.writeHead(302, { location: `http://${mirrors[mirror]!.host}/disk` }).end();
    });
  });

  const imported = (): Promise<Failure> =>
    failureOf({ kind: 'http', url: `http://user:password@${server.host}/disk`, headers: ['x-token: secret'] });
  const serve = (...answers: Answer[]): void =>
    answers.forEach((answer, index) => mirrors[index]!.answers.set('/disk', answer));
  /** Answers the first `count` requests, and the others differently. */
  const first = (count: number, answer: Answer, later: Answer): Answer => {
    let requests = 0;
    return (request, response) => (requests++ < count ? answer : later)(request, response);
  };

  test('is asked once: later requests go to the same mirror, without credentials', async () => {
    serve(ranges(RAW), ranges(RAW, { etag: '"of another mirror"' }));
    expect(await imported()).toMatchObject({ error: undefined });
    expect(redirects).toEqual([0]);
    expect(mirrors[0]!.requests.length).toBeGreaterThan(1);
    for (const { headers } of mirrors[0]!.requests) {
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('x-token');
    }
  });

  test.each([401, 403, 404, 410])('is asked again after the URL of a mirror has expired (%d)', async (status) => {
    serve(
      first(1, ranges(RAW), (_, response) => void response.writeHead(status).end()),
      ranges(RAW),
    );
    expect(await imported()).toMatchObject({ error: undefined });
    expect(redirects).toEqual([0, 1]);
    expect(server.requests[1]!.headers).toMatchObject({
      'x-token': 'secret',
      authorization: expect.anything() as string,
    });
  });

  test('is asked again after a mirror has become unreachable', async () => {
    serve(
      first(1, ranges(RAW), ({ socket }) => void socket.destroy()),
      ranges(RAW),
    );
    expect(await imported()).toMatchObject({ error: undefined });
    expect(redirects).toEqual([0, 1]);
  });

  test.each<[string, Answer, string, RegExp]>([
    ['another version', ranges(RAW, { etag: '"2"' }), 'SourceChanged', /changed/],
    ['no file', (_, response) => void response.writeHead(404).end(), 'SourceRejected', /404/],
  ])('leads to a mirror that has %s, which is reported', async (_, answer, problem, message) => {
    serve(
      first(1, ranges(RAW), (_, response) => void response.writeHead(404).end()),
      answer,
    );
    expectClear(await imported(), problem, message);
  });
});

test('a server that has ranges and sends one byte at a time is given up', async () => {
  const server = await HostileServer.start();
  server.answers.set('/disk', (request, response) => {
    const [from, end] = rangeOf(request, RAW.length);
    // the first bytes, which show the format, arrive at once
    if (request.headers.range && !request.headers.range.endsWith('-')) return ranges(RAW)(request, response);
    response.writeHead(from > 0 ? 206 : 200, {
      etag: '"1"',
      'content-length': end - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${end - 1}/${end}` }),
    });
    let at = from;
    const timer = setInterval(() => response.write(RAW.subarray(at, ++at)), 20);
    response.on('close', () => clearInterval(timer));
  });
  try {
    const failure = await failureOf({ kind: 'http', url: `http://${server.host}/disk` }, PACED);
    expectClear(failure, 'SourceStalled', /bytes in/);
    expect(server.requests.length).toBeLessThan(10);
  } finally {
    await server.stop();
  }
});
