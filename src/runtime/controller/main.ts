import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { KubeClient, LeaderElector, loadKubeConfig } from '../kube';
import { Controller } from './controller';
import { serveHealth } from './health';

const usage = `usage: virt-controller --launcher-image REF [--kubeconfig FILE] [--namespace kubevirt] [--port 8443]
  --launcher-image REF  image of the launcher Pods
  --kubeconfig FILE     default: KUBECONFIG, else the Pod's ServiceAccount
  --namespace NAME      where the KubeVirt object and the lease are; default: kubevirt
  --port N              /healthz, /readyz and /metrics over HTTP; default: 0, none`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kubeconfig: { type: 'string' },
      namespace: { type: 'string', default: 'kubevirt' },
      'launcher-image': { type: 'string' },
      port: { type: 'string', default: '0' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return console.log(usage);
  const launcherImage = values['launcher-image'];
  if (!launcherImage) throw new UsageError('--launcher-image is missing: name the image of the launcher Pods');
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new UsageError(`--port ${values.port}: 0 to 65535`);

  const destination = pino.destination(2);
  destination.on('error', () => undefined); // a full disk costs log lines, not this program
  const log = pino({ name: 'virt-controller', base: { component: 'virt-controller' } }, destination);
  const client = new KubeClient(loadKubeConfig(values.kubeconfig), { userAgent: 'virt-controller/v1' });
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());

  const { namespace } = values;
  const controller = new Controller({ client, namespace, launcherImage, log });
  let isLeader = false;
  const health = port ? serveHealth(port, controller, () => isLeader) : undefined;
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
    await controller.run(signal);
    isLeader = false;
  }, stop.signal);
  health?.close();
  client.close();
  log.info('stopped');
}

class UsageError extends Error {}

main().catch((error: unknown) => {
  const isUsage = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(isUsage ? `virt-controller: ${(error as Error).message}\n${usage}` : error);
  // a process that lost its lease must not linger: another leads
  process.exit(isUsage ? 2 : 1);
});
