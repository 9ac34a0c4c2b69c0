import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { parseArgs } from 'node:util';
import * as x509 from '@peculiar/x509';
import { errorText } from '../../api/error-text';
import { KubeClient, loadKubeConfig } from '../../runtime/kube';
import { handleFaults } from '../faults';
import type { Log } from '../log';
import { IngressController } from './controller';
import { FrontEnd } from './front-end';

/** User and group `nobody`. */
const NOBODY = 65534;
/** Interval at which the process checks whether the engine still exists. */
const PARENT_MS = 500;

/** The front end for Ingresses, in a process of its own without rights on the machine: clients and guests are hostile. */
async function main(): Promise<void> {
  const write = (message: string, details?: object): void =>
    console.error(JSON.stringify({ time: new Date().toISOString(), message, ...details }));
  const log: Log = (level, message, fields) => write(message, { level, ...fields });
  handleFaults(write);
  const { values } = parseArgs({
    options: {
      kubeconfig: { type: 'string' },
      address: { type: 'string' },
      /** Ports to try, in this order. */
      'http-ports': { type: 'string' },
      'https-ports': { type: 'string' },
      'user-agent': { type: 'string' },
    },
  });
  const address = values.address!;
  // nobody cannot read the file again; it changes only at a start of the engine, with which this process ends
  const { source: _source, ...config } = loadKubeConfig(values.kubeconfig!);
  const client = new KubeClient(config, { userAgent: values['user-agent'] ?? 'ingress' });
  // handshakes may begin before the ports are known that the controller writes
  const late: { controller?: IngressController } = {};
  const frontEnd = new FrontEnd({
    defaultCertificate: await selfSigned(),
    certificateOf: (host) => late.controller?.certificateFor(host),
    log,
  });
  const numbers = (text = ''): number[] => text.split(',').map(Number);
  const ports = await frontEnd.start(address, {
    http: numbers(values['http-ports']),
    https: numbers(values['https-ports']),
  });
  const controller = new IngressController({
    client,
    address,
    ports,
    onTable: (table) => frontEnd.route(table),
    log,
  });
  late.controller = controller;
  endWithParent();
  dropRights();
  await controller.start();
  write('ready', { address, ...ports });
}

/** Rights that only the files and ports of the start need. */
function dropRights(): void {
  if (process.getuid?.() !== 0) return;
  process.setgroups!([]);
  process.setgid!(NOBODY);
  process.setuid!(NOBODY);
}

/** Ends the process with its parent: a change of user clears the signal that the engine's end would send. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.exit(0), PARENT_MS).unref();
}

/** Certificate for hosts without one. */
async function selfSigned(): Promise<{ cert: string; key: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const now = Date.now();
  const dayMs = 86_400_000;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=virt8s Ingress default certificate',
    notBefore: new Date(now - dayMs),
    notAfter: new Date(now + 365 * dayMs),
    keys,
    signingAlgorithm: algorithm,
  });
  const key = x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { cert: certificate.toString('pem'), key };
}

main().catch((error: unknown) => {
  console.error(errorText(error));
  process.exit(1);
});
