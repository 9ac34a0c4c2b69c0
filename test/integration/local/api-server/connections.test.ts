import { startTestApiServer, type TestApiServer } from '../../../support/api-server';
import { client, type Send } from './client';
import { open, sendUnread } from './hostile-clients';

const KIB = 1 << 10;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let server: TestApiServer;
let send: Send;

beforeAll(async () => {
  server = await startTestApiServer();
  send = client(server);
});
afterAll(() => server.close());

const configMap = (name: string, bytes: number) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { text: 'x'.repeat(bytes) },
});

test('a large request is answered that arrives before the last response was read', async () => {
  // more than the kernel keeps for a client that does not read
  for (let i = 0; i < 10; i++)
    expect((await send('POST', CONFIG_MAPS, configMap(`large-${i}`, 900 * KIB))).code).toBe(201);
  const socket = await open(server, server.admin);
  // several TLS records
  const body = JSON.stringify(configMap('next', 40 * KIB));
  const headers = `Host: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
  const get = `GET ${CONFIG_MAPS} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const answers = await sendUnread(socket, get, `POST ${CONFIG_MAPS} HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 201']);
});
