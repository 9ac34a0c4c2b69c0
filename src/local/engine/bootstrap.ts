import { createHash } from 'node:crypto';
import type { KubeObject } from '../../api';
import { definitions } from '../../api/crds';
import { virtApiRegistration } from '../../api/platform';
import { type KubeClient, type Resource, resources } from '../../runtime/kube';
import { engineAccess, platformAccess } from './access';
import { platformNamespace } from './credentials';

/** Installs the definitions, as the platform's installer does on a cluster. */
export async function installDefinitions(
  client: KubeClient,
  wanted: readonly KubeObject[] = definitions,
): Promise<void> {
  // one after the other, because the server needs much memory for each
  for (const crd of wanted) await installDefinition(client, crd);
}

/** Annotation with the hash of the installed definition: an unchanged definition is not written again. */
const installed = 'virt8s.dev/definition';

/** Creates or replaces the definition. Server-side apply would take three times as long and 60 MiB. */
async function installDefinition(client: KubeClient, crd: KubeObject): Promise<void> {
  const hash = createHash('sha256').update(JSON.stringify(crd)).digest('hex').slice(0, 16);
  const annotations = { ...crd.metadata.annotations, [installed]: hash };
  const wanted = { ...crd, metadata: { ...crd.metadata, annotations } };
  const found = await client.find(resources.customResourceDefinitions, { name: crd.metadata.name! });
  if (!found) await client.create(resources.customResourceDefinitions, wanted);
  else if (found.metadata.annotations?.[installed] !== hash) {
    const { resourceVersion } = found.metadata;
    const metadata = { ...wanted.metadata, resourceVersion };
    await client.replace(resources.customResourceDefinitions, { ...wanted, metadata });
  }
}

/** Creates the permissions of the engine's parts and, if `platform`, the namespace, identities and permissions of its programs. */
export async function installAccess(client: KubeClient, { platform }: { platform: boolean }): Promise<void> {
  const objects = engineAccess();
  if (platform) {
    await apply(client, resources.namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: platformNamespace, labels: { 'kubevirt.io': '' } },
    });
    objects.push(...platformAccess(platformNamespace));
  }
  await Promise.all(objects.map((object) => apply(client, resourceOf(object), object)));
}

/** Registers virt-api's Service, webhooks and aggregated API. Runs after virt-api responds: earlier, every write would wait for it. */
export async function registerVirtApi(
  client: KubeClient,
  options: { caBundle: string; addresses: string[]; port: number },
): Promise<void> {
  const objects = virtApiRegistration({
    namespace: platformNamespace,
    caBundle: options.caBundle,
    endpoint: { addresses: options.addresses, port: options.port },
  });
  for (const object of objects) await apply(client, resourceOf(object), object);
}

/** Creates the KubeVirt resource if it is missing, so that changes of an operator are kept. */
export async function installConfiguration(client: KubeClient, useEmulation: boolean, version: string): Promise<void> {
  const ref = { namespace: platformNamespace, name: 'kubevirt' };
  if (!(await client.find(resources.kubeVirts, ref))) {
    await client.create(resources.kubeVirts, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'KubeVirt',
      metadata: ref,
      spec: { configuration: { developerConfiguration: { useEmulation } } },
    } as KubeObject);
  }
  await client.patch(
    resources.kubeVirts,
    { ...ref, subresource: 'status' },
    {
      status: {
        phase: 'Deployed',
        operatorVersion: version,
        targetKubeVirtVersion: version,
        observedKubeVirtVersion: version,
        conditions: [
          { type: 'Available', status: 'True', reason: 'AllComponentsReady', message: 'all components are ready' },
        ],
      },
    },
    'merge',
  );
}

async function apply(client: KubeClient, resource: Resource, object: KubeObject): Promise<void> {
  const { name, namespace } = object.metadata;
  await client.patch(
    resource,
    { name: name!, ...(namespace ? { namespace } : {}) },
    object as unknown as Record<string, unknown>,
    'apply',
    { fieldManager: 'virt8s-engine', force: true },
  );
}

function resourceOf(object: KubeObject): Resource {
  const found = Object.values(resources).find((resource) => resource.kind === object.kind);
  if (!found) throw new Error(`unknown kind ${object.kind}`);
  return found;
}
