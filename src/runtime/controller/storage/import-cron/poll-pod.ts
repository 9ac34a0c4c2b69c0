/** The Pod that asks a registry for the digest of an image. Pure. */
import type { Pod } from '../../pod';
import { registryOf, sourceMounts } from '../population/import-pod';
import { workerPod, type ImportSettings } from '../population/worker-pod';
import { pollName, type DataImportCron } from './names';

export function pollPod(cron: DataImportCron, settings: ImportSettings): Pod {
  const { metadata, spec } = cron;
  const { registry = {} } = spec.template.spec.source ?? {};
  const mounts = sourceMounts({ registry }, false);
  return workerPod({
    name: pollName(cron),
    namespace: metadata.namespace,
    owner: cron,
    serviceAccountName: spec.serviceAccountName,
    request: {
      source: { kind: 'digest', ...registryOf(registry, settings) },
      contentType: 'kubevirt',
      claimBytes: 0,
      overhead: 0,
      isPreallocated: false,
      ...(settings.authorities && { authorities: settings.authorities }),
      owner: metadata.uid ?? '',
    },
    settings,
    mounts: mounts.map(({ mount }) => mount),
    volumes: mounts.map(({ volume }) => volume),
  });
}
