import { errorText } from '../../api/error-text';
import type { KubeVirt } from '../../api';
import { clusterConfig } from '../../api/cluster-config';
import { EmulatedReason, EventReason, type Reason } from '../../api/reasons';
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pino from 'pino';
import type { Logger } from 'pino';
import { EventRecorder, KubeClient, loadKubeConfig, ServingTls } from '../kube';
import { staging } from './container-disk/staging';
import { MountSweep } from './container-disk/sweep';
import { InstanceController } from './instance/controller';
import { CapabilitiesFile } from './node/capabilities';
import { DevicePlugins } from './node/device-plugin';
import { pluginsDir, readFacts, readOffers } from './node/facts';
import { Heartbeat, readMachines } from './node/heartbeat';
import type { KvmVerdict } from './node/kvm-decide';
import { KvmWatch } from './node/kvm-watch';
import { maxDevices } from './node/offers';
import { followRateLimit } from './node/request-rate';
import { installLauncherProfile } from './node/seccomp-profile';
import { PodVolumes } from './paths/pod-volumes';
import { HandlerMetrics } from './metrics';
import { HandlerServer } from './server/server';

/** virt-handler: the agent of one node. */

const FLAGS = {
  kubeconfig: { type: 'string' },
  namespace: { type: 'string', default: 'kubevirt' },
  'node-name': { type: 'string' },
  'kubelet-dir': { type: 'string', default: '/var/lib/kubelet' },
  bind: { type: 'string', default: '0.0.0.0' },
  port: { type: 'string', default: '8186' },
  'metrics-port': { type: 'string' },
  advertise: { type: 'string' },
  'tls-cert-file': { type: 'string' },
  'tls-key-file': { type: 'string' },
  'client-ca-file': { type: 'string' },
  'capabilities-file': { type: 'string' },
  'max-devices': { type: 'string', default: '1000' },
  proc: { type: 'string', default: '/proc' },
} as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: FLAGS });
  const required = (flag: keyof typeof FLAGS): string => {
    const value = values[flag];
    if (!value) throw new Error(`--${flag} is missing; give it`);
    return value;
  };
  const node = required('node-name');
  const port = portOf('port', values.port);
  const metricsPort = values['metrics-port'] === undefined ? undefined : portOf('metrics-port', values['metrics-port']);
  const kubeletDir = values['kubelet-dir'];
  const most = maxDevices(values['max-devices']);
  const destination = pino.destination({ dest: 2, sync: true });
  destination.on('error', () => undefined); // a full disk loses log lines but must not end this program
  const log = pino({ name: 'virt-handler', base: undefined }, destination);
  const onError = (error: Error): void => log.error({ err: error.message }, 'renewed files cannot be used');
  const tls = new ServingTls(
    { cert: required('tls-cert-file'), key: required('tls-key-file'), ca: required('client-ca-file') },
    { onError },
  );
  // an unusable device is known after seconds: the probe runs while the rest starts
  const kvm = new KvmWatch();
  kvm.verdict().catch(() => undefined);
  const metrics = new HandlerMetrics(node, log);
  const client = new KubeClient(loadKubeConfig(values.kubeconfig), {
    userAgent: `virt-handler/${node}`,
    onCredentialError: onError,
    observer: metrics.requests,
  });
  // heartbeats and status updates do not wait behind the events of a node in trouble
  const reporting = client.separate();
  const configuration = followRateLimit([client, reporting], values.namespace, (err) =>
    log.warn({ err }, 'cannot watch the KubeVirt resource; the limit of requests stays as it is'),
  );
  void configuration.start();
  const recorder = new EventRecorder<Reason>(reporting, {
    component: 'virt-handler',
    host: node,
    onError: (err) => log.warn({ err }, 'an event could not be written'),
  });
  const volumes = new PodVolumes(kubeletDir);
  await staging
    .clear()
    .catch((err: unknown) => log.warn({ err }, 'mounts that were never finished could not be undone'));
  const controller = new InstanceController({
    client,
    recorder,
    log,
    node,
    volumes,
    procDir: values.proc,
    metrics,
  });
  const server = new HandlerServer({ tls, log, find: (namespace, name) => controller.find(namespace, name) });
  const listening = await server.listen(port, values.bind);
  metrics.observe(controller);
  const scraped = metricsPort === undefined ? undefined : metrics.listen(metricsPort, values.bind);
  const running = controller.run();
  const sweep = new MountSweep({ volumes, livePods: () => controller.livePods, log });
  sweep.start();

  const machines = await readMachines();
  mkdirSync(pluginsDir(kubeletDir), { recursive: true });
  const plugins = new DevicePlugins({ dir: pluginsDir(kubeletDir), log });
  const kubeVirt = (): KubeVirt | undefined => configuration.list()[0];
  plugins.offer(readOffers(kubeVirt(), { usable: false, cause: 'not probed yet' }, most));
  const host = values.advertise ?? values.bind;
  const endpoint = `${host.includes(':') ? `[${host}]` : host}:${listening}`;
  const reportKvm = kvmReporter(node, recorder, log);
  const capabilities = new CapabilitiesFile(values['capabilities-file']);
  const sources = { kubeletDir, proc: values.proc, maxDevices: most, endpoint, capabilities, machines };
  const heartbeat = new Heartbeat(
    client,
    node,
    async (seen) => {
      const current = await kvm.verdict();
      reportKvm(current);
      plugins.offer(readOffers(kubeVirt(), current, most));
      if (clusterConfig(kubeVirt()).hasGate('KubevirtSeccompProfile')) installProfile(kubeletDir, log);
      return readFacts(sources, kubeVirt(), current, seen);
    },
    log,
  );
  heartbeat.start();
  const publish = (): void => heartbeat.publish();
  const stopWatching = capabilities.onChange(publish);
  configuration.onChange({ add: publish, update: publish, delete: publish });
  log.info({ node, endpoint }, 'virt-handler runs');

  await Promise.race([running, signalled()]);
  log.info('virt-handler ends; its guests keep running');
  stopWatching();
  await heartbeat.stop().catch((err: unknown) => log.warn({ err }, 'the node could not be marked unschedulable'));
  scraped?.close();
  await Promise.all([controller.stop(), configuration.stop(), sweep.stop(), server.close(), plugins.stop()]);
  await staging.remove().catch((err: unknown) => log.warn({ err }, 'the place for unfinished mounts is left behind'));
  await recorder.stop();
}

/** Reports on the Node, with the cause, when guests can no longer use KVM, and when they can again. */
function kvmReporter(name: string, recorder: EventRecorder<Reason>, log: Logger): (verdict: KvmVerdict) => void {
  const object = { apiVersion: 'v1', kind: 'Node', metadata: { name, uid: name } };
  let reported: string | undefined;
  return (verdict) => {
    const cause = verdict.usable ? undefined : verdict.cause;
    if (cause === reported) return;
    reported = cause;
    log.warn(
      { cause },
      cause === undefined ? 'guests can use KVM on this node again' : 'no guest can use KVM on this node',
    );
    if (cause === undefined) recorder.normal(object, EventReason.KvmUsable, 'guests can use KVM on this node again');
    else recorder.warning(object, EmulatedReason.KvmNotUsable, `guests cannot use KVM on this node: ${cause}`);
  };
}

/** A node without the profile still runs guests: the kubelet reports launchers that ask for it. */
function installProfile(kubeletDir: string, log: Logger): void {
  try {
    installLauncherProfile(kubeletDir);
  } catch (err) {
    log.warn({ err }, 'the seccomp profile of launchers could not be installed');
  }
}

function portOf(flag: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`--${flag}: "${text}" is not a valid port (allowed: 0 to 65535, 0 for any free one)`);
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(JSON.stringify({ level: 60, name: 'virt-handler', msg: errorText(error) }));
    process.exit(1);
  },
);
