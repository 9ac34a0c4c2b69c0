/** Connections of downloads to an exporter: to its own URL, to another address, or through the API server. */
import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { connect } from 'node:tls';
import { EXPORT_PORT, TOKEN_HEADER } from '../../api/export/export-request';
import type { VirtualMachineExportLink } from '../../api/generated/export-v1';
import type { KubeList, KubeObject } from '../../api';
import { pathOf, resources } from '../../runtime/kube';
import type { Connection } from '../connection';
import { CliError } from '../errors';
import type { DownloadPlan } from './flags';
import type { Exported } from './run';

/** Silence after which a connection counts as broken. */
const SILENCE_MS = 60_000;

/** Access to an exporter. */
export interface Route {
  readonly link: VirtualMachineExportLink;
  /** Sends a GET request. Resolves for any status. */
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<IncomingMessage>;
}

export async function routeTo(
  connection: Connection,
  { metadata, status }: Exported,
  plan: DownloadPlan,
): Promise<Route> {
  const { namespace } = metadata;
  const { internal, external } = status?.links ?? {};
  const isExternal = external !== undefined && !plan.isTunnelled && !plan.serviceUrl;
  const link = isExternal ? external : internal;
  if (!link) throw new CliError(`VirtualMachineExport ${namespace}/${metadata.name} has no links yet; try again`);
  const token = await tokenOf(connection, namespace, status?.tokenSecretRef);
  const tls = { ca: link.cert || undefined, rejectUnauthorized: !plan.isInsecure };
  const open = async (url: URL): Promise<RequestOptions> => {
    if (isExternal) return tls;
    // the certificate is for the name of the Service, wherever the exporter is reached
    const named = { ...tls, servername: url.hostname };
    if (plan.serviceUrl) {
      const { hostname, port } = addressOf(plan.serviceUrl);
      return { ...named, host: hostname, port: port || 443 };
    }
    const tunnel = await connection.podPort(
      await podOf(connection, namespace, status?.serviceName),
      EXPORT_PORT,
      namespace,
    );
    return { createConnection: () => connect({ ...named, socket: tunnel }) };
  };
  return {
    link,
    get: async (text, headers = {}) => {
      const url = new URL(text);
      return send(url, { ...(await open(url)), headers: { ...headers, [TOKEN_HEADER]: token } });
    },
  };
}

function send(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // an agent would open a connection of its own
    const agent = options.createConnection ? undefined : false;
    const sent = request(url, { ...options, agent, timeout: SILENCE_MS }, resolve);
    sent.on('timeout', () => sent.destroy(new Error(`the exporter was silent for ${SILENCE_MS / 1000} s`)));
    sent.on('error', reject);
    sent.end();
  });
}

function addressOf(serviceUrl: string): URL {
  const text = serviceUrl.includes('://') ? serviceUrl : `https://${serviceUrl}`;
  if (URL.canParse(text)) return new URL(text);
  throw new CliError(`--service-url "${serviceUrl}" is not valid; write HOST or HOST:PORT`);
}

async function tokenOf(
  connection: Connection,
  namespace: string | undefined,
  name: string | undefined,
): Promise<string> {
  if (!name) throw new CliError('the export names no Secret with a token yet; try again');
  const secret = await connection.request<{ data?: { token?: string } }>(
    'GET',
    pathOf(resources.secrets, { namespace, name }),
  );
  return Buffer.from(secret.data?.token ?? '', 'base64').toString('utf8');
}

/** Running Pod of a Service. */
async function podOf(connection: Connection, namespace: string | undefined, name: string | undefined): Promise<string> {
  if (!name) throw new CliError('the export names no Service yet; try again');
  const { spec } = await connection.request<KubeObject & { spec: { selector?: Record<string, string> } }>(
    'GET',
    pathOf(resources.services, { namespace, name }),
  );
  const labelSelector = Object.entries(spec.selector ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const { items } = await connection.request<KubeList<KubeObject & { status?: { phase?: string } }>>(
    'GET',
    pathOf(resources.pods, { namespace }),
    undefined,
    { query: { labelSelector } },
  );
  const pod = items.find(({ metadata, status }) => status?.phase === 'Running' && !metadata.deletionTimestamp);
  if (!pod) throw new Error(`no Pod of Service ${namespace}/${name} is running`);
  return pod.metadata.name ?? '';
}
