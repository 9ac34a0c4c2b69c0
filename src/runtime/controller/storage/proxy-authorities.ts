/** Authorities that a proxy needs which decrypts what passes it: those of CDIConfig.spec.importProxy.trustedCAProxy. */
import { rootCertificates } from 'node:tls';
import { certificatesIn } from '../../../api/certificates';
import type { KubeObject } from '../../../api';
import { resources } from '../../kube';
import type { Problem } from './clone/plan';
import type { StorageContext } from './context';
import type { ImportSettings } from './population/worker-pod';

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export type ProxyAuthorities =
  { readonly authorities: string; readonly problem?: never } | { readonly problem: Problem };

const FIELD = 'CDIConfig.spec.importProxy.trustedCAProxy';
/** Key of the ConfigMap, as in CDI. */
const KEY = 'ca.pem';
/** The authorities are a part of an environment variable, which Linux limits to 128 KiB. */
const MOST_BYTES = 96 << 10;
/** ConfigMaps are not watched. */
const RETRY_MS = 60_000;

/** Settings of an importer that uses the proxy, or the cause for which it cannot start. */
export async function trustProxy(
  { client, caches, installNamespace: namespace }: StorageContext,
  settings: ImportSettings,
): Promise<{ readonly settings: ImportSettings; readonly problem?: Problem }> {
  const name = caches.configs.get('config')?.spec.importProxy?.trustedCAProxy;
  if (!name) return { settings };
  const map = await client.find<ConfigMap>(resources.configMaps, { namespace, name });
  const { problem, ...found } = authoritiesIn(map, `${namespace}/${name}`);
  return { settings: { ...settings, ...found }, ...(problem && { problem }) };
}

/** Authorities in a ConfigMap. Public ones, which importers trust anyway, are left out: bundles contain all of them. */
export function authoritiesIn(map: ConfigMap | undefined, name: string): ProxyAuthorities {
  const found = certificatesIn(map?.data?.[KEY] ?? '');
  if (found.length === 0) {
    const what = map ? `has no certificate in the key ${KEY}` : 'does not exist';
    return problemOf(`the ConfigMap ${name} of ${FIELD} ${what}; add it, or remove the field`);
  }
  const known = new Set(rootCertificates.map(plain));
  const authorities = found.filter((text) => !known.has(plain(text))).join('\n');
  if (authorities.length <= MOST_BYTES) return { authorities };
  return problemOf(
    `the ConfigMap ${name} of ${FIELD} has ${authorities.length} bytes of certificates that are not public; at most ${MOST_BYTES} are allowed; remove those that the proxy does not need`,
  );
}

const problemOf = (message: string): { problem: Problem } => ({
  problem: { reason: 'ErrProxyAuthorities', message, retryMs: RETRY_MS },
});

/** Line breaks differ between bundles. */
const plain = (certificate: string): string => certificate.replace(/\s/g, '');
