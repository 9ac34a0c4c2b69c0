import { request } from 'node:https';
import type { Agent } from 'node:https';
import { connect } from 'node:tls';
import type { ConnectionOptions } from 'node:tls';
import fc from './fast-check';

/** A request that a server must reject or answer. */
export interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Value of Sec-WebSocket-Key, if the client asks for a websocket. */
  readonly websocket: string | undefined;
}

export interface FuzzedAnswer {
  readonly code: number;
  readonly body: string;
}

/** A valid value of Sec-WebSocket-Key. */
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const METHODS = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'];
const segment = fc.oneof(
  fc.constantFrom('..', '.', '%2e%2e', 'a%2fb', '%00', '%', '%zz', '', '%F0%9F%98%80', '%ff', '*', '-', 'A.b', '65536'),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'a'.repeat(300), 'x'.repeat(9_000)),
  fc.webSegment(),
);
const query = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('?', '?a', '?dryRun=All&dryRun=', '?__proto__=1', '?%', `?${'a=b&'.repeat(500)}`),
  },
  { weight: 1, arbitrary: fc.webQueryParameters().map((text) => `?${text}`) },
);

/** One of these paths, often with a segment changed, added, or removed. */
export const paths = (valid: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...valid),
      fc.constantFrom(...Array<string>(9).fill('keep'), 'change', 'add', 'remove'),
      fc.nat(12),
      segment,
      query,
    )
    .map(([path, how, at, text, end]) => {
      const parts = path.split('/').slice(1);
      if (how !== 'keep') parts.splice(at % parts.length, how === 'add' ? 0 : 1, ...(how === 'remove' ? [] : [text]));
      return `/${parts.join('/')}${end}`;
    });

const broken = [
  ...[
    '{',
    '[]',
    'null',
    '1',
    '"',
    '{"a":1}}',
    '{"__proto__":{"a":1}}',
    '\0',
    'name=a',
    '{"a":1e999}',
    '{"a":"\\ud800"}',
  ],
  ...['['.repeat(100_000), '{"a":'.repeat(50_000), `"${'x'.repeat(70_000)}"`],
];

/** These objects as JSON, often with another value somewhere, or cut off; and text that is not JSON. */
export const bodies = (valid: readonly object[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant('') },
    { weight: 2, arbitrary: fc.constantFrom(...broken) },
    { weight: 2, arbitrary: fc.json() },
    { weight: 3, arbitrary: fc.constantFrom(...valid).map((object) => JSON.stringify(object)) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.constantFrom(...valid), fc.nat(), fc.jsonValue({ maxDepth: 3 }))
        .map(([object, at, value]) => JSON.stringify(withValue(object, at, value))),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...valid), fc.nat())
        .map(([object, end]) => JSON.stringify(object).slice(0, end % 2_000)),
    },
  );

/** A copy with another value at one of its places, which are counted from 0. */
function withValue(object: object, at: number, value: unknown): object {
  const copy = structuredClone(object);
  const places: (() => void)[] = [];
  const visit = (node: Record<string, unknown>): void => {
    for (const key of Object.keys(node)) {
      // of a review: the API server validated it when it stored it
      if (key === 'oldObject') continue;
      places.push(() => (node[key] = value));
      const child = node[key];
      if (typeof child === 'object' && child !== null) visit(child as Record<string, unknown>);
    }
  };
  visit(copy as Record<string, unknown>);
  places[at % Math.max(places.length, 1)]?.();
  return copy;
}

export const requests = (
  valid: readonly string[],
  objects: readonly object[],
  methods: readonly string[],
): fc.Arbitrary<FuzzedRequest> =>
  fc.record({
    method: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...methods) }, fc.constantFrom(...METHODS)),
    path: paths(valid),
    body: bodies(objects),
    websocket: fc.oneof(
      { weight: 6, arbitrary: fc.constant(undefined) },
      fc.constantFrom(KEY, '', 'x', 'a'.repeat(1_000)),
    ),
  });

/** Bytes that begin like HTTP, and may not continue so. */
export const rawBytes: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('GET', 'PUT', 'PRI', 'CONNECT', 'get', ''),
    fc.oneof(fc.constantFrom('/', '*', 'https://a/', '//', '/ /', ''), fc.string({ maxLength: 30, unit: 'binary' })),
    fc.constantFrom('HTTP/1.1', 'HTTP/2.0', 'HTTP/9', ''),
    fc.array(
      fc.oneof(
        fc.constantFrom(
          'Host: a',
          'Content-Length: -1',
          'Content-Length: 5',
          'Content-Length: 1e9',
          'Expect: 100-continue',
        ),
        fc.constantFrom('Transfer-Encoding: chunked', 'Connection: Upgrade', 'Upgrade: h2c', 'Upgrade: websocket'),
        fc.constantFrom(`X: ${'a'.repeat(20_000)}`, 'X-Remote-User: admin', ' folded', ':', 'A\0: b'),
        fc.string({ maxLength: 30, unit: 'binary' }),
      ),
      { maxLength: 8 },
    ),
    fc.constantFrom('', 'ffffffffffffffff\r\n', '5\r\nab', '0\r\n\r\n', '-1\r\n', '{"a":1}'),
  )
  .map(([method, path, version, headers, body]) => [`${method} ${path} ${version}`, ...headers, '', body].join('\r\n'));

export interface Peer {
  readonly host: string;
  readonly port: number;
  readonly agent: Agent;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Longest wait for an answer: far longer than any server here needs. */
const ANSWER_MS = 20_000;

/** Resolves with the answer, which is 101 for a websocket; rejects if there is none. */
export function send(
  { host, port, agent, headers }: Peer,
  { method, path, body, websocket }: FuzzedRequest,
): Promise<FuzzedAnswer> {
  return new Promise((resolve, reject) => {
    const upgrade = {
      ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
      ...{ 'sec-websocket-key': websocket, 'sec-websocket-protocol': 'plain.kubevirt.io' },
    };
    const sent = request({
      ...{ host, port, method, path, agent, timeout: ANSWER_MS },
      headers: {
        ...headers,
        ...(websocket === undefined ? { 'content-length': Buffer.byteLength(body) } : upgrade),
      },
    });
    let answered = false;
    sent.on('response', (response) => {
      answered = true;
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('error', reject).once('end', () => resolve({ code: response.statusCode!, body: text }));
    });
    sent.on('upgrade', (response, socket) => {
      answered = true;
      socket.destroy();
      resolve({ code: response.statusCode!, body: '' });
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${ANSWER_MS} ms`)));
    // a server that rejects a body may close the connection while the rest of it is sent
    sent.on('error', (error) => !answered && reject(error));
    sent.end(websocket === undefined ? body : undefined);
  });
}

/** Sends bytes on a connection of their own, and resolves when the server has answered or closed it, or waits for more. */
export function sendRaw(options: ConnectionOptions, bytes: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(options, () => socket.end(bytes, 'latin1'));
    const done = (): void => {
      socket.destroy();
      resolve();
    };
    socket.on('data', done).on('close', done).on('error', done).setTimeout(ANSWER_MS, done);
  });
}

/** Words of a JavaScript error in a text for people: a mistake of the program, and not an answer of it. */
export const MISTAKE =
  /TypeError|RangeError|ReferenceError|SyntaxError|Cannot (read|destructure|convert|set)|is not (a function|iterable|defined)|\bundefined\b|\bat \S+:\d+:\d+/;
