import { parseArgs } from 'node:util';

/** The command line has an unknown option or an invalid value. */
export class UsageError extends Error {}

export interface Settings {
  readonly kubeconfig?: string;
  readonly namespace: string;
  /** Folder in which the install strategy is mounted. */
  readonly strategyDir: string;
  /** Hash of the install strategy that belongs to this operator. */
  readonly strategyHash: string;
  /** Whether it issues certificates; if not, another program fills the Secrets. */
  readonly issuesCertificates: boolean;
  /** Whether the platform fills claims itself. */
  readonly importer: boolean;
  /** Registry of the platform's images, for the status. */
  readonly registry: string;
  /** Port of /healthz, /readyz and /metrics; 0 disables them. */
  readonly port: number;
}

export const usage = `usage: virt-operator --strategy-dir DIR --strategy-hash HASH [--kubeconfig FILE] [--namespace kubevirt]
  [--registry NAME] [--issue-certificates BOOL] [--importer BOOL] [--port N]
  --strategy-dir DIR          folder with the objects of the platform (ConfigMap kubevirt-install-strategy)
  --strategy-hash HASH        hash of that content; the operator waits while it differs
  --kubeconfig FILE           default: KUBECONFIG, else the Pod's ServiceAccount
  --namespace NAME            where the platform is installed; default: kubevirt
  --registry NAME             registry of the images, which the status reports
  --issue-certificates BOOL   whether it issues the platform's certificates; default: true
  --importer BOOL             whether the platform imports disks itself; default: true
  --port N                    /healthz, /readyz and /metrics over HTTP; default: 0, none`;

/** Parses the command line; returns `help` if help is requested. @throws UsageError, or the error of parseArgs */
export function settingsOf(args: readonly string[]): Settings | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kubeconfig: { type: 'string' },
      namespace: { type: 'string', default: 'kubevirt' },
      'strategy-dir': { type: 'string' },
      'strategy-hash': { type: 'string' },
      registry: { type: 'string', default: '' },
      'issue-certificates': { type: 'string', default: 'true' },
      importer: { type: 'string', default: 'true' },
      port: { type: 'string', default: '0' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return 'help';
  const need = (flag: 'strategy-dir' | 'strategy-hash'): string => {
    const value = values[flag];
    if (!value) throw new UsageError(`--${flag} is missing`);
    return value;
  };
  return {
    kubeconfig: values.kubeconfig,
    namespace: values.namespace,
    strategyDir: need('strategy-dir'),
    strategyHash: need('strategy-hash'),
    issuesCertificates: bool('--issue-certificates', values['issue-certificates']),
    importer: bool('--importer', values.importer),
    registry: values.registry,
    port: portOf(values.port),
  };
}

function bool(flag: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new UsageError(`${flag} ${text}: must be true or false`);
}

function portOf(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65535) return value;
  throw new UsageError(`--port ${text}: must be a whole number from 0 to 65535`);
}
