import { join } from 'node:path';
import { existsSync, rmSync } from 'node:fs';
import {
  DevicePluginDefinition,
  GrpcClient,
  GrpcServer,
  RegistrationDefinition,
} from '../../../../src/runtime/protocol';
import type { KubeObject } from '../../../../src/api/meta';
import { resources } from '../../../../src/runtime/kube';
import { cgroupParentOf, destroyNode } from '../../../../src/local/node/cleanup';
import { cgroupDirectory } from '../../../../src/local/node/runtime/cgroups';
import type { Node, Pod } from '../../../../src/local/core-v1';
import { startWebhookServer } from '../api-server/webhook-server';
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

  const hasCgroup = ({ metadata }: Pod) => existsSync(cgroupDirectory(`${cgroupParentOf(node.id)}/pod${metadata.uid}`));

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

  test('a Pod that ended does not take its devices again while its status cannot be written', async () => {
    const hooks = await startWebhookServer(await node.api.ca.issue([{ CN: ['hooks'] }], ['127.0.0.1']));
    let refused = 0;
    hooks.answer = ({ request }) => {
      if (request.object.status.phase !== 'Succeeded') return {};
      refused++;
      return { allowed: false };
    };
    const caBundle = Buffer.from(node.api.ca.pem).toString('base64');
    await node.client.create<KubeObject>(resources.validatingWebhookConfigurations, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'no-success' },
      webhooks: [
        {
          name: 'no-success.virt8s.io',
          clientConfig: { url: `https://127.0.0.1:${hooks.port}/`, caBundle },
          rules: [{ operations: ['UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/status'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    } as KubeObject);
    try {
      const all = { resources: { limits: { [RESOURCE]: '3' } } };
      const ended = await node.run('true', all);
      await eventually('its end is reported', async () => refused > 0);
      await eventually('it is cleaned up', async () => !hasCgroup(ended));
      const { name = '', namespace } = ended.metadata;
      await node.client.patch(resources.pods, { namespace, name }, { metadata: { annotations: { a: 'b' } } }, 'merge');
      // the node learns of the change before it learns of this Pod
      const other = await node.run('sleep 1000');
      await node.phase(other, 'Running');
      const next = await node.run('sleep 1000', all);
      await node.phase(next, 'Running');
      for (const pod of [other, next]) await node.delete(pod);
      for (const pod of [other, next]) await node.gone(pod);
    } finally {
      await node.client.delete(resources.validatingWebhookConfigurations, { name: 'no-success' });
      hooks.close();
    }
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
