import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as listen } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { attach } from '../../../../../src/local/node/kubelet-api/attach';
import { StreamSocket } from '../../../../../src/local/node/kubelet-api/channels';
import { exec } from '../../../../../src/local/node/kubelet-api/exec';
import { forwardPorts } from '../../../../../src/local/node/kubelet-api/port-forward';
import { NodePaths } from '../../../../../src/local/node/pods/paths';
import type { ContainerRecord } from '../../../../../src/local/node/pods/record';
import { ContainerRuntime } from '../../../../../src/local/node/runtime/crun';
import { until } from '../../../../support/until';

let dir: string;
let front: ReturnType<typeof createServer>;
let back: Server;
let served: Socket[];
const path = process.env.PATH;
/** Like the server does: a websocket and what serves it. */
let serve: (client: WebSocket) => void;

// with a cold cache, the processes in which jest looks for files are still running: they must not be counted
beforeAll(() => eventually(() => !process.getActiveResourcesInfo().includes('ProcessWrap')));
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-sessions-'));
  served = [];
  front = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  front.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (client) => serve(client)),
  );
  back = listen((socket) => served.push(socket.on('error', () => undefined)));
  for (const server of [front, back]) await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
});
afterEach(async () => {
  process.env.PATH = path;
  for (const socket of served) socket.destroy();
  front.closeAllConnections();
  for (const server of [front, back]) await new Promise((done) => server.close(done));
  rmSync(dir, { recursive: true, force: true });
});

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
const dial = async (): Promise<WebSocket> => {
  const client = new WebSocket(`ws://127.0.0.1:${portOf(front)}`);
  await new Promise((done, fail) => client.once('open', done).once('error', fail));
  return client;
};
const eventually = async (what: () => boolean): Promise<void> => {
  await until(() => what(), { everyMs: 5 });
};
/** Handles of child processes and of the pipes to them. Those of earlier suites of this process may end meanwhile. */
const handles = (): number =>
  process.getActiveResourcesInfo().filter((name) => /Process|Pipe|FSEvent/.test(name)).length;

test('process and pipes of a forwarded port end with its client', async () => {
  const before = handles();
  serve = (client) => forwardPorts(undefined, [portOf(back), portOf(back)], client);
  for (let i = 0; i < 3; i++) {
    const client = await dial();
    await eventually(() => served.length === 2 * (i + 1));
    client.terminate();
    await eventually(() => handles() <= before);
  }
});

test.each([
  [[], '0 ports are requested (allowed: 1 to 16 ports from 1 to 65535)'],
  [[0], 'port 0 is not valid'],
  [[65_536], 'port 65536 is not valid'],
  [[Number.NaN], 'port NaN is not valid'],
  [Array<number>(17).fill(1), '17 ports are requested'],
])('ports %j are rejected before a process is started', async (ports, why) => {
  serve = (client) => forwardPorts(undefined, ports, client);
  const client = new WebSocket(`ws://127.0.0.1:${portOf(front)}`);
  const reason = await new Promise<string>((done) => client.on('close', (_code, text) => done(text.toString())));
  expect(reason).toContain(why);
});

test('input that nobody reads stops its client instead of filling memory', async () => {
  const stdin = new Writable({ write: () => undefined });
  let socket: WebSocket | undefined;
  serve = (client) => {
    socket = client;
    new StreamSocket(client, { stdin, stdinEnd: () => undefined, resize: () => undefined, closed: () => undefined });
  };
  const client = await dial();
  for (let i = 0; i < 200; i++) client.send(Buffer.alloc(64 << 10));
  await eventually(() => socket?.isPaused === true);
  expect(stdin.writableLength).toBeLessThan(1 << 20);
  expect(stdin.listenerCount('drain')).toBe(1);
  // it reads nothing any more: a heartbeat finds that the client has gone
  client.terminate();
  await eventually(() => {
    if (socket?.readyState === WebSocket.OPEN) socket.ping();
    return socket?.readyState === WebSocket.CLOSED;
  });
});

test('the node releases a command with its client, regardless of the processes that the command left running', async () => {
  writeFileSync(join(dir, 'config.json'), JSON.stringify({ process: { env: [] } }));
  // a child of the command keeps its output open
  writeFileSync(join(dir, 'crun'), `#!/bin/sh\nsleep 1000 & echo $! >${dir}/child; echo started; wait\n`);
  chmodSync(join(dir, 'crun'), 0o755);
  process.env.PATH = `${dir}:${path}`;
  const before = handles();
  const runtime = new ContainerRuntime({ root: dir, exitsDir: dir, socketsDir: dir });
  const options = { command: ['x'], stdin: true, stdout: true, stderr: true, tty: false };
  serve = (client) => exec(runtime, dir, 'id', options, client);
  const client = await dial();
  await new Promise((done) => client.once('message', done));
  client.terminate();
  await eventually(() => handles() <= before);
  process.kill(Number(readFileSync(join(dir, 'child'), 'utf8')));
});

test('an attach to a container without a directory is rejected and leaves nothing behind', async () => {
  const paths = new NodePaths(dir, 'node');
  const before = handles();
  serve = (client) =>
    attach(paths, { id: 'gone' } as ContainerRecord, { stdin: false, stdout: true, stderr: true }, client);
  const client = new WebSocket(`ws://127.0.0.1:${portOf(front)}`);
  const said: string[] = [];
  client.on('message', (data: Buffer) => said.push(data.toString()));
  await new Promise((done) => client.on('close', done));
  expect(said.join()).toContain('ENOENT');
  mkdirSync(paths.container('gone'), { recursive: true });
  await eventually(() => handles() <= before);
});
