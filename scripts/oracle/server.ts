import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheDir } from '../../src/local/engine/cache';
import { freePort } from '../../test/integration/package/registry';

export interface Answer {
  code: number;
  body: Record<string, unknown>;
}

/** Kubernetes' own CustomResourceDefinition server, running. */
export interface Oracle {
  readonly port: number;
  /** Identity of an administrator. */
  readonly admin: { readonly cert: Buffer; readonly key: Buffer };
  /** etcd and the server. */
  readonly pids: readonly number[];
  send(method: string, path: string, body?: unknown, contentType?: string): Promise<Answer>;
  stop(): Promise<void>;
}

/** Programs of the server that are missing in the cache. */
export function missingPrograms(): string[] {
  const programs = ['etcd', 'apiextensions-apiserver'].map((name) => join(cacheDir(), 'oracle', name));
  return programs.filter((file) => !existsSync(file));
}

/**
 * Starts etcd and the server that scripts/oracle/build.sh made, in a directory of their own. etcd syncs its writes only
 * if `durable`.
 */
export async function startOracle({ durable = false } = {}): Promise<Oracle> {
  const bin = join(cacheDir(), 'oracle');
  for (const file of missingPrograms()) throw new Error(`${file} is missing; run scripts/oracle/build.sh`);
  const dir = mkdtempSync(join(tmpdir(), 'virt8s-oracle-run.'));
  const [client, peer, port] = await Promise.all([freePort(), freePort(), freePort()]);
  makeCertificates(dir);
  writeFileSync(join(dir, 'kubeconfig'), kubeconfig(dir, port));
  const children = [
    run(join(bin, 'etcd'), [
      `--data-dir=${dir}/etcd`,
      `--listen-client-urls=http://127.0.0.1:${client}`,
      `--advertise-client-urls=http://127.0.0.1:${client}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
      `--initial-cluster=default=http://127.0.0.1:${peer}`,
      ...(durable ? [] : ['--unsafe-no-fsync']),
    ]),
    run(join(bin, 'apiextensions-apiserver'), [
      `--etcd-servers=http://127.0.0.1:${client}`,
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${dir}/server`,
      `--client-ca-file=${dir}/ca.crt`,
      `--kubeconfig=${dir}/kubeconfig`,
      `--authentication-kubeconfig=${dir}/kubeconfig`,
      `--authorization-kubeconfig=${dir}/kubeconfig`,
      '--authentication-skip-lookup',
      '--enable-priority-and-fairness=false',
      '--disable-admission-plugins=NamespaceLifecycle,MutatingAdmissionWebhook,ValidatingAdmissionWebhook,MutatingAdmissionPolicy,ValidatingAdmissionPolicy',
    ]),
  ];
  const admin = { cert: readFileSync(join(dir, 'client.crt')), key: readFileSync(join(dir, 'client.key')) };
  // the server makes its own certificate at each start
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, ...admin });
  const stop = async (): Promise<void> => {
    agent.destroy();
    await Promise.all(children.reverse().map(end));
    rmSync(dir, { recursive: true, force: true });
  };
  const send: Oracle['send'] = (method, path, body, contentType = 'application/json') =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = { 'user-agent': 'oracle', ...(text ? { 'content-type': contentType } : {}) };
      const req = request({ host: '127.0.0.1', port, method, path, agent, headers }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (c: Buffer) => chunks.push(c));
        res.on('end', () => {
          const answer = Buffer.concat(chunks).toString();
          try {
            resolve({ code: res.statusCode ?? 0, body: JSON.parse(answer) as Answer['body'] });
          } catch {
            resolve({ code: res.statusCode ?? 0, body: { message: answer } });
          }
        });
      });
      req.on('error', reject).end(text);
    });
  try {
    await ready(send, children);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, admin, pids: children.map(({ pid }) => pid!), send, stop };
}

async function ready(send: Oracle['send'], children: ChildProcess[]): Promise<void> {
  for (let i = 0; i < 120; i++) {
    const dead = children.find((c) => c.exitCode !== null);
    if (dead) throw new Error(`${dead.spawnfile} ended with ${dead.exitCode}`);
    // /readyz stays red: the server also watches Services, which no server here offers
    const answer = await send('GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions').catch(() => undefined);
    if (answer?.code === 200) return;
    await sleep(500);
  }
  throw new Error('the oracle was not ready within a minute');
}

function run(command: string, args: string[]): ChildProcess {
  const debug = process.env.VIRT8S_ORACLE_DEBUG ? 'inherit' : 'ignore';
  return spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args], { stdio: ['ignore', debug, debug] });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

function makeCertificates(dir: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', '-subj', '/CN=oracle');
  openssl('req', ...key, '-keyout', 'client.key', '-out', 'client.csr', '-subj', '/O=system:masters/CN=oracle');
  openssl(
    'x509',
    '-req',
    '-in',
    'client.csr',
    '-CA',
    'ca.crt',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-days',
    '2',
    '-out',
    'client.crt',
  );
}

const kubeconfig = (dir: string, port: number): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'oracle',
    clusters: [{ name: 'oracle', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'oracle', user: { 'client-certificate': `${dir}/client.crt`, 'client-key': `${dir}/client.key` } }],
    contexts: [{ name: 'oracle', context: { cluster: 'oracle', user: 'oracle' } }],
  });
