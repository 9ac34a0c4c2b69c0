import crds from '../../../../src/api/generated/crds.json';
import type { KubeObject } from '../../../../src/api';
import { installDefinitions } from '../../../../src/local/engine/bootstrap';
import { KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import { startTestApiServer } from '../../../support/api-server';
import type { TestApiServer } from '../../../support/api-server';
import { type Crd, filledObject } from '../../../support/filled';

/** Also those that the engine leaves to the importer. */
const all = crds as unknown as KubeObject[];

describe('the definitions that the engine installs', () => {
  let server: TestApiServer;
  let client: KubeClient;
  beforeAll(async () => {
    server = await startTestApiServer();
    client = new KubeClient(loadKubeConfig(server.kubeconfig), { userAgent: 'test' });
    await installDefinitions(client, all);
  });
  afterAll(() => server?.close());

  const versions = async (): Promise<string[]> =>
    (await client.list(resources.customResourceDefinitions)).items.map(
      ({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`,
    );

  test('are all there, and stay as they are when the engine starts again', async () => {
    const before = await versions();
    expect(before).toHaveLength(crds.length);
    await installDefinitions(client, all);
    expect(await versions()).toEqual(before);
  });

  test('are replaced when another version of the platform had installed them', async () => {
    const ref = { name: 'virtualmachines.kubevirt.io' };
    const other = {
      metadata: { annotations: { 'virt8s.dev/definition': 'other' } },
      spec: { names: { shortNames: [] } },
    };
    await client.patch(resources.customResourceDefinitions, ref, other, 'merge');
    await installDefinitions(client, all);
    const found = await client.get(resources.customResourceDefinitions, ref);
    expect(found).toMatchObject({ spec: { names: { shortNames: ['vm', 'vms'] } } });
  });

  const served = (crds as unknown as Crd[]).flatMap((crd) =>
    crd.spec.versions.map(
      (version) => [`${crd.spec.group}/${version.name} ${crd.spec.names.kind}`, crd, version] as const,
    ),
  );
  test.each(served)('keep every field of a %s', async (_, crd, version) => {
    const object = filledObject(crd, version);
    const namespaced = crd.spec.scope === 'Namespaced';
    const path = `/apis/${crd.spec.group}/${version.name}${namespaced ? '/namespaces/default' : ''}/${crd.spec.names.plural}`;
    const stored = await client.request<{ spec: unknown }>('POST', `${path}?fieldValidation=Strict&dryRun=All`, object);
    expect(stored.spec).toEqual(object.spec);
  });
});
