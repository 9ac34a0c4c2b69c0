import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { WebSocketServer } from 'ws';
import { ApiError, KubeClient, readBody, resources } from '../../../../src/runtime/kube';
import type { KubeConfig } from '../../../../src/runtime/kube';
import { readLines } from '../../../../src/runtime/kube/bodies';
import fc from '../../../support/fast-check';

const FAKE_TIMERS: Parameters<typeof jest.useFakeTimers>[0] = {
  doNotFake: ['setImmediate', 'nextTick', 'performance', 'queueMicrotask'],
};

let server: Server;
let client: KubeClient;
async function serve(listener: RequestListener, config: Partial<KubeConfig> = {}): Promise<void> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = new KubeClient(
    { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`, ...config },
    { userAgent: 'me/1' },
  );
}
afterEach(() => {
  client.close();
  server.closeAllConnections();
  server.close();
  jest.restoreAllMocks();
});

test('sends its user agent, below the path of the server', async () => {
  let seen: IncomingMessage | undefined;
  await serve(
    (req, res) => {
      seen = req;
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    },
    { token: 'secret' },
  );
  await client.get(resources.pods, { namespace: 'a', name: 'b' });
  expect(seen?.url).toBe('/base/api/v1/namespaces/a/pods/b');
  expect(seen?.headers).toMatchObject({ 'user-agent': 'me/1', authorization: 'Bearer secret' });
});

describe('a token that is rotated in its file', () => {
  let tokenFile: string;
  let directory: string;
  const seen: unknown[] = [];
  const serveTokens = (code = 200): Promise<void> =>
    serve(
      (req, res) => {
        seen.push(req.headers.authorization);
        res.writeHead(code).end();
      },
      { tokenFile },
    );
  let now: number;
  beforeEach(() => {
    seen.length = 0;
    directory = mkdtempSync(join(tmpdir(), 'virt8s-token-'));
    tokenFile = join(directory, 'token');
    writeFileSync(tokenFile, 'first\n');
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('is read again after ten seconds', async () => {
    await serveTokens();
    await client.request('GET', '/');
    writeFileSync(tokenFile, 'second\n');
    now += 9_999;
    await client.request('GET', '/');
    now += 1;
    await client.request('GET', '/');
    expect(seen).toEqual(['Bearer first', 'Bearer first', 'Bearer second']);
  });

  test('is read again immediately when the server rejects the previous one', async () => {
    await serveTokens(401);
    await client.request('GET', '/').catch(() => undefined);
    writeFileSync(tokenFile, 'second\n');
    await client.request('GET', '/').catch(() => undefined);
    expect(seen).toEqual(['Bearer first', 'Bearer second']);
  });

  test.each([
    ['is missing for a moment', () => rmSync(tokenFile)],
    ['is empty for a moment', () => writeFileSync(tokenFile, '\n')],
  ])('the previous one is used while the file %s', async (_, spoil) => {
    await serveTokens();
    await client.request('GET', '/');
    spoil();
    now += 10_000;
    await client.request('GET', '/');
    writeFileSync(tokenFile, 'second\n');
    now += 10_000;
    await client.request('GET', '/');
    expect(seen).toEqual(['Bearer first', 'Bearer first', 'Bearer second']);
  });
});

test('a request that the server postpones is repeated after the given time', async () => {
  let calls = 0;
  await serve(
    (_req, res) => void (++calls < 3 ? res.writeHead(429, { 'retry-after': '0' }) : res.writeHead(200)).end('done'),
  );
  expect(await client.request('POST', '/', {})).toBe('done');
  expect(calls).toBe(3);
});

test('a request to a server that does not respond is aborted', async () => {
  await serve(() => {});
  // eslint-disable-next-line virt8s/patience-of-programs -- the limit is tested
  const error = await client.request('GET', '/slow', undefined, { timeoutMs: 50 }).catch((e: unknown) => e);
  expect(String(error)).toMatch(/GET http.*\/slow: no answer for 0.05 s/);
});

test('a request to a server that accepts no connection is aborted', async () => {
  await serve(() => {});
  const script = `const s = require('net').createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
    console.log(s.address().port);
    process.kill(process.pid, 'SIGSTOP');
  })`;
  const stopped = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const sockets: Socket[] = [];
  const busy = new KubeClient(
    { server: `http://127.0.0.1:${String((await once(stopped.stdout, 'data'))[0]).trim()}` },
    { userAgent: 'me/1' },
  );
  try {
    // these fill the queue of connections that nobody accepts
    for (let i = 0; i < 4; i++) sockets.push(connect(Number(new URL(busy.config.server).port), '127.0.0.1'));
    // eslint-disable-next-line virt8s/patience-of-programs -- the limit is tested
    const error = await busy.request('GET', '/', undefined, { timeoutMs: 300 }).catch((e: unknown) => e);
    expect(String(error)).toMatch(/GET http.*: no answer for 0.3 s/);

    await isLimited(busy);
  } finally {
    for (const socket of sockets) socket.destroy();
    busy.close();
    stopped.kill('SIGKILL');
  }
});

test('a connection that is established may be silent for longer', async () => {
  await serve(() => {});
  const connected = once(server, 'request');
  jest.useFakeTimers(FAKE_TIMERS);
  try {
    const watch = client.stream('GET', '/', undefined, { timeoutMs: 600_000 }).catch((e: unknown) => e);
    await connected;
    jest.advanceTimersByTime(60_000);
    expect(await Promise.race([watch, new Promise((done) => setImmediate(done, 'waits'))])).toBe('waits');
  } finally {
    jest.useRealTimers();
  }
});

test('a request to a server that does not answer with TLS is aborted', async () => {
  const silent = createTcpServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const accepted = once(silent, 'connection') as Promise<[Socket]>;
  const config = { server: `https://127.0.0.1:${(silent.address() as AddressInfo).port}` };
  const secure = new KubeClient(config, { userAgent: 'me/1' });
  try {
    await isLimited(secure, () => accepted);
  } finally {
    secure.close();
    (await accepted)[0].destroy();
    silent.close();
  }
});

/** A watch may be silent for minutes, but is connected within 10 seconds. */
async function isLimited(to: KubeClient, begun: () => Promise<unknown> = async () => undefined): Promise<void> {
  jest.useFakeTimers(FAKE_TIMERS);
  try {
    const watch = to.stream('GET', '/', undefined, { timeoutMs: 600_000 }).catch((e: unknown) => e);
    for (let i = 0; i < 10; i++) await new Promise((done) => setImmediate(done));
    await begun();
    jest.advanceTimersByTime(9_999);
    expect(await Promise.race([watch, new Promise((done) => setImmediate(done, 'waits'))])).toBe('waits');
    jest.advanceTimersByTime(1);
    expect(String(await watch)).toMatch(/GET http.*: no connection within 10 s/);
  } finally {
    jest.useRealTimers();
  }
}

test('a response that arrives byte by byte is aborted at the deadline', async () => {
  let timer: NodeJS.Timeout | undefined;
  await serve((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/plain' });
    timer = setInterval(() => res.write('.'), 5);
  });
  const impatient = client.separate({ deadlineMs: 100 });
  const error = await impatient.request('GET', '/drip').catch((e: unknown) => e);
  expect(String(error)).toMatch(/GET http.*\/drip: not completed within 0.1 s/);
  clearInterval(timer);
  impatient.close();
});

test('a request that waits for a connection is aborted at the deadline', async () => {
  const asked: unknown[] = [];
  await serve((req) => void asked.push(req.url));
  const impatient = client.separate({ deadlineMs: 200 });
  const answers = await Promise.allSettled(Array.from({ length: 9 }, () => impatient.request('GET', '/hang')));
  expect(answers.map(({ status }) => status)).toEqual(Array(9).fill('rejected'));
  impatient.close();
});

test('a client for some work shares its connections and ends with its signal', async () => {
  const asked: unknown[] = [];
  await serve((req, res) => {
    asked.push(req.url);
    if (req.url !== '/base/hang') res.end('done');
  });
  const work = new AbortController();
  const bound = client.until(work.signal);
  expect(await bound.request('GET', '/quick')).toBe('done');
  const hanging = bound.request('GET', '/hang').catch((error: Error) => error.name);
  while (asked.length < 2) await new Promise((later) => setImmediate(later));
  work.abort();
  expect(await hanging).toBe('AbortError');
  await expect(bound.request('GET', '/late')).rejects.toThrow();
  expect(await client.request('GET', '/other')).toBe('done');
  expect(asked).toEqual(['/base/quick', '/base/hang', '/base/other']);
});

test('requests wait for their turn under a rate limit, streams and other clients do not', async () => {
  await serve((req, res) => void res.end(req.url));
  const waits: number[] = [];
  client.limitRate({ qps: 0.001, burst: 2 });
  // the bucket is empty after two; what waits would do so for a quarter of an hour
  await Promise.all([client.request('GET', '/1'), client.request('GET', '/2')]);
  const third = new AbortController();
  const waiting = client
    .request('GET', '/3', undefined, { signal: third.signal })
    .catch((error: Error) => waits.push(1) && error.name);
  await readBody(await client.stream('GET', '/stream'));
  const other = client.separate();
  await other.request('GET', '/other');
  expect(waits).toEqual([]);
  third.abort();
  expect(await waiting).toBe('AbortError');
  client.limitRate(undefined);
  expect(await client.request('GET', '/4')).toBe('/base/4');
  other.close();
});

test.each([
  ['as large as the limit', 8, 'resolves'],
  ['one byte larger', 9, 'the answer has more than 8 bytes'],
])('a body %s', async (_, size, want) => {
  const stream = new PassThrough();
  stream.end(Buffer.alloc(size));
  const got = readBody(stream as unknown as IncomingMessage, 8).then(
    () => 'resolves',
    (error: Error) => error.message,
  );
  expect(await got).toContain(want);
});

test.each([
  ['as long as the limit', ['1234', '5678'], 'resolves'],
  ['one character longer', ['1234', '56789'], 'a line of the stream has more than 8 characters'],
])('an unfinished line %s', async (_, chunks, want) => {
  const stream = new PassThrough();
  const got = readLines(stream as unknown as IncomingMessage, () => {}, undefined, 8).then(
    () => 'resolves',
    (error: Error) => error.message,
  );
  for (const chunk of chunks) stream.write(chunk);
  stream.end('\n');
  expect(await got).toContain(want);
});

test('a read on a connection that the server has closed meanwhile is repeated, a create is not', async () => {
  let calls = 0;
  await serve((req, res) => {
    if (++calls % 2 === 0) req.socket.destroy();
    else res.writeHead(200).end('ok');
  });
  await client.request('GET', '/');
  expect(await client.request('GET', '/')).toBe('ok');
  expect(calls).toBe(3);
  await expect(client.request('POST', '/', {})).rejects.toThrow('socket hang up');
});

test('an answer that is not a Status still has code, reason and message', async () => {
  await serve((_req, res) => void res.writeHead(404).end('404 page not found\n'));
  const error = await client
    .get(resources.dataVolumes, { namespace: 'a', name: 'b' })
    .catch((e: unknown) => e as ApiError);
  expect(error).toMatchObject({
    code: 404,
    reason: 'NotFound',
    status: undefined,
    message: expect.stringContaining('404 page not found'),
  });
});

test('lines come whole and in order, wherever the stream is cut', async () => {
  await serve(() => {});
  const line = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => !/[\n\r]/.test(text) && text.trim() !== '');
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat(8), { minLength: 1 }), async (lines, sizes) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const stream = new PassThrough();
      const got: string[] = [];
      const done = readLines(stream as unknown as IncomingMessage, (text) => got.push(text));
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const size = sizes[i % sizes.length] + 1;
        stream.write(bytes.subarray(at, at + size));
        at += size;
      }
      stream.end('cut off');
      await done;
      expect(got).toEqual(lines);
    }),
  );
});

describe('websocket', () => {
  test('carries bytes both ways under the protocol that was agreed', async () => {
    await serve(() => {}, { token: 'secret' });
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket, request) => {
      expect(request.headers.authorization).toBe('Bearer secret');
      socket.on('message', (data) => socket.send(data));
    });
    const socket = await client.websocket('/console?x=1', ['plain.kubevirt.io']);
    expect(socket.protocol).toBe('plain.kubevirt.io');
    socket.send(Buffer.from([1, 2, 3]));
    const [data] = (await once(socket, 'message')) as [Buffer];
    expect([...data]).toEqual([1, 2, 3]);
    socket.terminate();
    sockets.close();
  });

  test('a rejected upgrade is an ApiError with the message of the server', async () => {
    await serve(() => {});
    server.on('upgrade', (_request, socket) => {
      const status = JSON.stringify({ kind: 'Status', code: 409, reason: 'Conflict', message: 'VM is not running' });
      socket.end(`HTTP/1.1 409 Conflict\r\ncontent-length: ${status.length}\r\n\r\n${status}`);
    });
    const error = await client.websocket('/console', []).catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: expect.stringContaining('VM is not running'),
    });
  });
});
