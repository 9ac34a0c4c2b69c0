import type { KubeObject } from '../../../../src/api';
import { definitions } from '../../../../src/api/crds';
import { Informer, KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import { startTestApiServer } from '../../../support/api-server';
import type { TestApiServer } from '../../../support/api-server';
import { until } from '../../../support/until';

let server: TestApiServer;
let client: KubeClient;
let informer: Informer<KubeObject> | undefined;
beforeAll(async () => {
  server = await startTestApiServer();
  client = new KubeClient(loadKubeConfig(server.kubeconfig), { userAgent: 'test' });
});
afterAll(async () => {
  await informer?.stop();
  client.close();
  await server.close();
});

test('an informer of an optional kind is synced without the kind and follows it once the kind is installed', async () => {
  const definition = definitions.find(({ metadata }) => metadata.name === 'datavolumes.cdi.kubevirt.io')!;
  const heard: string[] = [];
  const errors: unknown[] = [];
  informer = new Informer(client, resources.dataVolumes, {
    optional: true,
    onError: (error) => errors.push(error),
    backoffMs: { first: 20, max: 50 },
  }).onChange({
    add: ({ metadata }) => heard.push(`add ${metadata.name}`),
  });
  await informer.start();
  expect(informer).toMatchObject({ synced: true, installed: false });
  expect(informer.list()).toEqual([]);
  expect(errors).toEqual([]);

  await client.create(resources.customResourceDefinitions, definition as KubeObject);
  await until(() => informer!.installed, { what: 'the kind is installed' });
  await client.create(resources.dataVolumes, {
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: { name: 'disk', namespace: 'default' },
    spec: { source: { blank: {} }, storage: { resources: { requests: { storage: '1Gi' } } } },
  } as KubeObject);
  await until(() => heard.includes('add disk'), { what: 'the object is seen' });
  expect(heard).toEqual(['add disk']);
  expect(informer.list()).toHaveLength(1);
});
