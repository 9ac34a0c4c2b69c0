import { join } from 'node:path';
import type { KubeObject } from '../../api';
import { Informer, isAlreadyExists, type KubeClient } from '../../runtime/kube';
import { CONTROLLER, DEFAULT_CLASS } from '../ingress/class';
import { INGRESS_CLASSES, INGRESSES } from '../ingress/networking-v1';
import { nodeMemoryFlags } from './node-memory-flags';
import type { Supervisor } from './supervisor';

/** Ports of the front end for Ingresses that the user chose. */
export interface IngressPorts {
  readonly http?: number;
  readonly https?: number;
}

export interface IngressOptions {
  /** As `system:virt8s-engine`, which creates the class. */
  readonly bootstrap: KubeClient;
  /** As the front end. */
  readonly client: KubeClient;
  readonly kubeconfig: string;
  readonly userAgent: string;
  readonly programs: string;
  readonly address: string;
  readonly ports: IngressPorts;
  readonly supervisor: Supervisor;
  readonly logFile: string;
  readonly log: (message: string, details?: object) => void;
}

/** Usual ports, and those that are used if another program has the usual ones. */
const USUAL = { http: [80, 10080], https: [443, 10443] };

/** Creates the default class, and starts the front end with the first Ingress: without one, it costs nothing. */
export async function startIngress(options: IngressOptions): Promise<{ close(): Promise<void> }> {
  await createClass(options.bootstrap);
  const ingresses = new Informer<KubeObject>(options.client, INGRESSES, {
    transform: ({ apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } }) => ({
      apiVersion,
      kind,
      metadata: { name, namespace, uid, resourceVersion },
    }),
    onError: (error) => options.log('watching ingresses failed; retrying', { error: String(error) }),
  });
  let running = false;
  ingresses.onChange({
    add: () => {
      if (running) return;
      running = true;
      startProgram(options);
      void ingresses.stop();
    },
  });
  await ingresses.start();
  return { close: () => ingresses.stop() };
}

/** Creates the class once, so that a user may choose another default. */
async function createClass(client: KubeClient): Promise<void> {
  const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
  try {
    await client.create(INGRESS_CLASSES, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: DEFAULT_CLASS, annotations },
      spec: { controller: CONTROLLER },
    } as KubeObject);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

function startProgram({ programs, ports, supervisor, logFile, ...options }: IngressOptions): void {
  const list = (chosen: number | undefined, usual: readonly number[]): string => String(chosen ?? usual.join(','));
  const flags = {
    kubeconfig: options.kubeconfig,
    address: options.address,
    'http-ports': list(ports.http, USUAL.http),
    'https-ports': list(ports.https, USUAL.https),
    'user-agent': options.userAgent,
  };
  supervisor.start({
    name: 'ingress',
    argv: [
      process.execPath,
      ...nodeMemoryFlags,
      join(programs, 'ingress.cjs'),
      ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]),
    ],
    logFile,
  });
}
