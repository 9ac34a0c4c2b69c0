import type { KubeObject, KubeVirt } from '../../api';
import { operatorSecrets } from '../../api/install/certificates';
import { installedKinds, type InstalledKindName } from '../../api/install/kinds';
import { operatorConfigMaps } from '../../api/install/strategy';
import { Informer, keyOf, resources, type KubeClient } from '../kube';
import { slimPod, type ProgramPod } from './install/pods';

/** ConfigMap, as far as the operator reads it. */
export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/**
 * What the operator watches: objects with KubeVirt's label, which upstream's have as well, and Secrets of the
 * installation's namespace, because cert-manager gives them no label.
 */
export interface OperatorCaches {
  readonly kubeVirts: Informer<KubeVirt>;
  readonly installed: Readonly<Record<InstalledKindName, Informer<KubeObject>>>;
  /** Pods of the platform's programs. */
  readonly pods: Informer<ProgramPod>;
  /** Describes how the API server identifies itself; `kube-system/extension-apiserver-authentication`. */
  readonly authentication: Informer<ConfigMap>;
  readonly externalAuthorities: Informer<ConfigMap>;
}

const LABEL = 'kubevirt.io';
const AUTHENTICATION = { namespace: 'kube-system', name: 'extension-apiserver-authentication' } as const;

export function makeOperatorCaches(
  client: KubeClient,
  namespace: string,
  onError: (error: unknown) => void,
): OperatorCaches {
  const installed = Object.fromEntries(
    Object.entries(installedKinds).map(([name, kind]) => [
      name,
      new Informer<KubeObject>(client, kind, {
        ...(kind.namespaced ? { namespace } : {}),
        ...(kind.kind === 'Secret' ? { transform: slimSecret } : { labelSelector: LABEL }),
        onError,
      }),
    ]),
  ) as Record<InstalledKindName, Informer<KubeObject>>;
  const configMap = (where: { namespace: string; name: string }): Informer<ConfigMap> =>
    new Informer<ConfigMap>(client, resources.configMaps, {
      namespace: where.namespace,
      fieldSelector: `metadata.name=${where.name}`,
      onError,
    });
  return {
    kubeVirts: new Informer<KubeVirt>(client, resources.kubeVirts, { namespace, onError }),
    installed,
    pods: new Informer<ProgramPod>(client, resources.pods, {
      namespace,
      labelSelector: LABEL,
      transform: slimPod,
      indexers: { program: ({ metadata }) => [metadata.labels?.[LABEL] ?? ''] },
      onError,
    }),
    authentication: configMap(AUTHENTICATION),
    externalAuthorities: configMap({ namespace, name: operatorConfigMaps.externalAuthorities }),
  };
}

const SECRETS: readonly string[] = Object.values(operatorSecrets);

/** Drops the content of Secrets of other programs, which the operator does not need. */
function slimSecret(secret: KubeObject & { data?: unknown }): KubeObject {
  delete secret.metadata.managedFields;
  if (!SECRETS.includes(secret.metadata.name ?? '')) delete secret.data;
  return secret;
}

/** Every informer, to start and stop them. */
export const allOf = ({
  kubeVirts,
  installed,
  pods,
  authentication,
  externalAuthorities,
}: OperatorCaches): Informer<never>[] =>
  [kubeVirts, ...Object.values(installed), pods, authentication, externalAuthorities] as unknown as Informer<never>[];

/** Returns the stored object of the same kind and name. */
export function stored({ installed }: OperatorCaches, { kind, metadata }: KubeObject): KubeObject | undefined {
  return installed[kind as InstalledKindName].get(keyOf({ metadata }));
}
