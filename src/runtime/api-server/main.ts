import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { resources, Informer, KubeClient, loadKubeConfig } from '../kube';
import type { Source } from '../kube';
import type { KubeObject } from '../../api';
import { clusterOf } from './admission/cluster';
import type { Watched } from './admission/cluster';
import type { AdmissionRequest } from './admission/review';
import { createWebhooks } from './admission/webhooks';
import { createApiServer } from './server';
import { HandlerClient } from './subresources/handler';
import { versionInfo } from './version';

const FLAGS = {
  kubeconfig: { type: 'string' },
  namespace: { type: 'string', default: 'kubevirt' },
  bind: { type: 'string', default: '0.0.0.0' },
  port: { type: 'string', default: '8443' },
  'tls-cert-file': { type: 'string' },
  'tls-key-file': { type: 'string' },
  'requestheader-client-ca-file': { type: 'string' },
  'requestheader-allowed-names': { type: 'string' },
  'webhook-allowed-names': { type: 'string' },
  'handler-ca-file': { type: 'string' },
  'handler-client-cert-file': { type: 'string' },
  'handler-client-key-file': { type: 'string' },
  'log-level': { type: 'string', default: 'info' },
} as const;

type Flags = { [name in keyof typeof FLAGS]?: string };

async function main(): Promise<void> {
  const flags: Flags = parseArgs({ options: FLAGS }).values;
  const destination = pino.destination(2);
  destination.on('error', () => undefined); // a full disk costs log lines, not this program
  const log = pino({ name: 'virt-api', level: flags['log-level'] }, destination);
  const allowedNames = need(flags, 'requestheader-allowed-names').split(',').filter(Boolean);
  // an empty list would let every client of that CA pose as any user
  if (allowedNames.length === 0) throw new Error('--requestheader-allowed-names: name at least one');
  const namespace = flags.namespace ?? 'kubevirt';

  const client = new KubeClient(loadKubeConfig(flags.kubeconfig), { userAgent: `virt-api/${versionInfo.gitVersion}` });
  const kubeVirts = new Informer<KubeObject>(client, resources.kubeVirts, {
    namespace,
    onError: (error) => log.warn({ err: String(error) }, 'cannot watch the KubeVirt resource'),
  });
  // every VMI asks for them
  const presets = new Informer<KubeObject>(client, resources.presets, {
    onError: (error) => log.debug({ err: String(error) }, 'cannot watch presets'),
  });
  void kubeVirts.start();
  void presets.start();
  const watched: Watched = (kind) => (kind === resources.presets.kind && presets.synced ? presets.list() : undefined);
  const cluster = (request: AdmissionRequest): Source => clusterOf(client, watched, request);

  const server = createApiServer(
    {
      cert: pem(flags, 'tls-cert-file'),
      key: pem(flags, 'tls-key-file'),
      requestHeaderCa: pem(flags, 'requestheader-client-ca-file'),
      requestHeaderAllowedNames: allowedNames,
      webhookAllowedNames: flags['webhook-allowed-names']?.split(',').filter(Boolean),
    },
    {
      client,
      handler: new HandlerClient(client, {
        ca: pem(flags, 'handler-ca-file'),
        cert: pem(flags, 'handler-client-cert-file'),
        key: pem(flags, 'handler-client-key-file'),
      }),
      webhooks: createWebhooks({
        namespace,
        kubeVirt: () => kubeVirts.list()[0],
        cluster,
      }),
      // by defaults it would judge by rules that the platform may have changed
      unready: () => (kubeVirts.synced ? undefined : 'it has not read the KubeVirt resource yet'),
      version: versionInfo,
      log,
    },
  );
  server.once('error', (error) => {
    log.fatal({ err: error.message }, 'cannot listen');
    process.exit(1);
  });
  server.listen(port(flags), flags.bind, () => log.info({ address: server.address() }, 'serving'));

  const stop = (signal: string): void => {
    log.info({ signal }, 'stopping');
    // open consoles end with the process: their clients connect again, to another replica if there is one
    server.close();
    process.exit(0);
  };
  process.once('SIGTERM', () => stop('SIGTERM'));
  process.once('SIGINT', () => stop('SIGINT'));
}

function need(flags: Flags, name: keyof Flags): string {
  const value = flags[name];
  if (!value) throw new Error(`--${name} is missing`);
  return value;
}

function pem(flags: Flags, name: keyof Flags): string {
  const file = need(flags, name);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`--${name}: ${(error as Error).message}`, { cause: error });
  }
}

function port(flags: Flags): number {
  const value = Number(flags.port);
  if (!Number.isInteger(value) || value < 0 || value > 65535) {
    throw new Error(`--port: "${flags.port}" is not a port; give 0 to 65535`);
  }
  return value;
}

main().catch((error: unknown) => {
  console.error(JSON.stringify({ level: 'fatal', msg: error instanceof Error ? error.message : String(error) }));
  process.exit(1);
});
