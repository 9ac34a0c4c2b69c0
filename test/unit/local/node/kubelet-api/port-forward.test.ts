import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createWebSocketStream, WebSocket, WebSocketServer } from 'ws';
import { tunnelPorts } from '../../../../../src/local/node/kubelet-api/port-forward';
import { control, SpdyClient, uint32 } from '../../../../support/spdy-client';

/** Callbacks of the kubelet's timers. */
const alarms = new Set<() => void>();
const servers: { close(): unknown }[] = [];
const sockets = new Set<Socket>();
let client: SpdyClient;
let tunnel: WebSocket;

beforeEach(async () => {
  const kubelet = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  servers.push(kubelet);
  kubelet.on('connection', (socket) =>
    tunnelPorts(undefined, socket, (_, act) => {
      alarms.add(act);
      return () => alarms.delete(act);
    }),
  );
  await once(kubelet, 'listening');
  tunnel = new WebSocket(`ws://127.0.0.1:${(kubelet.address() as AddressInfo).port}`);
  client = new SpdyClient();
  const duplex = createWebSocketStream(tunnel);
  duplex.on('error', () => undefined);
  client.pipe(duplex).pipe(client);
});
afterEach(() => {
  tunnel.terminate();
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
  alarms.clear();
});

async function listen(serve: (socket: Socket) => void, pauseOnConnect = false): Promise<number> {
  const server: Server = createServer({ pauseOnConnect }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const until = async (what: () => boolean): Promise<void> => {
  while (!what()) await new Promise(setImmediate);
};
/** Opens a connection as kubectl does: its error stream, then its data stream, which it answers. */
async function connect(first: number, port: number): Promise<number> {
  const headers = { requestid: String(first), port: String(port) };
  await client.open(first, { ...headers, streamtype: 'error' });
  client.data(first, Buffer.alloc(0), true);
  await client.open(first + 2, { ...headers, streamtype: 'data' });
  return first + 2;
}
const CHUNK = 32 << 10;

test.each<[string, (socket: Socket) => void, boolean]>([
  ['reads nothing', () => undefined, true],
  ['closes at once', (socket) => socket.destroy(), false],
])('other connections of a session do not wait for a server that %s', async (_, serve, patienceEnds) => {
  const stuck = await connect(1, await listen(serve, true));
  for (let i = 0; i < 1000; i++) client.data(stuck, Buffer.alloc(CHUNK));
  client.push(control(3, Buffer.concat([uint32(stuck), uint32(5)])));
  const answered = await connect(5, await listen((socket) => socket.end('hello')));
  await until(() => {
    if (patienceEnds) for (const act of [...alarms]) act();
    return client.payload.get(answered) === 5;
  });
});

test('a server that reads slowly gets all of a large upload', async () => {
  let got = 0;
  const port = await listen((socket) => {
    socket.on('data', (data: Buffer) => {
      got += data.length;
      socket.pause();
      setImmediate(() => socket.resume());
    });
  });
  const stream = await connect(1, port);
  for (let i = 0; i < 1000; i++) client.data(stream, Buffer.alloc(CHUNK));
  await until(() => got === 1000 * CHUNK);
});
