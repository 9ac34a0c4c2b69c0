import { except, isAlreadyExists, isNotFound, resources } from '../../../kube';
import type { StorageContext } from '../context';
import { newConfig, statusChanges } from './decide';

const fieldManager = 'virt-controller';

/** Reconciles the CDIConfig. */
export async function syncConfig(
  { client, caches, uploadProxyUrl, trust }: StorageContext,
  name: string,
): Promise<void> {
  const config = caches.configs.get(name);
  if (!config) {
    await client.create(resources.cdiConfigs, newConfig(), { fieldManager }).catch(except(isAlreadyExists));
    return; // the watch continues here
  }
  const status = statusChanges(config, { url: uploadProxyUrl, authority: trust.authority() });
  if (!status) return;
  const { uid, resourceVersion } = config.metadata;
  const body = { metadata: { uid, resourceVersion }, status };
  await client.patch(resources.cdiConfigs, { name }, body, 'merge', { fieldManager }).catch(except(isNotFound));
}
