import { join } from 'node:path';
import { rmSync } from 'node:fs';
import {
  DevicePluginDefinition,
  GrpcClient,
  GrpcServer,
  RegistrationDefinition,
} from '../../../../src/runtime/protocol';
import { resources } from '../../../../src/runtime/kube';
import { destroyNode } from '../../../../src/local/node/cleanup';
import type { Node, Pod } from '../../../../src/local/core-v1';
import { eventually, IMAGE, TestNode } from './harness';

const RESOURCE = 'devices.example.com/null';

describe('device plugins', () => {
  let node: TestNode;
  let plugin: GrpcServer;
  let allocated: string[][] = [];
  const directory = () => join(node.stateDir, 'nodes', node.nodeName, 'kubelet/device-plugins');
  const start = async (count: number) => {
    plugin = new GrpcServer();
    plugin.add(DevicePluginDefinition, {
      getDevicePluginOptions: () => ({}),
      async *listAndWatch(_request, { signal }) {
        yield { devices: Array.from({ length: count }, (_, index) => ({ ID: `n${index}`, health: 'Healthy' })) };
        await new Promise((done) => signal.addEventListener('abort', done));
      },
      allocate: ({ containerRequests }) => {
        allocated.push(containerRequests?.[0]?.devicesIds ?? []);
        return {
          containerResponses: [
            {
              devices: [{ hostPath: '/dev/null', containerPath: '/dev/special', permissions: 'rw' }],
              mounts: [{ hostPath: '/etc/hostname', containerPath: '/from-plugin', readOnly: true }],
              envs: { GRANTED: 'yes' },
            },
          ],
        };
      },
    });
    rmSync(join(directory(), 'test.sock'), { force: true });
    await plugin.listen(join(directory(), 'test.sock'), 0o600);
    const client = new GrpcClient(join(directory(), 'kubelet.sock'));
    await client
      .service(RegistrationDefinition)
      .register({ version: 'v1beta1', endpoint: 'test.sock', resourceName: RESOURCE });
    client.close();
  };
  const allocatable = async () =>
    (await node.client.get<Node>(resources.nodes, { name: node.nodeName })).status?.allocatable?.[RESOURCE];

  beforeAll(async () => {
    node = await TestNode.start();
    await start(2);
  });
  afterAll(async () => {
    await plugin?.close();
    await node?.close();
  });

  test('their devices are offered, given with mounts and variables, and follow the plugin when it stops and starts', async () => {
    await eventually('the resource', async () => (await allocatable()) === '2');
    const requesting = (count: number) => ({ resources: { limits: { [RESOURCE]: String(count) } } });
    const out = await node.output(
      'echo $GRANTED; echo x > /dev/special && echo written; ls -l /dev/special; cat /from-plugin',
      {
        ...requesting(2),
        securityContext: { runAsUser: 107, runAsGroup: 107 },
      },
    );
    expect(out).toContain('yes\nwritten\n');
    expect(out).toMatch(/crw.*qemu.*/);
    expect(allocated).toEqual([['n0', 'n1']]);

    const many = await node.create({ containers: [{ name: 'main', image: IMAGE, ...requesting(3) }] });
    const { status } = await node.phase(many, 'Failed');
    expect(status).toMatchObject({
      reason: 'UnexpectedAdmissionError',
      message: `Allocate failed due to requested number of devices unavailable for ${RESOURCE}. Requested: 3, Available: 2, which is unexpected`,
    });

    await plugin.close();
    await eventually('nothing is offered', async () => (await allocatable()) === '0');
    allocated = [];
    await start(3);
    await eventually('it is back', async () => (await allocatable()) === '3');
  });

  test('after the node lost its state, an earlier Pod starts with its devices when the plugin is back', async () => {
    const script = 'echo x > /dev/special && echo $GRANTED; sleep 1000';
    const pod = await node.run(script, { resources: { limits: { [RESOURCE]: '1' } } }, { restartPolicy: 'Always' });
    await node.phase(pod, 'Running');
    await node.kill();
    await plugin.close();
    await destroyNode(node.stateDir, node.id);
    allocated = [];
    await node.up();

    const said = `waiting for the device plugin of ${RESOURCE}, which has not registered with the node since the node started`;
    const waits = ({ status }: Pod) => status?.containerStatuses?.[0]?.state?.waiting?.message === said;
    await node.becomes(pod, 'waits for its devices', waits);
    // it still waits when a Pod that came later runs
    await node.phase(await node.run('sleep 1000'), 'Running');
    expect(waits(await node.get(pod))).toBe(true);
    expect((await node.events(pod)).filter((event) => event.includes(said))).toEqual([
      `Warning DevicePluginNotReady: ${said}`,
    ]);
    await start(1);
    await node.becomes(pod, 'runs', ({ status }) => status?.containerStatuses?.[0]?.state?.running);
    await eventually('its output', async () => (await node.logs(pod)) === 'yes\n');
    expect(allocated).toEqual([['n0']]);
  });
});
