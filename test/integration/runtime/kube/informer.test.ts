import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Informer, KubeClient, resources } from '../../../../src/runtime/kube';
import { FaultyProxy } from '../controller/faulty-proxy';
import { Cluster, labelSelector } from './cluster';
import type { ConfigMap } from './cluster';
import { ScriptedServer } from './scripted-server';
import { until } from '../../../support/until';

const cluster = Cluster.forThisFile();

describe('informer', () => {
  const watchNames = async (proxy: FaultyProxy) => {
    const through = new KubeClient(proxy.config, { userAgent: 'test' });
    const seen: string[] = [];
    const informer = new Informer<ConfigMap>(through, resources.configMaps, {
      namespace: cluster.namespace,
      labelSelector,
      backoffMs: { first: 20, max: 100 },
      indexers: { color: ({ data }) => (data?.color ? [data.color] : []) },
    });
    informer.onChange({
      add: ({ metadata, data }) => seen.push(`+${metadata.name}${data?.n ?? ''}`),
      update: ({ metadata, data }) => seen.push(`~${metadata.name}${data?.n ?? ''}`),
      delete: ({ metadata }) => seen.push(`-${metadata.name}`),
    });
    await informer.start();
    const stop = async (): Promise<void> => {
      await informer.stop();
      through.close();
    };
    return { informer, seen, stop };
  };

  test('follows every change in order, through broken streams and a restart of the server', async () => {
    const proxy = await FaultyProxy.start(cluster.client.config);
    await cluster.client.create(resources.configMaps, cluster.configMap('a', { color: 'red' }));
    const { informer, seen, stop } = await watchNames(proxy);
    expect(seen).toEqual(['+a']);
    expect(informer.byIndex('color', 'red')).toHaveLength(1);
    await cluster.client.create(resources.configMaps, cluster.configMap('b'));
    await until(() => seen.includes('+b'));
    proxy.cut();
    const { metadata } = await cluster.client.patch(
      resources.configMaps,
      { namespace: cluster.namespace, name: 'a' },
      { data: { n: '1', color: 'blue' } },
      'merge',
    );
    await until(() => informer.hasSeen(metadata.resourceVersion));
    await cluster.server.restart();
    await cluster.client.delete(resources.configMaps, { namespace: cluster.namespace, name: 'b' });
    await until(() => seen.includes('-b'));
    expect(seen).toEqual(['+a', '+b', '~a1', '-b']);
    expect(informer.byIndex('color', 'red')).toEqual([]);
    expect(informer.byIndex('color', 'blue')).toHaveLength(1);
    await stop();
    proxy.close();
  });

  test('a version that the server forgot leads to a new list, whose differences are reported', async () => {
    const proxy = await FaultyProxy.start(cluster.client.config);
    await cluster.client.create(resources.configMaps, cluster.configMap('a'));
    await cluster.client.create(resources.configMaps, cluster.configMap('b'));
    const { seen, stop } = await watchNames(proxy);
    proxy.goneOnce = true;
    proxy.cut();
    await cluster.client.delete(resources.configMaps, { namespace: cluster.namespace, name: 'a' });
    await cluster.client.create(resources.configMaps, cluster.configMap('a', { n: '3' }));
    await cluster.client.patch(
      resources.configMaps,
      { namespace: cluster.namespace, name: 'b' },
      { data: { n: '2' } },
      'merge',
    );
    await until(() => seen.includes('~b2'));
    // deleted and created again under the same name: both are reported
    expect([...seen].sort()).toEqual(['+a', '+a3', '+b', '-a', '~b2'].sort());
    expect(proxy.goneOnce).toBe(false);
    await stop();
    proxy.close();
  });

  test('a store that was restored from a backup leads to a new list: missing objects are reported as deleted', async () => {
    const backup = join(cluster.server.directory, 'backup.db');
    const store = join(cluster.server.directory, 'state.db');
    await cluster.client.create(resources.configMaps, cluster.configMap('kept'));
    await cluster.client.create(resources.configMaps, cluster.configMap('deleted'));
    const proxy = await FaultyProxy.start(cluster.client.config);
    const { informer, seen, stop } = await watchNames(proxy);
    await cluster.server.restart(() => copyFile(store, backup));
    await cluster.client.delete(resources.configMaps, { namespace: cluster.namespace, name: 'deleted' });
    const { metadata } = await cluster.client.create(resources.configMaps, cluster.configMap('younger'));
    await until(() => informer.hasSeen(metadata.resourceVersion));
    const before = informer.lists.held;

    await cluster.server.restart(() => copyFile(backup, store));
    await until(() => informer.lists.held > before);
    expect(seen).toEqual(['+deleted', '+kept', '-deleted', '+younger', '-younger', '+deleted']);
    expect(informer.hasSeen(metadata.resourceVersion)).toBe(false);
    expect(informer.synced).toBe(true);
    // and it follows from there
    await cluster.client.create(resources.configMaps, cluster.configMap('new'));
    await until(() => seen.includes('+new'));
    await stop();
    proxy.close();
  });
});

describe('informer and a server that misbehaves', () => {
  const pod = (name: string, version: number): object => ({ metadata: { name, resourceVersion: String(version) } });
  const event = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;
  const status = (code: number, more: object = {}): object => ({ kind: 'Status', code, message: 'no', ...more });
  const future = status(504, { details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } });

  const follow = (server: ScriptedServer, options: { staleAfterMs?: number; pageSize?: number } = {}) => {
    const client = new KubeClient(server.config, { userAgent: 'test' });
    const errors: string[] = [];
    const informer = new Informer(client, resources.nodes, {
      ...options,
      backoffMs: { first: 1, max: 2 },
      onError: (error) => errors.push((error as Error).message),
    });
    const stop = async (): Promise<void> => {
      await informer.stop();
      client.close();
      await server.close();
    };
    return { client, informer, errors, stop };
  };

  const LIST = { items: [pod('a', 5)], metadata: { resourceVersion: '5' } };
  const LATER = { items: [pod('b', 3)], metadata: { resourceVersion: '3' } };

  test.each([
    ['410 for the watch', [{ code: 410, body: status(410) }], ['list', 'watch 5', 'list', 'watch 3']],
    ['410 in the stream', [event('ERROR', status(410))], ['list', 'watch 5', 'list', 'watch 3']],
    ['504 for a version of the future', [{ code: 504, body: future }], ['list', 'watch 5', 'list', 'watch 3']],
    ['the same in the stream', [event('ERROR', future)], ['list', 'watch 5', 'list', 'watch 3']],
    ['another refusal in the stream', [event('ERROR', status(400))], ['list', 'watch 5', 'list', 'watch 3']],
    ['an ERROR event without a status', ['{"type":"ERROR"}\n'], ['list', 'watch 5', 'watch 5']],
    ['a line that is not JSON', ['{"type":\n'], ['list', 'watch 5', 'list', 'watch 3']],
    ['an event of an unknown type', [event('CHANGED', pod('x', 9))], ['list', 'watch 5', 'list', 'watch 3']],
    ['an event without an object', ['{"type":"ADDED"}\n'], ['list', 'watch 5', 'list', 'watch 3']],
    ['a version that is older than one before', [event('ADDED', pod('x', 4))], ['list', 'watch 5', 'list', 'watch 3']],
    ['an older bookmark', [event('BOOKMARK', pod('', 4))], ['list', 'watch 5', 'list', 'watch 3']],
    ['the same version again', [event('BOOKMARK', pod('', 5))], ['list', 'watch 5', 'watch 5']],
    ['a newer bookmark', [event('BOOKMARK', pod('', 6))], ['list', 'watch 5', 'watch 6']],
    ['503', [{ code: 503, body: status(503) }], ['list', 'watch 5', 'watch 5']],
    [
      '503 five times',
      Array<object>(5).fill({ code: 503, body: status(503) }),
      ['list', ...Array<string>(6).fill('watch 5')],
    ],
    [
      '503 six times',
      Array<object>(6).fill({ code: 503, body: status(503) }),
      ['list', ...Array<string>(6).fill('watch 5'), 'list', 'watch 3'],
    ],
    ['a broken connection', ['cut'], ['list', 'watch 5', 'probe 5', 'watch 5']],
    [
      'a broken connection, then an older server',
      ['cut', { code: 504, body: future }],
      ['list', 'watch 5', 'probe 5', 'list', 'watch 3'],
    ],
    [
      'a probe that fails',
      ['cut', { code: 503, body: status(503) }],
      ['list', 'watch 5', 'probe 5', 'probe 5', 'watch 5'],
    ],
    ['a silent stream', [''], ['list', 'watch 5', 'probe 5', 'watch 5']],
    [
      'a list that fails',
      [
        { code: 410, body: status(410) },
        { code: 503, body: status(503) },
      ],
      ['list', 'watch 5', 'list', 'list', 'watch 3'],
    ],
  ])('%s', async (_, answers, want) => {
    const server = await ScriptedServer.start([LIST, ...answers], LATER);
    const { informer, stop } = follow(server);
    await informer.start();
    await until(() => server.requests.length >= want.length);
    expect(server.requests.slice(0, want.length)).toEqual(want);
    await stop();
  });

  test('reports the cause when nothing has worked for long, and is synced again afterwards', async () => {
    const server = await ScriptedServer.start([LIST], LATER);
    const { informer, errors, stop } = follow(server, { staleAfterMs: 30 });
    await informer.start();
    await until(() => server.requests.includes('watch 5'));
    expect(informer.synced).toBe(true);
    server.refuse = { code: 403, body: status(403, { message: 'nodes is forbidden' }) };
    server.cut();
    await until(() => informer.staleness?.cause.includes('nodes is forbidden') ?? false);
    expect(informer.synced).toBe(false);
    await until(() => errors.some((text) => text.includes('no list or watch has worked for')));
    server.refuse = undefined;
    await until(() => informer.synced);
    expect(errors.filter((text) => text.includes('no list or watch has worked for'))).toHaveLength(1);
    await stop();
  });

  test('stays synced behind a proxy that breaks each stream that is idle for a minute', async () => {
    const server = await ScriptedServer.start([LIST], LATER);
    const { client, informer, errors, stop } = follow(server);
    let opened = 0;
    const watch = client.watch.bind(client);
    client.watch = (resource, options, ...rest) => {
      const onOpen = (): void => {
        options.onOpen?.();
        opened += 1;
      };
      return watch(resource, { ...options, onOpen }, ...rest);
    };
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    await informer.start();
    for (let minute = 1; minute <= 10; minute++) {
      await until(() => opened === minute);
      clock.mockReturnValue(minute * 60_000);
      server.cut();
      await until(() => errors.length >= minute);
    }
    clock.mockRestore();
    await stop();
    expect(errors.filter((text) => text.includes('no list or watch has worked for'))).toEqual([]);
  });

  test('a collection that may not be listed at first is synced once it may', async () => {
    const server = await ScriptedServer.start([], LATER);
    server.refuse = { code: 403, body: status(403) };
    const { informer, errors, stop } = follow(server);
    const started = informer.start();
    await until(() => errors.length > 7);
    expect(informer.synced).toBe(false);
    server.refuse = undefined;
    await started;
    expect(informer.synced).toBe(true);
    await stop();
  });

  test('trims each page before the next one is requested', async () => {
    const page = (name: string, next?: string): object => ({
      items: [pod(name, 5), pod(`${name}2`, 5)],
      metadata: { resourceVersion: '5', continue: next },
    });
    const server = await ScriptedServer.start([page('a', 'p2'), page('b', 'p3'), page('c')], LATER);
    const client = new KubeClient(server.config, { userAgent: 'test' });
    const trimmed: string[] = [];
    const informer = new Informer(client, resources.nodes, {
      pageSize: 2,
      transform: (node) => {
        trimmed.push(`${node.metadata.name} after ${server.requests.filter((text) => text.startsWith('list')).length}`);
        return node;
      },
    });
    await informer.start();
    expect(trimmed).toEqual(['a after 1', 'a2 after 1', 'b after 2', 'b2 after 2', 'c after 3', 'c2 after 3']);
    expect(server.queries.slice(0, 3)).toEqual(['limit=2', 'limit=2&continue=p2', 'limit=2&continue=p3']);
    expect(informer.list()).toHaveLength(6);
    await informer.stop();
    client.close();
    await server.close();
  });

  test('lists all at once when the snapshot of the first page has expired', async () => {
    const first = { items: [pod('old', 4)], metadata: { resourceVersion: '4', continue: 'p2' } };
    const server = await ScriptedServer.start([first, { code: 410, body: status(410) }, LIST], LATER);
    const { informer, stop } = follow(server, { pageSize: 1 });
    await informer.start();
    expect(server.queries.slice(0, 3)).toEqual(['limit=1', 'limit=1&continue=p2', '']);
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['a']);
    await stop();
  });

  test('a server that always returns the same page is reported as an error', async () => {
    const again = { items: [pod('a', 4)], metadata: { resourceVersion: '4', continue: 'p2' } };
    const server = await ScriptedServer.start([again, again, LIST], LATER);
    const { informer, errors, stop } = follow(server);
    await informer.start();
    expect(errors).toEqual(['list nodes: the API server gives the same page again and again']);
    await stop();
  });
});
