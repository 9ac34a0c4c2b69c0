import { join } from 'node:path';
import type { KubeObject } from '../../api';
import { Informer, resources, type KubeClient } from '../../runtime/kube';
import { platformNamespace, type FilePair } from './credentials';
import { nodeFlagsOf } from './node-memory-flags';
import type { Supervisor } from './supervisor';

/** Port of the upload proxy on the engine's own link. */
export const UPLOAD_PROXY_PORT = 8445;

export interface UploadProxyOptions {
  /** As `system:virt8s-engine`. */
  readonly bootstrap: KubeClient;
  readonly kubeconfig: string;
  readonly programs: string;
  readonly address: string;
  readonly serving: FilePair;
  /** For connections to upload servers. */
  readonly client: FilePair;
  readonly authority: string;
  readonly supervisor: Supervisor;
  readonly logFile: string;
  readonly log: (message: string, details?: object) => void;
}

/** Starts the proxy with the first upload or export: without one, it costs nothing. */
export async function startUploadProxy(options: UploadProxyOptions): Promise<{ close(): Promise<void> }> {
  const watches = [resources.volumeUploadSources, resources.exports].map(
    (resource) =>
      new Informer<KubeObject>(options.bootstrap, resource, {
        transform: ({ apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } }) => ({
          apiVersion,
          kind,
          metadata: { name, namespace, uid, resourceVersion },
        }),
        onError: (error) => options.log('watching uploads and exports failed; retrying', { error: String(error) }),
      }),
  );
  const close = async (): Promise<void> => void (await Promise.all(watches.map((watch) => watch.stop())));
  let running = false;
  const start = (): void => {
    if (running) return;
    running = true;
    startProgram(options);
    void close();
  };
  for (const watch of watches) watch.onChange({ add: start });
  await Promise.all(watches.map((watch) => watch.start()));
  return { close };
}

function startProgram({ kubeconfig, programs, address, serving, client, authority, ...options }: UploadProxyOptions) {
  const flags = {
    kubeconfig,
    namespace: platformNamespace,
    bind: address,
    port: String(UPLOAD_PROXY_PORT),
    'tls-cert-file': serving.cert,
    'tls-key-file': serving.key,
    'client-cert-file': client.cert,
    'client-key-file': client.key,
    'api-authority-file': authority,
  };
  options.supervisor.start({
    name: 'upload-proxy',
    argv: [
      process.execPath,
      ...nodeFlagsOf('upload-proxy'),
      join(programs, 'upload-proxy.cjs'),
      ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]),
    ],
    logFile: options.logFile,
  });
}
