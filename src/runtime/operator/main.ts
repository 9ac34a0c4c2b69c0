import { hostname } from 'node:os';
import pino from 'pino';
import { KubeClient, LeaderElector, loadKubeConfig } from '../kube';
import { ProgramMetrics, queueMetrics, requestMetrics } from '../kube/metrics';
import { serveHealth } from './health';
import { Operator } from './operator';
import { settingsOf, usage, UsageError } from './settings';
import { readStrategy } from './strategy';

/** virt-operator: installs the platform from its install strategy, and maintains its certificates and status. */
async function main(): Promise<void> {
  const settings = settingsOf(process.argv.slice(2));
  if (settings === 'help') return console.log(usage);
  const { kubeconfig, namespace, port } = settings;
  const destination = pino.destination(2);
  destination.on('error', () => undefined); // a full disk loses log lines but must not end this program
  const log = pino({ name: 'virt-operator', base: { component: 'virt-operator' } }, destination);
  const metrics = new ProgramMetrics((metric, error) =>
    log.warn({ metric, err: String(error) }, 'a metric cannot be computed'),
  );
  const client = new KubeClient(loadKubeConfig(kubeconfig), {
    userAgent: 'virt-operator/v1',
    onCredentialError: (error) => log.error({ err: error.message }, 'renewed credentials cannot be used'),
    observer: requestMetrics(metrics),
  });
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  const operator = new Operator({
    ...{ client, settings, log },
    makeQueue: queueMetrics(metrics),
    strategy: () => readStrategy(settings.strategyDir, settings.strategyHash),
  });
  let isLeader = false;
  const health = port
    ? serveHealth(
        port,
        () => operator.unready,
        () => isLeader,
        metrics,
      )
    : undefined;
  const elector = new LeaderElector(client, {
    ...{ namespace, name: 'virt-operator', identity: hostname() },
    onError: (error) => log.warn({ error: String(error) }, 'the lease could not be read or written'),
  });
  log.info({ namespace }, 'waiting for the lease');
  await elector.run(async (signal) => {
    isLeader = true;
    log.info('leading');
    await operator.run(signal);
    isLeader = false;
  }, stop.signal);
  health?.close();
  client.close();
  log.info('stopped');
}

main().catch((error: unknown) => {
  const isUsage = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(isUsage ? `virt-operator: ${(error as Error).message}\n${usage}` : error);
  // a process that lost its lease must exit, because another one leads
  process.exit(isUsage ? 2 : 1);
});
