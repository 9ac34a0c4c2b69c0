import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { checkPair, parseCertificates, readAuthorities } from './pem';

/** Address of the API server, and our credentials. */
export interface KubeConfig {
  /** `https://host:port`, without a trailing slash. */
  readonly server: string;
  /** PEM. Default: the system's authorities. */
  readonly ca?: string;
  /** PEM client certificate and key. */
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
  /** A token that is rotated in place (ServiceAccount): read again when the file has changed. */
  readonly tokenFile?: string;
  /** Name in the server's certificate, if it differs from the host of `server`. */
  readonly serverName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** Namespace of the context, or of the Pod. */
  readonly namespace?: string;
  /** Files of `ca`, `cert`, `key` and `token`, if they may change while the program runs. */
  readonly source?: CredentialSource;
}

export interface CredentialSource {
  readonly files: readonly string[];
  /** @throws Error when the current files are invalid */
  read(): Pick<KubeConfig, 'ca' | 'cert' | 'key' | 'token'>;
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Reads a kubeconfig: `file`, else `$KUBECONFIG` (its first existing entry), else the ServiceAccount of this Pod, else
 * `~/.kube/config`.
 */
export function loadKubeConfig(file?: string, context?: string): KubeConfig {
  if (file) return readKubeConfig(file, context);
  const fromEnv = process.env.KUBECONFIG?.split(':').find((entry) => entry && existsSync(entry));
  if (fromEnv) return loadKubeConfig(fromEnv, context);
  if (process.env.KUBERNETES_SERVICE_HOST && existsSync(`${SERVICE_ACCOUNT}/token`)) return inCluster();
  const home = join(homedir(), '.kube', 'config');
  if (existsSync(home)) return loadKubeConfig(home, context);
  throw new Error(
    `no Kubernetes API server is configured: --kubeconfig and KUBECONFIG are unset, ${home} does not exist and this is ` +
      'not a Pod; give --kubeconfig FILE or set KUBECONFIG',
  );
}

function readKubeConfig(file: string, wanted: string | undefined): KubeConfig {
  const load = (context: string | undefined): Parsed =>
    parse(readFileSync(file, 'utf8'), dirname(resolve(file)), context);
  const { config, context, files } = load(wanted);
  const read = (): KubeConfig => {
    // the context at the start: a later selection is for programs that start later
    const now = load(context).config;
    if (now.server !== config.server) {
      throw new Error(
        `${file}: the server of context ${JSON.stringify(context)} is now ${now.server} and was ${config.server}; ` +
          'restart this program to use it',
      );
    }
    if (now.ca !== undefined) parseCertificates(now.ca, `${file}: certificate-authority`);
    if (now.cert !== undefined && now.key !== undefined) checkPair({ cert: now.cert, key: now.key }, file);
    return now;
  };
  return { ...config, source: { files: [file, ...files], read } };
}

function inCluster(): KubeConfig {
  const caFile = `${SERVICE_ACCOUNT}/ca.crt`;
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = process.env;
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca: readAuthorities(caFile),
    source: { files: [caFile], read: () => ({ ca: readAuthorities(caFile) }) },
    tokenFile: `${SERVICE_ACCOUNT}/token`,
    namespace: readFileSync(`${SERVICE_ACCOUNT}/namespace`, 'utf8').trim(),
  };
}

type Entry = Record<string, string | boolean | undefined>;
interface KubeConfigFile {
  'current-context'?: string;
  contexts?: { name: string; context: Entry }[];
  clusters?: { name: string; cluster: Entry }[];
  users?: { name: string; user: Entry }[];
}

/** Parses the selected context of a kubeconfig; files that it refers to are relative to `dir`. */
export function parseKubeConfig(text: string, dir: string, contextName?: string): KubeConfig {
  return parse(text, dir, contextName).config;
}

interface Parsed {
  readonly config: KubeConfig;
  readonly context: string;
  /** Fields with certificates and keys. */
  readonly files: readonly string[];
}

function parse(text: string, dir: string, contextName: string | undefined): Parsed {
  const file = parseYaml(text) as KubeConfigFile | undefined;
  const wanted = contextName ?? file?.['current-context'];
  const contexts = file?.contexts ?? [];
  const context = contexts.find((entry) => entry.name === wanted)?.context;
  if (wanted === undefined || !context) {
    const known = contexts.map((entry) => JSON.stringify(entry.name)).join(', ') || 'none';
    throw new Error(`kubeconfig: context ${JSON.stringify(wanted ?? '')} does not exist (known: ${known}); name one`);
  }
  const cluster = file?.clusters?.find((entry) => entry.name === context.cluster)?.cluster;
  if (typeof cluster?.server !== 'string') {
    throw new Error(`kubeconfig: cluster ${JSON.stringify(context.cluster)} has no "server"; add its URL`);
  }
  const user = file?.users?.find((entry) => entry.name === context.user)?.user ?? {};
  if ('exec' in user || 'auth-provider' in user) {
    throw new Error(
      `kubeconfig: user ${JSON.stringify(context.user)} logs in by an exec or auth-provider plugin, which is not ` +
        'supported here; use a client certificate, a token or a ServiceAccount',
    );
  }
  const files: string[] = [];
  const pem = (holder: Entry, field: string): string | undefined => {
    const data = holder[`${field}-data`];
    if (typeof data === 'string') return Buffer.from(data, 'base64').toString('utf8');
    const path = holder[field];
    if (typeof path !== 'string' || !path) return undefined;
    files.push(resolve(dir, path));
    return readFileSync(resolve(dir, path), 'utf8');
  };
  const text_ = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);
  const tokenFile = text_(user.tokenFile);
  const config: KubeConfig = {
    server: cluster.server.replace(/\/+$/, ''),
    ca: pem(cluster, 'certificate-authority'),
    cert: pem(user, 'client-certificate'),
    key: pem(user, 'client-key'),
    token: text_(user.token),
    tokenFile: tokenFile && resolve(dir, tokenFile),
    serverName: text_(cluster['tls-server-name']),
    insecureSkipTlsVerify: cluster['insecure-skip-tls-verify'] === true,
    namespace: text_(context.namespace),
  };
  return { config, context: wanted, files };
}

/** JSON is YAML: the parser is loaded only for a file that needs it, because it costs a megabyte. */
function parseYaml(text: string): unknown {
  if (text.trimStart().startsWith('{')) return JSON.parse(text);
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return (require('yaml') as typeof import('yaml')).parse(text);
}
