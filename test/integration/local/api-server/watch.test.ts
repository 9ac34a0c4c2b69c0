import { request } from 'node:https';
import { startTestApiServer, TestApiServer } from '../../../support/api-server';
import { client, eventually, Send } from './client';

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
  await eventually(async () => watching.events.length === 1);
  expect(watching.seen()).toEqual(['ADDED first']);
  await send('DELETE', `${MAPS}/first`);
  await eventually(async () => watching.events.length === 2);
  expect(watching.seen()).toEqual(['ADDED first', 'DELETED first']);
  watching.stop();
});

test('a watch from a version replays each later event once', async () => {
  const since = await version();
  await create('replayed');
  await label('replayed', 'x');
  await send('DELETE', `${MAPS}/replayed`);
  const watching = watch(`resourceVersion=${since}`);
  await eventually(async () => watching.events.length === 3);
  await create('after');
  await eventually(async () => watching.events.length === 4);
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
  await eventually(async () => watching.events.length === 4);
  expect(watching.seen()).toEqual(['ADDED moving', 'DELETED moving', 'ADDED moving', 'DELETED moving']);
  watching.stop();
});

test('initial events end with a bookmark that marks their end', async () => {
  const watching = watch('sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true');
  const last = await eventually(async () => watching.events.find(({ type }) => type === 'BOOKMARK'));
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
  await eventually(async () => watching.events.length >= 2);
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
  await eventually(async () => watching.events.length === 1);
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

test('a server that restarts keeps everything, also versions to watch from', async () => {
  const since = await version();
  await create('kept');
  await server.restart();
  send = client(server);
  const watching = watch(`resourceVersion=${since}`);
  await eventually(async () => watching.seen().includes('ADDED kept'));
  watching.stop();
});
