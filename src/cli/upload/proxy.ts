import { lookup } from 'node:dns/promises';
import type { cdi, KubeObject } from '../../api';
import { UPLOAD_PROXY_SERVICE } from '../../api/cdi/upload';
import { pathOf, resources, ApiError } from '../../client/kube';
import type { Resource } from '../../client/kube';
import type { Connection } from '../connection';
import { CliError } from '../errors';
import type { UploadFlags } from './objects';
import type { Proxy } from './send';

/**
 * Upload proxy of the flags, or of the CDIConfig.
 * @throws CliError if the address is not known, or is one of the cluster's network
 */
export async function proxyOf(connection: Connection, { uploadproxyUrl, insecure }: UploadFlags): Promise<Proxy> {
  const config = uploadproxyUrl
    ? undefined
    : await optional<cdi.CDIConfig & KubeObject>(connection, resources.cdiConfigs, { name: 'config' });
  const { uploadProxyURL, uploadProxyCA } = config?.status ?? {};
  const address = uploadproxyUrl ?? uploadProxyURL;
  if (!address) {
    throw new CliError(
      'the address of the upload proxy is not known; give --uploadproxy-url, or set uploadProxyURLOverride in the CDIConfig',
    );
  }
  const url = /^https?:\/\//.test(address) ? address : `https://${address}`;
  if (!uploadproxyUrl) await assertReachable(url);
  return { url, ...(uploadProxyCA && { ca: uploadProxyCA }), isInsecure: insecure ?? false };
}

/** The name of a Service is known to Pods only. */
async function assertReachable(url: string): Promise<void> {
  const { hostname } = new URL(url);
  const [service, namespace, suffix] = hostname.split('.');
  if (service !== UPLOAD_PROXY_SERVICE || suffix !== 'svc') return;
  if (await lookup(hostname).catch(() => undefined)) return;
  throw new CliError(
    `the upload proxy of this cluster is at ${url}, which only Pods can reach; set spec.uploadProxyURLOverride of the ` +
      `CDIConfig to an address of Service ${namespace}/${service} outside of the cluster; or run kubectl port-forward ` +
      `-n ${namespace} service/${service} 8443:443, and give --uploadproxy-url https://localhost:8443 --insecure`,
  );
}

/** The object, or undefined if it does not exist. */
export async function optional<T extends KubeObject>(
  connection: Connection,
  resource: Resource,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
): Promise<T | undefined> {
  try {
    return await connection.request<T>('GET', pathOf(resource, { namespace, name }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}
