import { request } from 'node:https';
import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, Send } from './client';
import { until } from '../../../support/until';

let server: TestApiServer;
let send: Send;

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
});

afterAll(() => server.close());

const MAPS = '/api/v1/namespaces/default/configmaps';

interface Watching {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly events: { type: string; object: any }[];
  readonly ended: Promise<void>;
  /** `ADDED a`, `MODIFIED a` … */
  seen(): string[];
  stop(): void;
}

function watch(query: string, path = MAPS, accept = 'application/json', from = server): Watching {
  const events: Watching['events'] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const outgoing = request(
    `${from.url}${path}?watch=true&${query}`,
    { ca: from.ca.pem, ...from.admin, headers: { Accept: accept } },
    (incoming) => {
      let rest = '';
      incoming.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString('utf8')).split('\n');
        rest = lines.pop()!;
        events.push(...lines.map((line) => JSON.parse(line)));
      });
      incoming.on('close', end);
    },
  );
  outgoing.on('error', end);
  outgoing.end();
  const seen = () => events.map(({ type, object }) => `${type} ${object.metadata?.name ?? ''}`.trim());
  return { events, ended, seen, stop: () => outgoing.destroy() };
}

const create = (name: string, labels?: object) =>
  send('POST', MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });
const label = (name: string, value: string | null) =>
  send('PATCH', `${MAPS}/${name}`, { metadata: { labels: { app: value } } }, 'application/merge-patch+json');
const version = async () => (await send('GET', MAPS)).body.metadata.resourceVersion as string;

test('without a version a watch begins with the existing objects', async () => {
  await create('first');
  const watching = watch('fieldSelector=metadata.name%3Dfirst');
  await until(async () => watching.events.length === 1);
  expect(watching.seen()).toEqual(['ADDED first']);
  await send('DELETE', `${MAPS}/first`);
  await until(async () => watching.events.length === 2);
  expect(watching.seen()).toEqual(['ADDED first', 'DELETED first']);
  watching.stop();
});

test('a watch from a version replays each later event once', async () => {
  const since = await version();
  await create('replayed');
  await label('replayed', 'x');
  await send('DELETE', `${MAPS}/replayed`);
  const watching = watch(`resourceVersion=${since}`);
  await until(async () => watching.events.length === 3);
  await create('after');
  await until(async () => watching.events.length === 4);
  expect(watching.seen()).toEqual(['ADDED replayed', 'MODIFIED replayed', 'DELETED replayed', 'ADDED after']);
  const versions = watching.events.map(({ object }) => Number(object.metadata.resourceVersion));
  expect(versions).toEqual([...versions].sort((a, b) => a - b));
  watching.stop();
});

test('an object enters and leaves a selection', async () => {
  const watching = watch(`labelSelector=app%3Din&resourceVersion=${await version()}`);
  await create('moving');
  await label('moving', 'in');
  await label('moving', 'out');
  await label('moving', 'in');
  await send('DELETE', `${MAPS}/moving`);
  await until(async () => watching.events.length === 4);
  expect(watching.seen()).toEqual(['ADDED moving', 'DELETED moving', 'ADDED moving', 'DELETED moving']);
  watching.stop();
});

test('initial events end with a bookmark that marks their end', async () => {
  const watching = watch('sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true');
  const last = await until(async () => watching.events.find(({ type }) => type === 'BOOKMARK'));
  expect(watching.events.slice(0, -1).every(({ type }) => type === 'ADDED')).toBe(true);
  expect(last.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
  expect(last.object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
  watching.stop();
});

test('timeoutSeconds ends a watch', async () => {
  const started = Date.now();
  await watch('timeoutSeconds=1').ended;
  expect(Date.now() - started).toBeGreaterThan(900);
});

test('a version before the history is gone: 410 in the stream', async () => {
  const short = await startTestApiServer({ historyLength: 5 });
  const sendThere = client(short);
  for (let i = 0; i < 120; i++) {
    await sendThere('POST', MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c${i}` } });
  }
  const watching = watch('resourceVersion=3', MAPS, 'application/json', short);
  await watching.ended;
  expect(watching.events).toHaveLength(1);
  expect(watching.events[0]).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  expect((await sendThere('GET', `${MAPS}?resourceVersion=3&resourceVersionMatch=Exact`)).code).toBe(410);
  await short.close();
});

test('tables have their columns in the first event only', async () => {
  const watching = watch('', MAPS, 'application/json;as=Table;v=v1;g=meta.k8s.io');
  await create('tabled');
  await until(async () => watching.events.length >= 2);
  expect(watching.events[0].object.columnDefinitions.map((column: { name: string }) => column.name)).toEqual([
    'Name',
    'Data',
    'Age',
  ]);
  expect(watching.events[1].object.columnDefinitions).toBeNull();
  expect(watching.events[0].object.rows[0].object.kind).toBe('PartialObjectMetadata');
  watching.stop();
});

test('custom resources that appear can be watched in each of their versions', async () => {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'toys.watch.io' },
    spec: {
      group: 'watch.io',
      scope: 'Cluster',
      names: { plural: 'toys', kind: 'Toy' },
      versions: [
        { name: 'v1', served: true, storage: true, schema },
        { name: 'v1alpha1', served: true, storage: false, schema },
      ],
    },
  });
  const watching = watch('', '/apis/watch.io/v1alpha1/toys');
  await send('POST', '/apis/watch.io/v1/toys', {
    apiVersion: 'watch.io/v1',
    kind: 'Toy',
    metadata: { name: 't' },
    x: 1,
  });
  await until(async () => watching.events.length === 1);
  expect(watching.events[0].object).toMatchObject({ apiVersion: 'watch.io/v1alpha1', kind: 'Toy', x: 1 });
  watching.stop();
});

test('lists come in pages that belong together', async () => {
  for (let i = 0; i < 5; i++) await create(`page-${i}`, { paged: 'yes' });
  const first = (await send('GET', `${MAPS}?limit=2&labelSelector=paged`)).body;
  expect(first.items).toHaveLength(2);
  await send('DELETE', `${MAPS}/page-3`);
  await create('page-9', { paged: 'yes' });
  const names: string[] = first.items.map((item: { metadata: { name: string } }) => item.metadata.name);
  for (let token = first.metadata.continue; token;) {
    const { body } = await send('GET', `${MAPS}?limit=2&labelSelector=paged&continue=${token}`);
    expect(body.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    names.push(...body.items.map((item: { metadata: { name: string } }) => item.metadata.name));
    token = body.metadata.continue;
  }
  expect(names).toEqual(['page-0', 'page-1', 'page-2', 'page-3', 'page-4']);
});

test('a version of the future is rejected with 504, in lists and in the stream of a watch', async () => {
  const future = Number(await version()) + 1_000_000;
  const cause = { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' };
  const list = await send('GET', `${MAPS}?resourceVersion=${future}`);
  expect(list.code).toBe(504);
  expect(list.headers['retry-after']).toBe('1');
  expect(list.body).toMatchObject({ reason: 'Timeout', details: { causes: [cause], retryAfterSeconds: 1 } });
  expect(list.body.message).toMatch(new RegExp(`^Timeout: Too large resource version: ${future}, current: \\d+$`));
  // etcd answers those, without asking for a retry
  for (const query of [`resourceVersion=${future}&limit=1`, `resourceVersion=${future}&resourceVersionMatch=Exact`]) {
    const { code, body } = await send('GET', `${MAPS}?${query}`);
    expect([code, body.details]).toEqual([504, { causes: [cause] }]);
  }
  for (const query of [
    `resourceVersion=${future}`,
    `resourceVersion=${future}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
  ]) {
    const watching = watch(query);
    await watching.ended;
    expect(watching.events).toHaveLength(1);
    expect(watching.events[0]).toMatchObject({
      type: 'ERROR',
      object: { code: 504, reason: 'Timeout', details: { causes: [cause], retryAfterSeconds: 1 } },
    });
  }
  const current = watch(`resourceVersion=${await version()}&timeoutSeconds=1`);
  await current.ended;
  expect(current.events).toEqual([]);
});

test.each([
  ['watch=1&resourceVersion=abc', 500, undefined],
  ['watch=1&timeoutSeconds=abc', 400, 'BadRequest'],
])('a watch with %s is rejected as in Kubernetes', async (query, code, reason) => {
  const answer = await send('GET', `${MAPS}?${query}`);
  expect([answer.code, answer.body.reason]).toEqual([code, reason]);
});

test('the last bookmark comes two seconds before the end', async () => {
  const since = await version();
  const watching = watch(`resourceVersion=${since}&allowWatchBookmarks=true&timeoutSeconds=3`);
  await send('POST', '/api/v1/namespaces/default/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'moves-the-version' },
  });
  await watching.ended;
  expect(watching.events.map(({ type }) => type)).toEqual(['BOOKMARK']);
  expect(Number(watching.events[0].object.metadata.resourceVersion)).toBeGreaterThan(Number(since));
});

describe('large watches', () => {
  const filler = 'x'.repeat(700_000);
  const big = (name: string, text = filler) =>
    send('POST', '/api/v1/namespaces/big/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { text },
    });
  const BIG = '/api/v1/namespaces/big/configmaps';

  beforeAll(async () => {
    await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'big' } });
    for (let i = 0; i < 30; i++) expect((await big(`big-${i}`)).code).toBe(201);
  });

  test('an initial list of 20 MiB arrives whole with its bookmark, also at a client that starts to read late', async () => {
    const names = new Set<string>();
    let bookmark: { metadata: { resourceVersion: string; annotations: object } } | undefined;
    await new Promise<void>((resolve, reject) => {
      const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      const outgoing = request(`${server.url}${BIG}?${query}`, { ca: server.ca.pem, ...server.admin }, (incoming) => {
        incoming.pause();
        // eslint-disable-next-line virt8s/patience -- the client is late, by any time
        setTimeout(() => incoming.resume(), 500);
        let rest = '';
        incoming.on('data', (chunk: Buffer) => {
          const lines = (rest + chunk.toString('utf8')).split('\n');
          rest = lines.pop()!;
          for (const line of lines) {
            const { type, object } = JSON.parse(line);
            if (type === 'ADDED') names.add(object.metadata.name);
            if (type === 'BOOKMARK') {
              bookmark = object;
              outgoing.destroy();
              resolve();
            }
          }
        });
        incoming.once('close', () => (bookmark ? undefined : reject(new Error('closed without a bookmark'))));
        incoming.on('error', () => {});
      });
      outgoing.on('error', () => {});
      outgoing.end();
    });
    expect([...names].filter((name) => name.startsWith('big-'))).toHaveLength(30);
    expect(bookmark!.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
  });

  test('a client that does not read is disconnected and resumes without a gap', async () => {
    const since = (await send('GET', BIG)).body.metadata.resourceVersion as string;
    const text: string[] = [];
    const closed = new Promise<void>((resolve) => {
      const outgoing = request(
        `${server.url}${BIG}?watch=1&resourceVersion=${since}`,
        { ca: server.ca.pem, ...server.admin },
        (incoming) => {
          incoming.setEncoding('utf8');
          incoming.pause();
          void (async () => {
            for (let i = 0; i < 40; i++) await big(`slow-${i}`);
            incoming.on('data', (chunk: string) => text.push(chunk));
            incoming.on('error', () => {});
            incoming.once('close', resolve);
            incoming.resume();
          })();
        },
      );
      outgoing.on('error', () => {});
      outgoing.end();
    });
    await closed;
    const lines = text.join('').split('\n').slice(0, -1);
    const first = lines.map((line) => JSON.parse(line).object.metadata);
    expect(first.length).toBeLessThan(40);
    const resumed = watch(`resourceVersion=${first.at(-1)?.resourceVersion ?? since}`, BIG);
    await until(async () => first.length + resumed.events.length >= 40);
    const names = [...first, ...resumed.events.map(({ object }) => object.metadata)].map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 40 }, (_, i) => `slow-${i}`));
    resumed.stop();
  });
});

test('a server that restarts keeps everything, also versions to watch from', async () => {
  const since = await version();
  await create('kept');
  await server.restart();
  send = client(server);
  const watching = watch(`resourceVersion=${since}`);
  await until(async () => watching.seen().includes('ADDED kept'));
  watching.stop();
});
