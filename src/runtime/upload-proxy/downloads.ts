/**
 * Passes downloads of exports on to their exporters. The exporter compares the token; this proxy only finds the exporter, and
 * accepts no other certificate than that of the export.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as connect } from 'node:https';
import { DISK_BYTES_HEADER, EXPORT_PORT, TOKEN_HEADER } from '../../api/export/export-request';
import { exporterNameOf } from '../../api/export/exporter-name';
import { keys } from '../../api/keys';
import type { KubeObject } from '../../api';
import { resources, type KubeClient } from '../kube';
import { only, passHead } from './head';
import type { Pod } from './target';

/** Headers of a request that an exporter needs. */
const FORWARDED = [TOKEN_HEADER, 'accept', 'range', 'if-range'];
const RETURNED = [
  ...['content-type', 'content-length', 'content-range', 'accept-ranges', 'etag'],
  ...[DISK_BYTES_HEADER],
];
const CONNECT_MS = 10_000;
/** Time without a byte after which a download is given up. An exporter computes a digest before it answers. */
const SILENCE_MS = 600_000;

export interface Exporter {
  readonly address: string;
  readonly host: string;
  readonly certificate: string;
}

/** The exporter of an export, or why there is none. */
export async function exporterOf(
  client: KubeClient,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<Exporter | { readonly problem: string }> {
  const of = { namespace, name: exporterNameOf(name) };
  const [service, pod] = await Promise.all([
    client.find<KubeObject>(resources.services, of),
    client.find<Pod>(resources.pods, of),
  ]);
  const certificate = service?.metadata.annotations?.[keys.exportCertificate];
  const { phase, podIP, containerStatuses: [container] = [] } = pod?.status ?? {};
  if (!belongsTo(name, service) || !belongsTo(name, pod) || !certificate || !podIP)
    return { problem: `VirtualMachineExport ${namespace}/${name} has no exporter; see its status` };
  if (phase !== 'Running' || !container?.ready)
    return { problem: `the exporter of VirtualMachineExport ${namespace}/${name} is not ready; try again` };
  return { address: podIP, host: `${of.name}.${namespace}.svc`, certificate };
}

const belongsTo = (name: string, object: KubeObject | undefined): boolean =>
  object?.metadata.ownerReferences?.some(
    (owner) => owner.controller && owner.kind === 'VirtualMachineExport' && owner.name === name,
  ) ?? false;

/** Passes the request on, and the answer back. Resolves with the cause if the exporter did not answer. */
export function download(
  request: IncomingMessage,
  response: ServerResponse,
  { address, host, certificate }: Exporter,
  path: string,
): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const upstream = connect({
      ...{ host: address, port: EXPORT_PORT, servername: host, agent: false },
      ...{ ca: certificate, minVersion: 'TLSv1.2' as const },
      ...{ method: request.method, path, timeout: CONNECT_MS },
      headers: only(FORWARDED, request.headers),
    });
    upstream.on('timeout', () => upstream.destroy(new Error('the exporter does not answer')));
    upstream.once('socket', (socket) => socket.once('secureConnect', () => socket.setTimeout(SILENCE_MS)));
    upstream.on('response', (from) => {
      const problem = passHead(response, from, RETURNED);
      if (problem) return void upstream.destroy(problem);
      from.once('error', () => response.destroy());
      from.pipe(response);
    });
    upstream.on('error', (error) => {
      // a client must not take an incomplete body for a complete one
      if (response.headersSent) response.destroy();
      resolve(error);
    });
    response.once('close', () => {
      upstream.destroy();
      resolve(undefined);
    });
    upstream.end();
  });
}
