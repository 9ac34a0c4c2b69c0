import { accessSync, constants, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isAlive, readRecord } from '../local/engine/record';
import type { KubeConfig } from './kube';
import { loadKubeConfig } from './kube';
import { ClientError, messageOf } from './errors';
import { runExecPlugin } from './exec-plugin';
import type { ExecConfig } from './exec-plugin';

/** kubectl's connection flags: API server, user and namespace. */
export interface ConnectionFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly server?: string;
  readonly token?: string;
  readonly certificateAuthority?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
}

interface Cluster {
  server?: string;
  'certificate-authority'?: string;
  'certificate-authority-data'?: string;
  'tls-server-name'?: string;
  'insecure-skip-tls-verify'?: boolean;
}
interface User {
  'client-certificate'?: string;
  'client-certificate-data'?: string;
  'client-key'?: string;
  'client-key-data'?: string;
  token?: string;
  tokenFile?: string;
  exec?: ExecConfig;
  'auth-provider'?: { name?: string };
}
interface Context {
  cluster?: string;
  user?: string;
  namespace?: string;
}
interface Merged {
  current?: string;
  contexts: Map<string, Context>;
  clusters: Map<string, Cluster>;
  users: Map<string, User>;
}

export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const here = (): Environment => ({ env: process.env, home: homedir() });

/** State folder of the engine of this machine. */
export const stateDir = (env: Environment['env'] = process.env): string => env.VIRT8S_STATE_DIR || '/var/lib/virt8s';

/**
 * Finds the API server from the flags, `KUBECONFIG`, the running local engine, the surrounding Pod, or
 * `~/.kube/config`, in this order.
 */
export async function resolveConfig(flags: ConnectionFlags, where: Environment = here()): Promise<KubeConfig> {
  const files = kubeconfigFiles(flags, where);
  if (files.length === 0 && !flags.server) return inCluster(flags, where);
  const merged = await load(files);
  const name = flags.context ?? merged.current;
  const context = name === undefined ? undefined : merged.contexts.get(name);
  if (name !== undefined && name !== '' && !context) {
    throw new ClientError(`context "${name}" does not exist in ${files.join(', ')} (known: ${known(merged.contexts)})`);
  }
  const cluster = pick(merged.clusters, flags.cluster ?? context?.cluster, 'cluster') ?? {};
  const user = pick(merged.users, flags.user ?? context?.user, 'user') ?? {};
  if (!flags.server && !cluster.server) {
    throw new ClientError(`no API server is configured in ${files.join(', ')}; set --server or --context`);
  }
  return {
    ca: pem(cluster['certificate-authority-data'], cluster['certificate-authority']),
    ...(await credentials(user, cluster)),
    serverName: cluster['tls-server-name'],
    insecureSkipTlsVerify: cluster['insecure-skip-tls-verify'],
    namespace: context?.namespace,
    server: (flags.server ?? cluster.server ?? '').replace(/\/+$/, ''),
    ...overrides(flags),
  };
}

function inCluster(flags: ConnectionFlags, { env, home }: Environment): KubeConfig {
  if (env.KUBERNETES_SERVICE_HOST) return { ...loadKubeConfig(), ...overrides(flags) };
  throw new ClientError(
    `no API server is configured: the local engine is not up, KUBECONFIG is unset and ${join(home, '.kube', 'config')} ` +
      'does not exist; run virt8s up, or set --kubeconfig',
  );
}

/** Kubeconfig files to merge. If empty, only flags and the cluster of a Pod are used. */
export function kubeconfigFiles({ kubeconfig }: ConnectionFlags, { env, home }: Environment): string[] {
  if (kubeconfig) return [resolve(kubeconfig)];
  if (env.KUBECONFIG) {
    const named = env.KUBECONFIG.split(':').filter(Boolean);
    const readable = named.filter(isReadable);
    if (readable.length === 0) {
      throw new ClientError(`KUBECONFIG contains no readable file (${named.join(', ')}); correct or unset it`);
    }
    return readable;
  }
  const engine = join(stateDir(env), 'admin.kubeconfig');
  if (isReadable(engine) && isAlive(readRecord(join(stateDir(env), 'engine.json')))) return [engine];
  const own = join(home, '.kube', 'config');
  return isReadable(own) ? [own] : [];
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Merges files like kubectl: the first file that defines a name wins. */
async function load(files: string[]): Promise<Merged> {
  const merged: Merged = { contexts: new Map(), clusters: new Map(), users: new Map() };
  for (const file of files) {
    const parsed = await parse(file);
    const text = parsed?.['current-context'];
    if (typeof text === 'string' && text) merged.current ??= text;
    const dir = dirname(file);
    collect(merged.contexts, parsed?.contexts, 'context', (context: Context) => context);
    collect(merged.clusters, parsed?.clusters, 'cluster', (cluster: Cluster) => ({
      ...cluster,
      'certificate-authority': from(dir, cluster['certificate-authority']),
    }));
    collect(merged.users, parsed?.users, 'user', (user: User) => ({
      ...user,
      'client-certificate': from(dir, user['client-certificate']),
      'client-key': from(dir, user['client-key']),
      tokenFile: from(dir, user.tokenFile),
      exec: user.exec && { ...user.exec, dir },
    }));
  }
  return merged;
}

async function parse(file: string): Promise<Record<string, unknown> | null> {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.trimStart().startsWith('{')) return JSON.parse(text) as Record<string, unknown>;
    const { parse: parseYaml } = await import('yaml');
    return parseYaml(text) as Record<string, unknown> | null;
  } catch (error) {
    throw new ClientError(`cannot read kubeconfig ${file}: ${messageOf(error)}`);
  }
}

function collect<T extends object>(into: Map<string, T>, list: unknown, field: string, convert: (of: T) => T): void {
  for (const entry of Array.isArray(list) ? (list as Record<string, unknown>[]) : []) {
    const name = String(entry?.name ?? '');
    if (!into.has(name)) into.set(name, convert((entry?.[field] ?? {}) as T));
  }
}

const from = (dir: string, path: string | undefined): string | undefined => (path ? resolve(dir, path) : undefined);
const known = (map: Map<string, unknown>): string => [...map.keys()].join(', ') || 'none';

function pick<T>(map: Map<string, T>, name: string | undefined, what: string): T | undefined {
  if (!name) return undefined;
  const found = map.get(name);
  if (!found) throw new ClientError(`kubeconfig: ${what} "${name}" does not exist (known: ${known(map)})`);
  return found;
}

const decode = (data: string): string => Buffer.from(data, 'base64').toString('utf8');
const pem = (data: string | undefined, file: string | undefined): string | undefined =>
  data ? decode(data) : file ? readPem(file) : undefined;

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ClientError(`cannot read ${file}: ${messageOf(error)}`);
  }
}

async function credentials(user: User, cluster: Cluster): Promise<Partial<KubeConfig>> {
  if (user['auth-provider']) {
    throw new ClientError(
      `kubeconfig: auth-provider "${user['auth-provider'].name}" was removed from Kubernetes; use an exec plugin`,
    );
  }
  const own: Partial<KubeConfig> = {
    cert: pem(user['client-certificate-data'], user['client-certificate']),
    key: pem(user['client-key-data'], user['client-key']),
    token: user.token || undefined,
    tokenFile: user.token ? undefined : user.tokenFile,
  };
  if (!user.exec || own.token || own.cert) return own;
  return runExecPlugin(user.exec, cluster.server);
}

function overrides(flags: ConnectionFlags): Partial<KubeConfig> {
  return {
    ...(flags.token ? { token: flags.token, tokenFile: undefined } : {}),
    ...(flags.certificateAuthority ? { ca: readPem(flags.certificateAuthority) } : {}),
    ...(flags.clientCertificate ? { cert: readPem(flags.clientCertificate) } : {}),
    ...(flags.clientKey ? { key: readPem(flags.clientKey) } : {}),
    ...(flags.tlsServerName ? { serverName: flags.tlsServerName } : {}),
    ...(flags.insecureSkipTlsVerify ? { insecureSkipTlsVerify: true } : {}),
    ...(flags.namespace ? { namespace: flags.namespace } : {}),
  };
}
