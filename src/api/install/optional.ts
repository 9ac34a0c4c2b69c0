import { identityObjects, userRoleObjects } from '../access/objects';
import { uploadProxyAccess } from '../access/upload-proxy';
import { UPLOAD_PROXY_SERVICE } from '../cdi/upload';
import { EXPORT_PROXY_SERVICE } from '../export/external-path';
import { virtApiServiceNames } from '../platform';
import { platformCertificates } from './certificates';
import type { InstalledObject } from './kinds';

/**
 * Returns the objects that only some configurations of the platform have: those of the importer, and the disruption budgets
 * of programs with several replicas. virt-operator removes what the present configuration does not have.
 */
export function optionalObjects(): InstalledObject[] {
  const named = (kind: InstalledObject['kind'], ...names: string[]): InstalledObject[] =>
    names.map((name) => ({ kind, name }));
  const proxy = uploadProxyAccess.serviceAccount;
  const objects = [
    ...Object.values(identityObjects(uploadProxyAccess, '', {})),
    ...without(
      userRoleObjects(true, false, {}),
      userRoleObjects(true, true, {}),
      ({ role }) => role.metadata.name,
    ).flatMap(({ role, binding }) => (binding ? [role, binding] : [role])),
  ];
  return [
    ...objects.map(({ kind, metadata: { name = '' } }) => ({ kind, name }) as InstalledObject),
    ...named('Deployment', proxy),
    ...named('Service', UPLOAD_PROXY_SERVICE, EXPORT_PROXY_SERVICE),
    ...named('PodDisruptionBudget', 'virt-api', 'virt-controller', proxy),
    ...named('APIService', ...without(virtApiServiceNames(false), virtApiServiceNames(true), (name) => name)),
    ...named(
      'Secret',
      ...without(platformCertificates('', false), platformCertificates('', true), ({ secret }) => secret).map(
        ({ secret }) => secret,
      ),
    ),
  ];
}

/** Returns what only the larger of two lists has. */
function without<T>(smaller: readonly T[], larger: readonly T[], idOf: (item: T) => string): T[] {
  const ids = new Set(smaller.map(idOf));
  return larger.filter((item) => !ids.has(idOf(item)));
}
