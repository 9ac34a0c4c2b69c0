import { Agent, request } from 'node:https';
import { ApiServerProcess } from '../../../support/api-server-process';
import { sleep } from '../../../support/patience';
import { until } from '../../../support/until';

/** `VIRT8S_KILL_ROUNDS=1000 jest --testTimeout 7200000 FILE` runs the long form; `VIRT8S_KILL_SEED` selects other writes and times. */
const ROUNDS = Number(process.env.VIRT8S_KILL_ROUNDS ?? 20);
const SEED = Number(process.env.VIRT8S_KILL_SEED ?? 1);
const WRITERS = 4;
const NAMES = 5;
const MAPS = '/api/v1/namespaces/default/configmaps';

/** A generator of numbers in [0, 1) with a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Answer {
  readonly code: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

let server: ApiServerProcess;
let agent: Agent;

beforeAll(async () => {
  server = await ApiServerProcess.start();
  agent = new Agent({ keepAlive: true, ca: server.ca.pem, ...server.admin });
});
afterAll(async () => {
  agent.destroy();
  await server.close();
});

/** Sends a request; undefined if the connection failed before the whole answer. */
const send = (method: string, path: string, body?: object): Promise<Answer | undefined> =>
  new Promise((resolve) => {
    const text = body && JSON.stringify(body);
    const headers = text ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) } : {};
    const outgoing = request(`${server.url}${path}`, { agent, method, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', () => resolve(undefined));
      incoming.on('close', () => resolve(undefined));
      incoming.on('end', () =>
        resolve({ code: incoming.statusCode!, body: JSON.parse(Buffer.concat(chunks).toString()) as unknown }),
      );
    });
    outgoing.on('error', () => resolve(undefined));
    outgoing.end(text);
  });

interface Event {
  readonly type: string;
  readonly object: { metadata: { name: string; resourceVersion: string }; data?: { n: string } };
}

/** Follows a watch from `since` until its connection ends. */
const follow = (since: string, events: Event[]): Promise<void> =>
  new Promise((resolve) => {
    const outgoing = request(
      `${server.url}${MAPS}?watch=1&resourceVersion=${since}`,
      { ca: server.ca.pem, ...server.admin, agent: false },
      (incoming) => {
        let rest = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop()!;
          events.push(...lines.map((line) => JSON.parse(line) as Event));
        });
        incoming.on('error', () => {});
        incoming.on('close', resolve);
      },
    );
    outgoing.on('error', () => resolve());
    outgoing.end();
  });

test(`${ROUNDS} times SIGKILL under write load lose no acknowledged write and no watch event`, async () => {
  const next = random(SEED);
  /** Possible values of each object: one after an acknowledged write, two after one without an answer. */
  const possible = new Map<string, (string | undefined)[]>();
  const acknowledged: string[] = [];
  let count = 0;
  let running = true;

  const start = (await send('GET', MAPS))!.body.metadata.resourceVersion as string;
  const events: Event[] = [];
  const watching = (async () => {
    while (running) {
      await follow(events.at(-1)?.object.metadata.resourceVersion ?? start, events);
      // eslint-disable-next-line virt8s/patience -- a pause between two connections
      await sleep(5);
    }
  })();

  const write = async (name: string): Promise<boolean> => {
    const [before] = possible.get(name) ?? [undefined];
    const value = before !== undefined && next() < 0.25 ? undefined : String(++count);
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { n: value, filler: 'x'.repeat(2000) },
    };
    possible.set(name, [before, value]);
    const answer = await (value === undefined
      ? send('DELETE', `${MAPS}/${name}`)
      : before === undefined
        ? send('POST', MAPS, body)
        : send('PUT', `${MAPS}/${name}`, body));
    if (!answer) return false;
    expect([200, 201]).toContain(answer.code);
    possible.set(name, [value]);
    if (value !== undefined) acknowledged.push(answer.body.metadata.resourceVersion as string);
    return true;
  };

  for (let round = 0; round < ROUNDS; round++) {
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      while (await write(`w${writer}-${Math.floor(next() * NAMES)}`));
    });
    // the fault comes after so many writes, regardless of the time
    const enough = acknowledged.length + 1 + Math.floor(next() * 30);
    await until(() => acknowledged.length >= enough, { everyMs: 1 });
    await server.kill();
    await Promise.all(writers);
    await server.up();
    const list = (await send('GET', MAPS))!.body.items as Event['object'][];
    const found = new Map(list.map(({ metadata, data }) => [metadata.name, data?.n]));
    for (const [name, values] of possible) {
      expect(values).toContain(found.get(name));
      possible.set(name, [found.get(name)]);
    }
  }

  const newest = (await send('GET', MAPS))!.body;
  const last = (await send('POST', MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'last' } }))!;
  const end = last.body.metadata.resourceVersion as string;
  await until(() => events.at(-1)?.object.metadata.resourceVersion === end);
  running = false;
  await server.kill();
  await watching;

  const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
  expect(versions.at(-1)).toBe(Number(end));
  expect(versions.every((version, i) => i === 0 || version > versions[i - 1])).toBe(true);
  const seen = new Set(versions);
  expect(acknowledged.filter((version) => !seen.has(Number(version)))).toEqual([]);
  // replayed, the events result in the same objects as the list
  const state = new Map<string, string | undefined>();
  for (const { type, object } of events.slice(0, -1)) {
    const { name } = object.metadata;
    expect(`${name} ${type}`).toBe(
      `${name} ${type === 'DELETED' || state.has(name) ? (type === 'ADDED' ? 'MODIFIED' : type) : 'ADDED'}`,
    );
    if (type === 'DELETED') state.delete(name);
    else state.set(name, object.data?.n);
  }
  const mine = (newest.items as Event['object'][]).filter(({ metadata }) => metadata.name.startsWith('w'));
  expect([...state].filter(([name]) => name.startsWith('w')).sort()).toEqual(
    mine.map(({ metadata, data }) => [metadata.name, data?.n]).sort(),
  );
  expect(acknowledged.length).toBeGreaterThan(ROUNDS);
});
