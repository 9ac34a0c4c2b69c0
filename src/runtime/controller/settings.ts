import { parseArgs } from 'node:util';

/** The command line has an unknown option or an invalid value. */
export class UsageError extends Error {}

/** Number of keys that are reconciled at the same time, by kind. */
export interface Workers {
  readonly vms: number;
  readonly vmis: number;
  readonly nodes: number;
}

/** KubeVirt's numbers: enough that one slow answer does not delay other keys. */
export const WORKERS: Workers = { vms: 3, vmis: 10, nodes: 3 };
const MAX_WORKERS = 1000;

export interface Settings {
  readonly kubeconfig?: string;
  readonly namespace: string;
  readonly launcherImage: string;
  /** Without it, claims are not filled: another program, such as CDI, fills them. */
  readonly importerImage?: string;
  /** Certificates of the authority that signs virt-api's serving certificate. */
  readonly apiAuthorityFile?: string;
  /** Address of the upload proxy for clients. */
  readonly uploadProxyUrl?: string;
  /** Address of the same proxy for downloads of exports; without it, that of an Ingress. */
  readonly exportProxyUrl?: string;
  /** Port of /healthz, /readyz and /metrics; 0 disables them. */
  readonly port: number;
  readonly workers: Workers;
}

export const usage = `usage: virt-controller --launcher-image REF [--importer-image REF] [--kubeconfig FILE]
  [--api-authority-file FILE] [--upload-proxy-url URL] [--export-proxy-url URL] [--namespace kubevirt] [--port 8443]
  --launcher-image REF         image of the launcher Pods
  --importer-image REF         image of the Pods that fill claims; without it, CDI has to be installed
  --api-authority-file FILE    authority of virt-api, which signs who may clone from other namespaces; without it, only
                               ServiceAccounts of a namespace can allow that
  --upload-proxy-url URL       address of the upload proxy, which CDIConfig tells clients
  --export-proxy-url URL       address for downloads of exports from outside of the cluster; default: that of the Ingress in
                               the namespace whose backend is the Service virt-exportproxy
  --kubeconfig FILE            default: KUBECONFIG, else the Pod's ServiceAccount
  --namespace NAME             where the KubeVirt object and the lease are; default: kubevirt
  --port N                     /healthz, /readyz and /metrics over HTTP; default: 0, none
  --vm-controller-threads N    VMs that are worked on at a time; default: ${WORKERS.vms}
  --vmi-controller-threads N   instances that are worked on at a time; default: ${WORKERS.vmis}
  --node-controller-threads N  nodes that are worked on at a time; default: ${WORKERS.nodes}`;

/** Parses the command line; returns `help` if help is requested. @throws UsageError, or the error of parseArgs */
export function settingsOf(args: readonly string[]): Settings | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kubeconfig: { type: 'string' },
      namespace: { type: 'string', default: 'kubevirt' },
      'launcher-image': { type: 'string' },
      'importer-image': { type: 'string' },
      'api-authority-file': { type: 'string' },
      'upload-proxy-url': { type: 'string' },
      'export-proxy-url': { type: 'string' },
      port: { type: 'string', default: '0' },
      'vm-controller-threads': { type: 'string', default: String(WORKERS.vms) },
      'vmi-controller-threads': { type: 'string', default: String(WORKERS.vmis) },
      'node-controller-threads': { type: 'string', default: String(WORKERS.nodes) },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return 'help';
  const launcherImage = values['launcher-image'];
  if (!launcherImage) throw new UsageError('--launcher-image is missing; set it to the image of the launcher Pods');
  const threads = (name: 'vm' | 'vmi' | 'node'): number =>
    within(`--${name}-controller-threads`, values[`${name}-controller-threads`], 1, MAX_WORKERS);
  return {
    kubeconfig: values.kubeconfig,
    namespace: values.namespace,
    launcherImage,
    ...(values['api-authority-file'] && { apiAuthorityFile: values['api-authority-file'] }),
    ...(values['upload-proxy-url'] && { uploadProxyUrl: values['upload-proxy-url'] }),
    ...(values['export-proxy-url'] && { exportProxyUrl: values['export-proxy-url'] }),
    ...(values['importer-image'] && { importerImage: values['importer-image'] }),
    port: within('--port', values.port, 0, 65535),
    workers: { vms: threads('vm'), vmis: threads('vmi'), nodes: threads('node') },
  };
}

function within(flag: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new UsageError(`${flag} ${text}: must be a whole number from ${min} to ${max}`);
}
