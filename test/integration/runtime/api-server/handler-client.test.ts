import { once } from 'node:events';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { VirtualMachineInstance } from '../../../../src/api';
import { certificateNames } from '../../../../src/api/certificates';
import { HANDLER_ENDPOINT, HandlerClient } from '../../../../src/runtime/api-server/subresources/handler';
import type { HandlerTls } from '../../../../src/runtime/api-server/subresources/handler';
import type { KubeClient } from '../../../../src/runtime/kube';
import { TestCa } from '../../../support/pki';

const vmi = { metadata: { namespace: 'a', name: 'b' }, status: { nodeName: 'n' } } as VirtualMachineInstance;

let server: Server;
let port = 0;
const stop = (): Promise<unknown> => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
};

/** A handler that answers with the name of its caller. */
async function startHandler(by: TestCa, clients: TestCa): Promise<void> {
  const own = await by.issue([{ CN: [certificateNames.handlerServer] }], ['127.0.0.1']);
  server = createServer({ ...own, ca: clients.pem, requestCert: true }, (request, response) => {
    response.end(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
  });
  server.on('upgrade', (_request, socket) => {
    socket.on('data', (data) => socket.write(data));
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
}

test('actions show the present certificate and trust the present authority; an open console stays', async () => {
  const [first, second] = await Promise.all([TestCa.create('first'), TestCa.create('second')]);
  const identity = async (name: string, ca: TestCa): Promise<HandlerTls> => ({
    ...(await ca.issue([{ CN: [name] }])),
    ca: ca.pem,
  });
  await startHandler(first, first);
  let tls = await identity('before', first);
  const node = { metadata: { annotations: { [HANDLER_ENDPOINT]: `127.0.0.1:${port}` } } };
  const client = new HandlerClient({ find: () => Promise.resolve(node) } as unknown as KubeClient, { get: () => tls });
  expect(await client.call('PUT', vmi, 'pause')).toBe('before');
  const { socket } = await client.upgrade(vmi, 'console', {});

  tls = await identity('after', first);
  expect(await client.call('PUT', vmi, 'pause')).toBe('after');
  socket.write('still here');
  const [echo] = (await once(socket, 'data')) as [Buffer];
  expect(echo.toString()).toBe('still here');
  socket.destroy();

  await stop();
  await startHandler(second, second);
  await expect(client.call('PUT', vmi, 'pause')).rejects.toThrow('cannot reach virt-handler');
  tls = await identity('later', second);
  expect(await client.call('PUT', vmi, 'pause')).toBe('later');
  await stop();
});
