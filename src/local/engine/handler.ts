import { join } from 'node:path';
import { type FilePair, platformNamespace } from './credentials';
import { nodeMemoryFlags } from './node-memory-flags';

const port = 8186;

/** Command line of a node's virt-handler. */
export function handlerFlags(options: {
  /** Folder of the programs. */
  readonly programs: string;
  readonly kubeconfig: string;
  readonly node: string;
  readonly kubeletDir: string;
  /** Address of the node, on which virt-handler serves. */
  readonly address: string;
  readonly tls: FilePair;
  readonly clientCa: string;
  /** File with the capabilities of the node, which is written while virt-handler runs. */
  readonly capabilities: string;
}): string[] {
  const flags: Record<string, string> = {
    kubeconfig: options.kubeconfig,
    namespace: platformNamespace,
    'node-name': options.node,
    'kubelet-dir': options.kubeletDir,
    bind: options.address,
    port: String(port),
    advertise: options.address,
    'tls-cert-file': options.tls.cert,
    'tls-key-file': options.tls.key,
    'client-ca-file': options.clientCa,
    'capabilities-file': options.capabilities,
  };
  return [
    process.execPath,
    ...nodeMemoryFlags,
    join(options.programs, 'virt-handler.cjs'),
    ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]),
  ];
}
