import type { KubeObject } from '../../../api';
import { operatorSecrets } from '../../../api/install/certificates';
import { operatorConfigMaps } from '../../../api/install/strategy';
import { keys } from '../../../api/keys';
import { MANAGED } from '../customize/managed';

/**
 * Returns the KubeVirt installation that owns an object, such as `KubeVirt v1.6.0`; undefined if it belongs to this
 * platform, to nobody, or to an earlier version of it.
 */
export function upstreamOwner({ metadata }: KubeObject): string | undefined {
  const version = metadata.annotations?.[keys.upstreamVersion];
  return version !== undefined && hasManagedLabel(metadata) ? `KubeVirt ${version}` : undefined;
}

/** Whether virt-operator of this platform manages an object. */
export const isManaged = (object: KubeObject): boolean =>
  hasManagedLabel(object.metadata) && upstreamOwner(object) === undefined;

const hasManagedLabel = ({ labels = {} }: KubeObject['metadata']): boolean =>
  Object.entries(MANAGED).every(([name, value]) => labels[name] === value);

/** Returns which installation of KubeVirt owns one of these objects, in words; undefined if there is none. */
export function foreignInstallation(
  objects: readonly KubeObject[],
  find: (object: KubeObject) => KubeObject | undefined,
): string | undefined {
  for (const object of objects) {
    const found = find(object);
    const owner = found && upstreamOwner(found);
    if (owner) return `${owner} owns ${object.kind} "${object.metadata.name}"`;
  }
  return undefined;
}

/**
 * Objects that virt-operator makes itself, besides those of the install strategy.
 *
 * @param issuesCertificates false if another program writes the Secrets, which then belong to it
 */
export function ownObjects(namespace: string, issuesCertificates: boolean): KubeObject[] {
  const named = (kind: string) => (name: string) => ({ apiVersion: 'v1', kind, metadata: { name, namespace } });
  const { requestHeader, authorities } = operatorConfigMaps;
  return [
    ...(issuesCertificates ? Object.values(operatorSecrets) : []).map(named('Secret')),
    ...[requestHeader, ...(issuesCertificates ? [authorities] : [])].map(named('ConfigMap')),
  ];
}
