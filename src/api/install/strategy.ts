import { createHash } from 'node:crypto';

/**
 * The install strategy: the objects of the platform that virt-operator installs, in a ConfigMap of the platform's
 * namespace. The operator's Deployment names the hash of its content, so that an operator never installs the objects of
 * another version.
 */
export const installStrategy = {
  /** Name of the ConfigMap. */
  configMap: 'kubevirt-install-strategy',
  /** Key of the objects, as YAML documents. */
  objects: 'objects.yaml',
  /** Key of the platform's version. */
  version: 'version',
} as const;

/** Hash of an install strategy: 64 hexadecimal digits. */
export function strategyHash(version: string, objects: string): string {
  return createHash('sha256').update(`${version}\n${objects}`).digest('hex');
}

/** Objects that virt-operator fills itself, besides Secrets. */
export const operatorConfigMaps = {
  /**
   * Identifies the cluster's API server to virt-api: `client-ca.crt`, and `allowed-names`, separated by commas. A copy
   * of `kube-system/extension-apiserver-authentication`.
   */
  requestHeader: 'kubevirt-request-header',
  /** `ca-bundle`: every authority that programs of the platform trust. KubeVirt's name. */
  authorities: 'kubevirt-ca',
  /** Further authorities, which the user writes: `ca-bundle`. KubeVirt's name. */
  externalAuthorities: 'kubevirt-external-ca',
} as const;
