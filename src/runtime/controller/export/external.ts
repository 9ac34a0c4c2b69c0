/** Address of exports for clients outside of the cluster. Pure. */
import { EXPORT_PROXY_SERVICE } from '../../../api/export/external-path';
import type { KubeObject } from '../../../api';

/** Address of the proxy. */
export interface ProxyAddress {
  /** Without a path. */
  readonly url: string;
  /** Trusted certificates, PEM. Empty if clients trust the certificate anyway. */
  readonly certificate: string;
}

interface Backend {
  readonly service?: { readonly name?: string };
}

export interface Ingress extends KubeObject {
  readonly spec?: {
    readonly defaultBackend?: Backend;
    readonly rules?: readonly {
      readonly host?: string;
      readonly http?: { readonly paths?: readonly { readonly backend?: Backend }[] };
    }[];
  };
}

/** Address of the first Ingress, by its name, that leads to the proxy and has a host. */
export function addressOf(ingresses: readonly Ingress[]): ProxyAddress | undefined {
  const leads = (backend: Backend | undefined): boolean => backend?.service?.name === EXPORT_PROXY_SERVICE;
  const hosts = [...ingresses]
    .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
    .flatMap(({ spec = {} }) => {
      const { rules = [], defaultBackend } = spec;
      const found = rules.filter(({ http }) => http?.paths?.some(({ backend }) => leads(backend)));
      return (found.length > 0 ? found : leads(defaultBackend) ? rules : []).flatMap(({ host }) => host || []);
    });
  return hosts[0] === undefined ? undefined : { url: `https://${hosts[0]}`, certificate: '' };
}
