import { Agent, request } from 'node:https';
import { missingPrograms, startOracle } from '../scripts/oracle/server';
import { ApiServerProcess } from '../test/support/api-server-process';
import { type Figure, figure, median } from './figure';
import { cpuMs, pssMiB } from './memory';
import { writeConcurrently } from './writers';

/** Numbers of objects that are created, of concurrent writers, of watchers, and of writes that the watchers see. */
export interface Load {
  readonly objects: number;
  readonly writers: number;
  readonly watchers: number;
  readonly writes: number;
}

interface Target {
  readonly port: number;
  readonly identity: { readonly cert: string | Buffer; readonly key: string | Buffer };
  readonly pids: readonly number[];
}

interface Measured {
  /** Creates per second. */
  readonly creates: number;
  readonly createCpuMs: number;
  readonly listMs: number;
  readonly listCpuMs: number;
  /** Time until every watcher has seen every write. */
  readonly fanOutMs: number;
  readonly fanOutCpuMs: number;
  readonly pssMiB: number;
}

const GROUP = 'bench.virt8s.io';
const PATH = `/apis/${GROUP}/v1/namespaces/default/things`;

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  index: { type: 'integer', minimum: 0 },
                  text: { type: 'string', maxLength: 4096 },
                  parts: {
                    type: 'array',
                    maxItems: 64,
                    items: { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } } },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

/** A custom resource of 1.5 KB. */
const thing = (name: string, index: number): object => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Thing',
  metadata: { name, namespace: 'default', labels: { app: 'bench' } },
  spec: {
    index,
    text: 'x'.repeat(700),
    parts: Array.from({ length: 20 }, (_, i) => ({ name: `part-${i}`, size: i })),
  },
});

/** Requests to one server, with as many connections as writers. */
function clientOf({ port, identity }: Target, connections: number) {
  const options = { host: '127.0.0.1', port, rejectUnauthorized: false, ...identity };
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ...options });
  const send = (method: string, path: string, body?: object): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const headers = text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {};
      const outgoing = request({ ...options, agent, method, path, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const answer = Buffer.concat(chunks);
          if ((incoming.statusCode ?? 0) < 300) resolve(answer);
          else reject(new Error(`${method} ${path}: ${incoming.statusCode} ${answer.toString().slice(0, 300)}`));
        });
      });
      outgoing.once('error', reject).end(text);
    });
  /** Calls `seen` with the number of events of each chunk; resolves when the stream is open. */
  const watch = (path: string, seen: (events: number) => void): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const outgoing = request({ ...options, agent: false, path }, (incoming) => {
        incoming.on('data', (chunk: Buffer) => {
          let events = 0;
          for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) events++;
          seen(events);
        });
        incoming.on('error', () => {});
        resolve(() => outgoing.destroy());
      });
      outgoing.once('error', reject).end();
    });
  return { send, watch, close: () => agent.destroy() };
}

async function measure(target: Target, load: Load): Promise<Measured> {
  const client = clientOf(target, load.writers);
  const cpu = () => target.pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
  const createAll = (prefix: string, count: number) =>
    writeConcurrently(count, load.writers, (i) => client.send('POST', PATH, thing(`${prefix}-${i}`, i)));
  await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  const until = Date.now() + 30_000;
  while (!(await client.send('GET', PATH).catch(() => undefined))) {
    if (Date.now() > until) throw new Error('the custom resource is not served');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await createAll('warm', load.writers);
  let cpuBefore = cpu();
  let start = performance.now();
  await createAll('thing', load.objects);
  const creates = load.objects / ((performance.now() - start) / 1000);
  const createCpuMs = (cpu() - cpuBefore) / load.objects;

  const lists: number[] = [];
  cpuBefore = cpu();
  for (let i = 0; i < 11; i++) {
    start = performance.now();
    await client.send('GET', PATH);
    lists.push(performance.now() - start);
  }
  const listCpuMs = (cpu() - cpuBefore) / lists.length;

  const listed = JSON.parse(String(await client.send('GET', `${PATH}?limit=1`))) as {
    metadata: { resourceVersion: string };
  };
  const wanted = load.watchers * load.writes;
  let events = 0;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const path = `${PATH}?watch=1&resourceVersion=${listed.metadata.resourceVersion}`;
  const stops = await Promise.all(
    Array.from({ length: load.watchers }, () =>
      client.watch(path, (count) => {
        events += count;
        if (events >= wanted) finish();
      }),
    ),
  );
  cpuBefore = cpu();
  start = performance.now();
  await createAll('seen', load.writes);
  await finished;
  const fanOutMs = performance.now() - start;
  const fanOutCpuMs = cpu() - cpuBefore;
  const memory = target.pids.reduce((sum, pid) => sum + pssMiB(pid), 0);
  for (const stop of stops) stop();
  client.close();
  return { creates, createCpuMs, listMs: median(lists), listCpuMs, fanOutMs, fanOutCpuMs, pssMiB: memory };
}

async function measureOurs(load: Load): Promise<Measured> {
  const server = await ApiServerProcess.start();
  try {
    return await measure({ port: server.port, identity: server.admin, pids: [server.pid] }, load);
  } finally {
    await server.close();
  }
}

async function measurePeer(load: Load): Promise<Measured> {
  const peer = await startOracle({ durable: true });
  try {
    return await measure({ port: peer.port, identity: peer.admin, pids: peer.pids }, load);
  } finally {
    await peer.stop();
  }
}

/** The API server beside Kubernetes' own CRD server on etcd: same objects, client and machine, one after the other. */
export async function benchApiServer(load: Load): Promise<Figure[]> {
  const missing = missingPrograms();
  const ours = await measureOurs(load);
  if (!missing.length) return figuresOf(ours, await measurePeer(load), load);
  console.log(
    `api-server: no comparison, because ${missing.join(' and ')} are missing; run scripts/oracle/build.sh. Measured: ${JSON.stringify(ours)}`,
  );
  return [];
}

function figuresOf(ours: Measured, peer: Measured, load: Load): Figure[] {
  const against = (name: keyof Measured, unit: string) =>
    `${ours[name].toFixed(2)} ${unit} against ${peer[name].toFixed(2)} ${unit}`;
  const ratio = (name: keyof Measured) => ours[name] / peer[name];
  return [
    figure(
      'API creates',
      1 / ratio('creates'),
      "x peer's time",
      0.5,
      `${load.objects} custom resources of 1.5 KB, ${load.writers} writers, each write synced by both: ${against('creates', '/s')}, ${against('createCpuMs', 'CPU ms')}`,
    ),
    figure(
      'API list',
      ratio('listMs'),
      "x peer's time",
      0.8,
      `all ${load.objects} of them, median of 11: ${against('listMs', 'ms')}, ${against('listCpuMs', 'CPU ms')}`,
    ),
    figure(
      'API fan-out',
      ratio('fanOutMs'),
      "x peer's time",
      0.8,
      `${load.writes} creates until each of ${load.watchers} watchers has seen them: ${against('fanOutMs', 'ms')}, ${against('fanOutCpuMs', 'CPU ms')}`,
    ),
    figure('API memory', ratio('pssMiB'), "x peer's PSS", 0.5, `after this load: ${against('pssMiB', 'MiB')}`),
  ];
}
