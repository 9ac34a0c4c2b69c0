import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import type { Logger } from 'pino';
import { EventRecorder, KubeClient, loadKubeConfig, ServingTls } from '../kube';
import { InstanceController } from './instance/controller';
import { DevicePlugin } from './node/device-plugin';
import { Heartbeat, readMachines } from './node/heartbeat';
import { KvmWatch } from './node/kvm-watch';
import { PodVolumes } from './paths/pod-volumes';
import { HandlerServer } from './server/server';

/** virt-handler: the agent of one node. */

const FLAGS = {
  kubeconfig: { type: 'string' },
  namespace: { type: 'string', default: 'kubevirt' },
  'node-name': { type: 'string' },
  'kubelet-dir': { type: 'string', default: '/var/lib/kubelet' },
  bind: { type: 'string', default: '0.0.0.0' },
  port: { type: 'string', default: '8186' },
  advertise: { type: 'string' },
  'tls-cert-file': { type: 'string' },
  'tls-key-file': { type: 'string' },
  'client-ca-file': { type: 'string' },
  proc: { type: 'string', default: '/proc' },
} as const;

/** Containers of one node that may have a device at a time, as KubeVirt's default. */
const MAX_DEVICES = 1_000;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: FLAGS });
  const required = (flag: keyof typeof FLAGS): string => {
    const value = values[flag];
    if (!value) throw new Error(`--${flag} is missing; give it`);
    return value;
  };
  const node = required('node-name');
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--port: "${values.port}" is no port (allowed: 0 to 65535, 0 for any free one)`);
  }
  const kubeletDir = values['kubelet-dir'];
  const destination = pino.destination({ dest: 2, sync: true });
  destination.on('error', () => undefined); // a full disk costs log lines, not this program
  const log = pino({ name: 'virt-handler', base: undefined }, destination);
  const onError = (error: Error): void => log.error({ err: error.message }, 'renewed files cannot be used');
  const tls = new ServingTls(
    { cert: required('tls-cert-file'), key: required('tls-key-file'), ca: required('client-ca-file') },
    { onError },
  );
  const client = new KubeClient(loadKubeConfig(values.kubeconfig), {
    userAgent: `virt-handler/${node}`,
    onCredentialError: onError,
  });
  const recorder = new EventRecorder(client, {
    component: 'virt-handler',
    host: node,
    onError: (err) => log.warn({ err }, 'an event could not be written'),
  });
  const controller = new InstanceController({
    client,
    recorder,
    log,
    node,
    volumes: new PodVolumes(kubeletDir),
    procDir: values.proc,
  });
  const server = new HandlerServer({ tls, log, find: (namespace, name) => controller.find(namespace, name) });
  const listening = await server.listen(port, values.bind);
  const running = controller.run();

  const kvm = new KvmWatch();
  const [verdict, machines] = await Promise.all([kvm.verdict(), readMachines()]);
  if (!verdict.usable) log.warn({ cause: verdict.cause }, 'no guest can use KVM on this node');
  const plugins = startPlugins(join(kubeletDir, 'device-plugins'), log);
  const host = values.advertise ?? values.bind;
  const endpoint = `${host.includes(':') ? `[${host}]` : host}:${listening}`;
  const heartbeat = new Heartbeat(
    client,
    node,
    async () => {
      const current = await kvm.verdict();
      plugins.kvm.setCount(current.usable ? MAX_DEVICES : 0);
      return { kvm: current, machines, endpoint };
    },
    log,
  );
  heartbeat.start();
  log.info({ node, endpoint, kvm: verdict.usable }, 'virt-handler runs');

  await Promise.race([running, signalled()]);
  log.info('virt-handler ends; its guests go on');
  await heartbeat.stop().catch((err: unknown) => log.warn({ err }, 'the node could not be marked unschedulable'));
  await Promise.all([controller.stop(), server.close(), ...Object.values(plugins).map((plugin) => plugin.stop())]);
  await recorder.stop();
}

/** kvm, tun and vhost-net; none is offered that this node does not have. */
function startPlugins(dir: string, log: Logger): Record<'kvm' | 'tun' | 'vhost-net', DevicePlugin> {
  mkdirSync(dir, { recursive: true });
  const plugin = (name: string, path: string, usable: boolean): DevicePlugin => {
    const made = new DevicePlugin({ dir, name, path, count: usable ? MAX_DEVICES : 0, log });
    made.start();
    return made;
  };
  return {
    kvm: plugin('kvm', '/dev/kvm', false), // until its first verdict
    tun: plugin('tun', '/dev/net/tun', existsSync('/dev/net/tun')),
    'vhost-net': plugin('vhost-net', '/dev/vhost-net', existsSync('/dev/vhost-net')),
  };
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(
      JSON.stringify({ level: 60, name: 'virt-handler', msg: error instanceof Error ? error.message : String(error) }),
    );
    process.exit(1);
  },
);
