import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { errorText } from '../../api/error-text';
import { handleFaults } from '../faults';
import { logLine } from '../log';
import { startApiServer } from './server';

/** Flags have the names of kube-apiserver. All are required. */
const FLAGS = {
  /** SQLite file of the objects. */
  'store-file': { type: 'string' },
  /** Address and port, separated by a space; can be repeated. */
  listen: { type: 'string', multiple: true },
  'tls-cert-file': { type: 'string' },
  'tls-private-key-file': { type: 'string' },
  'client-ca-file': { type: 'string' },
  'service-account-signing-key-file': { type: 'string' },
  'proxy-client-cert-file': { type: 'string' },
  'proxy-client-key-file': { type: 'string' },
  'requestheader-client-ca-file': { type: 'string' },
  'requestheader-allowed-names': { type: 'string' },
  'kubelet-client-certificate': { type: 'string' },
  'kubelet-client-key': { type: 'string' },
  'service-cluster-ip-range': { type: 'string' },
  'audit-log-path': { type: 'string' },
} as const;

/** The API server with its store, in a process of its own: the other parts of the engine cannot delay or end it. */
async function main(): Promise<void> {
  const log = (message: string, details?: object): void => console.error(logLine(message, details));
  handleFaults(log);
  const { values } = parseArgs({ options: FLAGS });
  const need = (flag: Exclude<keyof typeof FLAGS, 'listen'>): string => {
    const value = values[flag];
    if (!value) throw new Error(`flag --${flag} is required`);
    return value;
  };
  const text = (flag: Exclude<keyof typeof FLAGS, 'listen'>): string => readFileSync(need(flag), 'utf8');
  const clientCa = text('client-ca-file');
  const server = await startApiServer({
    storePath: need('store-file'),
    listen: (values.listen ?? []).map((address) => {
      const [host, port] = address.split(' ');
      return { host: host!, port: Number(port) };
    }),
    tls: { cert: text('tls-cert-file'), key: text('tls-private-key-file') },
    clientCa,
    serviceAccountKeys: { privateKey: text('service-account-signing-key-file') },
    requestheaderClient: { cert: text('proxy-client-cert-file'), key: text('proxy-client-key-file') },
    requestheader: {
      clientCa: text('requestheader-client-ca-file'),
      allowedNames: need('requestheader-allowed-names').split(','),
    },
    kubeletClient: { cert: text('kubelet-client-certificate'), key: text('kubelet-client-key') },
    kubeletCa: clientCa,
    auditLog: need('audit-log-path'),
    serviceCidr: need('service-cluster-ip-range'),
    log,
  });
  const stop = (): void => void server.close().finally(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  console.error(errorText(error));
  process.exit(1);
});
