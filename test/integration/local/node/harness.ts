import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import { destroyNode } from '../../../../src/local/node/cleanup';
import { inMountNamespace } from '../../../../src/local/engine/mount-namespace';
import type { Pod, PodSpec } from '../../../../src/local/core-v1';
import { startTestApiServer } from '../../../support/api-server';
import type { TestApiServer } from '../../../support/api-server';
import { until } from '../../../support/until';
import { busybox, writeImage } from '../images/oci-archive';
import type { NodeProcessConfig } from './node-process';
import { bundle } from '../../../support/api-server-process';

export const IMAGE = 'localhost/virt8s-test/busybox:1';

/** Repeats an attempt until it returns something. */
export const eventually = <T>(what: string, attempt: () => Promise<T | undefined | false>): Promise<T> =>
  until(attempt, { what, everyMs: 50 });

/** A real API server and a real node, alone on this host under names of their own. */
export class TestNode {
  public readonly id = randomBytes(3).toString('hex');
  public readonly nodeName = 'test-node';
  public readonly stateDir = mkdtempSync('/var/tmp/virt8s-node-');
  public readonly cacheDir = join(this.stateDir, 'cache');
  public port = 0;
  public gateway = { ipv4: '', ipv6: '' };
  public log = '';
  /** Resolves when the node's process has ended, for any reason. */
  public ended: Promise<unknown> = Promise.resolve();
  private child?: ChildProcess;
  private program?: string;

  private constructor(
    public readonly api: TestApiServer,
    public readonly client: KubeClient,
  ) {}

  public static async start(): Promise<TestNode> {
    const api = await startTestApiServer();
    const client = new KubeClient(loadKubeConfig(api.kubeconfig), { userAgent: 'test' });
    const node = new TestNode(api, client);
    writeImage(node.cacheDir, busybox(IMAGE));
    await node.up();
    return node;
  }

  /** `programs`: a directory whose programs the node finds first. */
  public async up(programs?: string): Promise<void> {
    const tls = await this.api.ca.issue(
      [{ CN: [`system:node:${this.nodeName}`] }],
      // other engines on this host may have taken the first networks
      ['127.0.0.1', ...Array.from({ length: 16 }, (_, i) => `10.77.${i}.1`)],
    );
    const config: NodeProcessConfig = {
      id: this.id,
      nodeName: this.nodeName,
      stateDir: this.stateDir,
      cacheDir: this.cacheDir,
      kubeconfig: await this.api.kubeconfigFor(`system:node:${this.nodeName}`, ['system:nodes']),
      clusterKubeconfig: this.api.kubeconfig,
      tls: { ...tls, clientCa: this.api.ca.pem },
    };
    const file = join(this.stateDir, 'config.json');
    writeFileSync(file, JSON.stringify(config));
    this.program ??= bundle(join(__dirname, 'node-process.ts'), this.stateDir);
    const [command = '', ...args] = inMountNamespace(this.stateDir, [process.execPath, this.program, file]);
    const env = { ...process.env, ...(programs ? { PATH: `${programs}:${process.env.PATH}` } : {}) };
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    this.child = child;
    this.ended = new Promise((done) => child.once('exit', done));
    child.stderr?.on('data', (data: Buffer) => {
      this.log += data.toString();
      if (process.env.VIRT8S_TEST_LOG) process.stderr.write(data);
    });
    const line = await new Promise<string>((done, fail) => {
      child.stdout?.once('data', (data: Buffer) => done(data.toString()));
      child.once('exit', (code) => fail(new Error(`the node ended with ${code}: ${this.log}`)));
    });
    const ready = JSON.parse(line) as { port: number; gateway: { ipv4: string; ipv6: string } };
    this.port = ready.port;
    this.gateway = ready.gateway;
  }

  /** Process of the node, which is not the one that made its mount namespace. */
  public get pid(): number {
    return this.pids.at(-1)!;
  }

  private get pids(): number[] {
    const files = execFileSync('pgrep', ['-f', join(this.stateDir, 'config.json')], { encoding: 'utf8' });
    return files.trim().split('\n').map(Number);
  }

  public async kill(): Promise<void> {
    for (const pid of this.pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // a parent went with its child
      }
    }
    await this.ended;
  }

  public async close(): Promise<void> {
    if (this.child?.exitCode === null && this.child.signalCode === null) await this.kill();
    await destroyNode(this.stateDir, this.id);
    this.client.close();
    await this.api.close();
    const left = this.leftovers();
    rmSync(this.stateDir, { recursive: true, force: true });
    if (left.length) throw new Error(`left on the host: ${left.join('; ')}`);
  }

  /** Leftovers of this node on the host. */
  public leftovers(): string[] {
    const lines = (command: string, ...args: string[]): string[] =>
      execFileSync(command, args, { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.includes(this.id) || line.includes(this.stateDir));
    const processes = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .filter((pid) => {
        try {
          const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/cgroup`, 'utf8');
          return text.includes(this.stateDir) || text.includes(`virt8s-${this.id}`);
        } catch {
          return false;
        }
      });
    return [
      ...processes.map((pid) => `process ${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`),
      ...readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .filter((line) => line.includes(this.stateDir)),
      ...lines('ip', '-o', 'link'),
      ...lines('nft', 'list', 'tables'),
      ...lines('losetup', '-a'),
      ...readdirSync('/sys/fs/cgroup', { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => `/sys/fs/cgroup/${entry.name}/virt8s-${this.id}`)
        .filter((path) => existsSync(path)),
      ...(existsSync(join(this.stateDir, 'nodes')) ? [join(this.stateDir, 'nodes')] : []),
    ];
  }

  public create(
    spec: Partial<PodSpec> & Pick<PodSpec, 'containers'>,
    metadata: Partial<Pod['metadata']> = {},
  ): Promise<Pod> {
    const name = `p-${randomUUID().slice(0, 8)}`;
    return this.client.create<Pod>(resources.pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', ...metadata },
      spec: { nodeName: this.nodeName, terminationGracePeriodSeconds: 2, automountServiceAccountToken: false, ...spec },
    } as Pod);
  }

  /** A Pod of one container that runs a shell script. */
  public run(
    script: string,
    container: Partial<PodSpec['containers'][0]> = {},
    spec: Partial<PodSpec> = {},
  ): Promise<Pod> {
    const main = { name: 'main', image: IMAGE, command: ['sh', '-c', script], ...container };
    return this.create({ restartPolicy: 'Never', ...spec, containers: [main] });
  }

  public get(pod: Pod): Promise<Pod> {
    const { namespace, name = '' } = pod.metadata;
    return this.client.get<Pod>(resources.pods, { namespace, name });
  }

  public becomes(pod: Pod, what: string, check: (pod: Pod) => unknown): Promise<Pod> {
    let last: Pod | undefined;
    return eventually(`Pod ${pod.metadata.name} ${what}`, async () => {
      last = await this.get(pod);
      return check(last) ? last : undefined;
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${JSON.stringify(last?.status, null, 1)}\n${this.log.slice(-3000)}`);
    });
  }

  public phase(pod: Pod, phase: string): Promise<Pod> {
    return this.becomes(pod, `becomes ${phase}`, ({ status }) => status?.phase === phase);
  }

  /** A container's log, asked of the kubelet as the API server does. */
  public async logs(pod: Pod, query = '', container = 'main'): Promise<string> {
    const { code, body } = await this.kubelet(`/containerLogs/default/${pod.metadata.name}/${container}${query}`);
    if (code !== 200) throw new Error(`${code}: ${body}`);
    return body;
  }

  public get kubeletOptions() {
    const { cert, key } = this.api.admin;
    return {
      host: this.gateway.ipv4,
      port: this.port,
      cert,
      key,
      ca: this.api.ca.pem,
      rejectUnauthorized: false,
    };
  }

  public kubelet(path: string): Promise<{ code: number; body: string }> {
    return new Promise((done, fail) => {
      const call = request({ ...this.kubeletOptions, path, agent: false }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        response.on('end', () => done({ code: response.statusCode ?? 0, body }));
      });
      call.on('error', fail).end();
    });
  }

  /** A websocket to the kubelet; collects what comes on each channel until it closes. */
  public stream(path: string, protocol = 'v5.channel.k8s.io') {
    const { host, port, ...tls } = this.kubeletOptions;
    const socket = new WebSocket(`wss://${host}:${port}${path}`, [protocol], tls);
    const channels: Record<number, string> = {};
    socket.on('message', (data: Buffer) => {
      const channel = data[0] ?? 0;
      channels[channel] = (channels[channel] ?? '') + data.subarray(1).toString();
    });
    const opened = new Promise<void>((done, fail) => socket.once('open', done).once('error', fail));
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    const send = (channel: number, data: string | Buffer): void =>
      socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(data as Buffer)]));
    return { socket, channels, opened, closed, send };
  }

  public exec(pod: Pod, command: string[], query = 'output=1&error=1', container = 'main') {
    const words = command.map((word) => `command=${encodeURIComponent(word)}`).join('&');
    return this.stream(`/exec/${pod.metadata.namespace}/${pod.metadata.name}/${container}?${query}&${words}`);
  }

  /** Runs to the end; answers what it printed. */
  public async output(script: string, container: Partial<PodSpec['containers'][0]> = {}, spec: Partial<PodSpec> = {}) {
    const pod = await this.run(script, container, spec);
    await this.becomes(pod, 'ends', ({ status }) => /Succeeded|Failed/.test(status?.phase ?? ''));
    return this.logs(pod);
  }

  public async delete(pod: Pod, gracePeriodSeconds?: number): Promise<void> {
    await this.client.delete(
      resources.pods,
      { namespace: 'default', name: pod.metadata.name ?? '' },
      { gracePeriodSeconds },
    );
  }

  public gone(pod: Pod): Promise<unknown> {
    return eventually(
      `Pod ${pod.metadata.name} is gone`,
      async () => !(await this.client.find(resources.pods, { namespace: 'default', name: pod.metadata.name ?? '' })),
    );
  }

  public async events(pod: Pod): Promise<string[]> {
    const { items } = await this.client.list(resources.events, {
      namespace: 'default',
      fieldSelector: `involvedObject.name=${pod.metadata.name}`,
    });
    return items.map((event) => {
      const { type, reason, message } = event as unknown as Record<string, string>;
      return `${type} ${reason}: ${message}`;
    });
  }
}
