import { semanticDeepEqual } from '../../../../api/kinds/shape';
import { except, isAlreadyExists, isNotFound, resources } from '../../../kube';
import type { StorageContext } from '../context';
import { replacing } from '../replacing';
import { profileOf, statusOf } from './decide';

const fieldManager = 'virt-controller';

/** Reconciles the StorageProfile of one class. */
export async function syncProfile({ client, caches }: StorageContext, name: string): Promise<void> {
  const storageClass = caches.classes.get(name);
  const profile = caches.profiles.get(name);
  if (!storageClass) {
    if (profile) await client.delete(resources.storageProfiles, { name }).catch(except(isNotFound));
    return;
  }
  if (!profile) {
    await client
      .create(resources.storageProfiles, profileOf(storageClass), { fieldManager })
      .catch(except(isAlreadyExists));
    return; // the watch continues here
  }
  const status = statusOf(profile, storageClass);
  if (semanticDeepEqual(profile.status ?? {}, status)) return;
  const { uid, resourceVersion } = profile.metadata;
  const body = { metadata: { uid, resourceVersion }, status: replacing(profile.status, status) };
  await client.patch(resources.storageProfiles, { name, subresource: 'status' }, body, 'merge', { fieldManager });
}
