/** The proxy of exports for clients outside of the cluster, with the names and paths of KubeVirt. */

/** Service of the proxy. An Ingress with this backend makes exports available at its host. */
export const EXPORT_PROXY_SERVICE = 'virt-exportproxy';

/** Path of an export, without a slash at the end. */
export const externalPath = (namespace: string, name: string): string =>
  `/api/export.kubevirt.io/v1/namespaces/${namespace}/virtualmachineexports/${name}`;

const PATH =
  /^\/api\/export\.kubevirt\.io\/v1(?:alpha1|beta1)?\/namespaces\/([a-z\d-]{1,63})\/virtualmachineexports\/([a-z\d.-]{1,253})(\/.*)$/;

/** The export that a path belongs to, and the rest of the path; undefined for other paths. */
export function exportOfPath(path: string): { namespace: string; name: string; rest: string } | undefined {
  const [, namespace, name, rest] = PATH.exec(path) ?? [];
  return namespace && name && rest ? { namespace, name, rest } : undefined;
}
