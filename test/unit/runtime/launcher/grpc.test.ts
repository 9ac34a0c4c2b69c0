import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { UnaryClient } from '../../../../src/runtime/launcher/grpc/client';
import { HpackDecoder, encodeHeaders } from '../../../../src/runtime/launcher/grpc/hpack';
import { decodeHuffman } from '../../../../src/runtime/launcher/grpc/huffman';
import { UnaryServer } from '../../../../src/runtime/launcher/grpc/server';
import { GrpcClient, GrpcServer } from '../../../../src/runtime/protocol';
import { CmdDefinition } from '../../../../src/runtime/protocol/generated/cmd';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'grpc-'));
  path = join(directory, 'sock');
});

afterEach(() => rmSync(directory, { recursive: true }));

test.each([
  // RFC 7541, appendix C.4
  ['f1e3c2e5f23a6ba0ab90f4ff', 'www.example.com'],
  ['a8eb10649cbf', 'no-cache'],
  ['25a849e95ba97d7f', 'custom-key'],
  ['6402', '302'],
  ['d07abe941054d444a8200595040b8166e082a62d1bff', 'Mon, 21 Oct 2013 20:13:21 GMT'],
])('the Huffman code %s reads "%s"', (hex, text) => {
  expect(decodeHuffman(Buffer.from(hex, 'hex'))).toBe(text);
});

test('blocks with a table are read as the standard shows', () => {
  const decoder = new HpackDecoder();
  // RFC 7541, appendix C.4.1 to C.4.3
  const blocks = [
    '828684418cf1e3c2e5f23a6ba0ab90f4ff',
    '828684be5886a8eb10649cbf',
    '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf',
  ];
  const read = blocks.map((block) => decoder.decode(Buffer.from(block, 'hex')));
  expect(read[0]).toEqual({ ':method': 'GET', ':scheme': 'http', ':path': '/', ':authority': 'www.example.com' });
  expect(read[1]).toMatchObject({ ':authority': 'www.example.com', 'cache-control': 'no-cache' });
  expect(read[2]).toMatchObject({ ':scheme': 'https', ':path': '/index.html', 'custom-key': 'custom-value' });
});

test('what is written is read again', () => {
  const headers = { ':status': '200', long: 'x'.repeat(5000), empty: '' };
  expect(new HpackDecoder().decode(encodeHeaders(headers))).toEqual(headers);
});

test("virt-handler's client speaks with the launcher's server, megabytes too", async () => {
  const server = new UnaryServer(2 * 1024 * 1024);
  server.add(CmdDefinition, {
    syncVirtualMachine: ({ vmi }) => ({ success: true, message: String(vmi?.vmiJson?.length) }),
    getDomain: () => ({ response: { success: true }, domain: 'd'.repeat(300_000) }),
    killVirtualMachine: () => {
      throw new Error('no: 100 %');
    },
  });
  await server.listen(path, 0o600);
  const client = new GrpcClient(path);
  const cmd = client.service(CmdDefinition);
  await Promise.all(
    [10, 70_000, 1_500_000].map(async (size) => {
      const { message } = await cmd.syncVirtualMachine({ vmi: { vmiJson: Buffer.alloc(size) } });
      expect(message).toBe(String(size));
    }),
  );
  expect((await cmd.getDomain({})).domain).toHaveLength(300_000);
  await expect(cmd.killVirtualMachine({})).rejects.toThrow('no: 100 %');
  await expect(cmd.ping({})).rejects.toThrow(/UNIMPLEMENTED/);
  await expect(cmd.syncVirtualMachine({ vmi: { vmiJson: Buffer.alloc(3_000_000) } })).rejects.toThrow();
  client.close();
  server.close();
});

test("the launcher's client speaks with virt-handler's server, again after it came back", async () => {
  const start = async (): Promise<GrpcServer> => {
    const server = new GrpcServer();
    server.add(CmdDefinition, {
      ping: () => ({ success: true, message: 'm'.repeat(200_000) }),
      pauseVirtualMachine: () => new Promise(() => {}),
      resetVirtualMachine: () => {
        throw new Error('refused');
      },
    });
    await server.listen(path);
    return server;
  };
  const lost = jest.fn();
  let server = await start();
  const client = new UnaryClient(path, lost);
  const { ping, pauseVirtualMachine, resetVirtualMachine } = CmdDefinition.methods;
  expect((await client.call(CmdDefinition, ping, {}, 1_000)).message).toHaveLength(200_000);
  await expect(client.call(CmdDefinition, resetVirtualMachine, {}, 1_000)).rejects.toThrow(/refused/);
  await expect(client.call(CmdDefinition, pauseVirtualMachine, {}, 50)).rejects.toThrow(
    /no answer within 50 ms|status 4/,
  );
  await server.close();
  await expect(client.call(CmdDefinition, ping, {}, 1_000)).rejects.toThrow();
  expect(lost).toHaveBeenCalledTimes(1);
  server = await start();
  expect((await client.call(CmdDefinition, ping, {}, 1_000)).success).toBe(true);
  client.close();
  await server.close();
});

test('a peer that speaks something else is closed, and the server lives on', async () => {
  const server = new UnaryServer(1024);
  server.add(CmdDefinition, { ping: () => ({ success: true }) });
  await server.listen(path, 0o600);
  await new Promise<void>((resolve) => {
    const socket = connect(path, () => socket.write('GET / HTTP/1.1\r\nHost: launcher\r\n\r\n'));
    socket.on('error', () => {});
    socket.once('close', () => resolve());
    socket.resume();
  });
  const client = new GrpcClient(path);
  expect((await client.service(CmdDefinition).ping({})).success).toBe(true);
  client.close();
  server.close();
});

test('a server that answers without gRPC is an error that says so', async () => {
  const server = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const client = new UnaryClient(path, () => {});
  await expect(client.call(CmdDefinition, CmdDefinition.methods.ping, {}, 1_000)).rejects.toThrow(/HTTP 404/);
  client.close();
  server.close();
});
