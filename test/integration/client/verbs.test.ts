import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Client } from '../../../src/client';
import { resources } from '../../../src/runtime/kube';
import { instance, machine, Platform } from '../runtime/api-server/platform';

/** The client against virt-api, with an endpoint that speaks virt-handler's protocol. */
let platform: Platform;
let client: Client;
beforeAll(async () => {
  platform = await Platform.start();
  client = Client.fromKubeconfig({ kubeconfig: platform.api.kubeconfig });
  await platform.client.create(resources.virtualMachines, machine('web'));
  await platform.client.create(resources.virtualMachineInstances, instance('web'));
  await platform.running('web');
});
afterAll(async () => {
  await client?.close();
  await platform?.stop();
});

const requests = (): string[] => platform.seen.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`);

test('verbs reach the guest', async () => {
  const vm = client.vm('web');
  await vm.pause();
  await vm.softReboot();
  expect(requests()).toEqual(expect.arrayContaining(['PUT pause', 'PUT softreboot']));
  await client.apply(machine('idle'));
  await client.vm('idle').start({ paused: true });
  expect(await client.vm('idle').get()).toMatchObject({
    status: { stateChangeRequests: [{ action: 'Start', data: { paused: 'true' } }] },
  });
});

test('reports rejections with the message and the code of the API', async () => {
  await expect(client.vm('web').start()).rejects.toMatchObject({ name: 'ApiError', code: 409 });
  await expect(client.vm('nobody').start()).rejects.toMatchObject({
    code: 404,
    message: expect.stringContaining('"nobody" not found'),
  });
  await expect(client.vm('nobody').pause()).rejects.toMatchObject({ code: 404 });
  const broken = machine('broken', { volumes: [{ name: 'a', emptyDisk: {} }] });
  await expect(client.apply(broken)).rejects.toMatchObject({ name: 'ApiError', code: 422 });
});

test('snapshots and restores are objects that can be waited for', async () => {
  const snapshot = await client.vm('web').snapshot('before');
  expect(await snapshot.get()).toMatchObject({
    spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'web' } },
  });
  const ready = snapshot.waitFor('Ready');
  const conditions = [{ type: 'Ready', status: 'True' }];
  const ref = { namespace: 'default', name: 'before' };
  await platform.client.patch(
    resources.snapshots,
    { ...ref, subresource: 'status' },
    { status: { conditions } },
    'merge',
  );
  expect((await ready).metadata.name).toBe('before');
  await expect(client.vm('web').snapshot('before')).rejects.toMatchObject({ code: 409, reason: 'AlreadyExists' });
});

/** All that a stream gives until it has these words. */
async function until(stream: Duplex, words: string): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.includes(words)) break;
  }
  return text;
}

test('the console is a stream; one that another client took ends with the reason', async () => {
  const first = await client.vm('web').console();
  first.write('echo me');
  expect(await until(first, 'echo me')).toBe('hello from the guest\r\necho me');
  const second = await client.vm('web').console();
  second.write('kick');
  await expect(until(second, 'never')).rejects.toThrow(
    'the console of web broke off: another client has opened the console',
  );
  const third = await client.vm('web').console();
  third.write('poweroff');
  expect(await until(third, 'never')).toBe('hello from the guest\r\n');
});

test('ports of the guest are reached without a local one, and a closed one is reported', async () => {
  const server = createServer((_, response) => response.end('from the guest')).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const stream = await client.vm('web').connect((server.address() as AddressInfo).port);
  stream.write('GET / HTTP/1.0\r\n\r\n');
  expect(await until(stream, 'from the guest')).toContain('200 OK');
  server.close();
  await expect(until(await client.vm('web').connect(1), 'never')).rejects.toThrow(
    'the connection to port 1 of web broke off: connection refused',
  );
  const problems: string[] = [];
  const local = await client.vm('web').portForward(1, { onError: (message) => problems.push(message) });
  await expect(fetch(`http://127.0.0.1:${local.port}/`)).rejects.toThrow();
  local.close();
  expect(problems).toEqual([expect.stringMatching(/^cannot forward to port 1 of vmi\/web: .*connection refused/)]);
  await expect(client.vm('web').portForward(80, { localPort: platform.api.port })).rejects.toThrow(/is in use/);
});
