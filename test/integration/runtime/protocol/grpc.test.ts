import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as grpc from '@grpc/grpc-js';
import { CmdDefinition, DevicePluginDefinition, GrpcError, GrpcStatus } from '../../../../src/runtime/protocol';
import type { TransportClient } from '../../../../src/runtime/protocol/grpc/client';
import { implementations } from './frames';
import type { Handlers, ListAndWatchResponse, ServiceDefinition, VMIRequest } from '../../../../src/runtime/protocol';

let dir: string;
const cleanups: (() => unknown)[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-grpc-'));
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  rmSync(dir, { recursive: true, force: true });
});

let [GrpcClient, GrpcServer] = [implementations[0][1].GrpcClient, implementations[0][1].GrpcServer];

async function serve<S extends ServiceDefinition>(service: S, handlers: Handlers<S>, max?: number): Promise<string> {
  const path = join(dir, 'sock');
  const server = new GrpcServer({ maxMessageBytes: max }).add(service, handlers);
  await server.listen(path);
  cleanups.push(() => server.close());
  return path;
}

function client(path: string, options = {}): TransportClient {
  const made = new GrpcClient(path, options);
  cleanups.push(() => made.close());
  return made;
}

/** The same service in the form that grpc-js requires. */
function grpcJsService(service: ServiceDefinition): grpc.ServiceDefinition {
  return Object.fromEntries(
    Object.entries(service.methods).map(([key, m]) => [
      key,
      {
        path: `/${service.fullName}/${m.name}`,
        requestStream: m.requestStream,
        responseStream: m.responseStream,
        requestSerialize: (v: unknown) => Buffer.from(m.requestType.encode(v).finish()),
        requestDeserialize: (b: Buffer) => m.requestType.decode(b),
        responseSerialize: (v: unknown) => Buffer.from(m.responseType.encode(v).finish()),
        responseDeserialize: (b: Buffer) => m.responseType.decode(b),
      },
    ]),
  );
}

async function caught(promise: Promise<unknown>): Promise<GrpcError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(GrpcError);
  return error as GrpcError;
}

const vmi = { vmiJson: Buffer.from('{"kind":"VirtualMachineInstance"}') };

const pairs = implementations.flatMap(([clientName, c]) =>
  implementations.map(([serverName, s]) => [clientName, serverName, c.GrpcClient, s.GrpcServer] as const),
);

describe.each(pairs)('a client over %s and a server over %s', (_clientName, _serverName, Client, Server) => {
  beforeEach(() => {
    [GrpcClient, GrpcServer] = [Client, Server];
  });

  test('a unary call carries nested messages both ways', async () => {
    let seen: VMIRequest | undefined;
    const path = await serve(CmdDefinition, {
      syncVirtualMachine: (request) => {
        seen = request;
        return { success: true, message: 'défini ✓' };
      },
    });
    const options = { podInterfaces: [{ network: 'default', tap: 'tap0', mtu: 1450, guestIPv6: 'fd10:0:2::2/120' }] };
    const answer = await client(path).service(CmdDefinition).syncVirtualMachine({ vmi, options });
    expect(answer).toMatchObject({ success: true, message: 'défini ✓' });
    expect(seen).toMatchObject({ vmi, options });
  });

  test('a stream delivers every message in order and ends when the handler ends', async () => {
    const path = await serve(DevicePluginDefinition, {
      async *listAndWatch() {
        for (let i = 0; i < 200; i++) yield { devices: [{ ID: `d${i}`.padEnd(5_000, '.'), health: 'Healthy' }] };
      },
    });
    const got: string[] = [];
    for await (const { devices } of client(path).service(DevicePluginDefinition).listAndWatch({})) {
      got.push(devices![0].ID!.replaceAll('.', ''));
    }
    expect(got).toEqual(Array.from({ length: 200 }, (_, i) => `d${i}`));
  });

  test('a handler chooses the status that the caller sees', async () => {
    const path = await serve(CmdDefinition, {
      ping: () => {
        throw new GrpcError(GrpcStatus.FAILED_PRECONDITION, 'libvirt is not up yet: wait\n100%');
      },
      getDomain: () => Promise.reject(new Error('boom')),
    });
    const cmd = client(path).service(CmdDefinition);
    expect(await caught(cmd.ping({}))).toMatchObject({ code: 9, details: 'libvirt is not up yet: wait 100%' });
    expect((await caught(cmd.getDomain({}))).message).toBe('kubevirt.cmd.v1.Cmd/GetDomain: UNKNOWN: boom');
    expect(await caught(cmd.getUsers({}))).toMatchObject({ code: GrpcStatus.UNIMPLEMENTED });
  });

  test('thousands of refused and cancelled calls leave the connection usable', async () => {
    let connections = 0;
    const path = join(dir, 'sock');
    const server = new GrpcServer({ maxMessageBytes: 100 }).add(CmdDefinition, { ping: () => ({ success: true }) });
    await server.listen(path);
    cleanups.push(() => server.close());
    const made = client(path, { onDisconnect: () => connections++ }).service(CmdDefinition);
    for (let i = 0; i < 1_200; i++) await made.getUsers({}).catch(() => {});
    for (let i = 0; i < 1_200; i++)
      await made.syncVirtualMachine({ vmi: { vmiJson: Buffer.alloc(200) } }).catch(() => {});
    expect(await made.ping({})).toMatchObject({ success: true });
    expect(connections).toBe(0);
  });

  test('a deadline ends the call on both sides', async () => {
    const aborted = Promise.withResolvers<unknown>();
    const path = await serve(CmdDefinition, {
      ping: (_, { signal }) => {
        signal.addEventListener('abort', () => aborted.resolve((signal.reason as GrpcError).code));
        return new Promise(() => {});
      },
    });
    // eslint-disable-next-line virt8s/patience-of-programs -- the limit is tested
    const error = await caught(client(path).service(CmdDefinition).ping({}, { timeoutMs: 50 }));
    expect(error.code).toBe(GrpcStatus.DEADLINE_EXCEEDED);
    expect([GrpcStatus.DEADLINE_EXCEEDED, GrpcStatus.CANCELLED]).toContain(await aborted.promise);
  });

  test('a caller that cancels a stream ends the handler', async () => {
    const ended = Promise.withResolvers<void>();
    const path = await serve(DevicePluginDefinition, {
      async *listAndWatch(_, { signal }) {
        try {
          yield { devices: [] };
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        } finally {
          ended.resolve();
        }
      },
    });
    const abort = new AbortController();
    const stream = client(path).service(DevicePluginDefinition).listAndWatch({}, { signal: abort.signal });
    const read = (async () => {
      for await (const _ of stream) abort.abort();
    })();
    expect(await caught(read)).toMatchObject({ code: GrpcStatus.CANCELLED });
    await ended.promise;
  });

  test('leaving the loop early cancels the call and keeps the connection', async () => {
    const ended = Promise.withResolvers<GrpcError>();
    const path = await serve(DevicePluginDefinition, {
      async *listAndWatch(_, { signal }) {
        signal.addEventListener('abort', () => ended.resolve(signal.reason as GrpcError));
        // eslint-disable-next-line virt8s/patience -- the pace of a server
        for (;;) yield await new Promise<ListAndWatchResponse>((resolve) => setTimeout(() => resolve({}), 5));
      },
      getDevicePluginOptions: () => ({ preStartRequired: true }),
    });
    let disconnects = 0;
    const plugin = client(path, { onDisconnect: () => disconnects++ }).service(DevicePluginDefinition);
    let taken = 0;
    for await (const _ of plugin.listAndWatch({})) {
      taken++;
      break;
    }
    expect(await ended.promise).toMatchObject({ code: GrpcStatus.CANCELLED });
    expect(await plugin.getDevicePluginOptions({})).toMatchObject({ preStartRequired: true });
    expect({ taken, disconnects }).toEqual({ taken: 1, disconnects: 0 });
  });

  test('a caller that cancels a stream ends the handler before its next message', async () => {
    const ended = Promise.withResolvers<number>();
    let yielded = 0;
    const path = await serve(DevicePluginDefinition, {
      async *listAndWatch(_, { signal }) {
        try {
          for (; ; yielded++) {
            yield { devices: [] };
            await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          }
        } finally {
          ended.resolve(yielded);
        }
      },
    });
    for await (const _ of client(path).service(DevicePluginDefinition).listAndWatch({})) break;
    expect(await ended.promise).toBeLessThanOrEqual(1);
  });

  test('calls beyond the limit fail at once, and succeed again when others have ended', async () => {
    const go = Promise.withResolvers<void>();
    const path = await serve(CmdDefinition, {
      ping: () => ({ success: true }),
      getDomain: () => go.promise.then(() => ({ domain: 'd' })),
    });
    const cmd = client(path, { maxCalls: 2 }).service(CmdDefinition);
    const held = [cmd.getDomain({}), cmd.getDomain({})];
    expect(await caught(cmd.ping({}))).toMatchObject({ code: GrpcStatus.RESOURCE_EXHAUSTED });
    go.resolve();
    expect(await Promise.all(held)).toMatchObject([{ domain: 'd' }, { domain: 'd' }]);
    expect(await cmd.ping({})).toMatchObject({ success: true });
  });

  test('all responses together stay within the budget, which is free again after a call', async () => {
    const path = await serve(CmdDefinition, {
      getDomain: () => ({ domain: 'x'.repeat(30_000) }),
      getUsers: () => ({ guestUserListResponse: 'x'.repeat(50_000) }),
    });
    const cmd = client(path, { maxMessageBytes: 60_000, maxBufferedBytes: 40_000 }).service(CmdDefinition);
    for (let i = 0; i < 5; i++) expect((await cmd.getDomain({})).domain).toHaveLength(30_000);
    expect(await caught(cmd.getUsers({}))).toMatchObject({
      code: GrpcStatus.RESOURCE_EXHAUSTED,
      details: 'the calls under way hold more than 40000 bytes',
    });
    expect((await cmd.getDomain({})).domain).toHaveLength(30_000);
  });

  test('a request or an answer that is too large is rejected, and the connection stays usable', async () => {
    const path = await serve(
      CmdDefinition,
      { syncVirtualMachine: () => ({ success: true }), getDomain: () => ({ domain: 'x'.repeat(3_000) }) },
      1_000,
    );
    const cmd = client(path, { maxMessageBytes: 2_000 }).service(CmdDefinition);
    const large = { vmi: { vmiJson: Buffer.alloc(100_000) } };
    expect(await caught(cmd.syncVirtualMachine(large))).toMatchObject({ code: GrpcStatus.RESOURCE_EXHAUSTED });
    expect(await caught(cmd.getDomain({}))).toMatchObject({ code: GrpcStatus.RESOURCE_EXHAUSTED });
    expect(await cmd.syncVirtualMachine({ vmi })).toMatchObject({ success: true });
  });

  test('a socket without a listener is UNAVAILABLE with its path, and the client connects once there is one', async () => {
    const path = join(dir, 'sock');
    const cmd = client(path).service(CmdDefinition);
    const error = await caught(cmd.ping({}));
    expect(error.code).toBe(GrpcStatus.UNAVAILABLE);
    expect(error.message).toContain(path);
    await serve(CmdDefinition, { ping: () => ({ success: true }) });
    expect(await cmd.ping({})).toMatchObject({ success: true });
  });

  test('a server that ends is noticed at once, and calls under way fail with UNAVAILABLE', async () => {
    const path = join(dir, 'sock');
    const called = Promise.withResolvers<void>();
    const server = new GrpcServer().add(CmdDefinition, {
      ping: () => {
        called.resolve();
        return new Promise(() => {});
      },
    });
    await server.listen(path);
    const gone = Promise.withResolvers<void>();
    const cmd = client(path, { onDisconnect: gone.resolve }).service(CmdDefinition);
    const call = caught(cmd.ping({}));
    await called.promise;
    await server.close();
    expect((await call).code).toBe(GrpcStatus.UNAVAILABLE);
    await gone.promise;
  });

  test('listen replaces a link at its name and leaves its target alone', async () => {
    const target = join(dir, 'precious');
    writeFileSync(target, 'content', { mode: 0o640 });
    symlinkSync(target, join(dir, 'sock'));
    const server = new GrpcServer();
    await server.listen(join(dir, 'sock'), 0o666);
    cleanups.push(() => server.close());
    expect(readFileSync(target, 'utf8')).toBe('content');
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(statSync(join(dir, 'sock')).mode & 0o777).toBe(0o666);
  });

  test('a peer that sends garbage is dropped without harm to others', async () => {
    const path = await serve(CmdDefinition, { ping: () => ({ success: true }) });
    const vandal = connect(path);
    vandal.on('error', () => {}).resume();
    vandal.write(Buffer.alloc(64 * 1024, 0xff));
    await new Promise((resolve) => vandal.once('close', resolve));
    expect(await client(path).service(CmdDefinition).ping({})).toMatchObject({ success: true });
  });
});

describe.each(implementations)('%s with grpc-js', (_, { GrpcClient: Client, GrpcServer: Server }) => {
  beforeEach(() => {
    [GrpcClient, GrpcServer] = [Client, Server];
  });

  test('our client calls its server: unary, stream, status and deadline', async () => {
    const path = join(dir, 'theirs');
    const server = new grpc.Server();
    server.addService(grpcJsService(CmdDefinition), {
      ping: (_: unknown, done: grpc.sendUnaryData<unknown>) => done(null, { success: true, message: 'ünïcode' }),
      getDomain: (_: unknown, done: grpc.sendUnaryData<unknown>) =>
        done({ code: grpc.status.NOT_FOUND, details: 'keine Domäne' }),
      getUsers: () => {},
    });
    server.addService(grpcJsService(DevicePluginDefinition), {
      listAndWatch: (call: grpc.ServerWritableStream<unknown, unknown>) => {
        for (const ID of ['a', 'b', 'c']) call.write({ devices: [{ ID }] });
        call.end();
      },
    });
    await new Promise((resolve, reject) =>
      server.bindAsync(`unix:${path}`, grpc.ServerCredentials.createInsecure(), (e) => (e ? reject(e) : resolve(0))),
    );
    cleanups.push(() => server.forceShutdown());
    const ours = client(path);
    const cmd = ours.service(CmdDefinition);
    expect(await cmd.ping({})).toMatchObject({ success: true, message: 'ünïcode' });
    expect(await caught(cmd.getDomain({}))).toMatchObject({ code: 5, details: 'keine Domäne' });
    // eslint-disable-next-line virt8s/patience-of-programs -- the limit is tested
    expect(await caught(cmd.getUsers({}, { timeoutMs: 50 }))).toMatchObject({ code: 4 });
    expect(await caught(cmd.killVirtualMachine({}))).toMatchObject({ code: 12 });
    const ids: unknown[] = [];
    for await (const { devices } of ours.service(DevicePluginDefinition).listAndWatch({})) ids.push(devices![0].ID);
    expect(ids).toEqual(['a', 'b', 'c']);
  });

  test('its client calls our server: unary, stream, status and deadline', async () => {
    const path = join(dir, 'sock');
    const server = new GrpcServer()
      .add(CmdDefinition, {
        ping: () => ({ success: true, message: 'ünïcode' }),
        getDomain: () => {
          throw new GrpcError(GrpcStatus.NOT_FOUND, 'keine Domäne');
        },
        getUsers: () => new Promise(() => {}),
      })
      .add(DevicePluginDefinition, {
        async *listAndWatch() {
          for (const ID of ['a', 'b', 'c']) yield { devices: [{ ID, health: 'Healthy' }] };
        },
      });
    await server.listen(path);
    cleanups.push(() => server.close());
    const credentials = grpc.credentials.createInsecure();
    const Cmd = grpc.makeGenericClientConstructor(grpcJsService(CmdDefinition), 'Cmd');
    const Plugin = grpc.makeGenericClientConstructor(grpcJsService(DevicePluginDefinition), 'DevicePlugin');
    const cmd = new Cmd(`unix:${path}`, credentials);
    const plugin = new Plugin(`unix:${path}`, credentials);
    cleanups.push(
      () => cmd.close(),
      () => plugin.close(),
    );
    const call = (name: string, options = {}): Promise<{ code?: number; details?: string; answer?: unknown }> =>
      new Promise((resolve) =>
        cmd[name]({}, new grpc.Metadata(), options, (e: grpc.ServiceError | null, answer: unknown) =>
          resolve(e ? { code: e.code, details: e.details } : { answer }),
        ),
      );
    expect(await call('ping')).toMatchObject({ answer: { success: true, message: 'ünïcode' } });
    expect(await call('getDomain')).toMatchObject({ code: 5, details: 'keine Domäne' });
    expect(await call('getUsers', { deadline: Date.now() + 50 })).toMatchObject({ code: 4 });
    expect(await call('killVirtualMachine')).toMatchObject({ code: 12 });
    const ids: string[] = [];
    for await (const message of plugin.listAndWatch({})) ids.push(message.devices[0].ID);
    expect(ids).toEqual(['a', 'b', 'c']);
  });
});
