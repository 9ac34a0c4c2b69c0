import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { errorText } from '../../api/error-text';
import {
  ChangingFiles,
  cloneToken,
  Informer,
  KubeClient,
  loadKubeConfig,
  rateLimitOf,
  readAuthorities,
  readKeyPair,
  resources,
  ServingTls,
  uploadToken,
} from '../kube';
import { metricsServer } from '../kube/metrics';
import type { Source } from '../kube';
import { clusterConfig } from '../../api';
import type { KubeObject, KubeVirt, KubeVirtConfiguration } from '../../api';
import { clusterOf } from './admission/cluster';
import type { Watched } from './admission/cluster';
import type { AdmissionRequest } from './admission/review';
import { createWebhooks } from './admission/webhooks';
import { ApiMetrics } from './metrics';
import { allowedNames, parseNames } from './request-header';
import { createApiServer } from './server';
import { HandlerClient } from './subresources/handler';
import type { HandlerTls } from './subresources/handler';
import { versionInfo } from './version';

const FLAGS = {
  kubeconfig: { type: 'string' },
  namespace: { type: 'string', default: 'kubevirt' },
  // without it, all addresses of both IP families
  bind: { type: 'string' },
  port: { type: 'string', default: '8443' },
  'metrics-port': { type: 'string' },
  'tls-cert-file': { type: 'string' },
  'tls-key-file': { type: 'string' },
  'requestheader-client-ca-file': { type: 'string' },
  'requestheader-allowed-names': { type: 'string' },
  'webhook-allowed-names': { type: 'string' },
  'requestheader-allowed-names-file': { type: 'string' },
  'handler-ca-file': { type: 'string' },
  'handler-client-cert-file': { type: 'string' },
  'handler-client-key-file': { type: 'string' },
  'log-level': { type: 'string', default: 'info' },
} as const;

/** Time after which an answer is useless: the API server waits 10 s for the result. */
const QUESTION_MS = 8000;

type Flags = { [name in keyof typeof FLAGS]?: string };

async function main(): Promise<void> {
  const flags: Flags = parseArgs({ options: FLAGS }).values;
  const destination = pino.destination(2);
  destination.on('error', () => undefined); // a full disk loses log lines but must not end this program
  const log = pino({ name: 'virt-api', level: flags['log-level'] }, destination);
  // invalid renewed files must not end a program that can serve with the previous ones
  const onError = (error: Error): void => log.error({ err: error.message }, 'renewed files cannot be used');
  const names = allowedNames(
    { file: flags['requestheader-allowed-names-file'], text: flags['requestheader-allowed-names'] },
    { onError },
  );
  const tls = new ServingTls(
    {
      cert: need(flags, 'tls-cert-file'),
      key: need(flags, 'tls-key-file'),
      ca: need(flags, 'requestheader-client-ca-file'),
    },
    { onError },
  );
  const handlerTls = handlerIdentity(flags, onError);
  const namespace = flags.namespace ?? 'kubevirt';

  const metrics = new ApiMetrics(log);
  const client = new KubeClient(loadKubeConfig(flags.kubeconfig), {
    observer: metrics.requests,
    userAgent: `virt-api/${versionInfo.gitVersion}`,
    onCredentialError: onError,
  });
  const kubeVirts = new Informer<KubeObject>(client, resources.kubeVirts, {
    namespace,
    onError: (error) => log.warn({ err: String(error) }, 'cannot watch the KubeVirt resource'),
  });
  // every VMI needs them
  const presets = new Informer<KubeObject>(client, resources.presets, {
    onError: (error) => log.warn({ err: String(error) }, 'cannot watch presets'),
  });
  // webhooks' requests have their own connections and limit, so that webhooks and users' actions do not delay each other
  const asking = client.separate({ timeoutMs: QUESTION_MS, deadlineMs: QUESTION_MS });
  const limit = (): void => {
    const { apiConfiguration, webhookConfiguration } = configurationOf(kubeVirts.list()[0]);
    client.limitRate(rateLimitOf(apiConfiguration));
    asking.limitRate(rateLimitOf(webhookConfiguration));
  };
  kubeVirts.onChange({ add: limit, update: limit, delete: limit });
  void kubeVirts.start();
  void presets.start();
  const watched: Watched = (kind) => (kind === resources.presets.kind && presets.synced ? presets.list() : undefined);
  const cluster = (request: AdmissionRequest, signal?: AbortSignal): Source =>
    clusterOf(asking.until(signal), watched, request);

  const webhookAllowedNames = namesOf(flags, 'webhook-allowed-names');
  const server = createApiServer(
    {
      tls,
      requestHeaderAllowedNames: names,
      webhookAllowedNames,
    },
    {
      client,
      handler: new HandlerClient(client, handlerTls),
      config: () => clusterConfig(kubeVirts.list()[0] as KubeVirt | undefined),
      webhooks: createWebhooks({
        namespace,
        kubeVirt: () => kubeVirts.list()[0],
        cluster,
        ...(webhookAllowedNames && { sign: (statement) => cloneToken(statement, tls.options) }),
      }),
      uploadToken: (target) => uploadToken(target, tls.options, Date.now()),
      // the defaults may differ from this platform's configuration; an outdated configuration is better than no answer
      unready: () => (kubeVirts.listed ? undefined : 'it has not read the KubeVirt resource yet'),
      version: versionInfo,
      connections: metrics.connections,
      log,
    },
  );
  server.once('error', (error) => {
    log.fatal({ err: error.message }, 'cannot listen');
    process.exit(1);
  });
  server.listen(port(flags), flags.bind, () => log.info({ address: server.address() }, 'serving'));
  metrics.observe(() => kubeVirts.listed);
  if (flags['metrics-port'] !== undefined) {
    metricsServer(metrics.program).listen(port(flags, 'metrics-port'), flags.bind);
  }

  const stop = (signal: string): void => {
    log.info({ signal }, 'stopping');
    // open consoles end with the process: their clients reconnect, to another replica if there is one
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

/** An empty list is an error, because every call would be rejected. */
function namesOf(flags: Flags, name: keyof Flags): readonly string[] | undefined {
  const text = flags[name];
  return text === undefined ? undefined : parseNames(text, `--${name}`);
}

const configurationOf = (kubeVirt: KubeObject | undefined): KubeVirtConfiguration =>
  (kubeVirt as KubeVirt | undefined)?.spec?.configuration ?? {};

function handlerIdentity(flags: Flags, onError: (error: Error) => void): ChangingFiles<HandlerTls> {
  const ca = need(flags, 'handler-ca-file');
  const cert = need(flags, 'handler-client-cert-file');
  const key = need(flags, 'handler-client-key-file');
  const read = (): HandlerTls => ({ ca: readAuthorities(ca), ...readKeyPair(cert, key) });
  return new ChangingFiles([ca, cert, key], read, { onError });
}

function port(flags: Flags, name: 'port' | 'metrics-port' = 'port'): number {
  const value = Number(flags[name]);
  if (!Number.isInteger(value) || value < 0 || value > 65535) {
    throw new Error(`--${name}: "${flags[name]}" is not a port; give 0 to 65535`);
  }
  return value;
}

main().catch((error: unknown) => {
  console.error(JSON.stringify({ level: 'fatal', msg: errorText(error) }));
  process.exit(1);
});
