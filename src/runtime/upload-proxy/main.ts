import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { errorText } from '../../api/error-text';
import {
  ChangingFiles,
  KubeClient,
  loadKubeConfig,
  readAuthorities,
  readKeyPair,
  ServingTls,
  virtApiHost,
} from '../kube';
import { createProxy } from './proxy';

const FLAGS = {
  kubeconfig: { type: 'string' },
  namespace: { type: 'string', default: 'kubevirt' },
  // without it, all addresses of both IP families
  bind: { type: 'string' },
  port: { type: 'string', default: '8443' },
  'tls-cert-file': { type: 'string' },
  'tls-key-file': { type: 'string' },
  'client-cert-file': { type: 'string' },
  'client-key-file': { type: 'string' },
  'api-authority-file': { type: 'string' },
  'log-level': { type: 'string', default: 'info' },
} as const;

type Flags = { [name in keyof typeof FLAGS]?: string };

function main(): void {
  const flags: Flags = parseArgs({ options: FLAGS }).values;
  const destination = pino.destination(2);
  destination.on('error', () => undefined); // a full disk loses log lines but must not end this program
  const log = pino({ name: 'upload-proxy', level: flags['log-level'] }, destination);
  const onError = (error: Error): void => log.error({ err: error.message }, 'renewed files cannot be used');
  const ca = need(flags, 'api-authority-file');
  const cert = need(flags, 'client-cert-file');
  const key = need(flags, 'client-key-file');
  const authority = new ChangingFiles([ca], () => readAuthorities(ca), { onError });
  const identity = new ChangingFiles([cert, key], () => readKeyPair(cert, key), { onError });
  const host = virtApiHost(flags.namespace ?? 'kubevirt');
  const server = createProxy({
    tls: new ServingTls({ cert: need(flags, 'tls-cert-file'), key: need(flags, 'tls-key-file'), ca }, { onError }),
    client: new KubeClient(loadKubeConfig(flags.kubeconfig), {
      userAgent: 'upload-proxy/v1',
      onCredentialError: onError,
    }),
    trust: () => ({ authority: authority.get(), host }),
    identity: () => identity.get(),
    log,
  });
  server.once('error', (error) => {
    log.fatal({ err: error.message }, 'cannot listen');
    process.exit(1);
  });
  server.listen(Number(flags.port), flags.bind, () => log.info({ address: server.address() }, 'serving'));
  // clients whose connection breaks continue with another replica, or after a restart
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
}

function need(flags: Flags, name: keyof Flags): string {
  const value = flags[name];
  if (!value) throw new Error(`--${name} is missing`);
  return value;
}

try {
  main();
} catch (error) {
  console.error(JSON.stringify({ level: 'fatal', msg: errorText(error) }));
  process.exit(1);
}
