import { hostname } from 'node:os';
import pino from 'pino';
import { ChangingFiles, KubeClient, LeaderElector, loadKubeConfig, readAuthorities, virtApiHost } from '../kube';
import { Controller } from './controller';
import { ExportController } from './export/controller';
import type { ProxyAddress } from './export/external';
import { serveHealth } from './health';
import { ProtectionController } from './protection/controller';
import { ControllerMetrics } from './metrics';
import { StorageController } from './storage/controller';
import { settingsOf, usage, UsageError } from './settings';
import { WorkloadUpdateController } from './workload-update/controller';

async function main(): Promise<void> {
  const settings = settingsOf(process.argv.slice(2));
  if (settings === 'help') return console.log(usage);
  const {
    kubeconfig,
    namespace,
    launcherImage,
    importerImage,
    apiAuthorityFile,
    uploadProxyUrl,
    exportProxyUrl,
    port,
    workers,
  } = settings;

  const destination = pino.destination(2);
  destination.on('error', () => undefined); // a full disk loses log lines but must not end this program
  const log = pino({ name: 'virt-controller', base: { component: 'virt-controller' } }, destination);
  const metrics = new ControllerMetrics(log);
  const { makeQueue } = metrics;
  const client = new KubeClient(loadKubeConfig(kubeconfig), {
    userAgent: 'virt-controller/v1',
    onCredentialError: (error) => log.error({ err: error.message }, 'renewed credentials cannot be used'),
    observer: metrics.requests,
  });
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());

  const authority =
    apiAuthorityFile === undefined
      ? undefined
      : new ChangingFiles([apiAuthorityFile], () => readAuthorities(apiAuthorityFile), {
          onError: (error) => log.error({ err: error.message }, 'renewed authorities cannot be used'),
        });
  const trust = { authority: () => authority?.get(), host: virtApiHost(namespace) };
  const controller = new Controller({ client, namespace, launcherImage, log, workers, makeQueue });
  let isLeader = false;
  let protection: ProtectionController | undefined;
  metrics.observe({
    ...controller.shared,
    isLeader: () => isLeader,
    // one that waits for the lease can take over
    isReady: () => !isLeader || controller.unready.length === 0,
    snapshots: () => protection?.snapshots ?? [],
  });
  const health = port ? serveHealth(port, controller, () => isLeader, metrics.program) : undefined;
  const elector = new LeaderElector(client, {
    namespace,
    name: 'virt-controller',
    identity: hostname(),
    onError: (error) => log.warn({ error: String(error) }, 'the lease could not be read or written'),
  });
  log.info({ namespace, launcherImage }, 'waiting for the lease');
  await elector.run(async (signal) => {
    isLeader = true;
    log.info('leading');
    const { caches, config } = controller.shared;
    const external = (): ProxyAddress | undefined =>
      exportProxyUrl === undefined ? undefined : { url: exportProxyUrl, certificate: trust.authority() ?? '' };
    const mountsImages = (): boolean => config().hasGate('ImageVolume');
    const storage = importerImage
      ? new StorageController({ client, importerImage, namespace, mountsImages, trust, uploadProxyUrl, log, makeQueue })
      : undefined;
    const exports = importerImage
      ? new ExportController({
          client,
          shared: caches,
          namespace,
          external,
          config,
          image: importerImage,
          log,
          makeQueue,
        })
      : undefined;
    protection = new ProtectionController({ client, log, makeQueue });
    const updates = new WorkloadUpdateController({ client, shared: caches, launcherImage, namespace, log, makeQueue });
    await Promise.all([controller, storage, exports, protection, updates].map((each) => each?.run(signal)));
    isLeader = false;
  }, stop.signal);
  health?.close();
  client.close();
  log.info('stopped');
}

main().catch((error: unknown) => {
  const isUsage = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(isUsage ? `virt-controller: ${(error as Error).message}\n${usage}` : error);
  // a process that lost its lease must exit, because another one leads
  process.exit(isUsage ? 2 : 1);
});
